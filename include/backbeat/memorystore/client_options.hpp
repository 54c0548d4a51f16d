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
#include <backbeat/memorystore/credentials.hpp>
#include <backbeat/memorystore/mutation_options.hpp>
#include <backbeat/retry_options.hpp>

#include <optional>
#include <string>

namespace backbeat::memorystore {

/// How a `client` reaches the service, and how it retries.
class client_options {
public:
    client_options();

    /// The URL of the service. Default: `https://redis.googleapis.com`.
    std::string endpoint = "https://redis.googleapis.com";

    /**
     * \brief Who sends the requests.
     * \details
     * Default (empty): if the host of the endpoint ends with `.googleapis.com` and is reached by `https`, Application
     * Default Credentials; else nobody, so that credentials found in the environment do not get to another server
     * unasked. What is given here is used for any endpoint.
     */
    std::optional<memorystore::credentials> credentials;

    /// A file with the certificates, in PEM, of the authorities to trust. Default (empty): as `http` says.
    std::string ca_file;

    /**
     * \brief How requests are retried, unless a call brings options of its own.
     * \details
     * Default: the algorithm that the documentation of Memorystore for Redis asks for. An `attempt_timeout` of zero
     * means the deadline that the API publishes for the method: 20 s for listing instances, else 60 s.
     */
    retry_options retry{};

    /// How requests that change something are made safe to repeat, unless a call says otherwise.
    mutation_options mutations;

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
