//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

// The example of docs/emulator.md.

const {Emulator} = require('./support/emulator');
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const path = require('node:path');
const test = require('node:test');

test('the example of the documentation works', async (t) => {
    const emulator = await Emulator.start('--operation-time', '50ms');
    t.after(() => emulator.stop());
    const example = path.join(__dirname, '..', '..', 'docs', 'examples', 'node_client.js');
    const env = {...process.env, PORT: emulator.port};
    const ended = spawnSync(process.execPath, [example], {env, encoding: 'utf8'});
    assert.equal(ended.status, 0, ended.stderr);
    assert.equal(ended.stdout, 'projects/my-project/locations/us-central1/instances/cache is one of 1\n');
});
