//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_REGISTRATION_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_REGISTRATION_HPP

#include "caller.hpp"
#include "scenarios.hpp"
#include "task.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace bench {

// A contender under its name.
struct registration {
    std::string_view name;

    // Runs the scenario once. Empty: this contender cannot. How the operations ended is in the tally.
    std::optional<measurement> (*run)(task const&) = nullptr;

    // Null: there is no caller for it.
    std::unique_ptr<caller> (*make_caller)(task const&) = nullptr;
};

template <class Contender>
[[nodiscard]] registration entry(std::string_view name)
{
    return {name, &measure_scenario<Contender>, [](task const& of) -> std::unique_ptr<caller> {
                return std::make_unique<caller_of<Contender>>(of);
            }};
}

[[nodiscard]] std::vector<registration> all_contenders();

// By what they are made of; see the file of that name.
[[nodiscard]] std::vector<registration> hand_written_contenders();
[[nodiscard]] std::vector<registration> callback_contenders();
[[nodiscard]] std::vector<registration> wheel_contenders();
[[nodiscard]] std::vector<registration> coroutine_contenders();
[[nodiscard]] std::vector<registration> composed_contenders();
[[nodiscard]] std::vector<registration> stackful_contenders();
[[nodiscard]] std::vector<registration> thread_contenders();

}  // namespace bench

#endif
