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

std::vector<registration> wheel_contenders()
{
    return {
        entry<callback_retry<retry_settings{.wheel = true}>>("wheel"),
        entry<callback_retry<retry_settings{.operation_by_reference = true, .wheel = true}>>("wheel-ref"),
        entry<callback_retry<retry_settings{.pooled = true, .wheel = true}>>("wheel-pool"),
        entry<callback_retry<retry_settings{.slot = true, .wheel = true}>>("wheel-slot"),
        entry<callback_retry<retry_settings{.limits = true, .wheel = true}>>("wheel-limits")};
}

}  // namespace bench
