//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_SECTIONS_SECTIONS_HPP
#define BACKBEAT_TEST_BENCH_SECTIONS_SECTIONS_HPP

#include "../session.hpp"

namespace bench {

// Calls that succeed at once (scenarios C and Cp), over the attempt alone.
void happy_section(session&);

// Operations that fail three times, all at once (A), at 100,000 in flight. Attempts complete in place, and in a part of
// it through the scheduler (Ap).
void waits_section(session&);

// The same from 1,000 to a million in flight.
void scale_section(session&);

// Waits sixteen times as long, so that deadlines are rounded up to a grid (A16).
void grid_section(session&);

// Memory of operations that all wait (B).
void suspended_section(session&);

// Operations that are cancelled while they wait (E).
void cancel_section(session&);

// Two threads, on one context or on two (MT).
void threads_section(session&);

// Decisions: of a budget, and of the schedule.
void decisions_section(session&);

// Other libraries and languages in A, B and C.
void peers_section(session&);

// Instructions an attempt, in A.
void instructions_section(session&);

// What including and using `async_retry` adds to the compilation of a source.
void compile_section(session&);

}  // namespace bench

#endif
