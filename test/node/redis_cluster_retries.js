//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// Faults of the emulator, and what becomes of the calls of @google-cloud/redis-cluster. Its requests can have an id, so
// that what was carried out and answered with an error can be repeated.

const {assertExists, assertHas, failure, result} = require('./support/checks');
const {Service} = require('./support/service');
const {retried, unavailable} = require('./support/retry_settings');
const assert = require('node:assert/strict');
const {randomUUID} = require('node:crypto');
const test = require('node:test');

const service = new Service('--operation-time', '50ms');

async function withFaults(...faults) {
    const it = service.redisCluster();
    it.name = `${it.parent}/clusters/one`;
    const pscConfigs = [{network: `projects/${it.project}/global/networks/default`}];
    it.request = {parent: it.parent, clusterId: 'one', cluster: {shardCount: 3, replicaCount: 0, pscConfigs}};
    await it.emulator.setFaults(...faults);
    return it;
}

test('a 503 ends a call that is not to be retried', async () => {
    const {client, emulator, project, request} = await withFaults({status: 503, method: 'POST'});
    assertHas(await failure(client.createCluster(request)), {code: unavailable});
    assert.deepEqual(await emulator.effects(project), []);
});

test('a create that gets 503 twice is carried out once', async () => {
    const {client, emulator, name, project, request} = await withFaults({status: 503, method: 'POST', first: 2});
    assertHas(await result(await client.createCluster(request, retried)), {name, state: 2});
    assert.deepEqual(await emulator.faultsFired(), [2]);
    assert.deepEqual(await emulator.effects(project), ['clusters.create']);
});

test('a create that was carried out, and answered with 503, is refused the second time', async () => {
    const {client, emulator, name, project, request} = await withFaults(
        {status: 503, method: 'POST', when: 'after', first: 1});
    assertExists(await failure(client.createCluster(request, retried)), name);
    assert.deepEqual(await emulator.effects(project), ['clusters.create']);
});

test('a change with an id for its request gets through a 503 that came after it, and is carried out once', async () => {
    const {client, emulator, name, project, request} = await withFaults();
    const faulted = async (method, call) => {
        await emulator.setFaults({status: 503, method, when: 'after', first: 1});
        await result(await call(randomUUID()));
        assert.deepEqual(await emulator.faultsFired(), [1]);
    };
    await faulted('POST', (requestId) => client.createCluster({...request, requestId}, retried));
    await faulted('PATCH', (requestId) => client.updateCluster(
        {updateMask: {paths: ['shard_count']}, cluster: {name, shardCount: 5}, requestId}, retried));
    await faulted('DELETE', (requestId) => client.deleteCluster({name, requestId}, retried));
    assert.deepEqual(await emulator.effects(project), ['clusters.create', 'clusters.patch', 'clusters.delete']);
});
