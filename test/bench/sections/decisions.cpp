//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "../micro_results.hpp"
#include "sections.hpp"

namespace bench {

void decisions_section(session& s)
{
    auto const found = run_micro(s, "^(budget|schedule)_", s.settings().rounds(9));
    if (found.empty()) return;
    auto const cpu = [&](char const* name) { return found.at(name).at("cpu_time"); };
    s.add("budget/ns", cpu("budget_withdraw"), "ns");
    s.add("budget/refused/ns", cpu("budget_refuse"), "ns");
    s.add("budget/deposit/ns", cpu("budget_deposit"), "ns");
    auto const alone = cpu("budget_deposit") + cpu("budget_withdraw");
    // The processor time of both threads, for a withdrawal and a deposit.
    s.add("budget/two_threads/ns", cpu("budget_contended/real_time/threads:2"), "ns", {"1 thread", alone});
    s.add("schedule/ns", cpu("schedule_decision"), "ns");
    s.add("schedule/first/ns", cpu("schedule_first_decision"), "ns");
}

}  // namespace bench
