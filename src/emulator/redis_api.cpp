//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "redis_api.hpp"

#include "error_reply.hpp"
#include "instance_rules.hpp"
#include "page.hpp"
#include "stable_hash.hpp"

#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace backbeat::emulation {

using memorystore::instance;
using memorystore::instance_state;
using memorystore::rpc_code;

namespace {

// Finished operations beyond this number are forgotten, the oldest first, as the service forgets them after hours.
constexpr std::size_t maximum_finished_operations = 10'000;

// Project and location ids. The service knows which exist; here all do, as long as a name can be made of them.
bool is_id(std::string_view id) noexcept
{
    return !id.empty() && id.size() <= 100 && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'
            || c == '.' || c == ':';
    });
}

// Matches a path with a pattern like projects/*/locations/*/instances/*:failover. A star stands for one segment;
// the last one leaves what follows a colon, the custom verb, to the pattern.
bool matches(std::string_view pattern, std::vector<std::string> const& segments)
{
    for (std::size_t i = 0; i != segments.size(); ++i) {
        auto const end = pattern.find('/');
        auto const part = pattern.substr(0, end);
        auto const is_last = i + 1 == segments.size();
        if (is_last != (end == pattern.npos)) return false;
        std::string_view segment = segments[i];
        if (part.empty() || part.front() != '*') {
            if (segment != part) return false;
        } else {
            auto const verb = part.substr(1);
            auto const colon = is_last ? (std::min)(segment.find(':'), segment.size()) : segment.size();
            if (colon == 0 || segment.substr(colon) != verb) return false;
        }
        pattern.remove_prefix(is_last ? pattern.size() : end + 1);
    }
    return pattern.empty() && !segments.empty();
}

memorystore::any about_resource(std::string const& type, std::string const& name, std::string const& description)
{
    memorystore::rpc::resource_info info;
    info.resource_type = type;
    info.resource_name = name;
    info.description = description;
    return memorystore::any::pack(info);
}

api_error not_found(std::string const& type, std::string const& name)
{
    auto const text = "Resource '" + name + "' was not found";
    return {rpc_code::not_found, text, {about_resource(type, name, text)}};
}

constexpr char const* instance_type = "redis.googleapis.com/Instance";
constexpr char const* operation_type = "google.longrunning.Operation";

template <class Message>
Message read_body(std::string const& body, std::string const& root)
{
    Message result;
    if (body.find_first_not_of(" \t\r\n") == body.npos) return result;
    memorystore::json_options options;
    options.root = root;
    options.reject_unknown = true;
    try {
        memorystore::from_json(memorystore::parse_json(body), result, options);
    } catch (memorystore::json_error const& error) {
        throw bad_field(error.path(), std::string("Invalid JSON payload received. ") + error.what());
    }
    return result;
}

}  // namespace

redis_api::redis_api(std::chrono::nanoseconds operation_time, std::uint64_t seed)
    : operation_time_(operation_time), seed_(seed)
{}

std::vector<redis_api::route_entry> const& redis_api::routes()
{
    static std::vector<route_entry> const all{
        {"GET", "v1/projects/*/locations/*/instances", &redis_api::list_instances},
        {"POST", "v1/projects/*/locations/*/instances", &redis_api::create_instance},
        {"GET", "v1/projects/*/locations/*/instances/*", &redis_api::get_instance},
        {"DELETE", "v1/projects/*/locations/*/instances/*", &redis_api::delete_instance},
        {"GET", "v1/projects/*/locations/*/operations", &redis_api::list_operations},
        {"GET", "v1/projects/*/locations/*/operations/*", &redis_api::get_operation},
    };
    return all;
}

http_reply redis_api::handle(
    http_request const& request, request_target const& target, std::function<void(emulator_effect)> const& record)
{
    settle(clock::now());
    auto const& segments = target.segments;
    auto const method = request.method == "HEAD" ? std::string_view("GET") : std::string_view(request.method);
    for (auto const& route : routes()) {
        if (route.method != method || !matches(route.pattern, segments)) continue;
        call_context call{request, target, record, {}, {}};
        // v1, projects, P, locations, L, collection and perhaps an id
        for (std::size_t i = 1; i != segments.size(); ++i) {
            if (i % 2 == 0 && !is_id(segments[i])) throw bad_field("name", "The resource name is malformed.");
            if (i < 5) call.parent += (i == 1 ? "" : "/") + segments[i];
            call.name += (i == 1 ? "" : "/") + segments[i];
        }
        http_reply reply;
        reply.body = boost::json::serialize((this->*route.function)(call));
        return reply;
    }
    throw api_error(
        rpc_code::not_found,
        "The emulator has no method " + request.method.substr(0, 32) + " " + printable(target.path).substr(0, 512)
            + ".");
}

void redis_api::clear()
{
    instances_.clear();
    operations_.clear();
    running_.clear();
    finished_.clear();
    changes_.clear();
}

redis_api::message redis_api::list_instances(call_context const& call)
{
    page_request const page(call.target, call.name);
    auto const everywhere = call.target.segments[4] == "-";
    auto const prefix = everywhere ? call.parent.substr(0, call.parent.size() - 1) : call.name + "/";
    memorystore::list_instances_response response;
    response.next_page_token = page.collect(
        instances_,
        prefix,
        [](std::string const&) { return true; },
        [&response](instance const& found) { response.instances.push_back(found); });
    return memorystore::to_json(response);
}

redis_api::message redis_api::get_instance(call_context const& call)
{
    return memorystore::to_json(find_instance(call.name));
}

