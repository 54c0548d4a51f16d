//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CLIENT_OPTIONS_HPP
#define BACKBEAT_MEMORYSTORE_CLIENT_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/http/client_options.hpp>
#include <backbeat/retry_options.hpp>

#include <string>

namespace backbeat::memorystore {

/// How a `client` reaches the service, and how it retries.
class client_options {
public:
    client_options();

    /// The URL of the service. Default: `https://redis.googleapis.com`.
    std::string endpoint = "https://redis.googleapis.com";

    /// An OAuth 2.0 access token, sent as `Authorization: Bearer ...`. Default (empty): no authorization is sent.
    std::string access_token;

    /// A file with the certificates, in PEM, of the authorities to trust. Default (empty): as `http` says.
    std::string ca_file;

    /**
     * \brief How requests are retried, unless a call brings options of its own.
     * \details
     * Default: the algorithm that the documentation of Memorystore for Redis asks for. An `attempt_timeout` of zero
     * means the deadline that the API publishes for the method: 20 s for listing instances, else 60 s.
     */
    retry_options retry{};

    /**
     * \brief Connections: how many, how long they may take, whom to trust.
     * \details
     * Its `retry` is not used. Its `attempt_timeout` is zero by default, unlike elsewhere, because every request has
     * one anyway.
     */
    http::client_options http;
};

}  // namespace backbeat::memorystore

#endif
