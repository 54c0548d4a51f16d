//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_EMULATOR_LOG_HPP
#define BACKBEAT_EMULATOR_LOG_HPP

#include <backbeat/config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace backbeat {

/// A request that the emulator has read. Requests below `/emulator/` are not among them.
class emulator_request {
public:
    emulator_request();

    /// Its number, from 1, in the order of arrival.
    std::uint64_t n = 0;

    /// When it had arrived.
    std::chrono::system_clock::time_point time{};

    /// The request method, like `GET`.
    std::string method;

    /// The path, percent-decoded, like `/v1/projects/p/locations/-/instances`. At most its first 2048 bytes.
    std::string path;

    /// The query as it was sent, without the question mark. At most its first 2048 bytes.
    std::string query;

    /**
     * \brief Those of the header fields in `emulator_options::log_headers` that it had, by the names that stand there.
     * \details
     * Several with one name are joined by `, `. A value is cut after 1024 bytes, and percent-encoded if it is not UTF-8.
     */
    std::map<std::string, std::string> headers;

    /// The status of the answer. 0: nothing was answered, or not yet.
    int status = 0;

    /// The index of the fault rule that was applied to it, if any.
    std::optional<std::size_t> fault;
};

/// A change that the emulator has carried out.
class emulator_effect {
public:
    emulator_effect();

    /// Its number, from 1, in the order of the changes.
    std::uint64_t n = 0;

    /// When it was begun.
    std::chrono::system_clock::time_point time{};

    /// The API's method, like `instances.create`.
    std::string method;

    /// The name of the resource that it changed.
    std::string resource;

    /// The name of the operation that it began.
    std::string operation;

    /// The request header `x-backbeat-logical-id`, by which tests tell copies of one request. At most 1024 bytes of it.
    std::string logical_id;
};

}  // namespace backbeat

#endif
