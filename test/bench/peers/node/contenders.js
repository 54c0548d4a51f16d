//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

import {beforeRetry} from './scenario.js';
import {DelegateBackoff, handleAll, retry} from 'cockatiel';
import pRetry from 'p-retry';

// p-retry has a law of its own: the wait without jitter, times U(1, 2), rounded, and at most `maxTimeout`. Where jitter
// is as large as the first wait, as in A, waits are 1.2 times as long as those of the others on average. In B and E jitter
// is a tenth, so most waits are at their maximum.
const pRetryPrepare = (all) => {
    const {failures, waits} = all.scenario;
    const maxTimeout = waits.maximum === Infinity ? waits.initial + waits.jitter : waits.maximum;
    all.options = {factor: 2, maxTimeout, minTimeout: waits.initial, randomize: true, retries: failures};
};

const pRetryOperation = (all, state) =>
    pRetry(
        (number) => {
            state.attempts = number;
            return all.attempt(number);
        },
        {...all.options, signal: state.signal});

// One policy for all, with the waits of the others. It waits to the end of the wait when its signal is aborted.
const cockatielPrepare = (all) => {
    const {failures, waits} = all.scenario;
    const backoff = new DelegateBackoff(({attempt}) => beforeRetry(waits, attempt - 1));
    all.policy = retry(handleAll, {maxAttempts: failures, backoff});
};

const cockatielOperation = (all, state) => all.policy.execute(() => all.attempt(++state.attempts));

function sleep(milliseconds, signal) {
    if (!signal) return new Promise((resolve) => setTimeout(resolve, milliseconds));
    return new Promise((resolve, reject) => {
        const onAbort = () => {
            clearTimeout(timer);
            reject(signal.reason);
        };
        const timer = setTimeout(() => {
            signal.removeEventListener('abort', onAbort);
            resolve();
        }, milliseconds);
        signal.addEventListener('abort', onAbort, {once: true});
    });
}

async function loopOperation(all, state) {
    const {failures, waits} = all.scenario;
    for (;;) {
        try {
            return await all.attempt(++state.attempts);
        } catch (error) {
            if (state.attempts > failures) throw error;
        }
        await sleep(beforeRetry(waits, state.attempts - 1), state.signal);
    }
}

// The attempt alone: what C and Cp of the others are compared with.
const bareOperation = (all, state) => all.attempt(++state.attempts);

export const contenders = {
    'node-p-retry': {operation: pRetryOperation, prepare: pRetryPrepare},
    'node-cockatiel': {operation: cockatielOperation, prepare: cockatielPrepare, cannotCancel: true},
    'node-loop': {operation: loopOperation},
    'node-bare': {operation: bareOperation, neverWaits: true},
};
