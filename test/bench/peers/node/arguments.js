//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

import {contenders} from './contenders.js';
import {namedScenario} from './scenario.js';

const usage = 'usage: bench_node CONTENDER SCENARIO --operations N [--failures K] [--wait MILLISECONDS]';

// Returns nothing if the contenders are to be listed.
export function parse([name, scenarioName, ...options]) {
    if (name === '--list') return undefined;
    if (!name || !scenarioName) throw new Error(usage);
    if (!Object.hasOwn(contenders, name)) throw new Error(`there is no contender '${name}'`);
    const contender = contenders[name];
    let operations;
    let failures;
    let wait = 10_000;
    while (options.length !== 0) {
        const option = options.shift();
        const text = options.shift() ?? '';
        if (!/^\d+$/.test(text)) throw new Error(usage);
        const value = Number(text);
        if (option === '--operations') operations = value;
        else if (option === '--failures') failures = value;
        else if (option === '--wait') wait = value;
        else if (option !== '--threads') throw new Error(`there is no option '${option}'`);
        else if (value !== 1) throw new Error('the contenders run on one thread');
    }
    const scenario = namedScenario(scenarioName, failures, wait);
    if (!scenario) throw new Error(`there is no scenario '${scenarioName}'`);
    if (contender.neverWaits && !scenario.sequential)
        throw new Error(`${name} does not wait: it has only the scenarios C and Cp`);
    if (contender.cannotCancel && scenario.cancelled) throw new Error(`${name} cannot be cancelled in a wait`);
    if (!operations) throw new Error(usage);
    return {name, contender, scenario, operations};
}
