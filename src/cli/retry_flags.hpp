//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_RETRY_FLAGS_HPP
#define BACKBEAT_SRC_CLI_RETRY_FLAGS_HPP

#include <backbeat/retry_budget.hpp>
#include <backbeat/retry_options.hpp>

#include <chrono>
#include <optional>

namespace backbeat::cli {

class option_set;

// The fields of `retry_options` as flags of the same names.
class retry_flags {
public:
    void add_to(option_set& options);

    // What was chosen. Throws `usage_error` if it contradicts itself. It may point to the budget in here.
    [[nodiscard]] retry_options chosen();

private:
    retry_options options_{};
    bool budgeted_ = false;
    retry_budget budget_;
};

}  // namespace backbeat::cli

#endif
