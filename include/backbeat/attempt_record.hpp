//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_ATTEMPT_RECORD_HPP
#define BACKBEAT_ATTEMPT_RECORD_HPP

#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/verdict.hpp>
#include <backbeat/wait_origin.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace backbeat {

/// What became of one attempt.
struct attempt_record {
    /// The number of the attempt, from 1.
    std::uint32_t number = 0;

    /// When it started, counted from the start of the operation.
    std::chrono::nanoseconds start{};

    /// How long it took.
    std::chrono::nanoseconds duration{};

    /// The error that it completed with. An attempt that failed by its result alone has none.
    boost::system::error_code error{};

    /// The status that the classifier gave, such as an HTTP status. Zero: none.
    int status = 0;

    /// How far its request got, if that is known.
    std::optional<backbeat::delivery> delivered{};

    /// What the classifier said.
    verdict_kind judged = verdict_kind::done;

    /// The wait that the server asked for, if it did.
    std::optional<std::chrono::nanoseconds> hint{};

    /**
     * \brief The wait that was chosen to follow, exact: before it was rounded up to `retry_options::wait_resolution`.
     * \details A wait that was cut short stands here in full. `retry_report::time_waited` counts what passed of it.
     */
    std::chrono::nanoseconds wait{};

    /// What that wait was chosen by.
    wait_origin origin = wait_origin::none;
};

}  // namespace backbeat

#endif
