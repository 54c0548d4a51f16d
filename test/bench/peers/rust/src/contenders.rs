//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

use std::time::Duration;

use backoff::backoff::Backoff;

use crate::arguments::Arguments;
use crate::measure::Measured;
use crate::run::{attempt, ended, run as run_all, Unavailable};
use crate::scenario::Work;

/// `tokio-bare` is the attempt alone: what C and Cp of the others are compared with.
pub const NAMES: [&str; 3] = ["tokio-backoff", "tokio-loop", "tokio-bare"];

pub fn run(arguments: &Arguments) -> Result<Measured, String> {
    let (scenario, operations) = (&arguments.scenario, arguments.operations);
    match arguments.contender.as_str() {
        "tokio-backoff" => run_all(scenario, operations, with_backoff),
        "tokio-loop" => run_all(scenario, operations, with_a_loop),
        _ => run_all(scenario, operations, bare),
    }
}

/// The crate's own exponential backoff draws from around the exact wait instead of adding to it. Its trait allows any
/// law, so this is the one of the others.
struct SameWaits {
    work: &'static Work,
    retries: u32,
}

impl Backoff for SameWaits {
    fn next_backoff(&mut self) -> Option<Duration> {
        if self.retries == self.work.failures {
            return None;
        }
        self.retries += 1;
        Some(self.work.waits.before_retry(self.retries - 1))
    }
}

async fn with_backoff(work: &'static Work) {
    let mut attempts = 0;
    let result: Result<(), Unavailable> = backoff::future::retry(SameWaits { work, retries: 0 }, || {
        attempts += 1;
        attempt(attempts, work)
    })
    .await;
    ended(work, result, attempts);
}

async fn with_a_loop(work: &'static Work) {
    let mut attempts = 0;
    let result = loop {
        attempts += 1;
        let result: Result<(), Unavailable> = attempt(attempts, work).await;
        if result.is_ok() || attempts > work.failures {
            break result;
        }
        tokio::time::sleep(work.waits.before_retry(attempts - 1)).await;
    };
    ended(work, result, attempts);
}

async fn bare(work: &'static Work) {
    let result: Result<(), Unavailable> = attempt(1, work).await;
    ended(work, result, 1);
}
