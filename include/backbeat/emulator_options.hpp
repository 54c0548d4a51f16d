//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_EMULATOR_OPTIONS_HPP
#define BACKBEAT_EMULATOR_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/fault_rule.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat {

/// How many requests a project may send in a time.
class request_quota {
public:
    request_quota();
    request_quota(std::uint64_t most, std::chrono::nanoseconds span);

    /// At least 1.
    std::uint64_t requests = 60;

    /// More than zero.
    std::chrono::nanoseconds period = std::chrono::minutes(1);
};

/// How an `emulator` is set up.
class emulator_options {
public:
    emulator_options();

    /// The address to listen on: a number or a name. Default: the loopback address of IPv4.
    std::string host = "127.0.0.1";

    /// Whether HTTP is spoken without TLS, on `port`.
    bool plain = true;

    /// The port without TLS. Zero: any that is free.
    std::uint16_t port = 0;

    /// Whether HTTP is spoken over TLS, on `tls_port`. Both can be, on the same state.
    bool tls = false;

    /// The port with TLS. Zero: any that is free.
    std::uint16_t tls_port = 0;

    /// Which requests fail, and how. They can be replaced at any time: `emulator::set_faults`.
    std::vector<fault_rule> faults;

    /// What the draws of the fault rules and the names of operations are made from. The same in two runs: so are they.
    std::uint64_t seed = 0;

    /**
     * \brief The requests of a project beyond it are answered with 429. Default: there is no limit.
     * \details
     * A period begins with the first request after the one before it. The answer says how
     * long it lasts: in `google.rpc.RetryInfo` and, in whole seconds, in `Retry-After`.
     */
    std::optional<request_quota> quota;

    /**
     * \brief Whether the service's own limits hold, for each project and minute.
     * \details Of instances 30 creates and 3000 requests, of clusters 10 creates and deletes and 60 requests.
     * `quota` can hold beside them.
     */
    bool service_quota = false;

    /// How many requests are begun in a second, evenly spread. Those in between wait. Zero: all at once.
    std::uint64_t capacity = 0;

    /// How many requests can wait; those beyond them are answered with 503. Default: as many as `capacity`.
    std::optional<std::uint64_t> queue;

    /**
     * \brief Locations that cannot be reached, like `us-central1`. They can be replaced at any time:
     * `emulator::set_unreachable`.
     * \details
     * Requests to them are answered with 503. Lists of all locations (`-`) lack what they hold, and say so: the locations
     * are in `unreachable`, and in a list of instances or clusters an entry with the id `-` stands for each.
     */
    std::vector<std::string> unreachable;

    /// With it, a request must have this token in its header `Authorization: Bearer`, or a JWT as below, or gets 401.
    std::string required_token;

    /**
     * \brief With it, a request must have a JWT that was signed with the private key of this one, in PEM, or the token.
     * \details
     * As service accounts make them: RS256; `iss`, `iat` and an `exp` at most an hour later, give or take 30 s of
     * the clock; and `aud` is `https://redis.googleapis.com/`, or `scope` has that of the cloud platform.
     */
    std::string jwt_key;

    /// What it begins with: the text that `emulator::snapshot` has returned. Empty: nothing.
    std::string snapshot;

    /// How long an operation takes. Zero: it is done when the call that begins it is answered. Not negative.
    std::chrono::nanoseconds operation_time = std::chrono::milliseconds(500);

    /// How many requests, and how many effects, are remembered. Their numbers stay exact beyond it.
    std::size_t log_limit = 100'000;

    /// The names of request header fields, like `x-goog-request-params`, that are remembered with each request, at most
    /// 32: `emulator_request::headers`. Default: none.
    std::vector<std::string> log_headers;

    /// A client that takes longer for a request, idle time before it included, or to read the answer, is disconnected.
    /// More than zero.
    std::chrono::nanoseconds idle_timeout = std::chrono::minutes(5);

    /**
     * \brief The largest header of a request, in bytes.
     * \details
     * A larger one is answered with 431. Likewise what a chunked body has besides its data, of which 16 KiB more may be
     * read: the line before a chunk, and the trailers.
     */
    std::size_t header_limit = 16 * 1024;

    /// The largest body of a request, in bytes. A larger one is answered with 413.
    std::size_t body_limit = 1024 * 1024;

    /**
     * \brief Is called with one line of text, without a line end, for each request, answered or not.
     * \details Default: none. It is called from the emulator's own thread, and must not call the emulator. What it
     * throws is ignored.
     */
    std::function<void(std::string_view)> log;
};

}  // namespace backbeat

#endif
