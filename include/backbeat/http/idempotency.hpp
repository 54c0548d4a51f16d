//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_IDEMPOTENCY_HPP
#define BACKBEAT_HTTP_IDEMPOTENCY_HPP

#include <backbeat/config.hpp>

// Before Beast's header, which in Boost 1.81 prints a string view and does not include what that takes.
// clang-format off
#include <ostream>
#include <boost/beast/http/verb.hpp>
// clang-format on

#include <cstdint>

namespace backbeat::http {

/// What it means to carry out a request twice.
enum class idempotency : std::uint8_t {
    /// The request asks for no change: repeating it is always right.
    safe,

    /// Carrying it out twice leaves the server as carrying it out once does.
    idempotent,

    /// Carrying it out twice may do twice what was to be done once.
    never
};

/**
 * \brief Returns what RFC 9110 says of a method.
 * \details
 * GET, HEAD, OPTIONS and TRACE are `safe`; PUT and DELETE are `idempotent`; of every other method nothing is known, so
 * it is `never`. A server may keep to less: where a repeated DELETE could hit what somebody else created in between,
 * say `idempotency::never` yourself.
 */
[[nodiscard]] constexpr idempotency idempotency_of(boost::beast::http::verb method) noexcept
{
    using boost::beast::http::verb;
    switch (method) {
    case verb::get:
    case verb::head:
    case verb::options:
    case verb::trace: return idempotency::safe;
    case verb::put:
    case verb::delete_: return idempotency::idempotent;
    default: return idempotency::never;
    }
}

/// Returns the name of an idempotency, as it is spelled in the enumeration.
[[nodiscard]] constexpr char const* to_string(idempotency value) noexcept
{
    switch (value) {
    case idempotency::safe: return "safe";
    case idempotency::idempotent: return "idempotent";
    case idempotency::never: return "never";
    }
    return "unknown";
}

}  // namespace backbeat::http

#endif
