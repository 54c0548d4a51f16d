//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DELIVERY_HPP
#define BACKBEAT_DELIVERY_HPP

#include <backbeat/config.hpp>

#include <cstdint>

namespace backbeat {

/**
 * \brief How far a request got: whether the server can have acted on it.
 * \details
 * Whether an attempt may be repeated depends on what is known of the attempts before it. A request that never left
 * the client is safe to send again whatever it does; one that was sent and never answered is not, unless carrying it
 * out twice has the effect of carrying it out once.
 */
enum class delivery : std::uint8_t {
    /// Nothing reached the server: resolving, connecting or the handshake failed, or no byte of it was accepted.
    not_sent,

    /// The server said that it did not act, as with the HTTP status 429.
    rejected,

    /// It was sent, and what became of it is unknown: no full response, or one that leaves it open, as a 5xx does.
    ambiguous,

    /// A full response tells what the server did.
    responded
};

/**
 * \brief Returns the worse of two deliveries, from the point of view of somebody who wants to repeat the request.
 * \details
 * The order, from good to bad: `not_sent`, `rejected`, `responded`, `ambiguous`. A doubt is never undone by a later
 * answer: a request that may have been carried out once may have been carried out, whatever was said of its copy.
 */
[[nodiscard]] constexpr delivery worse(delivery a, delivery b) noexcept
{
    constexpr auto badness = [](delivery d) {
        switch (d) {
        case delivery::not_sent: return 0;
        case delivery::rejected: return 1;
        case delivery::responded: return 2;
        case delivery::ambiguous: return 3;
        }
        return 3;
    };
    return badness(a) < badness(b) ? b : a;
}

/// Returns the name of a delivery, as it is spelled in the enumeration.
[[nodiscard]] constexpr char const* to_string(delivery value) noexcept
{
    switch (value) {
    case delivery::not_sent: return "not_sent";
    case delivery::rejected: return "rejected";
    case delivery::ambiguous: return "ambiguous";
    case delivery::responded: return "responded";
    }
    return "unknown";
}

}  // namespace backbeat

#endif
