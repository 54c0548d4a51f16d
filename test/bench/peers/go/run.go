//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var errUnavailable = errors.New("unavailable")

// What the operations of a run have in common. An operation has an attempt of each number, from 1.
type shared struct {
	scenario

	failedOnce, ended, cancelled, attempts int64
}

// Fails or succeeds as the scenario says.
//
//go:noinline
func (s *shared) attempt(number int) error {
	if !s.inline {
		runtime.Gosched()
	}
	if number > s.failures {
		return nil
	}
	if number == 1 {
		atomic.AddInt64(&s.failedOnce, 1)
	}
	return errUnavailable
}

// Counts an operation that ended with success after as many attempts as it takes, or that was cancelled in its first
// wait. Others are missed at the end.
func (s *shared) end(err error, attempts int) {
	switch {
	case err == nil && attempts == s.failures+1:
		atomic.AddInt64(&s.ended, 1)
		atomic.AddInt64(&s.attempts, int64(attempts))
	case err == context.Canceled && attempts == 1:
		atomic.AddInt64(&s.cancelled, 1)
		atomic.AddInt64(&s.attempts, int64(attempts))
	}
}

func run(a *arguments) (*measured, error) {
	all := &shared{scenario: a.scenario}
	if a.scenario.sequential {
		return oneAfterTheOther(a, all)
	}
	return allAtOnce(a, all)
}

func oneAfterTheOther(a *arguments, all *shared) (*measured, error) {
	m := begin()
	for i := 0; i != a.operations; i++ {
		a.contender.operation(all, nil)
	}
	return finish(m, a, all, &all.ended)
}

func allAtOnce(a *arguments, all *shared) (*measured, error) {
	wanted := &all.ended
	var cancels []context.CancelFunc
	if a.scenario.cancelled {
		wanted = &all.cancelled
		cancels = make([]context.CancelFunc, 0, a.operations)
	}
	var running sync.WaitGroup
	running.Add(a.operations)
	m := begin()
	for i := 0; i != a.operations; i++ {
		var cancelled context.Context
		if a.scenario.cancelled {
			var cancel context.CancelFunc
			cancelled, cancel = context.WithCancel(context.Background())
			cancels = append(cancels, cancel)
		}
		go func() {
			a.contender.operation(all, cancelled)
			running.Done()
		}()
	}
	if a.scenario.suspended {
		for atomic.LoadInt64(&all.failedOnce) != int64(a.operations) {
			time.Sleep(time.Millisecond)
		}
		if atomic.LoadInt64(&all.ended) != 0 {
			return nil, errors.New("the first waits ended before the last began: make them longer")
		}
		m.allSuspended()
	}
	if a.scenario.cancelled {
		m.startAgain()
	}
	for _, each := range cancels {
		each()
	}
	running.Wait()
	return finish(m, a, all, wanted)
}

func finish(m *measurement, a *arguments, all *shared, wanted *int64) (*measured, error) {
	result := m.end(a, all.attempts)
	if missing := int64(a.operations) - *wanted; missing != 0 {
		return nil, fmt.Errorf("%d operations did not end as they should", missing)
	}
	return result, nil
}