redis_api::message redis_api::create_instance(call_context const& call)
{
    auto const& region = call.target.segments[4];
    if (region == "-") throw bad_field("parent", "An instance is created in one location; '-' is for lists.");
    auto const* const id = call.target.parameter("instanceId");
    auto const* const snake_id = call.target.parameter("instance_id");
    auto const instance_id = id ? *id : snake_id ? *snake_id : std::string();
    auto made = read_body<instance>(call.request.body, "instance");
    clear_output_only(made);
    check_new_instance(instance_id, made);

    made.name = call.name + "/" + instance_id;
    if (instances_.count(made.name) != 0) {
        auto const text = "Resource '" + made.name + "' already exists";
        throw api_error(rpc_code::already_exists, text, {about_resource(instance_type, made.name, text)});
    }
    fill_new_instance(made, call.target.segments[2], region);
    made.create_time = now();
    made.state = instance_state::creating;
    auto const name = made.name;
    instances_.emplace(name, std::move(made));
    return begin_operation(call, "instances.create", "create", name, [this, name] {
        auto& ready = instances_.at(name);
        fill_ready_instance(ready);
        ready.state = instance_state::ready;
        return memorystore::any::pack(ready);
    });
}

redis_api::message redis_api::delete_instance(call_context const& call)
{
    auto& found = find_instance(call.name);
    if (found.state != instance_state::ready) {
        throw api_error(
            rpc_code::failed_precondition,
            "Unable to delete due to ongoing operations. The instance is in the state " + found.state.name()
                + "; please wait until it is in READY state.");
    }
    found.state = instance_state::deleting;
    return begin_operation(call, "instances.delete", "delete", call.name, [this, name = call.name] {
        instances_.erase(name);
        return memorystore::any::pack(memorystore::empty());
    });
}

redis_api::message redis_api::list_operations(call_context const& call)
{
    page_request const page(call.target, call.name);
    auto const everywhere = call.target.segments[4] == "-";
    auto const prefix = everywhere ? call.parent.substr(0, call.parent.size() - 1) : call.name + "/";
    memorystore::list_operations_response response;
    response.next_page_token = page.collect(
        operations_,
        prefix,
        [](std::string const&) { return true; },
        [&response](operation_record const& found) { response.operations.push_back(found.shown); });
    return memorystore::to_json(response);
}

redis_api::message redis_api::get_operation(call_context const& call)
{
    auto const found = operations_.find(call.name);
    if (found == operations_.end()) throw not_found(operation_type, call.name);
    return memorystore::to_json(found->second.shown);
}

instance& redis_api::find_instance(std::string const& name)
{
    auto const found = instances_.find(name);
    if (found == instances_.end()) throw not_found(instance_type, name);
    return found->second;
}

// No two calls return the same time: `createTime` tells one incarnation of a name from the next.
memorystore::timestamp redis_api::now()
{
    memorystore::timestamp time(std::chrono::system_clock::now());
    if (time <= last_time_) {
        time = last_time_.time_point()
            + std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::microseconds(1));
    }
    last_time_ = time;
    return time;
}

redis_api::message redis_api::begin_operation(
    call_context const& call,
    std::string const& method,
    std::string const& verb,
    std::string const& target,
    std::function<memorystore::any()> complete)
{
    operation_record record;
    record.metadata.create_time = now();
    record.metadata.target = target;
    record.metadata.verb = verb;
    record.metadata.api_version = "v1";
    record.shown.name = operation_name(call.parent, verb, target);
    record.shown.metadata = memorystore::any::pack(record.metadata);
    record.complete = std::move(complete);

    auto const name = record.shown.name;
    operations_.emplace(name, std::move(record));
    auto const start = clock::now();
    auto const end = operation_time_ < (clock::time_point::max)() - start
        ? start + std::chrono::duration_cast<clock::duration>(operation_time_)
        : (clock::time_point::max)();
    running_.push_back({end, name});

    emulator_effect effect;
    effect.method = method;
    effect.resource = target;
    effect.operation = name;
    effect.logical_id = call.request.logical_id;
    call.record(std::move(effect));

    settle(start);
    return memorystore::to_json(operations_.at(name).shown);
}

// Looks like the service's, but is made of the seed, and of what and how often the operation changes: so a run can be
// repeated, faults on the polls of operations included, whatever the order in which concurrent requests arrive.
std::string redis_api::operation_name(std::string const& parent, std::string const& verb, std::string const& target)
{
    auto const hash = stable_hash(seed_).add(verb).add(target).add(changes_.next(verb, target)).value();
    auto const hex = [](std::uint64_t number, int digits) {
        static constexpr char const* all = "0123456789abcdef";
        std::string text(static_cast<std::size_t>(digits), '0');
        for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4) *digit = all[number & 15U];
        return text;
    };
    return parent + "/operations/operation-" + std::to_string(1'700'000'000'000U + hash % 100'000'000'000U) + "-"
        + hex(stable_hash(hash).value(), 12) + "-" + hex(hash >> 32, 8) + "-" + hex(hash, 8);
}

void redis_api::settle(clock::time_point until)
{
    while (!running_.empty() && running_.front().due <= until) {
        auto name = std::move(running_.front().name);
        running_.pop_front();
        auto& record = operations_.at(name);
        record.shown.response = record.complete();
        record.complete = nullptr;
        record.metadata.end_time = now();
        record.shown.metadata = memorystore::any::pack(record.metadata);
        record.shown.done = true;
        finished_.push_back(std::move(name));
    }
    while (finished_.size() > maximum_finished_operations) {
        operations_.erase(finished_.front());
        finished_.pop_front();
    }
}

}  // namespace backbeat::emulation
