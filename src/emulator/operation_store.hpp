//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_OPERATION_STORE_HPP
#define BACKBEAT_SRC_EMULATOR_OPERATION_STORE_HPP

#include "api_call.hpp"
#include "api_clock.hpp"
#include "ordinals.hpp"
#include "unreachable_locations.hpp"

#include <backbeat/memorystore/any.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backbeat::emulation {

// What the metadata of an operation says, whatever the type is in which it says so.
struct operation_facts {
    memorystore::timestamp create_time;
    std::optional<memorystore::timestamp> end_time;
    std::string target;
    std::string verb;
    std::string status_detail;
    bool cancel_requested = false;
};

using metadata_writer = memorystore::any (*)(operation_facts const&);

// google.cloud.redis.v1.OperationMetadata.
[[nodiscard]] memorystore::any instance_operation_metadata(operation_facts const& facts);

// google.cloud.redis.cluster.v1.OperationMetadata: of clusters and backups.
[[nodiscard]] memorystore::any cluster_operation_metadata(operation_facts const& facts);

// A change of a resource that takes the time of an operation.
struct api_change {
    // The name in the log of effects, such as `instances.create`.
    std::string method;

    // Such as `create`.
    std::string verb;

    // The name of the resource.
    std::string target;

    metadata_writer metadata = &instance_operation_metadata;

    // Ends the change and returns the operation's response. An api_error becomes the operation's error; the resource
    // must then be fit for use, too.
    std::function<memorystore::any()> complete;

    // Ends the change without having made it. Empty: it cannot be cancelled.
    std::function<void()> cancel;
};

// The long-running operations. There is no timer: an operation whose time has come is completed when the state is next
// looked at, which nobody can tell from a completion in time.
class operation_store {
public:
    // How long a finished operation can be asked for, and how many are kept: the oldest go first.
    static constexpr std::chrono::hours lifetime{4};
    static constexpr std::size_t maximum_finished = 10'000;

    operation_store(api_clock& clock, std::chrono::nanoseconds operation_time, std::uint64_t seed);

    // Begins the change, records it as an effect, and returns the operation.
    boost::json::object begin(api_call const& call, api_change change);

    // Completes what is due, forgets what is old.
    void settle();

    // The operation, if it is known.
    [[nodiscard]] std::optional<boost::json::object> find(std::string const& name) const;

    // google.longrunning.ListOperationsResponse. Throws api_error.
    [[nodiscard]] boost::json::object list(api_call const& call, unreachable_locations const& unreachable) const;

    // Returns whether this ended the operation. One that cannot be cancelled only remembers that it was asked to be;
    // one that has ended stays as it is. Throws api_error.
    bool cancel(std::string const& name);

    // The operation is not shown any more. If it runs it goes on: deleting is not cancelling. Throws api_error.
    void remove(std::string const& name);

    void clear();

    // Completes what runs, as if its time had come.
    void finish_all();

    // All that have ended and are known.
    [[nodiscard]] boost::json::array save() const;

    // Replaces all by these, which have ended.
    void load(std::vector<memorystore::operation> ended);

    [[nodiscard]] std::size_t count() const noexcept { return operations_.size(); }
    [[nodiscard]] std::size_t running_count() const noexcept { return running_.size(); }

private:
    using time_point = api_clock::steady::time_point;

    struct record {
        memorystore::operation shown;
        operation_facts facts;
        api_change change;
        time_point due;
        std::uint64_t number = 0;
        bool hidden = false;
    };

    struct finished_operation {
        time_point at;
        std::string name;
    };

    void complete_until(time_point due);
    record& visible(std::string const& name);
    std::string new_name(std::string const& location, api_change const& change);
    void finish(std::string const& name, record& ended, time_point at);

    api_clock& clock_;
    std::chrono::nanoseconds operation_time_;
    std::uint64_t seed_;
    std::map<std::string, record> operations_;

    // By when they end, and by the order in which they began or ended.
    std::map<std::pair<time_point, std::uint64_t>, std::string> running_;
    std::map<std::uint64_t, finished_operation> finished_;
    std::uint64_t last_number_ = 0;
    ordinals changes_;
};

}  // namespace backbeat::emulation

#endif
