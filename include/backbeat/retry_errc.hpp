//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_ERRC_HPP
#define BACKBEAT_RETRY_ERRC_HPP

#include <backbeat/config.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace backbeat {

/**
 * \brief Errors of the retrying itself.
 * \details
 * An operation completes with what its last attempt gave. These codes appear only where no attempt has an error to
 * give.
 */
enum class retry_errc : int {
    /// The attempt took longer than `attempt_timeout` of the options, and was cancelled for it. Retried.
    attempt_timeout = 1,

    /// `total_timeout` of the options expired during an attempt, which was cancelled for it. Final.
    deadline,

    /**
     * \brief The options contradict themselves. No attempt was made.
     * \details
     * The message of the error code says which field is wrong and what would be right. Codes with different texts
     * are equal. Converted to `std::error_code`, compare them with the condition
     * `std::error_condition(3, backbeat::retry_category())`: there, codes with different texts differ.
     */
    invalid_options,

    /// `retry_options::breaker` was open at the start. No attempt was made.
    breaker_open,

    /// In a report: the attempt ended with an exception that carries no error code.
    unknown_exception
};

namespace detail {

// Each is an `error_code` of value `retry_errc::invalid_options`; they differ in the text only.
enum class option_problem : std::size_t {
    negative_initial_backoff,
    multiplier_not_finite,
    multiplier_below_one,
    maximum_below_initial_backoff,
    negative_maximum_jitter,
    unknown_jitter,
    negative_throttled_backoff,
    maximum_below_throttled_backoff,
    negative_attempt_timeout,
    negative_total_timeout,
    negative_maximum_hint,
    negative_wait_resolution,
    unknown_timers
};

inline constexpr std::array option_problem_text{
    "initial_backoff is negative; it must be zero (retry without delay) or more",
    "multiplier is not a finite number; it must be 1 (constant backoff) or more, 2 is usual",
    "multiplier is below 1, so backoff would shrink; it must be 1 (constant backoff) or more, 2 is usual",
    "maximum_backoff is below initial_backoff; raise maximum_backoff or lower initial_backoff",
    "maximum_jitter is negative; it must be zero (nothing is added) or more",
    "jitter is not one of the values of backbeat::jitter; use none, additive, full, equal or decorrelated",
    "throttled_backoff is negative; it must be zero (retry without delay) or more",
    "maximum_backoff is below throttled_backoff; raise maximum_backoff or lower throttled_backoff",
    "attempt_timeout is negative; it must be zero (no limit) or more",
    "total_timeout is negative; it must be zero (no limit) or more",
    "maximum_hint is negative; it must be zero (hints are ignored) or more",
    "wait_resolution is negative; it must be zero (exact waits) or more",
    "timers is not one of the values of backbeat::timers; use asio or wheel",
};

// Boost.System compares categories that have an id by that id, not by address. So there can be one object for each
// text, and every one of their codes still equals `retry_errc::invalid_options`.
class retry_category_type final : public boost::system::error_category {
public:
    constexpr explicit retry_category_type(char const* problem) noexcept
        : error_category(0x6261636b62656174), problem_(problem)
    {}

    char const* name() const noexcept override { return "backbeat.retry"; }

    char const* message(int value, char* /*buffer*/, std::size_t /*size*/) const noexcept override
    {
        switch (static_cast<retry_errc>(value)) {
        case retry_errc::attempt_timeout: return "the attempt took longer than attempt_timeout";
        case retry_errc::deadline: return "total_timeout expired during an attempt";
        case retry_errc::invalid_options: return problem_;
        case retry_errc::breaker_open: return "the circuit breaker is open";
        case retry_errc::unknown_exception: return "the attempt ended with an exception that carries no error code";
        }
        return "unknown error of backbeat.retry";
    }

    std::string message(int value) const override { return message(value, nullptr, 0); }

private:
    char const* problem_;
};

inline constexpr retry_category_type general_retry_category{
    "the options contradict themselves; backbeat::validate says how"};

inline constexpr auto option_problem_categories = [] {
    // clang-format off
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array{retry_category_type{option_problem_text[I]}...};
    }(std::make_index_sequence<option_problem_text.size()>{});
    // clang-format on
}();

[[nodiscard]] inline boost::system::error_code make_error_code(option_problem problem) noexcept
{
    return {
        static_cast<int>(retry_errc::invalid_options), option_problem_categories[static_cast<std::size_t>(problem)]};
}

}  // namespace detail

/// The category of `retry_errc`, named "backbeat.retry".
[[nodiscard]] inline boost::system::error_category const& retry_category() noexcept
{
    return detail::general_retry_category;
}

/// Makes an error code of the value.
[[nodiscard]] inline boost::system::error_code make_error_code(retry_errc value) noexcept
{
    return {static_cast<int>(value), retry_category()};
}

}  // namespace backbeat

template <>
struct boost::system::is_error_code_enum<backbeat::retry_errc> : std::true_type {};

#endif
