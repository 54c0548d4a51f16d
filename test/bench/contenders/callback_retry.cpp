//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "callback_retry.hpp"

#include "registration.hpp"

#include <vector>

namespace bench {

std::vector<registration> callback_contenders()
{
    return {
        entry<callback_retry<retry_settings{}>>("retry"),
        entry<callback_retry<retry_settings{.options_by_value = true}>>("retry-by-value"),
        entry<callback_retry<retry_settings{.operation_by_reference = true}>>("retry-ref"),
        entry<callback_retry<retry_settings{.any_executor = true}>>("retry-any"),
        entry<callback_retry<retry_settings{.pooled = true}>>("retry-pool"),
        entry<callback_retry<retry_settings{.slot = true}>>("retry-slot"),
        entry<callback_retry<retry_settings{.limits = true}>>("retry-limits"),
        entry<callback_retry<retry_settings{.grid = true}>>("retry-grid"),
        entry<callback_retry<retry_settings{.report = true}>>("retry-report"),
        entry<callback_retry<retry_settings{.budget = true}>>("retry-budget")};
}

}  // namespace bench
