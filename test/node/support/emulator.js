//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

const assert = require('node:assert/strict');
const {spawn} = require('node:child_process');

// `backbeat emulator` with these flags, as a process of its own on a port that was free.
class Emulator {
    static async start(...flags) {
        const child = spawn(process.env.BACKBEAT_EXECUTABLE, ['emulator', '--port', '0', '--quiet', ...flags], {
            stdio: ['ignore', 'pipe', 'pipe'],
        });
        const emulator = new Emulator(child);
        await emulator.#ready();
        return emulator;
    }

    constructor(child) {
        this.child = child;
        this.output = {stdout: '', stderr: ''};
        this.exited = new Promise((resolve, reject) => {
            child.on('error', reject);
            child.on('close', (status, signal) => resolve(status ?? signal));
        });
        for (const name of ['stdout', 'stderr'])
            child[name].setEncoding('utf8').on('data', (text) => (this.output[name] += text));
        this.kill = () => child.kill('SIGKILL');
        process.on('exit', this.kill);
    }

    async #ready() {
        const line = new Promise((resolve) => {
            this.child.stdout.on('data', () => this.output.stdout.includes('\n') && resolve());
        });
        await Promise.race([line, this.exited]);
        const [, url] = /^listening on (https?:\/\/127\.0\.0\.1:\d+)\n$/.exec(this.output.stdout) ?? [];
        assert.ok(url, `the emulator did not start: ${JSON.stringify(this.output)}`);
        this.url = url;
        this.port = Number(new URL(url).port);
    }

    // It has to end well, and to have had nothing to complain about.
    async stop() {
        this.child.kill('SIGTERM');
        assert.equal(await this.exited, 0);
        assert.equal(this.output.stderr, '');
        process.removeListener('exit', this.kill);
    }

    async control(method, path, body) {
        const response = await fetch(`${this.url}/emulator/v1/${path}`, {
            method,
            body: body && JSON.stringify(body),
            headers: {connection: 'close'},
        });
        const text = await response.text();
        assert.equal(response.status, 200, text);
        return JSON.parse(text);
    }

    setFaults(...faults) {
        return this.control('POST', 'faults', {faults});
    }

    // How often each of the faults was applied.
    async faultsFired() {
        return (await this.control('GET', 'faults')).faults.map((each) => each.fired);
    }

    // The changes that were carried out below this project, in order.
    async effects(project) {
        const {effects} = await this.control('GET', 'effects');
        return effects.filter((each) => each.resource.startsWith(`projects/${project}/`)).map((each) => each.method);
    }

    // The requests below this project, in order: their methods, their paths behind the location, and their statuses.
    async requests(project) {
        const {requests} = await this.control('GET', 'requests');
        const below = new RegExp(`^/v1/projects/${project}/locations/[^/]*/`);
        return requests
            .filter((each) => below.test(each.path))
            .map((each) => `${each.method} ${each.path.replace(below, '')} ${each.status}`);
    }

    // Completes whatever is running, without its time having to pass: a snapshot is of a service at rest.
    async completeOperations() {
        await this.control('POST', 'snapshot', await this.control('GET', 'snapshot'));
    }
}

module.exports = {Emulator};
