//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// @google-cloud/redis over TLS. Node reads NODE_EXTRA_CA_CERTS at its start, so the client is a process of its own.

const {Emulator} = require('./support/emulator');
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {after, before, test} = require('node:test');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'backbeat-'));
const authority = path.join(folder, 'ca.pem');
let emulator;

before(async () => {
    emulator = await Emulator.start('--tls', '--tls-ca-file', authority, '--operation-time', '50ms');
});
after(async () => {
    await emulator?.stop();
    fs.rmSync(folder, {recursive: true});
});

// What the client prints that creates an instance there, if it trusts these certificates.
function clientThatTrusts(certificates) {
    const {NODE_EXTRA_CA_CERTS, ...environment} = process.env;
    if (certificates) environment.NODE_EXTRA_CA_CERTS = certificates;
    const client = path.join(__dirname, 'support', 'tls_client.js');
    const ended = spawnSync(process.execPath, [client, emulator.url], {env: environment, encoding: 'utf8'});
    assert.equal(ended.status, 0, ended.stderr);
    return JSON.parse(ended.stdout);
}

test('a client that trusts the authority of the emulator creates an instance', () => {
    const name = 'projects/p/locations/us-central1/instances/one';
    assert.deepEqual(clientThatTrusts(authority), {created: name, listed: [name]});
});

test('a client that does not is told why', () => {
    const {error} = clientThatTrusts(undefined);
    assert.match(error, /certificate/);
});
