//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_ATTEMPT_RESULT_HPP
#define BACKBEAT_ATTEMPT_RESULT_HPP

#include <backbeat/attempt_record.hpp>
#include <backbeat/config.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>

namespace backbeat {

/**
 * \brief What an attempt ended with, in few classes: what statuses and errors are counted by.
 * \details
 * Error codes and messages are no labels for metrics: there is no end to them. The order of the classes that have a
 * digit is that of the digits.
 */
enum class attempt_result : std::uint8_t {
    /// No error, and no status that says more.
    ok,

    /// The classes of HTTP statuses.
    status_1xx,
    status_2xx,
    status_3xx,
    status_4xx,
    status_5xx,

    /// A status that is none of HTTP's.
    other_status,

    /// `retry_errc::attempt_timeout`, `retry_errc::deadline`, or a time-out of the system's.
    timed_out,

    /// The attempt was cancelled.
    cancelled,

    /// The name of the server was not resolved.
    name_resolution,

    /// A connection was refused, reset, cut off, or not possible.
    connection,

    /// Any other error.
    other_error
};

/// Returns the label of a class: `ok`, `1xx`, ..., `5xx`, and the others as they are spelled in the enumeration.
[[nodiscard]] constexpr char const* to_string(attempt_result value) noexcept
{
    switch (value) {
    case attempt_result::ok: return "ok";
    case attempt_result::status_1xx: return "1xx";
    case attempt_result::status_2xx: return "2xx";
    case attempt_result::status_3xx: return "3xx";
    case attempt_result::status_4xx: return "4xx";
    case attempt_result::status_5xx: return "5xx";
    case attempt_result::other_status: return "other_status";
    case attempt_result::timed_out: return "timed_out";
    case attempt_result::cancelled: return "cancelled";
    case attempt_result::name_resolution: return "name_resolution";
    case attempt_result::connection: return "connection";
    case attempt_result::other_error: return "other_error";
    }
    return "unknown";
}

/**
 * \brief Returns the class of an error.
 * \details
 * Errors of other libraries count as the condition of `boost::system::errc` that they say they are equivalent to.
 */
[[nodiscard]] inline attempt_result attempt_result_of(boost::system::error_code const& error) noexcept
{
    namespace errc = boost::system::errc;
    if (!error) return attempt_result::ok;
    if (error == make_error_code(retry_errc::attempt_timeout) || error == make_error_code(retry_errc::deadline))
        return attempt_result::timed_out;
    if (error == boost::asio::error::eof) return attempt_result::connection;
    if (error.category() == boost::asio::error::get_netdb_category()
        || error.category() == boost::asio::error::get_addrinfo_category())
        return attempt_result::name_resolution;
    auto const is_one_of = [&](auto... conditions) { return ((error == conditions) || ...); };
    if (is_one_of(errc::timed_out, errc::stream_timeout)) return attempt_result::timed_out;
    if (error == errc::operation_canceled) return attempt_result::cancelled;
    bool const is_of_connection = is_one_of(
        errc::connection_refused,
        errc::connection_reset,
        errc::connection_aborted,
        errc::broken_pipe,
        errc::not_connected,
        errc::host_unreachable,
        errc::network_unreachable,
        errc::network_down,
        errc::network_reset);
    return is_of_connection ? attempt_result::connection : attempt_result::other_error;
}

/// Returns the class of what an attempt ended with: of its error, else of its status.
[[nodiscard]] inline attempt_result attempt_result_of(attempt_record const& ended) noexcept
{
    if (ended.error || ended.status == 0) return attempt_result_of(ended.error);
    if (ended.status < 100 || ended.status > 599) return attempt_result::other_status;
    return static_cast<attempt_result>(static_cast<int>(attempt_result::status_1xx) + ended.status / 100 - 1);
}

}  // namespace backbeat

#endif
