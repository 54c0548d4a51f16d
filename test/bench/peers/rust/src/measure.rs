//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crate::arguments::Arguments;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

pub struct CountingAllocator;

unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        System.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        System.alloc_zeroed(layout)
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        System.realloc(block, layout, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        System.dealloc(block, layout)
    }
}

/// The processor time that this process used so far, user and system, in nanoseconds.
fn processor_time() -> i64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let nanoseconds = |t: libc::timeval| t.tv_sec as i64 * 1_000_000_000 + t.tv_usec as i64 * 1_000;
    nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
}

/// A line of `/proc/self/status`, in bytes: `VmRSS` or `VmHWM`. -1: there is none.
fn memory(line: &str) -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = status.lines().find_map(|each| each.strip_prefix(line)?.strip_prefix(':'));
    let kibibytes = field.and_then(|text| text.trim().trim_end_matches(" kB").parse::<i64>().ok());
    kibibytes.map_or(-1, |n| n * 1024)
}

pub struct Measured {
    cpu_ns: i64,
    wall_ns: i64,
    allocations: u64,
    rss_bytes: i64,
    pub attempts: u64,
}

impl Measured {
    pub fn json(&self, of: &Arguments) -> String {
        format!(
            "{{\"contender\":\"{}\",\"scenario\":\"{}\",\"operations\":{},\"attempts\":{},\"cpu_ns\":{},\"wall_ns\":{},\
             \"allocations\":{},\"rss_bytes\":{}}}",
            of.contender,
            of.scenario.name,
            of.operations,
            self.attempts,
            self.cpu_ns,
            self.wall_ns,
            self.allocations,
            self.rss_bytes
        )
    }
}

/// Measures from here to `end`.
pub struct Measurement {
    started: Instant,
    cpu: i64,
    allocations: u64,
    resident: i64,
    suspended: Option<i64>,
}

impl Measurement {
    pub fn begin() -> Self {
        // What was the peak so far counts no longer. Where that is not possible, the peak is that of the whole process.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let resident = memory("VmRSS");
        let allocations = ALLOCATIONS.load(Relaxed);
        Self { started: Instant::now(), cpu: processor_time(), allocations, resident, suspended: None }
    }

    /// All operations wait: this is the memory that counts, and not the peak.
    pub fn all_suspended(&mut self) {
        self.suspended = Some(memory("VmRSS"));
    }

    /// The time and the allocations up to here do not count.
    pub fn start_again(&mut self) {
        self.allocations = ALLOCATIONS.load(Relaxed);
        self.started = Instant::now();
        self.cpu = processor_time();
    }

    pub fn end(self, attempts: u64, one_at_a_time: bool) -> Measured {
        let cpu_ns = processor_time() - self.cpu;
        let wall_ns = self.started.elapsed().as_nanos() as i64;
        let allocations = ALLOCATIONS.load(Relaxed) - self.allocations;
        let most = self.suspended.unwrap_or_else(|| memory("VmHWM"));
        let rss_bytes = if one_at_a_time { -1 } else { most - self.resident };
        Measured { cpu_ns, wall_ns, allocations, rss_bytes, attempts }
    }
}
