//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_REDIS_API_HPP
#define BACKBEAT_SRC_EMULATOR_REDIS_API_HPP

#include "api_clock.hpp"
#include "api_engine.hpp"
#include "backups_api.hpp"
#include "clusters_api.hpp"
#include "exchange.hpp"
#include "instances_api.hpp"
#include "request_target.hpp"

#include <backbeat/emulator_log.hpp>

#include <boost/json/object.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace backbeat::emulation {

// The emulated service: all of its state, and its methods. Not thread-safe.
class redis_api {
public:
    redis_api(std::chrono::nanoseconds operation_time, std::uint64_t seed, api_clock clock = api_clock());

    // Carries out a request and answers it. A change is told to `record`; its number and time are left open.
    // Throws api_error.
    http_reply handle(
        http_request const& request, request_target const& target, std::function<void(emulator_effect)> const& record);

    // The state as JSON. What runs is completed first: a snapshot is of a service at rest.
    [[nodiscard]] boost::json::object save();

    // Replaces the state by one that `save` has returned. Throws json_error, and has then changed nothing.
    void load(boost::json::object const& state);

    // Forgets everything, but what cannot be reached.
    void clear();

    // Locations, by their ids, that cannot be reached: lists of `-` name them, their own lists answer 503.
    void set_unreachable(std::vector<std::string> const& locations);

    [[nodiscard]] std::size_t instance_count() const noexcept { return instances_.count(); }
    [[nodiscard]] std::size_t cluster_count() const noexcept { return clusters_.count(); }
    [[nodiscard]] std::size_t backup_count() const noexcept { return backups_.count(); }
    [[nodiscard]] std::size_t operation_count() const noexcept { return engine_.operations.count(); }
    [[nodiscard]] std::size_t running_operation_count() const noexcept { return engine_.operations.running_count(); }

private:
    api_engine engine_;
    instances_api instances_;
    backups_api backups_;
    clusters_api clusters_;
};

}  // namespace backbeat::emulation

#endif
