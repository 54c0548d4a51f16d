//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_ATTEMPT_HPP
#define BACKBEAT_ATTEMPT_HPP

#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace backbeat {

/**
 * \brief One attempt of an operation, as the operation and its classifier see it.
 * \details
 * An operation that takes an `attempt const&` learns which attempt it is and how long it may take, and can report
 * how far its request got. It is told the classifier too, so that a decision can depend on it.
 *
 * \par Object lifetimes
 * The object passed to an operation is valid until that attempt has completed, and not afterwards, even inside the
 * function that completed it. It is not copyable, so that a report cannot get lost in a copy.
 *
 * \par Thread safety
 * Unsafe: use it where the attempt's handlers run.
 */
class attempt {
public:
    /// Makes the attempt with this number (from 1), which is given `time_limit` to complete, if any.
    explicit attempt(
        std::uint32_t number,
        std::optional<std::chrono::nanoseconds> time_limit = {},
        std::optional<delivery> worst_delivery = {}) noexcept
        : number_(number), worst_delivery_(worst_delivery), time_limit_(time_limit)
    {}

    attempt(attempt const&) = delete;
    attempt& operator=(attempt const&) = delete;

    /// The number of this attempt. The first is 1.
    [[nodiscard]] std::uint32_t number() const noexcept { return number_; }

    /// How often the operation was repeated before: OpenTelemetry's `http.request.resend_count`. Zero at first.
    [[nodiscard]] std::uint32_t resend_count() const noexcept { return number_ - 1; }

    /// How long this attempt may take, counted from its start. Empty: as long as it likes.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> time_limit() const noexcept { return time_limit_; }

    /// The worst delivery of all attempts before this one. Empty: none was known.
    [[nodiscard]] std::optional<delivery> worst_delivery() const noexcept { return worst_delivery_; }

    /**
     * \brief Tells how far the request got.
     * \details
     * To be called by the operation before it completes, also when it fails or was cancelled; the last call counts.
     */
    void report(delivery how_far) const noexcept
    {
        delivered_ = how_far;
        reported_ = true;
    }

    /// What the operation reported. Empty: nothing.
    [[nodiscard]] std::optional<delivery> delivered() const noexcept
    {
        return reported_ ? std::optional(delivered_) : std::nullopt;
    }

private:
    std::uint32_t number_;
    mutable bool reported_ = false;
    mutable delivery delivered_{};
    std::optional<delivery> worst_delivery_;
    std::optional<std::chrono::nanoseconds> time_limit_;
};

}  // namespace backbeat

#endif
