//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Requests to the emulator, with an empty line between them: method, target and, from the second line on, the body. In
// a target `~` stands for a location, `@` for the operation that was begun last and `^` for the backup collection that
// was seen last, because no fuzzer guesses their names.
// Inputs of an even size go through the whole service, whose operations are done at once; those of an odd size to the
// API alone, where an operation takes an hour and the method WAIT is one.

#include "error_reply.hpp"
#include "redis_api.hpp"
#include "request_target.hpp"
#include "require.hpp"
#include "service.hpp"

#include <backbeat/memorystore/json.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

using backbeat::fuzz::require;
using backbeat::fuzz::take_until;

namespace {

namespace json = boost::json;
namespace emulation = backbeat::emulation;

// The names that only answers tell.
struct known_names {
    std::string operation = "/v1/projects/p/locations/us-central1/operations/o";
    std::string collection = "/v1/projects/p/locations/us-central1/backupCollections/b";
};

std::string expanded(std::string_view target, known_names const& known)
{
    std::string result;
    for (char const c : target) {
        if (c == '~') {
            result += "/v1/projects/p/locations/us-central1";
        } else if (c == '@') {
            result += known.operation;
        } else if (c == '^') {
            result += known.collection;
        } else {
            result += c;
        }
    }
    return result;
}

// Google's Node.js client cannot read null.
bool has_null(json::value const& value)
{
    if (auto const* const object = value.if_object()) {
        for (auto const& each : *object)
            if (has_null(each.value())) return true;
    } else if (auto const* const array = value.if_array()) {
        for (auto const& each : *array)
            if (has_null(each)) return true;
    }
    return value.is_null();
}

void check_operation(json::object const& operation)
{
    require(operation.at("metadata").as_object().contains("@type"), "an operation says what it does");
    auto const done = operation.contains("done");
    require(done == operation.at("metadata").as_object().contains("endTime"), "an end has a time");
    require(done == (operation.contains("response") != operation.contains("error")), "an end has one result");
    require(done || !operation.contains("response"), "what goes on has no result");
}

void remember_collection(json::object const& cluster, known_names& known)
{
    if (auto const* const name = cluster.if_contains("backupCollection"); name != nullptr && name->is_string())
        known.collection.assign("/v1/").append(name->get_string());
}

// Checks an answer that nobody has interfered with, and remembers the names in it.
void check_answer(std::string const& body, known_names& known)
{
    auto const answer = backbeat::memorystore::parse_json(body).as_object();
    require(!has_null(answer), "no answer has null");
    remember_collection(answer, known);
    if (auto const* const response = answer.if_contains("response")) remember_collection(response->as_object(), known);
    auto const* const name = answer.if_contains("name");
    if (name == nullptr || !answer.contains("metadata")) return;
    if (name->as_string().find("/operations/") == json::string::npos) return;
    check_operation(answer);
    known.operation.assign("/v1/").append(name->as_string());
}

struct request_line {
    std::string method;
    std::string target;
    std::string body;
};

request_line next_request(std::string_view& rest, known_names const& known)
{
    auto body = take_until(rest, "\n\n");
    auto target = take_until(body, "\n");
    auto const method = take_until(target, " ");
    return {std::string(method), expanded(target, known), std::string(body)};
}

void drive_api(std::string_view rest)
{
    std::chrono::nanoseconds passed{};
    emulation::api_clock const clock(
        [&passed] { return std::chrono::steady_clock::time_point(passed); },
        [&passed] { return std::chrono::system_clock::time_point(std::chrono::seconds(1'767'225'600) + passed); });
    emulation::redis_api api(std::chrono::hours(1), 1, clock);
    known_names known;
    for (int count = 0; !rest.empty() && count != 64; ++count) {
        auto const line = next_request(rest, known);
        if (line.method == "WAIT") passed += std::chrono::hours(1);
        auto const target = emulation::parse_request_target(line.target);
        if (!target) continue;
        std::size_t effects = 0;
        try {
            auto const reply =
                api.handle({line.method, line.target, line.body, "id"}, *target, [&](auto const& effect) {
                    ++effects;
                    require(!effect.method.empty() && !effect.resource.empty(), "an effect says what was changed");
                });
            require(reply.status == 200, "what is not refused is carried out");
            require(effects <= 1, "a request is one change");
            check_answer(reply.body, known);
        } catch (emulation::api_error const& error) {
            require(effects == 0, "what is refused changes nothing");
            require(error.reply().status >= 400, "what is refused is an error");
        }
        require(api.running_operation_count() <= api.operation_count(), "what runs is known");
    }
    auto const saved = api.save();
    emulation::redis_api other(std::chrono::hours(1), 1, clock);
    other.load(saved);
    require(other.save() == saved, "what was saved is read as it was");
}

void drive_service(std::string_view rest)
{
    std::string logged;
    emulation::service_options options;
    options.seed = 1;
    options.log_limit = 4;
    options.log = [&logged](std::string_view line) { logged = line; };
    emulation::service service(std::move(options));

    known_names known;
    for (int count = 0; !rest.empty() && count != 64; ++count) {
        auto line = next_request(rest, known);
        // A server has no other methods, as they would not be HTTP.
        if (line.method.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.") != line.method.npos) continue;
        auto current = service.begin({std::move(line.method), std::move(line.target), std::move(line.body), "id"});
        auto const reply = service.act(current);
        require(reply.status >= 200 && reply.status <= 599, "every request has an answer");
        require(reply.status != 500 || current.fault, "the emulator does not fail by itself");
        for (auto const& [name, value] : reply.fields)
            require(backbeat::fuzz::is_one_line(name + value), "no answer adds fields to itself");
        if (reply.content_type.find("json") != reply.content_type.npos && !reply.body.empty()) {
            static_cast<void>(backbeat::memorystore::parse_json(reply.body));
            if (!current.control && !current.fault) check_answer(reply.body, known);
        }
        current.status = reply.status;
        service.finish(current);
        require(backbeat::fuzz::is_one_line(logged), "a request is one line of the log");
    }
    require(service.requests().size() <= 4 && service.effects().size() <= 4, "the logs are bounded");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    std::string_view const input(reinterpret_cast<char const*>(data), size);
    if (size % 2 == 0) {
        drive_service(input);
    } else {
        drive_api(input);
    }
    return 0;
}
