//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

import {readFileSync, writeFileSync} from 'node:fs';

// The processor time that this process used so far, user and system and on all its threads, in nanoseconds.
function processorTime() {
    const {user, system} = process.cpuUsage();
    return (user + system) * 1000;
}

// A line of /proc/self/status, in bytes: VmRSS or VmHWM.
function memory(line) {
    const status = readFileSync('/proc/self/status', 'utf8');
    return Number(status.match(new RegExp(`^${line}:\\s*(\\d+) kB$`, 'm'))[1]) * 1024;
}

// What the peak of memory was so far counts no longer.
function forgetPeak() {
    try {
        writeFileSync('/proc/self/clear_refs', '5');
    } catch {
        // Then the peak is that of the whole process.
    }
}

export class Measurement {
    constructor() {
        globalThis.gc?.();
        forgetPeak();
        this.resident = memory('VmRSS');
        this.startAgain();
    }

    // The time up to here does not count.
    startAgain() {
        this.started = process.hrtime.bigint();
        this.cpu = processorTime();
    }

    // All operations wait: this is the memory that counts, and not the peak.
    allSuspended() {
        this.suspended = memory('VmRSS');
    }

    end({name, scenario, operations}, attempts) {
        const cpu = processorTime() - this.cpu;
        const wall = Number(process.hrtime.bigint() - this.started);
        const most = this.suspended ?? memory('VmHWM');
        return {
            contender: name,
            scenario: scenario.name,
            operations,
            attempts,
            cpu_ns: cpu,
            wall_ns: wall,
            allocations: -1,
            rss_bytes: scenario.sequential ? -1 : most - this.resident,
        };
    }
}
