//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "service.hpp"

#include "error_reply.hpp"
#include "fault_answer.hpp"
#include "plain_text.hpp"
#include "resource_rules.hpp"
#include "snapshot.hpp"

#include <backbeat/detail/duration_text.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

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

// A log is bounded by the number of its entries, so each of them must be bounded too.
constexpr std::size_t longest_logged_method = 32;
constexpr std::size_t longest_logged_path = 2048;
constexpr std::size_t longest_logged_header = 1024;

json::object to_json(emulator_request const& entry, bool with_headers)
{
    json::object object;
    object["n"] = entry.n;
    object["time"] = rfc3339(entry.time);
    object["method"] = entry.method;
    object["path"] = entry.path;
    object["query"] = entry.query;
    object["status"] = entry.status;
    object["fault"] = entry.fault ? json::value(*entry.fault) : json::value(nullptr);
    if (with_headers) object["headers"] = json::value_from(entry.headers);
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
template <class Entries, class ToJson>
void append_array(std::string& text, Entries const& entries, ToJson to_json_of)
{
    text += '[';
    for (auto const& entry : entries) {
        if (&entry != &entries.front()) text += ',';
        text += json::serialize(to_json_of(entry));
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
      log_headers_(std::move(options.log_headers)),
      authenticator_(std::move(options.required_token), options.jwt_key),
      faults_(options.seed),
      quota_(std::move(options.quota)),
      capacity_(options.capacity, options.queue),
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
    current.request.logical_id = text_of_bytes(current.request.logical_id, longest_logged_header);
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

    auto unauthenticated = authenticator_.refuse(current.request.authorization, current.time);
    emulator_request entry;
    entry.time = current.time;
    entry.method = beginning_of(current.request.method, longest_logged_method);
    entry.path = beginning_of(current.target.path, longest_logged_path);
    entry.query = beginning_of(current.target.query, longest_logged_path);
    for (auto const& [name, value] : current.request.logged_headers)
        entry.headers.emplace(name, text_of_bytes(value, longest_logged_header));

    std::lock_guard const lock(mutex_);
    admit(current, entry, std::move(unauthenticated));
    current.number = requests_.add(std::move(entry));
    current.resets = resets_;
    return current;
}

// What is turned away costs no quota, and what is over its quota has no place in the queue. Faults come last, so that
// each one that fires is seen by its client.
void service::admit(exchange& current, emulator_request& entry, std::optional<http_reply> unauthenticated)
{
    auto const& method = current.request.method;
    auto const& path = current.target.path;
    auto const turn_away = [&](std::string_view by, http_reply reply) {
        current.refused_by = by;
        current.refusal = std::move(reply);
        faults_.skip(method, path);
    };
    if (unauthenticated) {
        ++unauthenticated_;
        return turn_away("unauthenticated", *std::move(unauthenticated));
    }
    if (auto const met = quota_.take(method, current.target, current.start)) return turn_away("quota", met->reply());
    auto const wait = capacity_.enter(current.start);
    if (!wait)
        return turn_away("overload", api_error(rpc_code::unavailable, "The service is currently unavailable.").reply());
    current.delay_before = *wait;

    current.fault = faults_.choose(method, path);
    entry.fault = current.fault;
    if (!current.fault) return;
    current.rule = faults_.rule(*current.fault);
    if (current.rule.when == fault_time::before) {
        auto const longest = (std::chrono::nanoseconds::max)();
        current.delay_before = current.rule.delay < longest - *wait ? *wait + current.rule.delay : longest;
    } else {
        current.delay_after = current.rule.delay;
    }
}

bool service::refuses_connection()
{
    std::string line;
    {
        std::lock_guard const lock(mutex_);
        auto const fault = faults_.choose_for_connection();
        if (!fault) return false;
        ++refused_connections_;
        if (log_) {
            line = rfc3339(std::chrono::system_clock::now()) + " connection refused fault " + std::to_string(*fault)
                + ": " + fault_rule_text(faults_.rule(*fault));
        }
    }
    write_line(line);
    return true;
}

http_reply service::act(exchange& current)
{
    if (current.refusal) return *std::move(current.refusal);
    http_reply reply;
    try {
        std::lock_guard const lock(mutex_);
        reply = act_on(current);
    } catch (api_error const& error) {
        reply = error.reply();
    } catch (std::exception const& error) {
        reply = api_error(rpc_code::internal, std::string("The emulator failed: ") + error.what()).reply();
    }
    if (current.rule.action == fault_action::status) return fault_answer(current.rule);
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
    if (!current.refused_by.empty()) line.append(" ").append(current.refused_by);
    if (current.fault) line += " fault " + std::to_string(*current.fault) + ": " + fault_rule_text(current.rule);
    if (!current.request.logical_id.empty()) line += " id " + printable(current.request.logical_id);
    write_line(line);
}

void service::write_line(std::string const& line) const
{
    if (!log_) return;
    try {
        log_(line);
    } catch (...) {
        // A log that fails, whatever it throws, is no reason not to answer.
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
    if (log_) {
        write_line(
            rfc3339(std::chrono::system_clock::now()) + " malformed request " + std::to_string(status) + " " + message);
    }
    auto const code = status == 501 || status == 505 ? rpc_code::unimplemented : rpc_code::invalid_argument;
    return api_error(code, message).with_status(status).reply();
}

http_reply service::control(exchange const& current)
{
    struct endpoint {
        std::string_view path;
        std::string_view methods;
        http_reply (service::*show)();
        http_reply (service::*replace)(std::string const& body);
    };
    static constexpr endpoint endpoints[] = {
        {"/emulator/v1/faults", "GET, POST, PUT", &service::show_faults, &service::replace_faults},
        {"/emulator/v1/unreachable", "GET, POST, PUT", &service::show_unreachable, &service::replace_unreachable},
        {"/emulator/v1/requests", "GET", &service::show_requests, nullptr},
        {"/emulator/v1/effects", "GET", &service::show_effects, nullptr},
        {"/emulator/v1/metrics", "GET", &service::show_metrics, nullptr},
        {"/emulator/v1/snapshot", "GET, POST, PUT", &service::show_snapshot, &service::replace_state},
        {"/emulator/v1/reset", "POST", nullptr, nullptr},
    };
    auto const& path = current.target.path;
    auto const& method = current.request.method;
    for (auto const& each : endpoints) {
        if (each.path != path) continue;
        if (each.show && (method == "GET" || method == "HEAD")) return (this->*each.show)();
        if (method == "POST" || (method == "PUT" && each.methods.ends_with("PUT"))) {
            if (each.replace) return (this->*each.replace)(current.request.body);
            if (!each.show) {
                forget_everything();
                return json_reply("{}");
            }
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
            + "; it has faults, unreachable, requests, effects, metrics, snapshot and reset in /emulator/v1/.");
}

http_reply service::show_faults()
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

http_reply service::show_unreachable()
{
    json::object document;
    document["locations"] = json::value_from(unreachable_);
    return json_reply(json::serialize(document));
}

http_reply service::replace_unreachable(std::string const& body)
{
    static constexpr char const* shape = R"(The locations must be an object like {"locations":["us-central1"]}.)";
    std::vector<std::string> locations;
    try {
        auto const value = memorystore::parse_json(body);
        auto const* const document = value.if_object();
        auto const* const list = document && document->size() == 1 ? document->if_contains("locations") : nullptr;
        if (!list || !list->is_array()) throw bad_field("locations", shape);
        for (auto const& each : list->get_array()) {
            if (!each.is_string()) throw bad_field("locations", shape);
            locations.emplace_back(each.get_string());
        }
    } catch (memorystore::json_error const& error) {
        throw bad_field("", error.what());
    }
    set_unreachable_locations(std::move(locations));
    return show_unreachable();
}

void service::set_unreachable_locations(std::vector<std::string> locations)
{
    // There are some forty regions.
    static constexpr std::size_t maximum_locations = 1000;
    if (locations.size() > maximum_locations)
        throw bad_field("locations", "There can be no more than 1000 locations that cannot be reached.");
    for (std::size_t i = 0; i != locations.size(); ++i) {
        if (is_resource_id(locations[i], 63)) continue;
        throw bad_field(
            "locations[" + std::to_string(i) + "]",
            "'" + printable(locations[i]).substr(0, 64) + "' is no location; one is like us-central1.");
    }
    std::sort(locations.begin(), locations.end());
    locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
    api_.set_unreachable(locations);
    unreachable_ = std::move(locations);
}

http_reply service::show_snapshot()
{
    return json_reply(save_snapshot(api_));
}

http_reply service::replace_state(std::string const& body)
{
    load_snapshot_into(api_, body);
    return json_reply("{}");
}

http_reply service::show_requests()
{
    auto body = "{\"total\":" + std::to_string(requests_.total()) + ",\"requests\":";
    append_array(body, requests_.entries(), [this](auto const& each) { return to_json(each, !log_headers_.empty()); });
    return json_reply(body + "}");
}

http_reply service::show_effects()
{
    std::string body = "{\"effects\":";
    append_array(body, effects_.entries(), [](auto const& each) { return to_json(each); });
    return json_reply(body + "}");
}

http_reply service::show_metrics()
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
    append_load_metrics(text);
    append_metric(text, "effects_total", "counter", "Changes that were carried out, by the method of the API.");
    for (auto const& [method, count] : changes_)
        append_sample(text, "effects_total", "{method=\"" + method + "\"}", count);
    append_metric(text, "instances", "gauge", "Instances that exist.");
    append_sample(text, "instances", "", api_.instance_count());
    append_metric(text, "clusters", "gauge", "Clusters that exist.");
    append_sample(text, "clusters", "", api_.cluster_count());
    append_metric(text, "backups", "gauge", "Backups that exist.");
    append_sample(text, "backups", "", api_.backup_count());
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

void service::append_load_metrics(std::string& text) const
{
    append_metric(text, "refused_connections_total", "counter", "Connections that a fault has refused.");
    append_sample(text, "refused_connections_total", "", refused_connections_);
    if (authenticator_.required()) {
        append_metric(text, "unauthenticated_requests_total", "counter", "Requests without valid credentials.");
        append_sample(text, "unauthenticated_requests_total", "", unauthenticated_);
    }
    auto const& limits = quota_.limits();
    if (!limits.empty()) {
        auto const label = [&limits](std::size_t i) { return "{metric=\"" + limits[i].metric + "\"}"; };
        append_metric(text, "quota_requests_total", "counter", "Requests that a quota has let pass.");
        for (std::size_t i = 0; i != limits.size(); ++i)
            append_sample(text, "quota_requests_total", label(i), quota_.totals()[i].used);
        append_metric(text, "quota_refused_total", "counter", "Requests beyond a quota.");
        for (std::size_t i = 0; i != limits.size(); ++i)
            append_sample(text, "quota_refused_total", label(i), quota_.totals()[i].refused);
    }
    if (!capacity_.limited()) return;
    append_metric(text, "queue_length", "gauge", "Requests that wait for capacity.");
    append_sample(text, "queue_length", "", capacity_.queued(std::chrono::steady_clock::now()));
    append_metric(text, "queue_length_peak", "gauge", "Requests that have waited for capacity at once, at most.");
    append_sample(text, "queue_length_peak", "", capacity_.longest_queue());
    append_metric(text, "queue_limit", "gauge", "Requests that can wait for capacity.");
    append_sample(text, "queue_limit", "", capacity_.queue_limit());
    append_metric(text, "overload_refused_total", "counter", "Requests that have found the queue full.");
    append_sample(text, "overload_refused_total", "", capacity_.refused());
}

void service::forget_everything()
{
    faults_.replace({});
    faults_.forget_requests();
    set_unreachable_locations({});
    quota_.clear();
    capacity_.clear();
    api_.clear();
    requests_.clear();
    effects_.clear();
    answers_.clear();
    changes_.clear();
    malformed_ = 0;
    unauthenticated_ = 0;
    refused_connections_ = 0;
    ++resets_;
}

std::string service::snapshot()
{
    std::lock_guard const lock(mutex_);
    return save_snapshot(api_);
}

void service::load_snapshot(std::string_view text)
{
    std::lock_guard const lock(mutex_);
    load_snapshot_into(api_, text);
}

void service::set_faults(std::vector<fault_rule> rules)
{
    std::lock_guard const lock(mutex_);
    faults_.replace(std::move(rules));
}

void service::set_unreachable(std::vector<std::string> locations)
{
    std::lock_guard const lock(mutex_);
    set_unreachable_locations(std::move(locations));
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
