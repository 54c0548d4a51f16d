//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

import {Measurement} from './measure.js';
import {setImmediate as turn} from 'node:timers/promises';

// One for all attempts: an error of its own for each, with where it came from, would be most of what is measured.
const unavailable = new Error('unavailable');

// What the operations of a run have in common.
class Shared {
    failedOnce = 0;
    ended = 0;
    cancelled = 0;
    attempts = 0;

    // One for each operation, if they are to be cancelled.
    controllers = [];

    constructor({scenario}) {
        this.scenario = scenario;
    }

    // The attempt of this number, from 1: fails or succeeds as the scenario says. It rejects a promise, as what waits for
    // a socket does: `throw` would have V8 look where it is thrown, which takes longer than the rest of an attempt.
    attempt(number) {
        return new Promise((resolve, reject) => {
            if (this.scenario.inline) this.settle(number, resolve, reject);
            else setImmediate(() => this.settle(number, resolve, reject));
        });
    }

    settle(number, resolve, reject) {
        if (number > this.scenario.failures) return resolve();
        if (number === 1) ++this.failedOnce;
        return reject(unavailable);
    }

    // Counts an operation that ended after as many attempts as it takes, or that was cancelled in its first wait.
    // Others are missed at the end.
    async watch(contender) {
        const state = {attempts: 0, signal: undefined};
        if (this.scenario.cancelled) {
            const controller = new AbortController();
            this.controllers.push(controller);
            state.signal = controller.signal;
        }
        try {
            await contender.operation(this, state);
            if (state.attempts !== this.scenario.failures + 1) return;
            ++this.ended;
        } catch (error) {
            if (error !== state.signal?.reason || state.attempts !== 1) return;
            ++this.cancelled;
        }
        this.attempts += state.attempts;
    }
}

async function oneAfterTheOther({contender, operations}, all) {
    const measurement = new Measurement();
    for (let i = 0; i !== operations; ++i) await all.watch(contender);
    return measurement;
}

async function allAtOnce({contender, operations, scenario}, all) {
    const measurement = new Measurement();
    const {promise, resolve} = withResolvers();
    let left = operations;
    const onEnd = () => {
        if (--left === 0) resolve();
    };
    for (let i = 0; i !== operations; ++i) all.watch(contender).then(onEnd);
    if (scenario.suspended) {
        while (all.failedOnce !== operations) await turn();
        if (all.ended !== 0) throw new Error('the first waits ended before the last began: make them longer');
        measurement.allSuspended();
    }
    if (scenario.cancelled) {
        measurement.startAgain();
        for (const each of all.controllers) each.abort();
    }
    await promise;
    return measurement;
}

function withResolvers() {
    let resolve;
    const promise = new Promise((r) => {
        resolve = r;
    });
    return {promise, resolve};
}

export async function run(wanted) {
    const {contender, operations, scenario} = wanted;
    const all = new Shared(wanted);
    contender.prepare?.(all);
    const measurement = await (scenario.sequential ? oneAfterTheOther : allAtOnce)(wanted, all);
    const result = measurement.end(wanted, all.attempts);
    const right = scenario.cancelled ? all.cancelled : all.ended;
    if (right !== operations) throw new Error(`${operations - right} operations did not end as they should`);
    return result;
}
