//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// Backups of clusters, as @google-cloud/redis-cluster sees them.

const {assertExists, assertHas, failure, result} = require('./support/checks');
const {Service} = require('./support/service');
const assert = require('node:assert/strict');
const test = require('node:test');

const service = new Service('--operation-time', '50ms');

async function withCluster() {
    const it = service.redisCluster();
    it.name = `${it.parent}/clusters/one`;
    it.fields = {
        shardCount: 3,
        replicaCount: 1,
        pscConfigs: [{network: `projects/${it.project}/global/networks/default`}],
    };
    it.cluster = await result(await it.client.createCluster({parent: it.parent, clusterId: 'one', cluster: it.fields}));
    return it;
}

async function withBackup() {
    const it = await withCluster();
    it.cluster = await result(await it.client.backupCluster({name: it.name, backupId: 'first'}));
    it.collection = it.cluster.backupCollection;
    it.backup = `${it.collection}/backups/first`;
    return it;
}

test('a backup is in the collection of its cluster', async () => {
    const {backup, client, cluster, collection, emulator, name, parent, project} = await withBackup();
    assertHas(cluster, {name, state: 2});
    assert.ok(collection.startsWith(`${parent}/backupCollections/`));
    assert.equal((await client.getCluster({name}))[0].backupCollection, collection);

    const [collections] = await client.listBackupCollections({parent});
    assert.deepEqual(collections.map((each) => each.name), [collection]);
    assertHas((await client.getBackupCollection({name: collection}))[0], {
        name: collection,
        cluster: name,
        clusterUid: cluster.uid,
    });

    const [backups] = await client.listBackups({parent: collection});
    assert.deepEqual(backups.map((each) => each.name), [backup]);
    const [found] = await client.getBackup({name: backup});
    assertHas(found, {
        name: backup,
        cluster: name,
        clusterUid: cluster.uid,
        shardCount: 3,
        replicaCount: 1,
        backupType: 'ON_DEMAND',
        state: 'ACTIVE',
    });
    assert.ok(Number(found.createTime.seconds) > 0);
    assert.deepEqual(await emulator.effects(project), ['clusters.create', 'clusters.backup']);
});

test('a backup without an id gets one, and lives as long as it was told to', async () => {
    const {client, name} = await withCluster();
    const {backupCollection: parent} = await result(await client.backupCluster({name, ttl: {seconds: 86400}}));
    const [[found]] = await client.listBackups({parent});
    assert.ok(found.name.startsWith(`${parent}/backups/`) && !found.name.endsWith('/'));
    assert.equal(Number(found.expireTime.seconds) - Number(found.createTime.seconds), 86400);
});

test('an id is given to one backup', async () => {
    const {backup, client, emulator, name, project} = await withBackup();
    assertExists(await failure(client.backupCluster({name, backupId: 'first'})), backup);
    assert.deepEqual(await emulator.effects(project), ['clusters.create', 'clusters.backup']);
});

test('a backup is exported', async () => {
    const {backup, client, emulator, project} = await withBackup();
    assertHas(await result(await client.exportBackup({name: backup, gcsBucket: 'bucket'})), {name: backup, state: 2});
    assert.deepEqual(await emulator.effects(project), ['clusters.create', 'clusters.backup', 'backups.export']);
});

test('a cluster is created from a backup, and from none that is not there', async () => {
    const {backup, client, fields, parent} = await withBackup();
    const from = (source) => client.createCluster({
        parent,
        clusterId: 'two',
        cluster: {...fields, managedBackupSource: {backup: source}},
    });
    assertHas(await failure(from(`${backup}-none`)), {code: 3});
    assertHas(await result(await from(backup)), {name: `${parent}/clusters/two`, state: 2});
});

test('a backup outlives its cluster until it is deleted', async () => {
    const {backup, client, collection, emulator, name, project} = await withBackup();
    await result(await client.deleteCluster({name}));
    assertHas((await client.getBackup({name: backup}))[0], {name: backup, state: 'ACTIVE'});
    await result(await client.deleteBackup({name: backup}));
    assertHas(await failure(client.getBackup({name: backup})), {code: 5});
    const effects = ['clusters.create', 'clusters.backup', 'clusters.delete', 'backups.delete'];
    assert.deepEqual(await emulator.effects(project), effects);
    // An empty collection goes with its cluster.
    assertHas(await failure(client.listBackups({parent: collection})), {code: 5});
});
