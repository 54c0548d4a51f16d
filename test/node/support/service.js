//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

const {Emulator} = require('./emulator');
const {redisClient, redisClusterClient} = require('./clients');
const {after, before} = require('node:test');

// An emulator for the tests of a file, and for each test a project of its own, so that none sees what another made.
class Service {
    #projects = 0;
    #clients = [];

    constructor(...flags) {
        before(async () => {
            this.emulator = await Emulator.start(...flags);
        });
        after(async () => {
            await Promise.all(this.#clients.map((client) => client.close()));
            await this.emulator?.stop();
        });
    }

    #connect(connect) {
        const project = `project-${++this.#projects}`;
        const client = connect(this.emulator, project);
        this.#clients.push(client);
        const parent = `projects/${project}/locations/us-central1`;
        return {client, emulator: this.emulator, project, parent};
    }

    redis() {
        return this.#connect(redisClient);
    }

    redisCluster() {
        return this.#connect(redisClusterClient);
    }
}

module.exports = {Service};
