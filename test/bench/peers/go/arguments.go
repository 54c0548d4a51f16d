//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

type arguments struct {
	contender  contender
	scenario   scenario
	operations int
}

var errUsage = errors.New("usage: bench_go CONTENDER SCENARIO --operations N [--failures K] [--wait MILLISECONDS]")

// Returns nil if the contenders are to be listed.
func parse(words []string) (*arguments, error) {
	if len(words) == 1 && words[0] == "--list" {
		return nil, nil
	}
	if len(words) < 2 || len(words)%2 != 0 {
		return nil, errUsage
	}
	result := &arguments{}
	for _, each := range contenders {
		if each.name == words[0] {
			result.contender = each
		}
	}
	if result.contender.operation == nil {
		return nil, fmt.Errorf("there is no contender '%s'", words[0])
	}
	failures, wait := -1, 10*time.Second
	for i := 2; i != len(words); i += 2 {
		value, err := strconv.Atoi(words[i+1])
		if err != nil || value < 0 {
			return nil, errUsage
		}
		switch {
		case words[i] == "--operations":
			result.operations = value
		case words[i] == "--failures":
			failures = value
		case words[i] == "--wait":
			wait = time.Duration(value) * time.Millisecond
		case words[i] == "--threads" && value == 1:
		case words[i] == "--threads":
			return nil, errors.New("the contenders run on one thread")
		default:
			return nil, fmt.Errorf("there is no option '%s'", words[i])
		}
	}
	var known bool
	if result.scenario, known = namedScenario(words[1], failures, wait); !known {
		return nil, fmt.Errorf("there is no scenario '%s'", words[1])
	}
	if result.contender.neverWaits && !result.scenario.sequential {
		return nil, fmt.Errorf("%s does not wait: it has only the scenarios C and Cp", words[0])
	}
	if result.operations == 0 {
		return nil, errUsage
	}
	return result, nil
}
