//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

//! tokio with the crate `backoff`, and with a loop by hand, on one thread.

mod arguments;
mod contenders;
mod measure;
mod run;
mod scenario;

use std::process::ExitCode;

use arguments::Arguments;

#[global_allocator]
static ALLOCATOR: measure::CountingAllocator = measure::CountingAllocator;

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            for name in contenders::NAMES {
                println!("{name}");
            }
            return ExitCode::SUCCESS;
        }
        Err(what) => {
            eprintln!("bench_tokio: {what}");
            return ExitCode::from(2);
        }
    };
    match contenders::run(&arguments) {
        Ok(result) => {
            println!("{}", result.json(&arguments));
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("bench_tokio: {what}");
            ExitCode::FAILURE
        }
    }
}
