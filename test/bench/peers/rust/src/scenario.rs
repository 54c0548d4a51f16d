//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

use std::cell::Cell;
use std::time::Duration;

/// Before retry n: the smaller of `initial` * 2^n + U(0, `jitter`) and `maximum`.
#[derive(Clone, Copy)]
pub struct Waits {
    initial: Duration,
    jitter: Duration,
    maximum: Duration,
}

thread_local! {
    static RANDOM: Cell<u64> = Cell::new(0x2026_1122);
}

/// splitmix64, one for all operations of the thread, as the contenders in C++ have it.
fn random() -> u64 {
    RANDOM.with(|state| {
        let mut z = state.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        state.set(z);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

impl Waits {
    pub fn before_retry(&self, number: u32) -> Duration {
        let random = (u128::from(random()) * (self.jitter.as_nanos() + 1)) >> 64;
        (self.initial * (1 << number.min(16)) + Duration::from_nanos(random as u64)).min(self.maximum)
    }
}

/// What an operation does: so many attempts fail, each goes once through the scheduler unless it is `inline`.
#[derive(Clone, Copy)]
pub struct Work {
    pub failures: u32,
    pub inline: bool,
    pub waits: Waits,
}

#[derive(Clone)]
pub struct Scenario {
    pub name: String,
    pub work: Work,
    /// One operation after the other, instead of all at once.
    pub sequential: bool,
    /// All wait at the same time: what they take then is measured.
    pub suspended: bool,
    /// They are cancelled in that wait.
    pub cancelled: bool,
}

impl Scenario {
    pub fn named(name: &str, failures: Option<u32>, long_wait: u64) -> Option<Self> {
        let short = |scale: u64| Waits {
            initial: Duration::from_millis(scale),
            jitter: Duration::from_millis(scale),
            maximum: Duration::from_millis(8 * scale),
        };
        let long = Waits {
            initial: Duration::from_millis(long_wait),
            jitter: Duration::from_millis(long_wait) / 10,
            maximum: Duration::MAX,
        };
        // With a p at the end, attempts go through the scheduler.
        let kind = name.strip_suffix('p').unwrap_or(name);
        let (usual, waits, sequential, suspended) = match kind {
            "A" => (3, short(1), false, false),
            "A16" => (3, short(16), false, false),
            "B" | "E" => (1, long, false, true),
            "C" => (0, short(1), true, false),
            _ => return None,
        };
        Some(Self {
            name: name.into(),
            work: Work { failures: failures.unwrap_or(usual), inline: kind == name, waits },
            sequential,
            suspended,
            cancelled: kind == "E",
        })
    }
}
