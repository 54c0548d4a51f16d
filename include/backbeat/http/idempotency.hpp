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

/**
 * \brief What it means to carry out a request twice, and what can be done about it.
 * \details
 * `client::async_send` takes it from the method unless it is told: see `idempotency_of`.
 *
 * | | repeated after an ambiguous end | replayed on a fresh connection |
 * | --- | --- | --- |
 * | `safe`, `idempotent`, `keyed` | yes | yes |
 * | `reconcilable` | once its probe has found that nothing was done | only if nothing was sent |
 * | `never` | no | only if nothing was sent |
 */
enum class idempotency : std::uint8_t {
    /// The request asks for no change: repeating it is always right.
    safe,

    /// Carrying it out twice leaves the server as carrying it out once does.
    idempotent,

    /**
     * \brief The request carries a key by which the server recognises a copy, and does not carry it out again.
     * \details
     * The key may be anywhere in the request, which is the same on every attempt. If it is to be a header field,
     * `client_options::idempotency_key_header` lets `client::async_send` make one for each request.
     */
    keyed,

    /// Whether it was carried out can be found out: by the probe that is given with `reconcile_with`. Without one it is
    /// as `never`.
    reconcilable,

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

/// Says whether a request may be repeated without knowing what became of the copies before.
[[nodiscard]] constexpr bool may_repeat(idempotency value) noexcept
{
    return value != idempotency::never && value != idempotency::reconcilable;
}

/// Returns the name of an idempotency, as it is spelled in the enumeration.
[[nodiscard]] constexpr char const* to_string(idempotency value) noexcept
{
    switch (value) {
    case idempotency::safe: return "safe";
    case idempotency::idempotent: return "idempotent";
    case idempotency::keyed: return "keyed";
    case idempotency::reconcilable: return "reconcilable";
    case idempotency::never: return "never";
    }
    return "unknown";
}

}  // namespace backbeat::http

#endif
