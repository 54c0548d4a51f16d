//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// All in milliseconds. Before retry n: the smaller of `initial` * 2^n + U(0, `jitter`) and `maximum`.
export function beforeRetry({initial, jitter, maximum}, number) {
    // Node's timers cut the fraction off. Rounded up, no wait is shorter than it should be.
    return Math.ceil(Math.min(initial * 2 ** number + Math.random() * jitter, maximum));
}

const short = (scale) => ({initial: scale, jitter: scale, maximum: 8 * scale});

// A scenario has:
//   failures    as many attempts fail before one succeeds
//   inline      an attempt does not go through the scheduler
//   sequential  one operation after the other, instead of all at once
//   suspended   all wait at the same time: what they take then is measured
//   cancelled   they are cancelled in that wait
export function namedScenario(name, failures, longWait) {
    const long = {initial: longWait, jitter: longWait / 10, maximum: Infinity};
    const known = {
        A: {failures: 3, waits: short(1)},
        A16: {failures: 3, waits: short(16)},
        B: {failures: 1, waits: long, suspended: true},
        C: {failures: 0, waits: short(1), sequential: true},
        E: {failures: 1, waits: long, suspended: true, cancelled: true},
    };
    // With a p at the end, attempts go through the scheduler.
    const kind = name.replace(/p$/, '');
    if (!Object.hasOwn(known, kind)) return undefined;
    const inline = kind === name;
    const scenario = {name, inline, sequential: false, suspended: false, cancelled: false, ...known[kind]};
    if (failures !== undefined) scenario.failures = failures;
    return scenario;
}
