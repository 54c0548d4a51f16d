//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "tally.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>

namespace bench {

namespace {

std::atomic<std::uint64_t> handed_in_attempts{0};
std::atomic<std::uint64_t> handed_in_right{0};
std::atomic<std::uint64_t> handed_in_wrong{0};

}  // namespace

void hand_in_tally() noexcept
{
    auto const mine = std::exchange(my_tally, {});
    handed_in_attempts += mine.attempts;
    handed_in_right += mine.right;
    handed_in_wrong += mine.wrong;
}

tally take_tally() noexcept
{
    hand_in_tally();
    return {handed_in_attempts.exchange(0), handed_in_right.exchange(0), handed_in_wrong.exchange(0)};
}

void check_tally(tally const& found, task const& of)
{
    auto const attempts_each = of.scenario == scenario::cancellation ? 1 : of.failures + 1;
    auto const attempts = std::uint64_t{attempts_each} * of.operations;
    if (found.right == of.operations && found.wrong == 0 && found.attempts == attempts) return;
    throw std::runtime_error(
        std::to_string(found.right) + " of " + std::to_string(of.operations) + " operations ended right, "
        + std::to_string(found.wrong) + " wrong, after " + std::to_string(found.attempts) + " attempts instead of "
        + std::to_string(attempts));
}

}  // namespace bench
