//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// What the emulator refuses, as the errors of @google-cloud/redis.

const {assertHas, details, failure} = require('./support/checks');
const {Emulator} = require('./support/emulator');
const {redisClient} = require('./support/clients');
const {Service} = require('./support/service');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

// Whatever is begun here goes on until the test completes it.
const service = new Service('--operation-time', '1h');
const fields = {tier: 'STANDARD_HA', memorySizeGb: 1};

async function withOperation() {
    const it = service.redis();
    it.name = `${it.parent}/instances/one`;
    await it.client.createInstance({parent: it.parent, instanceId: 'one', instance: fields});
    return it;
}

test('404: an instance that is not there', async () => {
    const {client, parent} = service.redis();
    const name = `${parent}/instances/none`;
    const calls = [
        client.getInstance({name}),
        client.getInstanceAuthString({name}),
        client.updateInstance({updateMask: {paths: ['display_name']}, instance: {name, displayName: 'x'}}),
        client.deleteInstance({name}),
        client.failoverInstance({name}),
        client.upgradeInstance({name, redisVersion: 'REDIS_7_2'}),
    ];
    for (const error of await Promise.all(calls.map(failure))) {
        assertHas(error, {code: 5, message: `Resource '${name}' was not found`});
        const [info] = details(error, 'ResourceInfo');
        assertHas(info, {resourceName: name, resourceType: 'redis.googleapis.com/Instance'});
    }
});

test('409: an instance that is there already', async () => {
    const {client, emulator, name, parent, project} = await withOperation();
    const error = await failure(client.createInstance({parent, instanceId: 'one', instance: fields}));
    assertHas(error, {code: 6, message: `Resource '${name}' already exists`});
    assertHas(details(error, 'ResourceInfo')[0], {resourceName: name});
    assert.deepEqual(await emulator.effects(project), ['instances.create']);
});

test('400: fields that cannot be, each with its own violation', async () => {
    const {client, emulator, parent, project} = service.redis();
    const error = await failure(client.createInstance({
        parent,
        instanceId: 'Not_Good',
        instance: {tier: 'BASIC', memorySizeGb: 1000, redisConfigs: {'no-such-setting': '1'}},
    }));
    assert.equal(error.code, 3);
    const violations = details(error, 'BadRequest')[0].fieldViolations;
    assert.deepEqual(
        violations.map((each) => each.field).sort(),
        ['instance.memorySizeGb', 'instance.redisConfigs', 'instanceId']);
    for (const each of violations) assert.ok(error.message.includes(each.description), each.description);
    assert.deepEqual(await emulator.effects(project), []);
});

test('400: an update without a mask, or of what is immutable', async () => {
    const {client, emulator, name} = await withOperation();
    await emulator.completeOperations();
    const unmasked = await failure(client.updateInstance({instance: {name, displayName: 'x'}}));
    assertHas(unmasked, {code: 3});
    assert.equal(details(unmasked, 'BadRequest')[0].fieldViolations[0].field, 'updateMask');

    const immutable = await failure(client.updateInstance({
        updateMask: {paths: ['tier']},
        instance: {name, tier: 'BASIC'},
    }));
    assertHas(immutable, {code: 3});
    assert.match(immutable.message, /tier/);
});

test('400: custom methods that ask for the wrong thing', async () => {
    const {client, emulator, name} = await withOperation();
    await emulator.completeOperations();
    const field = async (call) => {
        const error = await failure(call);
        assert.equal(error.code, 3, error.message);
        return details(error, 'BadRequest')[0].fieldViolations[0].field;
    };
    const uri = 'gs://bucket/no-dump.txt';
    assert.equal(
        await field(client.exportInstance({name, outputConfig: {gcsDestination: {uri}}})),
        'outputConfig.gcsDestination.uri');
    assert.equal(
        await field(client.importInstance({name, inputConfig: {gcsSource: {uri}}})), 'inputConfig.gcsSource.uri');
    assert.equal(await field(client.upgradeInstance({name, redisVersion: 'REDIS_6_X'})), 'redisVersion');
    assert.equal(await field(client.rescheduleMaintenance({name, rescheduleType: 'SPECIFIC_TIME'})), 'scheduleTime');
});

test('400: an instance that is busy', async () => {
    const {client, emulator, name, project} = await withOperation();
    const calls = [
        client.updateInstance({updateMask: {paths: ['display_name']}, instance: {name, displayName: 'x'}}),
        client.failoverInstance({name}),
        client.deleteInstance({name}),
    ];
    for (const error of await Promise.all(calls.map(failure))) {
        assert.equal(error.code, 9);
        assert.match(error.message, /^Unable to \w+ due to ongoing operations\. .* READY state\.$/);
    }
    assert.deepEqual(await emulator.effects(project), ['instances.create']);
});

test('429: a quota that is used up', async (t) => {
    const emulator = await Emulator.start('--quota', '1/1h');
    t.after(() => emulator.stop());
    const client = redisClient(emulator, 'p');
    const parent = 'projects/p/locations/us-central1';
    await client.listInstances({parent});
    const error = await failure(client.listInstances({parent}));
    assertHas(error, {code: 8, reason: 'RATE_LIMIT_EXCEEDED', domain: 'googleapis.com'});
    assertHas(error.errorInfoMetadata, {service: 'redis.googleapis.com', quota_limit_value: '1'});
    assert.equal(details(error, 'QuotaFailure').length, 1);
    assert.ok(Number(details(error, 'RetryInfo')[0].retryDelay.seconds) > 3000);
});

test('401: a token that is not there', async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'backbeat-'));
    t.after(() => fs.rmSync(folder, {recursive: true}));
    const file = path.join(folder, 'token');
    fs.writeFileSync(file, 'secret\n');
    const emulator = await Emulator.start('--require-token', file);
    t.after(() => emulator.stop());
    const error = await failure(redisClient(emulator, 'p').listInstances({parent: 'projects/p/locations/us-central1'}));
    assert.equal(error.code, 16);
});
