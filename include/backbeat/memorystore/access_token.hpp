//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_ACCESS_TOKEN_HPP
#define BACKBEAT_MEMORYSTORE_ACCESS_TOKEN_HPP

#include <backbeat/config.hpp>

#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

namespace backbeat::memorystore {

/**
 * \brief What a request to the API proves with who sends it: the text after `Authorization: Bearer`.
 * \details
 * Whoever has it can do what its owner may, until it expires. Printing one prints no more than "[redacted]", so that it
 * does not get into a log by accident.
 */
class access_token {
public:
    /// None: requests are sent without authorization.
    access_token() = default;

    /// A token that is good until `end`, as far as is known.
    explicit access_token(std::string text, std::optional<std::chrono::system_clock::time_point> end = {})
        : value(std::move(text)), expires(end)
    {}

    /// The token. Empty: requests are sent without authorization.
    std::string value;

    /// When it ceases to be good. Empty: unknown; it is used until it is rejected.
    std::optional<std::chrono::system_clock::time_point> expires;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a null pointer in a defaulted comparison.
    friend bool operator==(access_token const&, access_token const&) = default;

    friend std::ostream& operator<<(std::ostream& out, access_token const& token)
    {
        return out << (token.value.empty() ? "[none]" : "[redacted]");
    }
};

}  // namespace backbeat::memorystore

#endif
