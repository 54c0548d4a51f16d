//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "operation_store.hpp"

#include "error_reply.hpp"
#include "page.hpp"
#include "stable_hash.hpp"

#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>
#include <backbeat/memorystore/status.hpp>

#include <algorithm>
#include <exception>

namespace backbeat::emulation {

using memorystore::rpc_code;

namespace {

constexpr char const* operation_type = "google.longrunning.Operation";

memorystore::rpc::status status_of(rpc_code code, std::string message)
{
    // Without details: Google's Node.js client loses the message of an operation whose error has any.
    memorystore::rpc::status result;
    result.code = static_cast<std::int32_t>(code);
    result.message = std::move(message);
    return result;
}

}  // namespace

memorystore::any instance_operation_metadata(operation_facts const& facts)
{
    memorystore::operation_metadata metadata;
    metadata.create_time = facts.create_time;
    metadata.end_time = facts.end_time;
    metadata.target = facts.target;
    metadata.verb = facts.verb;
    metadata.status_detail = facts.status_detail;
    metadata.cancel_requested = facts.cancel_requested;
    metadata.api_version = "v1";
    auto result = memorystore::any::pack(metadata);
    // The service writes this one field also when it is false.
    result.content["cancelRequested"] = facts.cancel_requested;
    return result;
}

memorystore::any cluster_operation_metadata(operation_facts const& facts)
{
    memorystore::cluster_operation_metadata metadata;
    metadata.create_time = facts.create_time;
    metadata.end_time = facts.end_time;
    metadata.target = facts.target;
    metadata.verb = facts.verb;
    metadata.status_message = facts.status_detail;
    metadata.requested_cancellation = facts.cancel_requested;
    metadata.api_version = "v1";
    auto result = memorystore::any::pack(metadata);
    result.content["requestedCancellation"] = facts.cancel_requested;
    return result;
}

operation_store::operation_store(api_clock& clock, std::chrono::nanoseconds operation_time, std::uint64_t seed)
    : clock_(clock), operation_time_(operation_time), seed_(seed)
{}

boost::json::object operation_store::begin(api_call const& call, api_change change)
{
    auto const start = clock_.now();
    auto const name = new_name(call.location_name(), change);
    record begun;
    begun.facts.create_time = clock_.stamp();
    begun.facts.target = change.target;
    begun.facts.verb = change.verb;
    begun.shown.name = name;
    begun.shown.metadata = change.metadata(begun.facts);
    begun.due = operation_time_ < (time_point::max)() - start
        ? start + std::chrono::duration_cast<api_clock::steady::duration>(operation_time_)
        : (time_point::max)();
    begun.number = ++last_number_;

    emulator_effect effect;
    effect.method = change.method;
    effect.resource = change.target;
    effect.operation = name;
    effect.logical_id = call.request.logical_id;

    begun.change = std::move(change);
    running_.emplace(std::pair(begun.due, begun.number), name);
    operations_.emplace(name, std::move(begun));
    call.record(std::move(effect));

    settle();
    return memorystore::to_json(operations_.at(name).shown);
}

// Looks like the service's, but is made of the seed, and of what and how often the operation changes: so a run can be
// repeated, faults on the polls of operations included, whatever the order in which concurrent requests arrive.
std::string operation_store::new_name(std::string const& location, api_change const& change)
{
    auto const hex = [](std::uint64_t number, int digits) {
        static constexpr char const* all = "0123456789abcdef";
        std::string text(static_cast<std::size_t>(digits), '0');
        for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4) *digit = all[number & 15U];
        return text;
    };
    std::string name;
    do {
        // The ordinals forget, so a name can come again while its operation is still known.
        auto const ordinal = changes_.next(change.verb, change.target);
        auto const hash = stable_hash(seed_).add(change.verb).add(change.target).add(ordinal).value();
        name = location + "/operations/operation-" + std::to_string(1'700'000'000'000U + hash % 100'000'000'000U) + "-"
            + hex(stable_hash(hash).value(), 12) + "-" + hex(hash >> 32, 8) + "-" + hex(hash, 8);
    } while (operations_.count(name) != 0);
    return name;
}

void operation_store::complete_until(time_point due)
{
    auto const now = clock_.now();
    while (!running_.empty() && running_.begin()->first.first <= due) {
        auto const name = running_.begin()->second;
        auto& ended = operations_.at(name);
        try {
            ended.shown.response = ended.change.complete();
        } catch (api_error const& error) {
            ended.shown.error = status_of(error.code(), error.what());
        } catch (std::exception const& error) {
            ended.shown.error = status_of(rpc_code::internal, error.what());
        }
        finish(name, ended, (std::min)(ended.due, now));
    }
}

void operation_store::settle()
{
    auto const now = clock_.now();
    complete_until(now);
    while (!finished_.empty()
           && (finished_.size() > maximum_finished || now - finished_.begin()->second.at >= lifetime)) {
        operations_.erase(finished_.begin()->second.name);
        finished_.erase(finished_.begin());
    }
}

void operation_store::finish(std::string const& name, record& ended, time_point at)
{
    running_.erase(std::pair(ended.due, ended.number));
    ended.facts.end_time = (std::max)(ended.facts.create_time, clock_.stamp_of(at));
    ended.shown.metadata = ended.change.metadata(ended.facts);
    ended.shown.done = true;
    ended.change.complete = nullptr;
    ended.change.cancel = nullptr;
    if (ended.hidden) {
        operations_.erase(name);
        return;
    }
    ended.number = ++last_number_;
    finished_.emplace(ended.number, finished_operation{at, name});
}

operation_store::record& operation_store::visible(std::string const& name)
{
    auto const found = operations_.find(name);
    if (found == operations_.end() || found->second.hidden) throw not_found(operation_type, name);
    return found->second;
}

std::optional<boost::json::object> operation_store::find(std::string const& name) const
{
    auto const found = operations_.find(name);
    if (found == operations_.end() || found->second.hidden) return {};
    return memorystore::to_json(found->second.shown);
}

boost::json::object operation_store::list(api_call const& call, unreachable_locations const& unreachable) const
{
    page_request const page(call, "operations");
    memorystore::list_operations_response response;
    if (call.location == "-") response.unreachable = unreachable.names(call.project);
    response.next_page_token = page.collect(
        operations_,
        [&](std::string const& name, record const& found) { return !found.hidden && !unreachable.hold(name); },
        [&response](record const& found) { response.operations.push_back(found.shown); });
    return memorystore::to_json(response);
}

bool operation_store::cancel(std::string const& name)
{
    auto& found = visible(name);
    if (found.shown.done) return false;
    found.facts.cancel_requested = true;
    if (!found.change.cancel) {
        found.shown.metadata = found.change.metadata(found.facts);
        return false;
    }
    found.change.cancel();
    found.facts.status_detail = "The operation was cancelled.";
    found.shown.error = status_of(rpc_code::cancelled, found.facts.status_detail);
    finish(name, found, clock_.now());
    return true;
}

void operation_store::remove(std::string const& name)
{
    auto& found = visible(name);
    if (!found.shown.done) {
        found.hidden = true;
        return;
    }
    finished_.erase(found.number);
    operations_.erase(name);
}

void operation_store::clear()
{
    operations_.clear();
    running_.clear();
    finished_.clear();
    changes_.clear();
}

void operation_store::finish_all()
{
    complete_until((time_point::max)());
}

boost::json::array operation_store::save() const
{
    boost::json::array all;
    for (auto const& [number, ended] : finished_) all.push_back(memorystore::to_json(operations_.at(ended.name).shown));
    return all;
}

void operation_store::load(std::vector<memorystore::operation> ended)
{
    clear();
    for (auto& each : ended) {
        record loaded;
        loaded.shown = std::move(each);
        loaded.number = ++last_number_;
        auto const name = loaded.shown.name;
        finished_.emplace(loaded.number, finished_operation{clock_.now(), name});
        operations_.emplace(name, std::move(loaded));
    }
}

}  // namespace backbeat::emulation
