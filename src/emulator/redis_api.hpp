//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_REDIS_API_HPP
#define BACKBEAT_SRC_EMULATOR_REDIS_API_HPP

#include "exchange.hpp"
#include "ordinals.hpp"
#include "request_target.hpp"

#include <backbeat/emulator_log.hpp>
#include <backbeat/memorystore/any.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::emulation {

// The state of the emulated service, and its methods. Not thread-safe. It has no timer: an operation whose time has
// come is completed when the state is next looked at, which nobody can tell from a completion in time.
class redis_api {
public:
    redis_api(std::chrono::nanoseconds operation_time, std::uint64_t seed);

    // Carries out a request and answers it. A change is told to `record`; its number and time are left open.
    http_reply handle(
        http_request const& request, request_target const& target, std::function<void(emulator_effect)> const& record);

    // Forgets everything.
    void clear();

    [[nodiscard]] std::size_t instance_count() const noexcept { return instances_.size(); }
    [[nodiscard]] std::size_t operation_count() const noexcept { return operations_.size(); }
    [[nodiscard]] std::size_t running_operation_count() const noexcept { return running_.size(); }

private:
    using clock = std::chrono::steady_clock;
    using message = boost::json::object;

    struct call_context {
        http_request const& request;
        request_target const& target;
        std::function<void(emulator_effect)> const& record;
        std::string parent;
        std::string name;
    };

    struct route_entry {
        std::string_view method;
        std::string_view pattern;
        message (redis_api::*function)(call_context const&);
    };

    struct operation_record {
        memorystore::operation shown;
        memorystore::operation_metadata metadata;
        // Ends the change and returns the operation's response.
        std::function<memorystore::any()> complete;
    };

    struct running_operation {
        clock::time_point due;
        std::string name;
    };

    static std::vector<route_entry> const& routes();

    message list_instances(call_context const& call);
    message get_instance(call_context const& call);
    message create_instance(call_context const& call);
    message delete_instance(call_context const& call);
    message list_operations(call_context const& call);
    message get_operation(call_context const& call);

    memorystore::instance& find_instance(std::string const& name);
    memorystore::timestamp now();
    message begin_operation(
        call_context const& call,
        std::string const& method,
        std::string const& verb,
        std::string const& target,
        std::function<memorystore::any()> complete);
    std::string operation_name(std::string const& parent, std::string const& verb, std::string const& target);
    void settle(clock::time_point until);

    std::chrono::nanoseconds operation_time_;
    std::uint64_t seed_;
    std::map<std::string, memorystore::instance> instances_;
    std::map<std::string, operation_record> operations_;

    // Every operation takes the same time, so this is in the order in which they end.
    std::deque<running_operation> running_;
    std::deque<std::string> finished_;
    memorystore::timestamp last_time_;
    ordinals changes_;
};

}  // namespace backbeat::emulation

#endif
