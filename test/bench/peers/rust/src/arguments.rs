//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

use crate::contenders;
use crate::scenario::Scenario;

pub struct Arguments {
    pub contender: String,
    pub scenario: Scenario,
    pub operations: usize,
}

impl Arguments {
    /// `None`: the contenders are to be listed.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Self>, String> {
        let usage = "usage: bench_tokio CONTENDER SCENARIO --operations N [--failures K] [--wait MILLISECONDS]";
        let contender = words.next().ok_or(usage)?;
        if contender == "--list" {
            return Ok(None);
        }
        if !contenders::NAMES.contains(&contender.as_str()) {
            return Err(format!("there is no contender '{contender}'"));
        }
        let name = words.next().ok_or(usage)?;
        let (mut operations, mut failures, mut wait) = (None, None, 10_000);
        while let Some(option) = words.next() {
            let value: u64 = words.next().and_then(|word| word.parse().ok()).ok_or(usage)?;
            match option.as_str() {
                "--operations" => operations = Some(value as usize),
                "--failures" => failures = Some(value as u32),
                "--wait" => wait = value,
                "--threads" if value == 1 => {}
                "--threads" => return Err("the contenders run on one thread".into()),
                _ => return Err(format!("there is no option '{option}'")),
            }
        }
        let scenario = Scenario::named(&name, failures, wait).ok_or(format!("there is no scenario '{name}'"))?;
        if contender == "tokio-bare" && !scenario.sequential {
            return Err("tokio-bare does not wait: it has only the scenarios C and Cp".into());
        }
        let operations = operations.filter(|n| *n != 0).ok_or(usage)?;
        Ok(Some(Self { contender, scenario, operations }))
    }
}
