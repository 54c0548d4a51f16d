//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// The life of instances, as @google-cloud/redis sees it.

const {assertHas, result} = require('./support/checks');
const {Service} = require('./support/service');
const assert = require('node:assert/strict');
const test = require('node:test');

// Most first polls find an operation running, and second ones find it done.
const service = new Service('--operation-time', '50ms');

async function withInstance(fields = {}) {
    const it = service.redis();
    it.name = `${it.parent}/instances/one`;
    const instance = {tier: 'STANDARD_HA', memorySizeGb: 1, ...fields};
    it.instance = await result(await it.client.createInstance({parent: it.parent, instanceId: 'one', instance}));
    return it;
}

test('there are no instances at first', async () => {
    const {client, parent} = service.redis();
    assert.deepEqual((await client.listInstances({parent}))[0], []);
});

test('an instance is created while its operation runs', async () => {
    const {client, emulator, parent, project} = service.redis();
    const name = `${parent}/instances/one`;
    const [operation] = await client.createInstance({
        parent,
        instanceId: 'one',
        instance: {
            tier: 'STANDARD_HA',
            memorySizeGb: 2,
            displayName: 'My one',
            labels: {a: 'b'},
            redisConfigs: {'maxmemory-policy': 'allkeys-lru'},
            redisVersion: 'REDIS_7_0',
        },
    });
    assert.ok(operation.name.startsWith(`${parent}/operations/`));
    assertHas(operation.metadata, {target: name, verb: 'create', apiVersion: 'v1', cancelRequested: false});

    const [created, metadata] = await operation.promise();
    // What an operation made has the numbers of enumerators, and what a method returns has their names.
    assertHas(created, {name, tier: 3, state: 2, memorySizeGb: 2});
    assert.ok(metadata.endTime);

    const [found] = await client.getInstance({name});
    assertHas(found, {
        name,
        tier: 'STANDARD_HA',
        state: 'READY',
        memorySizeGb: 2,
        displayName: 'My one',
        labels: {a: 'b'},
        redisConfigs: {'maxmemory-policy': 'allkeys-lru'},
        redisVersion: 'REDIS_7_0',
        authorizedNetwork: `projects/${project}/global/networks/default`,
        connectMode: 'DIRECT_PEERING',
        transitEncryptionMode: 'DISABLED',
        readReplicasMode: 'READ_REPLICAS_DISABLED',
        port: 6379,
        replicaCount: 1,
    });
    assert.equal(found.nodes.length, 2);
    assert.match(found.host, /^10\./);
    assert.deepEqual(await emulator.effects(project), ['instances.create']);
});

test('instances are listed page by page', async () => {
    const {client, emulator, parent, project} = service.redis();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const instance = {tier: 'BASIC', memorySizeGb: 1};
    await Promise.all(
        ids.map(async (instanceId) => result(await client.createInstance({parent, instanceId, instance}))));
    const names = ids.map((id) => `${parent}/instances/${id}`);

    const [all] = await client.listInstances({parent, pageSize: 2});
    assert.deepEqual(all.map((each) => each.name), names);
    assert.equal((await emulator.requests(project)).filter((each) => each === 'GET instances 200').length, 3);

    const [first, next] = await client.listInstances({parent, pageSize: 2}, {autoPaginate: false});
    assert.deepEqual(first.map((each) => each.name), names.slice(0, 2));
    const [second] = await client.listInstances(next, {autoPaginate: false});
    assert.deepEqual(second.map((each) => each.name), names.slice(2, 4));

    const iterated = [];
    for await (const each of client.listInstancesAsync({parent, pageSize: 3})) iterated.push(each.name);
    assert.deepEqual(iterated, names);
});

test('the location - stands for all', async () => {
    const {client, parent, project} = service.redis();
    const elsewhere = `projects/${project}/locations/europe-west1`;
    for (const place of [parent, elsewhere])
        await result(await client.createInstance({
            parent: place,
            instanceId: 'one',
            instance: {tier: 'BASIC', memorySizeGb: 1},
        }));
    const [all] = await client.listInstances({parent: `projects/${project}/locations/-`});
    assert.deepEqual(all.map((each) => each.name), [`${elsewhere}/instances/one`, `${parent}/instances/one`]);
});

test('an update changes what its mask names', async () => {
    const {client, name} = await withInstance({displayName: 'before', labels: {a: 'b'}});
    const updated = await result(await client.updateInstance({
        updateMask: {paths: ['display_name', 'memory_size_gb']},
        instance: {name, displayName: 'after', memorySizeGb: 4, labels: {unmasked: 'yes'}},
    }));
    assertHas(updated, {displayName: 'after', memorySizeGb: 4, labels: {a: 'b'}});

    // What is masked and not there is cleared.
    await result(await client.updateInstance({updateMask: {paths: ['labels', 'display_name']}, instance: {name}}));
    assertHas((await client.getInstance({name}))[0], {displayName: '', memorySizeGb: 4, labels: {}});
});

