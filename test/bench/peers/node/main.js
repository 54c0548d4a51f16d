//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Node with p-retry, with cockatiel, and with a loop by hand.

import {parse} from './arguments.js';
import {contenders} from './contenders.js';
import {run} from './run.js';

let wanted;
try {
    wanted = parse(process.argv.slice(2));
} catch (error) {
    console.error(`bench_node: ${error.message}`);
    process.exit(2);
}
if (!wanted) {
    for (const name of Object.keys(contenders)) console.log(name);
} else {
    try {
        console.log(JSON.stringify(await run(wanted)));
    } catch (error) {
        console.error(`bench_node: ${error.message}`);
        process.exit(1);
    }
}
