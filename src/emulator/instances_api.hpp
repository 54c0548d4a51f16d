//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_INSTANCES_API_HPP
#define BACKBEAT_SRC_EMULATOR_INSTANCES_API_HPP

#include "api_engine.hpp"
#include "resource_table.hpp"
#include "uid_source.hpp"

#include <backbeat/memorystore/instance.hpp>

#include <boost/json/object.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace backbeat::emulation {

// The methods of projects.locations.instances.
class instances_api {
public:
    instances_api(api_engine& engine, std::uint64_t seed);

    instances_api(instances_api const&) = delete;
    instances_api& operator=(instances_api const&) = delete;

    void clear();

    // What is saved of it: its instances, none of which an operation is at work on, and their AUTH strings.
    struct saved_state {
        std::vector<memorystore::instance> instances;
        std::map<std::string, std::string> auth_strings;
    };

    [[nodiscard]] saved_state save() const;
    void load(saved_state loaded);

    [[nodiscard]] std::size_t count() const noexcept { return table_.entries().size(); }

private:
    using message = boost::json::object;
    using instance = memorystore::instance;
    using entry = resource_table<instance>::entry;

    message list(api_call const& call);
    message get(api_call const& call);
    message get_auth_string(api_call const& call);
    message create(api_call const& call);
    message patch(api_call const& call);
    message remove(api_call const& call);
    message export_data(api_call const& call);
    message import_data(api_call const& call);
    message failover(api_call const& call);
    message upgrade(api_call const& call);
    message reschedule_maintenance(api_call const& call);

    [[nodiscard]] entry& find_idle(api_call const& call, std::string const& verb);

    // An operation during which the instance is in the given state, and at whose end `complete` changes it.
    message begin(
        api_call const& call,
        std::string method,
        std::string verb,
        std::string const& name,
        memorystore::instance_state state,
        std::function<void(instance&)> complete,
        bool can_be_cancelled = false);

    instance& end(std::string const& name);
    void keep_auth_string(instance const& made);

    api_engine& engine_;
    resource_table<instance> table_;

    // Of the instances that have AUTH.
    std::map<std::string, std::string> auth_strings_;
    uid_source auth_uids_;
};

}  // namespace backbeat::emulation

#endif
