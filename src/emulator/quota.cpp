//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "quota.hpp"

#include "error_reply.hpp"
#include "stable_hash.hpp"

#include <backbeat/detail/duration_text.hpp>
#include <backbeat/memorystore/any.hpp>
#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <utility>

namespace backbeat::emulation {

namespace {

using segments_type = std::vector<std::string>;

bool in_collection(segments_type const& segments, std::string_view name)
{
    return segments.size() > 5 && segments[5] == name;
}

bool is_create(std::string_view method, segments_type const& segments)
{
    return method == "POST" && segments.size() == 6;
}

bool is_delete(std::string_view method, segments_type const& segments)
{
    return method == "DELETE" && segments.size() == 7;
}

// Backups belong to the clusters; locations and operations are counted with the instances, which came first.
bool is_cluster_request(std::string_view, segments_type const& segments)
{
    return in_collection(segments, "clusters") || in_collection(segments, "backupCollections");
}

bool is_instance_request(std::string_view method, segments_type const& segments)
{
    return !is_cluster_request(method, segments);
}

bool is_instance_create(std::string_view method, segments_type const& segments)
{
    return is_create(method, segments) && in_collection(segments, "instances");
}

// Unlike with instances, what goes counts as what comes.
bool is_cluster_create_or_delete(std::string_view method, segments_type const& segments)
{
    return (is_create(method, segments) || is_delete(method, segments)) && in_collection(segments, "clusters");
}

constexpr std::string_view service_name = "redis.googleapis.com";

}  // namespace

quota_limit request_quota_limit(std::uint64_t most, std::chrono::nanoseconds period)
{
    auto const name = period == std::chrono::minutes(1) ? "RequestsPerMinutePerProject" : "RequestsPerProject";
    return {std::string(service_name) + "/requests", name, most, period, nullptr};
}

std::vector<quota_limit> service_quota_limits()
{
    using std::chrono::minutes;
    auto const metric = [](char const* name) { return std::string(service_name) + "/" + name; };
    return {
        {metric("create_requests"), "CreateRequestsPerMinutePerProject", 30, minutes(1), is_instance_create},
        {metric("api_requests"), "ApiRequestsPerMinutePerProject", 3000, minutes(1), is_instance_request},
        {metric("cluster_create_delete_requests"),
         "ClusterCreateDeleteRequestsPerMinutePerProject",
         10,
         minutes(1),
         is_cluster_create_or_delete},
        {metric("cluster_api_requests"), "ClusterApiRequestsPerMinutePerProject", 60, minutes(1), is_cluster_request},
    };
}

http_reply quota_refusal::reply() const
{
    using memorystore::any;
    auto const consumer = "projects/" + project;
    auto const value = std::to_string(limit->most);
    auto const text = "Quota exceeded for quota metric '" + limit->metric + "' and limit '" + limit->name
        + "' of service '" + std::string(service_name) + "' for consumer '" + consumer + "'.";

    boost::json::object violation;
    violation["subject"] = consumer;
    violation["description"] =
        text + " The limit is " + value + " requests in " + detail::duration_text(limit->period) + ".";
    violation["apiService"] = service_name;
    violation["quotaMetric"] = limit->metric;
    violation["quotaId"] = limit->name;
    violation["quotaValue"] = value;
    boost::json::object failure;
    failure["@type"] = "type.googleapis.com/google.rpc.QuotaFailure";
    failure["violations"] = boost::json::array{std::move(violation)};

    memorystore::rpc::error_info info;
    info.reason = "RATE_LIMIT_EXCEEDED";
    info.domain = "googleapis.com";
    info.metadata = {
        {"service", std::string(service_name)},
        {"consumer", consumer},
        {"quota_metric", limit->metric},
        {"quota_limit", limit->name},
        {"quota_limit_value", value},
        {"quota_location", "global"}};

    memorystore::rpc::retry_info retry;
    retry.retry_delay = memorystore::duration(retry_delay);

    auto result = api_error(
                      memorystore::rpc_code::resource_exhausted,
                      text,
                      {any(std::move(failure)), any::pack(info), any::pack(retry)})
                      .reply();
    // Whole seconds, rounded up: who comes back on time must not be refused again.
    auto const seconds = std::chrono::ceil<std::chrono::seconds>(retry_delay).count();
    result.fields.emplace_back("Retry-After", std::to_string(seconds));
    return result;
}

quota::quota(std::vector<quota_limit> limits)
    : limits_(std::move(limits)), windows_(limits_.size()), totals_(limits_.size())
{}

std::optional<quota_refusal> quota::take(std::string_view method, request_target const& target, time_point now)
{
    auto const& segments = target.segments;
    if (limits_.empty() || segments.size() < 3 || segments[0] != "v1" || segments[1] != "projects") return {};
    auto const project = stable_hash{}.add(segments[2]).value();
    std::vector<std::pair<window*, std::size_t>> taken;
    for (std::size_t i = 0; i != limits_.size(); ++i) {
        auto const& limit = limits_[i];
        if (limit.counts && !limit.counts(method, segments)) continue;
        auto& current = window_of(i, project, now);
        if (current.used >= limit.most) {
            ++totals_[i].refused;
            return quota_refusal{&limit, segments[2], current.begin + limit.period - now};
        }
        taken.emplace_back(&current, i);
    }
    for (auto const& [current, i] : taken) {
        ++current->used;
        ++totals_[i].used;
    }
    return {};
}

quota::window& quota::window_of(std::size_t limit, std::uint64_t project, time_point now)
{
    auto& all = windows_[limit];
    auto const is_over = [&](window const& each) { return now - each.begin >= limits_[limit].period; };
    auto found = all.find(project);
    if (found == all.end()) {
        if (all.size() >= maximum_projects) {
            std::erase_if(all, [&](auto const& entry) { return is_over(entry.second); });
            // So many projects at once are no test of quota; half of them must go, or each new one would look at all.
            if (all.size() > maximum_projects / 2) all.clear();
        }
        found = all.emplace(project, window{now, 0}).first;
    }
    if (is_over(found->second)) found->second = {now, 0};
    return found->second;
}

void quota::clear()
{
    for (auto& each : windows_) each.clear();
    std::fill(totals_.begin(), totals_.end(), counters{});
}

}  // namespace backbeat::emulation
