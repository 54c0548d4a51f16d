//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// The processor time that this process used so far, user and system.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// The number of objects that were allocated so far. Goroutines' stacks are none.
func allocations() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.Mallocs
}

// A line of /proc/self/status, in bytes: VmRSS or VmHWM.
func memory(line string) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		panic(err)
	}
	for _, each := range strings.Split(string(status), "\n") {
		var kibibytes int64
		if _, err := fmt.Sscanf(each, line+": %d kB", &kibibytes); err == nil {
			return kibibytes * 1024
		}
	}
	panic("/proc/self/status has no " + line)
}

type measured struct {
	Contender   string `json:"contender"`
	Scenario    string `json:"scenario"`
	Operations  int    `json:"operations"`
	Attempts    int64  `json:"attempts"`
	CPU         int64  `json:"cpu_ns"`
	Wall        int64  `json:"wall_ns"`
	Allocations int64  `json:"allocations"`
	RSS         int64  `json:"rss_bytes"`
}

type measurement struct {
	started     time.Time
	cpu         time.Duration
	allocations uint64
	resident    int64
	suspended   int64
}

func begin() *measurement {
	debug.FreeOSMemory()
	// What was the peak so far counts no longer. Where that is not possible, the peak is that of the whole process.
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	result := &measurement{resident: memory("VmRSS")}
	result.startAgain()
	return result
}

// The time and the allocations up to here do not count.
func (m *measurement) startAgain() {
	m.allocations = allocations()
	m.started = time.Now()
	m.cpu = processorTime()
}

// All operations wait: this is the memory that counts, and not the peak.
func (m *measurement) allSuspended() { m.suspended = memory("VmRSS") }

func (m *measurement) end(of *arguments, attempts int64) *measured {
	cpu := processorTime() - m.cpu
	wall := time.Since(m.started)
	result := &measured{
		Contender:   of.contender.name,
		Scenario:    of.scenario.name,
		Operations:  of.operations,
		Attempts:    attempts,
		CPU:         int64(cpu),
		Wall:        int64(wall),
		Allocations: int64(allocations() - m.allocations),
		RSS:         -1,
	}
	switch {
	case of.scenario.sequential:
	case m.suspended != 0:
		result.RSS = m.suspended - m.resident
	default:
		result.RSS = memory("VmHWM") - m.resident
	}
	return result
}
