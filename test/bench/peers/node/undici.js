//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Gets a small resource again and again, over connections that are kept:
//
//     node undici.js URL CONNECTIONS BODY_SIZE [CA_FILE]
//
// For each line of the standard input, a number of requests, it writes a line: what they took. So the process, with what
// it has compiled, and its connections live through all rounds, as those of the others do.

import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {Pool} from 'undici';

const [url, connections, bodySize, authorities] = process.argv.slice(2);
const {origin, pathname} = new URL(url);
const connect = authorities && {ca: readFileSync(authorities)};
const pool = new Pool(origin, {connect, connections: Number(connections), pipelining: 1});
const request = {path: pathname, method: 'GET', headers: {'user-agent': 'backbeat-bench'}};

let left = 0;
let refused = 0;

// Repeats a 503 at once.
async function getOne() {
    for (;;) {
        const {statusCode, body} = await pool.request(request);
        const text = await body.text();
        if (statusCode === 503) {
            ++refused;
            continue;
        }
        if (statusCode === 200 && text.length === Number(bodySize)) return;
        throw new Error(`a response of status ${statusCode} with ${text.length} bytes, and not the one that was asked for`);
    }
}

async function getSome() {
    while (left !== 0) {
        --left;
        await getOne();
    }
}

for await (const line of createInterface({input: process.stdin})) {
    left = Number(line);
    refused = 0;
    const started = process.hrtime.bigint();
    const before = process.cpuUsage();
    await Promise.all(Array.from({length: Number(connections)}, getSome));
    const {user, system} = process.cpuUsage(before);
    const wall = Number(process.hrtime.bigint() - started);
    console.log(JSON.stringify({cpu_ns: (user + system) * 1000, wall_ns: wall, refused}));
}
await pool.close();
