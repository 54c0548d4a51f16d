//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;

use tokio::sync::Notify;

use crate::measure::{Measured, Measurement};
use crate::scenario::{Scenario, Work};

thread_local! {
    static FAILED_ONCE: Cell<usize> = Cell::new(0);
    static ENDED: Cell<usize> = Cell::new(0);
    static WRONG: Cell<usize> = Cell::new(0);
    static ATTEMPTS: Cell<u64> = Cell::new(0);
    static OPERATIONS: Cell<usize> = Cell::new(0);
    static LAST_ENDED: Rc<Notify> = Rc::new(Notify::new());
}

pub struct Unavailable;

/// The attempt of this number: fails or succeeds as the work says. The error is of the type that the caller has, because
/// a future around this one that only turned the error into another would make the task larger.
pub async fn attempt<E: From<Unavailable>>(number: u32, work: &Work) -> Result<(), E> {
    if !work.inline {
        tokio::task::yield_now().await;
    }
    outcome(number, work.failures).map_err(E::from)
}

// Not inlined, so that the compiler does not know how it ends.
#[inline(never)]
fn outcome(number: u32, failures: u32) -> Result<(), Unavailable> {
    if number > failures {
        return Ok(());
    }
    if number == 1 {
        FAILED_ONCE.with(|count| count.set(count.get() + 1));
    }
    Err(Unavailable)
}

/// Counts an operation, and whether it ended with success after as many attempts as it takes.
pub fn ended<E>(work: &Work, result: Result<(), E>, attempts: u32) {
    ENDED.with(|count| count.set(count.get() + 1));
    ATTEMPTS.with(|count| count.set(count.get() + u64::from(attempts)));
    if result.is_err() || attempts != work.failures + 1 {
        WRONG.with(|count| count.set(count.get() + 1));
    }
    if ENDED.with(Cell::get) == OPERATIONS.with(Cell::get) {
        LAST_ENDED.with(|last| last.notify_one());
    }
}

/// Runs `operations` futures that `make` makes, each of which calls `ended`.
pub fn run<F: Future<Output = ()> + Send + 'static>(
    scenario: &Scenario,
    operations: usize,
    make: impl Fn(&'static Work) -> F,
) -> Result<Measured, String> {
    OPERATIONS.with(|count| count.set(operations));
    // As long as the process: the tasks hold a reference, as contenders in C++ do.
    let work: &'static Work = Box::leak(Box::new(scenario.work));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(|e| e.to_string())?;
    runtime.block_on(async {
        if scenario.sequential {
            one_after_the_other(scenario, operations, || make(work)).await
        } else {
            all_at_once(scenario, operations, || make(work)).await
        }
    })
}

async fn one_after_the_other<F: Future<Output = ()>>(
    scenario: &Scenario,
    operations: usize,
    make: impl Fn() -> F,
) -> Result<Measured, String> {
    let measurement = Measurement::begin();
    for _ in 0..operations {
        make().await;
    }
    finish(measurement, scenario)
}

async fn all_at_once<F: Future<Output = ()> + Send + 'static>(
    scenario: &Scenario,
    operations: usize,
    make: impl Fn() -> F,
) -> Result<Measured, String> {
    let mut to_cancel = Vec::with_capacity(if scenario.cancelled { operations } else { 0 });
    let mut measurement = Measurement::begin();
    for _ in 0..operations {
        let handle = tokio::spawn(make());
        if scenario.cancelled {
            to_cancel.push(handle);
        }
    }
    if scenario.suspended {
        while FAILED_ONCE.with(Cell::get) != operations {
            tokio::task::yield_now().await;
        }
        if ENDED.with(Cell::get) != 0 {
            return Err("the first waits ended before the last began: make them longer".into());
        }
        measurement.all_suspended();
    }
    if scenario.cancelled {
        measurement.start_again();
        for each in &to_cancel {
            each.abort();
        }
        for each in to_cancel {
            if !each.await.err().map_or(false, |e| e.is_cancelled()) {
                return Err("an operation ended that was to be cancelled".into());
            }
        }
        return Ok(measurement.end(operations as u64, false));
    }
    LAST_ENDED.with(Rc::clone).notified().await;
    finish(measurement, scenario)
}

fn finish(measurement: Measurement, scenario: &Scenario) -> Result<Measured, String> {
    let measured = measurement.end(ATTEMPTS.with(Cell::get), scenario.sequential);
    match WRONG.with(Cell::get) {
        0 => Ok(measured),
        wrong => Err(format!("{wrong} operations did not end as they should")),
    }
}
