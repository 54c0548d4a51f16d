//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

package main

import (
	"math/bits"
	"strings"
	"time"
)

// Before retry n: the smaller of initial * 2^n + U(0, jitter) and maximum.
type waits struct {
	initial, jitter, maximum time.Duration
}

var randomState uint64 = 0x20261122

// splitmix64, one for all operations, as the contenders in C++ have it. Goroutines take turns on one processor: that two
// of them get the same number now and then, because one was interrupted, does no harm.
func random() uint64 {
	randomState += 0x9e3779b97f4a7c15
	z := randomState
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

func (w *waits) beforeRetry(number int) time.Duration {
	if number > 16 {
		number = 16
	}
	jitter, _ := bits.Mul64(random(), uint64(w.jitter)+1)
	if wait := w.initial<<number + time.Duration(jitter); wait < w.maximum {
		return wait
	}
	return w.maximum
}

type scenario struct {
	name     string
	failures int
	waits    waits

	// An attempt does not go through the scheduler.
	inline bool

	// One operation after the other, instead of all at once.
	sequential bool

	// All wait at the same time: what they take then is measured.
	suspended bool

	// They are cancelled in that wait.
	cancelled bool
}

// failures: -1 as many as the scenario has.
func namedScenario(name string, failures int, longWait time.Duration) (scenario, bool) {
	short := func(scale time.Duration) waits {
		return waits{scale * time.Millisecond, scale * time.Millisecond, 8 * scale * time.Millisecond}
	}
	// With a p at the end, attempts go through the scheduler.
	kind := strings.TrimSuffix(name, "p")
	result := scenario{name: name, inline: kind == name}
	switch kind {
	case "A":
		result.failures, result.waits = 3, short(1)
	case "A16":
		result.failures, result.waits = 3, short(16)
	case "B", "E":
		result.failures, result.waits = 1, waits{longWait, longWait / 10, longWait << 16}
		result.suspended, result.cancelled = true, kind == "E"
	case "C":
		result.waits, result.sequential = short(1), true
	default:
		return result, false
	}
	if failures != -1 {
		result.failures = failures
	}
	return result, true
}
