//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Go with cenkalti/backoff, and with a loop by hand, on one processor.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
)

func main() {
	runtime.GOMAXPROCS(1)
	arguments, err := parse(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench_go:", err)
		os.Exit(2)
	}
	if arguments == nil {
		for _, each := range contenders {
			fmt.Println(each.name)
		}
		return
	}
	result, err := run(arguments)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(result)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench_go:", err)
		os.Exit(1)
	}
}
