//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// The life of clusters, as @google-cloud/redis-cluster sees it.

const {assertExists, assertHas, details, failure, result} = require('./support/checks');
const {Service} = require('./support/service');
const assert = require('node:assert/strict');
const {randomUUID} = require('node:crypto');
const test = require('node:test');

const service = new Service('--operation-time', '50ms');

function withNetwork() {
    const it = service.redisCluster();
    it.name = `${it.parent}/clusters/one`;
    it.network = `projects/${it.project}/global/networks/default`;
    it.fields = {shardCount: 3, replicaCount: 0, pscConfigs: [{network: it.network}]};
    return it;
}

async function withCluster(fields = {}) {
    const it = withNetwork();
    const cluster = {...it.fields, ...fields};
    it.cluster = await result(await it.client.createCluster({parent: it.parent, clusterId: 'one', cluster}));
    return it;
}

test('there are no clusters at first', async () => {
    const {client, parent} = service.redisCluster();
    assert.deepEqual((await client.listClusters({parent}))[0], []);
});

test('a cluster is created while its operation runs', async () => {
    const {client, emulator, fields, name, network, parent, project} = withNetwork();
    const cluster = {...fields, nodeType: 'REDIS_STANDARD_SMALL', replicaCount: 1, redisConfigs: {maxclients: '5000'}};
    const [operation] = await client.createCluster({parent, clusterId: 'one', cluster});
    assert.ok(operation.name.startsWith(`${parent}/operations/`));
    const [created] = await operation.promise();
    assertHas(created, {name, state: 2, nodeType: 4, shardCount: 3});

    const [found] = await client.getCluster({name});
    assertHas(found, {
        name,
        state: 'ACTIVE',
        nodeType: 'REDIS_STANDARD_SMALL',
        shardCount: 3,
        replicaCount: 1,
        redisConfigs: {maxclients: '5000'},
        authorizationMode: 'AUTH_MODE_DISABLED',
        transitEncryptionMode: 'TRANSIT_ENCRYPTION_MODE_DISABLED',
        deletionProtectionEnabled: false,
    });
    assert.equal(found.pscConfigs[0].network, network);
    assert.equal(found.discoveryEndpoints[0].pscConfig.network, network);
    assert.equal(found.discoveryEndpoints[0].port, 6379);
    assert.match(found.uid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.ok(found.sizeGb > 0 && found.preciseSizeGb > 0);
    assert.deepEqual(await emulator.effects(project), ['clusters.create']);
});

test('clusters are listed page by page, and in all locations', async () => {
    const {client, fields, parent, project} = withNetwork();
    for (const clusterId of ['a', 'b', 'c'])
        await result(await client.createCluster({parent, clusterId, cluster: fields}));
    const names = ['a', 'b', 'c'].map((id) => `${parent}/clusters/${id}`);
    assert.deepEqual((await client.listClusters({parent, pageSize: 2}))[0].map((each) => each.name), names);

    const [first, next] = await client.listClusters({parent, pageSize: 2}, {autoPaginate: false});
    assert.deepEqual(first.map((each) => each.name), names.slice(0, 2));
    const [second] = await client.listClusters(next, {autoPaginate: false});
    assert.deepEqual(second.map((each) => each.name), names.slice(2));

    const iterated = [];
    for await (const each of client.listClustersAsync({parent: `projects/${project}/locations/-`}))
        iterated.push(each.name);
    assert.deepEqual(iterated, names);
});

test('an update changes what its mask names', async () => {
    const {client, name} = await withCluster({redisConfigs: {maxclients: '5000'}});
    const updated = await result(await client.updateCluster({
        updateMask: {paths: ['shard_count', 'replica_count']},
        cluster: {name, shardCount: 5, replicaCount: 1, redisConfigs: {maxclients: '9000'}},
    }));
    assertHas(updated, {shardCount: 5, replicaCount: 1, redisConfigs: {maxclients: '5000'}});
    await result(await client.updateCluster({
        updateMask: {paths: ['redis_configs', 'persistence_config']},
        cluster: {
            name,
            redisConfigs: {'maxmemory-policy': 'allkeys-lru'},
            persistenceConfig: {mode: 'AOF', aofConfig: {appendFsync: 'EVERYSEC'}},
        },
    }));
    const [found] = await client.getCluster({name});
    assertHas(found, {shardCount: 5, redisConfigs: {'maxmemory-policy': 'allkeys-lru'}});
    assertHas(found.persistenceConfig, {mode: 'AOF'});
    assertHas(found.persistenceConfig.aofConfig, {appendFsync: 'EVERYSEC'});
});

test('a cluster with TLS has an authority', async () => {
    const {client, name} = await withCluster({transitEncryptionMode: 'TRANSIT_ENCRYPTION_MODE_SERVER_AUTHENTICATION'});
    const [authority] = await client.getClusterCertificateAuthority({name: `${name}/certificateAuthority`});
    assert.equal(authority.name, `${name}/certificateAuthority`);
    assert.match(authority.managedServerCa.caCerts[0].certificates[0], /^-----BEGIN CERTIFICATE-----\n/);
});

test('maintenance is rescheduled', async () => {
    const {client, emulator, name, project} = await withCluster({
        maintenancePolicy: {weeklyMaintenanceWindow: [{day: 'SUNDAY', startTime: {hours: 3}}]},
    });
    const [before] = await client.getCluster({name});
    const seconds = Number(before.maintenanceSchedule.startTime.seconds) + 24 * 3600;
    await result(await client.rescheduleClusterMaintenance({
        name,
        rescheduleType: 'SPECIFIC_TIME',
        scheduleTime: {seconds, nanos: 0},
    }));
    const [after] = await client.getCluster({name});
    assert.equal(Number(after.maintenanceSchedule.startTime.seconds), seconds);
    assert.deepEqual(await emulator.effects(project), ['clusters.create', 'clusters.rescheduleClusterMaintenance']);
});

test('a protected cluster is not deleted until it is no longer', async () => {
    const {client, emulator, name, parent, project} = await withCluster({deletionProtectionEnabled: true});
    // FAILED_PRECONDITION, which this client takes for the INVALID_ARGUMENT that goes with the same HTTP status.
    const refused = await failure(client.deleteCluster({name}));
    assertHas(refused, {code: 3});
    assertHas(details(refused, 'PreconditionFailure')[0].violations[0], {type: 'DELETION_PROTECTION', subject: name});
    await result(await client.updateCluster({
        updateMask: {paths: ['deletion_protection_enabled']},
        cluster: {name, deletionProtectionEnabled: false},
    }));
    await result(await client.deleteCluster({name}));
    assertHas(await failure(client.getCluster({name})), {code: 5});
    assert.deepEqual((await client.listClusters({parent}))[0], []);
    assert.deepEqual(await emulator.effects(project), ['clusters.create', 'clusters.patch', 'clusters.delete']);
});

test('a request with the id of an earlier one gets its operation, and changes nothing', async () => {
    const {client, emulator, fields, name, parent, project} = withNetwork();
    const create = {parent, clusterId: 'one', cluster: fields, requestId: randomUUID()};
    const [first] = await client.createCluster(create);
    const [second] = await client.createCluster(create);
    assert.equal(second.name, first.name);
    await result([first]);
    assertExists(await failure(client.createCluster({...create, requestId: randomUUID()})), name);

    const remove = {name, requestId: randomUUID()};
    await result(await client.deleteCluster(remove));
    await result(await client.deleteCluster(remove));
    assert.deepEqual(await emulator.effects(project), ['clusters.create', 'clusters.delete']);
});

test('operations are read, listed and deleted', async () => {
    const {client, fields, name, parent} = withNetwork();
    const [operation] = await client.createCluster({parent, clusterId: 'one', cluster: fields});
    await result([operation]);
    const [read] = await client.getOperation({name: operation.name});
    assertHas(read, {name: operation.name, done: true, result: 'response'});
    assert.equal(read.metadata.type_url, 'type.googleapis.com/google.cloud.redis.cluster.v1.OperationMetadata');
    assert.equal(read.response.type_url, 'type.googleapis.com/google.cloud.redis.cluster.v1.Cluster');
    assertHas((await client.checkCreateClusterProgress(operation.name)).result, {name, state: 2});

    const listed = [];
    for await (const each of client.listOperationsAsync({name: parent})) listed.push(each.name);
    assert.deepEqual(listed, [operation.name]);
    await client.cancelOperation({name: operation.name});
    await client.deleteOperation({name: operation.name});
    assertHas(await failure(client.getOperation({name: operation.name})), {code: 5});
});

test('404 and 409 name the cluster', async () => {
    const {client, fields, name, parent} = await withCluster();
    const missing = await failure(client.getCluster({name: `${parent}/clusters/none`}));
    assertHas(missing, {code: 5});
    assertHas(details(missing, 'ResourceInfo')[0], {resourceName: `${parent}/clusters/none`});
    assertExists(await failure(client.createCluster({parent, clusterId: 'one', cluster: fields})), name);
});

test('400 has a violation for each field that cannot be', async () => {
    const {client, emulator, fields, parent, project} = withNetwork();
    const error = await failure(client.createCluster({
        parent,
        clusterId: 'Not_Good',
        cluster: {...fields, shardCount: 100000, replicaCount: 100},
    }));
    assert.equal(error.code, 3);
    const found = details(error, 'BadRequest')[0].fieldViolations.map((each) => each.field);
    assert.deepEqual(found.sort(), ['cluster.replicaCount', 'cluster.shardCount', 'clusterId']);
    assert.deepEqual(await emulator.effects(project), []);
});
