//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// Operations, as @google-cloud/redis sees them. They take an hour, unless the test completes them.

const {assertHas, result} = require('./support/checks');
const {Service} = require('./support/service');
const assert = require('node:assert/strict');
const test = require('node:test');

const service = new Service('--operation-time', '1h');
const fields = {tier: 'STANDARD_HA', memorySizeGb: 1};

async function withOperation() {
    const it = service.redis();
    it.name = `${it.parent}/instances/one`;
    [it.operation] = await it.client.createInstance({parent: it.parent, instanceId: 'one', instance: fields});
    return it;
}

async function withInstance() {
    const it = await withOperation();
    await it.emulator.completeOperations();
    return it;
}

test('a poll finds an operation running, and a later one finds it done', async () => {
    const {client, emulator, name, operation} = await withOperation();
    const [nothing, running] = await operation.getOperation();
    assert.equal(nothing, null);
    assertHas(running, {target: name, verb: 'create', endTime: null});
    assert.equal(operation.latestResponse.done, false);
    assertHas((await client.getInstance({name}))[0], {state: 'CREATING'});

    await emulator.completeOperations();
    const [made, metadata] = await operation.promise();
    assertHas(made, {name, state: 2});
    assert.ok(Number(metadata.endTime.seconds) >= Number(metadata.createTime.seconds));
});

test('an operation is taken up again by its name', async () => {
    const {client, emulator, name, operation} = await withOperation();
    const before = await client.checkCreateInstanceProgress(operation.name);
    assert.equal(before.done, false);
    assertHas(before.metadata, {target: name, verb: 'create'});

    await emulator.completeOperations();
    const after = await client.checkCreateInstanceProgress(operation.name);
    assert.equal(after.done, true);
    assertHas(after.result, {name, tier: 3});
});

test('an operation is read as what it is', async () => {
    const {client, emulator, operation} = await withOperation();
    const [running] = await client.getOperation({name: operation.name});
    assertHas(running, {name: operation.name, done: false});
    assert.equal(running.metadata.type_url, 'type.googleapis.com/google.cloud.redis.v1.OperationMetadata');

    await emulator.completeOperations();
    const [done] = await client.getOperation({name: operation.name});
    assertHas(done, {name: operation.name, done: true, result: 'response'});
    assert.equal(done.response.type_url, 'type.googleapis.com/google.cloud.redis.v1.Instance');
});

test('operations are listed, the running ones and the done ones', async () => {
    const {client, emulator, name, operation, parent, project} = await withInstance();
    const begun = [operation.name];
    for (const instanceId of ['two', 'three'])
        begun.push((await client.createInstance({parent, instanceId, instance: fields}))[0].name);
    begun.push((await client.failoverInstance({name}))[0].name);

    const listed = new Map();
    for await (const each of client.listOperationsAsync({name: parent, pageSize: 3})) listed.set(each.name, each.done);
    assert.deepEqual([...listed.keys()].sort(), begun.sort());
    assert.deepEqual([...listed].filter(([, done]) => done), [[operation.name, true]]);
    const pages = (await emulator.requests(project)).filter((each) => each === 'GET operations 200');
    assert.equal(pages.length, 2);
});

test('an import that is cancelled has failed, and the instance serves again', async () => {
    const {client, emulator, name, project} = await withInstance();
    const [operation] = await client.importInstance({name, inputConfig: {gcsSource: {uri: 'gs://bucket/dump.rdb'}}});
    assertHas((await client.getInstance({name}))[0], {state: 'IMPORTING'});
    await operation.cancel();
    await assert.rejects(operation.promise(), {code: 1, message: 'The operation was cancelled.'});
    assertHas((await client.getInstance({name}))[0], {state: 'READY'});

    const [read] = await client.getOperation({name: operation.name});
    assertHas(read, {done: true, result: 'error'});
    assert.deepEqual(
        await emulator.effects(project), ['instances.create', 'instances.import', 'operations.cancel']);
});

test('what cannot be cancelled goes on, and says that it was asked', async () => {
    const {client, emulator, name, operation} = await withOperation();
    await client.cancelOperation({name: operation.name});
    const asked = await client.checkCreateInstanceProgress(operation.name);
    assert.equal(asked.done, false);
    assertHas(asked.metadata, {cancelRequested: true});

    await emulator.completeOperations();
    assertHas(await result([operation]), {name, state: 2});
});

test('a deleted operation is gone, and its instance is not', async () => {
    const {client, name, operation, parent} = await withInstance();
    await client.deleteOperation({name: operation.name});
    await assert.rejects(client.getOperation({name: operation.name}), {code: 5});
    for await (const each of client.listOperationsAsync({name: parent})) assert.fail(`${each.name} is still listed`);
    assertHas((await client.getInstance({name}))[0], {state: 'READY'});
});

test('an operation that nobody began is not found', async () => {
    const {client, parent} = service.redis();
    const name = `${parent}/operations/operation-1-2-3-4`;
    await assert.rejects(client.getOperation({name}), {code: 5});
    await assert.rejects(client.cancelOperation({name}), {code: 5});
    await assert.rejects(client.deleteOperation({name}), {code: 5});
    await assert.rejects(client.checkCreateInstanceProgress(name), {code: 5});
});
