//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// How to point @google-cloud/redis at an emulator on port 8080, or on $PORT. A test runs it, and compares the text.

// [client
const {CloudRedisClient} = require('@google-cloud/redis');
const {PassThroughClient} = require('google-auth-library');

const client = new CloudRedisClient({
    fallback: true,
    protocol: 'http',
    apiEndpoint: '127.0.0.1',
    port: Number(process.env.PORT ?? 8080),
    projectId: 'my-project',
    authClient: new PassThroughClient(),
});

async function main() {
    const parent = 'projects/my-project/locations/us-central1';
    const instance = {tier: 'BASIC', memorySizeGb: 1};
    const [operation] = await client.createInstance({parent, instanceId: 'cache', instance});
    const [created] = await operation.promise();
    const [instances] = await client.listInstances({parent});
    console.log(`${created.name} is one of ${instances.length}`);
}

main();
// client]
