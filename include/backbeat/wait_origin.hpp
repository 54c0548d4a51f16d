//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_WAIT_ORIGIN_HPP
#define BACKBEAT_WAIT_ORIGIN_HPP

#include <backbeat/config.hpp>

#include <cstdint>

namespace backbeat {

/// What the wait before a retry was chosen by.
enum class wait_origin : std::uint8_t {
    /// There was no wait: the operation ended.
    none,

    /// The options' backoff.
    backoff,

    /// The server, which asked for a longer wait than the backoff.
    hint
};

}  // namespace backbeat

#endif
