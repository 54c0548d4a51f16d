//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// tls_client.js URL: creates an instance in the emulator at this URL, and prints what became of it.

const {result} = require('./checks');
const {redisClient} = require('./clients');

async function use(client) {
    const parent = 'projects/p/locations/us-central1';
    const instance = {tier: 'BASIC', memorySizeGb: 1};
    const created = await result(await client.createInstance({parent, instanceId: 'one', instance}));
    const [listed] = await client.listInstances({parent});
    return {created: created.name, listed: listed.map((each) => each.name)};
}

const url = process.argv[2];
use(redisClient({url, port: Number(new URL(url).port)}, 'p'))
    .catch((error) => ({error: error.message}))
    .then((outcome) => console.log(JSON.stringify(outcome)));
