//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "service.hpp"

#include "error_reply.hpp"

#include <backbeat/detail/duration_text.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <exception>
#include <optional>

namespace backbeat::emulation {

namespace json = boost::json;
using memorystore::rpc_code;

namespace {

std::string rfc3339(std::chrono::system_clock::time_point time)
{
    return memorystore::timestamp(time).to_string();
}

json::object to_json(emulator_request const& entry)
{
    json::object object;
    object["n"] = entry.n;
    object["time"] = rfc3339(entry.time);
    object["method"] = entry.method;
    object["path"] = entry.path;
    object["query"] = entry.query;
    object["status"] = entry.status;
    object["fault"] = entry.fault ? json::value(*entry.fault) : json::value(nullptr);
    return object;
}

json::object to_json(emulator_effect const& entry)
{
    json::object object;
    object["n"] = entry.n;
    object["time"] = rfc3339(entry.time);
    object["method"] = entry.method;
    object["resource"] = entry.resource;
    object["operation"] = entry.operation;
    object["logical_id"] = entry.logical_id;
    return object;
}

// Entry by entry, because a whole log as one JSON value would take several times the memory of its text.
template <class Entries>
void append_array(std::string& text, Entries const& entries)
{
    text += '[';
    for (auto const& entry : entries) {
        if (&entry != &entries.front()) text += ',';
        text += json::serialize(to_json(entry));
    }
    text += ']';
}

http_reply json_reply(std::string body)
{
    http_reply reply;
    reply.body = std::move(body);
    return reply;
}

// Clients choose the method's name; the number of metrics must not be theirs to choose.
std::string method_label(std::string const& method)
{
    static constexpr std::string_view known[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};
    return std::find(std::begin(known), std::end(known), method) != std::end(known) ? method : "other";
}

bool is_control(std::string_view path)
{
    static constexpr std::string_view root = "/emulator";
    return path.substr(0, root.size()) == root && (path.size() == root.size() || path[root.size()] == '/');
}

void append_metric(std::string& text, std::string_view name, std::string_view kind, std::string_view help)
{
    text.append("# HELP backbeat_emulator_").append(name).append(" ").append(help);
    text.append("\n# TYPE backbeat_emulator_").append(name).append(" ").append(kind).append("\n");
}

void append_sample(std::string& text, std::string_view name, std::string_view labels, std::uint64_t value)
{
    text.append("backbeat_emulator_")
        .append(name)
        .append(labels)
        .append(" ")
        .append(std::to_string(value))
        .append("\n");
}

}  // namespace

service::service(service_options options)
    : log_(std::move(options.log)),
      faults_(options.seed),
      api_(options.operation_time, options.seed),
      requests_(options.log_limit),
      effects_(options.log_limit)
{
    faults_.replace(std::move(options.faults));
}

exchange service::begin(http_request request)
{
    exchange current;
    current.request = std::move(request);
    current.time = std::chrono::system_clock::now();
    current.start = std::chrono::steady_clock::now();
    if (auto target = parse_request_target(current.request.target)) {
        current.target = std::move(*target);
    } else {
        current.malformed_target = true;
        current.target.path = printable(current.request.target);
    }
    current.control = is_control(current.target.path);
    if (current.control) return current;

    emulator_request entry;
    entry.time = current.time;
    entry.method = current.request.method;
    entry.path = current.target.path;
    entry.query = current.target.query;

    std::lock_guard const lock(mutex_);
    current.fault = faults_.choose(current.request.method, current.target.path);
    if (current.fault) {
        current.rule = faults_.rule(*current.fault);
        (current.rule.when == fault_time::before ? current.delay_before : current.delay_after) = current.rule.delay;
    }
    entry.fault = current.fault;
    current.number = requests_.add(std::move(entry));
    current.resets = resets_;
    return current;
}

http_reply service::act(exchange& current)
{
    http_reply reply;
    try {
        std::lock_guard const lock(mutex_);
        reply = act_on(current);
    } catch (api_error const& error) {
        reply = error.reply();
    } catch (std::exception const& error) {
        reply = api_error(rpc_code::internal, std::string("The emulator failed: ") + error.what()).reply();
    }
    if (current.rule.action == fault_action::status) return fault_reply(current.rule);
    return reply;
}

http_reply service::act_on(exchange& current)
{
    if (current.malformed_target) {
        throw api_error(
            rpc_code::invalid_argument,
            "The request target is malformed: it has an escape that is none, or is not UTF-8.");
    }
    if (current.control) return control(current);
    if (!current.acts())
        return current.rule.action == fault_action::truncate ? hollow_reply(current.target.path) : http_reply();
    return api_.handle(current.request, current.target, [this](emulator_effect effect) {
        ++changes_[effect.method];
        effect.time = std::chrono::system_clock::now();
        effects_.add(std::move(effect));
    });
}

void service::finish(exchange const& current)
{
    if (!current.control) {
        std::lock_guard const lock(mutex_);
        if (current.resets == resets_) {
            if (auto* const entry = requests_.find(current.number)) entry->status = current.status;
            ++answers_[{method_label(current.request.method), current.status}];
        }
    }
    if (!log_) return;
    auto line = rfc3339(current.time) + " " + current.request.method + " " + printable(current.target.path);
    if (!current.target.query.empty()) line += "?" + current.target.query;
    line += current.status == 0 ? " unanswered" : " " + std::to_string(current.status);
    line += " " + detail::duration_text(std::chrono::steady_clock::now() - current.start);
    if (current.fault) line += " fault " + std::to_string(*current.fault) + ": " + fault_rule_text(current.rule);
    try {
        log_(line);
    } catch (std::exception const&) {
        // A log that fails is no reason not to answer.
    }
}

void service::lost(exchange const& current)
{
    if (current.control) return;
    std::lock_guard const lock(mutex_);
    if (current.resets != resets_) return;
    if (auto* const entry = requests_.find(current.number)) entry->status = 0;
    --answers_[{method_label(current.request.method), current.status}];
    ++answers_[{method_label(current.request.method), 0}];
}

http_reply service::malformed(int status, std::string const& message)
{
    {
        std::lock_guard const lock(mutex_);
        ++malformed_;
    }
    return api_error(rpc_code::invalid_argument, message).with_status(status).reply();
}

http_reply service::control(exchange const& current)
{
    struct endpoint {
        std::string_view path;
        std::string_view methods;
        http_reply (service::*show)() const;
    };
    static constexpr endpoint endpoints[] = {
        {"/emulator/v1/faults", "GET, POST", &service::show_faults},
        {"/emulator/v1/requests", "GET", &service::show_requests},
        {"/emulator/v1/effects", "GET", &service::show_effects},
        {"/emulator/v1/metrics", "GET", &service::show_metrics},
        {"/emulator/v1/reset", "POST", nullptr},
    };
    auto const& path = current.target.path;
    auto const& method = current.request.method;
    for (auto const& each : endpoints) {
        if (each.path != path) continue;
        if (each.show && (method == "GET" || method == "HEAD")) return (this->*each.show)();
        if (method == "POST" && path == "/emulator/v1/faults") return replace_faults(current.request.body);
        if (method == "POST" && !each.show) {
            forget_everything();
            return json_reply("{}");
        }
        auto reply = api_error(rpc_code::invalid_argument, path + " takes " + std::string(each.methods) + ".")
                         .with_status(405)
                         .reply();
        reply.fields.emplace_back("Allow", each.methods);
        return reply;
    }
    throw api_error(
        rpc_code::not_found,
        "The emulator has no " + printable(path).substr(0, 512)
            + "; it has faults, requests, effects, metrics and reset in /emulator/v1/.");
}

http_reply service::show_faults() const
{
    json::array list;
    for (std::size_t i = 0; i != faults_.size(); ++i) {
        auto rule = fault_rule_json(faults_.rule(i));
        rule["fired"] = faults_.fired(i);
        list.push_back(std::move(rule));
    }
    json::object document;
    document["faults"] = std::move(list);
    return json_reply(json::serialize(document));
}

http_reply service::replace_faults(std::string const& body)
{
    try {
        faults_.replace(parse_fault_rules(memorystore::parse_json(body)));
    } catch (memorystore::json_error const& error) {
        throw bad_field("", error.what());
    } catch (fault_error const& error) {
        throw bad_field(error.key(), error.what());
    }
    return show_faults();
}

http_reply service::show_requests() const
{
    auto body = "{\"total\":" + std::to_string(requests_.total()) + ",\"requests\":";
    append_array(body, requests_.entries());
    return json_reply(body + "}");
}

http_reply service::show_effects() const
{
    std::string body = "{\"effects\":";
    append_array(body, effects_.entries());
    return json_reply(body + "}");
}

http_reply service::show_metrics() const
{
    std::string text;
    append_metric(text, "requests_total", "counter", "Requests that were read, by the status that answered them.");
    for (auto const& [key, count] : answers_) {
        auto const status = key.second == 0 ? "none" : std::to_string(key.second);
        append_sample(text, "requests_total", "{method=\"" + key.first + "\",status=\"" + status + "\"}", count);
    }
    append_metric(text, "malformed_requests_total", "counter", "Requests that could not be read.");
    append_sample(text, "malformed_requests_total", "", malformed_);
    append_metric(text, "faults_total", "counter", "Faults, by the index of their rule.");
    for (std::size_t i = 0; i != faults_.size(); ++i)
        append_sample(text, "faults_total", "{rule=\"" + std::to_string(i) + "\"}", faults_.fired(i));
    append_metric(text, "effects_total", "counter", "Changes that were carried out, by the method of the API.");
    for (auto const& [method, count] : changes_)
        append_sample(text, "effects_total", "{method=\"" + method + "\"}", count);
    append_metric(text, "instances", "gauge", "Instances that exist.");
    append_sample(text, "instances", "", api_.instance_count());
    append_metric(text, "operations", "gauge", "Operations that are remembered, by whether they have ended.");
    append_sample(text, "operations", "{done=\"false\"}", api_.running_operation_count());
    append_sample(text, "operations", "{done=\"true\"}", api_.operation_count() - api_.running_operation_count());
    if (connections) {
        auto const [open, peak] = connections();
        append_metric(text, "connections", "gauge", "Connections that are open.");
        append_sample(text, "connections", "", open);
        append_metric(text, "connections_peak", "gauge", "Connections that were open at once, at most.");
        append_sample(text, "connections_peak", "", peak);
    }
    http_reply reply;
    reply.content_type = "text/plain; version=0.0.4; charset=utf-8";
    reply.body = std::move(text);
    return reply;
}

void service::forget_everything()
{
    faults_.replace({});
    faults_.forget_requests();
    api_.clear();
    requests_.clear();
    effects_.clear();
    answers_.clear();
    changes_.clear();
    malformed_ = 0;
    ++resets_;
}

void service::set_faults(std::vector<fault_rule> rules)
{
    std::lock_guard const lock(mutex_);
    faults_.replace(std::move(rules));
}

void service::reset()
{
    std::lock_guard const lock(mutex_);
    forget_everything();
}

std::vector<std::uint64_t> service::faults_fired() const
{
    std::lock_guard const lock(mutex_);
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i != faults_.size(); ++i) counts.push_back(faults_.fired(i));
    return counts;
}

std::vector<emulator_request> service::requests() const
{
    std::lock_guard const lock(mutex_);
    return {requests_.entries().begin(), requests_.entries().end()};
}

std::uint64_t service::total_requests() const
{
    std::lock_guard const lock(mutex_);
    return requests_.total();
}

std::vector<emulator_effect> service::effects() const
{
    std::lock_guard const lock(mutex_);
    return {effects_.entries().begin(), effects_.entries().end()};
}

std::uint64_t service::total_effects() const
{
    std::lock_guard const lock(mutex_);
    return effects_.total();
}

}  // namespace backbeat::emulation
