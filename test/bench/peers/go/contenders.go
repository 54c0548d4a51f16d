//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

package main

import (
	"context"
	"time"

	"github.com/cenkalti/backoff"
)

type contender struct {
	name string

	// The context is nil if it is not to be cancelled.
	operation  func(*shared, context.Context)
	neverWaits bool
}

// go-bare is the attempt alone: what C and Cp of the others are compared with.
var contenders = []contender{
	{name: "go-cenkalti", operation: withCenkalti},
	{name: "go-loop", operation: withALoop},
	{name: "go-bare", operation: bare, neverWaits: true},
}

// The package's own exponential backoff draws from around the exact wait instead of adding to it. Its interface allows
// any law, so this is the one of the others.
type sameWaits struct {
	all     *shared
	retries int
}

func (s *sameWaits) Reset() { s.retries = 0 }

func (s *sameWaits) NextBackOff() time.Duration {
	if s.retries == s.all.failures {
		return backoff.Stop
	}
	s.retries++
	return s.all.waits.beforeRetry(s.retries - 1)
}

func withCenkalti(all *shared, cancelled context.Context) {
	attempts := 0
	var waits backoff.BackOff = &sameWaits{all: all}
	if cancelled != nil {
		waits = backoff.WithContext(waits, cancelled)
	}
	err := backoff.Retry(func() error {
		attempts++
		return all.attempt(attempts)
	}, waits)
	all.end(err, attempts)
}

func withALoop(all *shared, cancelled context.Context) {
	for attempts := 1; ; attempts++ {
		err := all.attempt(attempts)
		if err != nil && attempts <= all.failures {
			if err = sleep(cancelled, all.waits.beforeRetry(attempts-1)); err == nil {
				continue
			}
		}
		all.end(err, attempts)
		return
	}
}

func sleep(cancelled context.Context, wait time.Duration) error {
	if cancelled == nil {
		time.Sleep(wait)
		return nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-cancelled.Done():
		return cancelled.Err()
	case <-timer.C:
		return nil
	}
}

func bare(all *shared, _ context.Context) {
	all.end(all.attempt(1), 1)
}
