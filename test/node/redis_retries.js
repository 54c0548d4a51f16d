//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// Faults of the emulator, and what becomes of the calls of @google-cloud/redis: by itself it repeats nothing but
// requests for operations, and with its own settings for retries what it is told to.

const {assertHas, details, result} = require('./support/checks');
const {Service} = require('./support/service');
const {retried, unavailable} = require('./support/retry_settings');
const assert = require('node:assert/strict');
const test = require('node:test');

// An operation has to be running still when the call that begins it is answered, so that there is a poll to fail.
const service = new Service('--operation-time', '100ms');
const fields = {tier: 'BASIC', memorySizeGb: 1};

async function withFaults(...faults) {
    const it = service.redis();
    it.name = `${it.parent}/instances/one`;
    it.request = {parent: it.parent, instanceId: 'one', instance: fields};
    await it.emulator.setFaults(...faults);
    return it;
}

test('a 503 ends a call that is not to be retried', async () => {
    const {client, emulator, project, request} = await withFaults({status: 503, method: 'POST'});
    await assert.rejects(client.createInstance(request), {code: unavailable});
    assert.deepEqual(await emulator.effects(project), []);
    assert.deepEqual(await emulator.requests(project), ['POST instances 503']);
});

test('a create that gets 503 twice is carried out once', async () => {
    const {client, emulator, name, project, request} = await withFaults({status: 503, method: 'POST', first: 2});
    assertHas(await result(await client.createInstance(request, retried)), {name, state: 2});
    assert.deepEqual(await emulator.faultsFired(), [2]);
    assert.deepEqual(await emulator.effects(project), ['instances.create']);
    assert.deepEqual(
        (await emulator.requests(project)).slice(0, 3),
        ['POST instances 503', 'POST instances 503', 'POST instances 200']);
});

test('a create that was carried out, and answered with 503, is refused the second time', async () => {
    const {client, emulator, name, project, request} = await withFaults(
        {status: 503, method: 'POST', when: 'after', first: 1});
    await assert.rejects(client.createInstance(request, retried), {code: 6});
    assert.deepEqual(await emulator.requests(project), ['POST instances 503', 'POST instances 409']);
    assert.deepEqual(await emulator.effects(project), ['instances.create']);
    assert.equal((await client.getInstance({name}))[0].name, name);
});

test('a list gets through 503s, broken connections and halves of answers', async () => {
    const {client, emulator, name, parent, request} = await withFaults();
    await result(await client.createInstance(request));
    await emulator.setFaults(
        {status: 503, path: '/instances$', first: 1, 'retry-after': 1},
        {reset: true, path: '/instances$', first: 1},
        {truncate: true, path: '/instances$', first: 1},
        {status: 503, path: '/instances$', first: 1, when: 'after', delay: '1ms'});
    const [instances] = await client.listInstances({parent}, {...retried, autoPaginate: false});
    assert.deepEqual(instances.map((each) => each.name), [name]);
    assert.deepEqual(await emulator.faultsFired(), [1, 1, 1, 1]);
});

test('a poll that gets 503 ends a wait, and the operation can be taken up again', async () => {
    const {client, emulator, name, project, request} = await withFaults(
        {status: 503, method: 'GET', path: '/operations/', first: 1});
    const [operation] = await client.createInstance(request);
    await assert.rejects(operation.promise(), {code: unavailable});
    const [again] = await client.createInstance({...request, instanceId: 'two'});
    assertHas(await result([again]), {name: name.replace('one', 'two')});

    await emulator.completeOperations();
    const resumed = await client.checkCreateInstanceProgress(operation.name);
    assertHas(resumed.result, {name, state: 2});
    assert.deepEqual(await emulator.effects(project), ['instances.create', 'instances.create']);
});

test('a wait goes on through polls that get 503, with the settings of the call that began it', async () => {
    const {client, emulator, name, project, request} = await withFaults(
        {status: 503, method: 'GET', path: '/operations/', first: 3});
    assertHas(await result(await client.createInstance(request, retried)), {name, state: 2});
    assert.deepEqual(await emulator.faultsFired(), [3]);
    assert.deepEqual(await emulator.effects(project), ['instances.create']);
});

test('every change gets through a 503 before and during its operation, and is carried out once', async () => {
    const {client, emulator, name, project, request} = await withFaults();
    const uri = 'gs://bucket/dump.rdb';
    const faulted = async (call) => {
        await emulator.setFaults(
            {status: 503, path: '/instances', first: 1}, {status: 503, path: '/operations/', first: 1});
        await result(await call());
        assert.deepEqual(await emulator.faultsFired(), [1, 1]);
    };
    const instance = {tier: 'STANDARD_HA', memorySizeGb: 1, redisVersion: 'REDIS_6_X'};
    await faulted(() => client.createInstance({...request, instance}, retried));
    await faulted(() => client.updateInstance(
        {updateMask: {paths: ['display_name']}, instance: {name, displayName: 'x'}}, retried));
    await faulted(() => client.failoverInstance({name}, retried));
    await faulted(() => client.exportInstance({name, outputConfig: {gcsDestination: {uri}}}, retried));
    await faulted(() => client.importInstance({name, inputConfig: {gcsSource: {uri}}}, retried));
    await faulted(() => client.upgradeInstance({name, redisVersion: 'REDIS_7_2'}, retried));
    await faulted(() => client.rescheduleMaintenance({name, rescheduleType: 'IMMEDIATE'}, retried));
    await faulted(() => client.deleteInstance({name}, retried));
    assert.deepEqual(await emulator.effects(project), [
        'instances.create',
        'instances.patch',
        'instances.failover',
        'instances.export',
        'instances.import',
        'instances.upgrade',
        'instances.rescheduleMaintenance',
        'instances.delete',
    ]);
});

test('a request for an operation is repeated without being told to', async () => {
    const {client, emulator, request} = await withFaults();
    const [operation] = await client.createInstance(request);
    await emulator.setFaults({status: 503, path: '/operations/', first: 1});
    const [read] = await client.getOperation({name: operation.name});
    assert.equal(read.name, operation.name);
    assert.deepEqual(await emulator.faultsFired(), [1]);
});

test('the details of a fault reach the caller', async () => {
    const {client, parent} = await withFaults({status: 429, 'retry-info': '2.5s', first: 1});
    await assert.rejects(client.listInstances({parent}), (error) => {
        assert.equal(error.code, 8);
        const {retryDelay} = details(error, 'RetryInfo')[0];
        assert.deepEqual([Number(retryDelay.seconds), retryDelay.nanos], [2, 500000000]);
        return true;
    });
});