test('a failover swaps the zones', async () => {
    const {client, instance, name} = await withInstance();
    const moved = await result(await client.failoverInstance({name, dataProtectionMode: 'LIMITED_DATA_LOSS'}));
    assert.equal(instance.currentLocationId, instance.locationId);
    assert.equal(moved.currentLocationId, instance.alternativeLocationId);
});

test('data is exported and imported', async () => {
    const {client, emulator, name, project} = await withInstance();
    const uri = 'gs://bucket/dump.rdb';
    const exported = await result(await client.exportInstance({name, outputConfig: {gcsDestination: {uri}}}));
    const imported = await result(await client.importInstance({name, inputConfig: {gcsSource: {uri}}}));
    assertHas(exported, {name, state: 2});
    assertHas(imported, {name, state: 2});
    assert.deepEqual(await emulator.effects(project), ['instances.create', 'instances.export', 'instances.import']);
});

test('an upgrade raises the version', async () => {
    const {client, name} = await withInstance({redisVersion: 'REDIS_6_X'});
    const upgraded = await result(await client.upgradeInstance({name, redisVersion: 'REDIS_7_2'}));
    assert.equal(upgraded.redisVersion, 'REDIS_7_2');
});

test('maintenance is rescheduled', async () => {
    const {client, emulator, name, project} = await withInstance({
        maintenancePolicy: {weeklyMaintenanceWindow: [{day: 'SUNDAY', startTime: {hours: 3}}]},
    });
    const [before] = await client.getInstance({name});
    assert.equal(before.maintenancePolicy.weeklyMaintenanceWindow[0].day, 'SUNDAY');
    const seconds = Number(before.maintenanceSchedule.startTime.seconds) + 24 * 3600;
    await result(await client.rescheduleMaintenance({
        name,
        rescheduleType: 'SPECIFIC_TIME',
        scheduleTime: {seconds, nanos: 0},
    }));
    const [after] = await client.getInstance({name});
    assert.equal(Number(after.maintenanceSchedule.startTime.seconds), seconds);
    await result(await client.rescheduleMaintenance({name, rescheduleType: 'IMMEDIATE'}));
    assert.deepEqual((await emulator.effects(project)).slice(1), [
        'instances.rescheduleMaintenance',
        'instances.rescheduleMaintenance',
    ]);
});

test('AUTH has a string, and TLS an authority', async () => {
    const {client, name} = await withInstance({authEnabled: true, transitEncryptionMode: 'SERVER_AUTHENTICATION'});
    const [{authString}] = await client.getInstanceAuthString({name});
    assert.match(authString, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const [found] = await client.getInstance({name});
    assertHas(found, {authEnabled: true, transitEncryptionMode: 'SERVER_AUTHENTICATION'});
    assert.match(found.serverCaCerts[0].cert, /^-----BEGIN CERTIFICATE-----\n/);

    await result(await client.updateInstance({updateMask: {paths: ['auth_enabled']}, instance: {name}}));
    assert.equal((await client.getInstanceAuthString({name}))[0].authString, '');
});

test('every field that can be set comes back', async () => {
    const {client, name} = await withInstance({
        memorySizeGb: 5,
        locationId: 'us-central1-b',
        alternativeLocationId: 'us-central1-c',
        readReplicasMode: 'READ_REPLICAS_ENABLED',
        replicaCount: 3,
        persistenceConfig: {persistenceMode: 'RDB', rdbSnapshotPeriod: 'SIX_HOURS'},
    });
    const [found] = await client.getInstance({name});
    assertHas(found, {
        locationId: 'us-central1-b',
        alternativeLocationId: 'us-central1-c',
        readReplicasMode: 'READ_REPLICAS_ENABLED',
        replicaCount: 3,
        readEndpointPort: 6379,
    });
    assertHas(found.persistenceConfig, {persistenceMode: 'RDB', rdbSnapshotPeriod: 'SIX_HOURS'});
    assert.equal(found.nodes.length, 4);
});

test('a deleted instance is gone', async () => {
    const {client, emulator, name, parent, project} = await withInstance();
    const [operation] = await client.deleteInstance({name});
    assertHas(operation.metadata, {verb: 'delete', target: name});
    await operation.promise();
    await assert.rejects(client.getInstance({name}), {code: 5});
    assert.deepEqual((await client.listInstances({parent}))[0], []);
    assert.deepEqual(await emulator.effects(project), ['instances.create', 'instances.delete']);
});

test('fifty calls at once are all answered', async () => {
    const {client, name} = await withInstance();
    const answers = await Promise.all(Array.from({length: 50}, () => client.getInstance({name})));
    for (const [found] of answers) assert.equal(found.name, name);
});
