//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_TOKEN_PROVIDER_OPTIONS_HPP
#define BACKBEAT_MEMORYSTORE_TOKEN_PROVIDER_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/retry_options.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace backbeat::memorystore {

/// How a `token_provider` keeps and refreshes tokens.
class token_provider_options {
public:
    token_provider_options();

    /**
     * \brief How long before a token expires the next one is fetched.
     * \details
     * Default: 225 s, which is less than the 240 s for which the metadata server goes on giving the old one. A token
     * that is good for less than twice as long is refreshed when half of its time is over. Negative is invalid.
     */
    std::chrono::nanoseconds refresh_ahead = std::chrono::seconds(225);

    /**
     * \brief How requests to token endpoints and to the metadata server are retried.
     * \details
     * Default (empty): as Google's libraries do, 3 attempts at a token endpoint and 5 at the metadata server, with waits
     * of 1 s, 2 s, ... and up to 100 ms, of 20 s at most each (the metadata server: 10 s), and a minute in all.
     */
    std::optional<retry_options> retry;

    /**
     * \brief What time it is.
     * \details Default (empty): `std::chrono::system_clock::now`. Called by any thread that uses the provider.
     */
    std::function<std::chrono::system_clock::time_point()> now;

    /**
     * \brief The value of an environment variable; empty if there is none.
     * \details
     * Default (empty): that of the process, by `std::getenv`, when it is needed. No other thread may change the
     * environment then.
     */
    std::function<std::optional<std::string>(std::string const& name)> environment;
};

}  // namespace backbeat::memorystore

#endif
