//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "api_driver.hpp"
#include "api_engine.hpp"

#include <backbeat/memorystore/operation.hpp>

#include <stdexcept>

namespace backbeat::emulation {

namespace {

using namespace std::chrono_literals;

constexpr char const* id = "6f1d2f3a-5b77-4c1e-9f1a-0123456789ab";

// An engine with one method, which begins an operation.
class api_engine_test : public testing::Test {
protected:
    api_engine_test()
    {
        engine.routes.add("POST", "v1/projects/{}/locations/{}/things/{}:turn", [this](api_call const& call) {
            last_name = call.name;
            return engine.replay.once(call, [&] {
                api_change change;
                change.method = "things.turn";
                change.verb = "turn";
                change.target = call.name;
                change.complete = complete;
                return engine.operations.begin(call, std::move(change));
            });
        });
        engine.routes.add("GET", "v1/projects/{}/locations/{}/things/{}/parts/{}/name", [this](api_call const& call) {
            last_name = call.name;
            boost::json::object answer;
            answer["project"] = call.project;
            answer["location"] = call.location;
            return answer;
        });
    }

    boost::json::object send(std::string const& method, std::string const& target, std::string const& body = {})
    {
        engine.operations.settle();
        http_request const request{method, target, body, ""};
        auto const parsed = parse_request_target(target);
        return engine.routes.carry_out(request, *parsed, [this](emulator_effect const&) { ++effects; });
    }

    std::string turn(std::string const& query, std::string const& body = "{}")
    {
        auto const answer = send("POST", "/v1/projects/p/locations/l/things/t:turn?" + query, body);
        return std::string(answer.at("name").as_string());
    }

    // What is blamed when a request id is refused; empty: it was not.
    std::string refused(std::string const& query, std::string const& body = "{}")
    {
        try {
            turn(query, body);
        } catch (api_error const& error) {
            EXPECT_EQ(error.code(), memorystore::rpc_code::invalid_argument);
            return error.what();
        }
        return {};
    }

    moved_clock time;
    api_engine engine{1min, 1, time.view()};
    std::function<memorystore::any()> complete = [] { return memorystore::any::pack(memorystore::empty()); };
    std::string last_name;
    int effects = 0;
};

TEST_F(api_engine_test, names_the_resource_that_a_path_is_about)
{
    auto const answer = send("GET", "/v1/projects/example.com:p/locations/l/things/a/parts/b%2dc/name");
    EXPECT_EQ(last_name, "projects/example.com:p/locations/l/things/a/parts/b-c");
    EXPECT_EQ(answer.at("project").as_string(), "example.com:p");
    EXPECT_EQ(answer.at("location").as_string(), "l");
    send("HEAD", "/v1/projects/p/locations/l/things/a/parts/b/name");
    turn("");
    EXPECT_EQ(last_name, "projects/p/locations/l/things/t");
}

TEST_F(api_engine_test, knows_no_other_methods)
{
    for (auto const* target :
         {"/v1/projects/p/locations/l/things/t",
          "/v1/projects/p/locations/l/things/t:turned",
          "/v1/projects/p/locations/l/things/:turn",
          "/v1/projects/p/locations/l/things/t:turn/",
          "/v1/projects/p/locations/l/things/t:turn:turn",
          "/v1/projects/p/locations/l/things/t:turn/parts",
          "/v1/projects/p/locations/l/things//parts/b/name",
          "/v1beta1/projects/p/locations/l/things/t:turn"}) {
        for (auto const* method : {"POST", "GET", "PUT"}) {
            if (std::string_view(target).ends_with("t:turn/") && std::string_view(method) == "POST") continue;
            try {
                send(method, target);
                ADD_FAILURE() << method << ' ' << target;
            } catch (api_error const& error) {
                EXPECT_EQ(error.code(), memorystore::rpc_code::not_found) << target;
                EXPECT_EQ(error.reply().content_type, "application/json; charset=UTF-8");
            }
        }
    }
    EXPECT_THROW(send("POST", "/v1/projects/p/locations/l/things/a%20b:turn"), api_error);
    EXPECT_EQ(effects, 0);
}

TEST_F(api_engine_test, an_operation_that_fails_says_why)
{
    complete = []() -> memorystore::any {
        throw api_error(memorystore::rpc_code::resource_exhausted, "There is no room.");
    };
    auto const name = turn("");
    time.passed += 1min;
    engine.operations.settle();
    auto const ended = *engine.operations.find(name);
    EXPECT_TRUE(ended.at("done").as_bool());
    EXPECT_EQ(ended.at("error").at("code").as_int64(), 8);
    EXPECT_EQ(ended.at("error").at("message").as_string(), "There is no room.");
    EXPECT_EQ(ended.at("error").as_object().size(), 2U);
    EXPECT_FALSE(ended.contains("response"));

    complete = []() -> memorystore::any { throw std::runtime_error("bad luck"); };
    auto const second = turn("");
    EXPECT_NE(second, name);
    time.passed += 1min;
    engine.operations.settle();
    EXPECT_EQ(engine.operations.find(second)->at("error").at("code").as_int64(), 13);
}

TEST_F(api_engine_test, a_request_id_is_carried_out_once)
{
    auto const query = std::string("requestId=") + id;
    auto const name = turn(query);
    EXPECT_EQ(turn(query), name);
    EXPECT_EQ(turn("request_id=6F1D2F3A-5B77-4C1E-9F1A-0123456789AB"), name) << "an id has no case";
    EXPECT_EQ(turn(query + "&alt=json&$alt=json;enum-encoding=int"), name);
    EXPECT_EQ(effects, 1);
    EXPECT_NE(turn(""), name);
    EXPECT_NE(turn("requestId="), name);
    EXPECT_EQ(effects, 3);

    // The operation is answered as it is by then, also when it is no longer known.
    time.passed += 1min;
    auto const ended = send("POST", "/v1/projects/p/locations/l/things/t:turn?" + query, "{}");
    EXPECT_TRUE(ended.at("done").as_bool());
    engine.operations.remove(name);
    EXPECT_EQ(turn(query), name);
    EXPECT_EQ(effects, 3);
}

TEST_F(api_engine_test, a_request_id_belongs_to_one_request)
{
    auto const query = std::string("requestId=") + id;
    turn(query);
    EXPECT_NE(refused(query, R"({"x":1})"), "");
    EXPECT_NE(refused(query + "&thing=1"), "");
    EXPECT_THROW(send("POST", "/v1/projects/p/locations/l/things/u:turn?" + query, "{}"), api_error);
    EXPECT_EQ(effects, 1);
    send("POST", "/v1/projects/p/locations/m/things/t:turn?" + query, "{}");
    EXPECT_EQ(effects, 2) << "another location has its own ids";
}

TEST_F(api_engine_test, a_request_id_is_forgotten_after_an_hour)
{
    auto const query = std::string("requestId=") + id;
    auto const name = turn(query);
    time.passed += 1h - 1ns;
    EXPECT_EQ(turn(query), name);
    time.passed += 1ns;
    EXPECT_NE(turn(query), name);
    EXPECT_EQ(effects, 2);
}

TEST_F(api_engine_test, a_request_id_is_a_uuid)
{
    for (auto const* text :
         {"x",
          "00000000-0000-0000-0000-000000000000",
          "6f1d2f3a-5b77-4c1e-9f1a-0123456789a",
          "6f1d2f3a-5b77-4c1e-9f1a-0123456789abc",
          "6f1d2f3a-5b77-4c1e-9f1a-0123456789ag",
          "6f1d2f3a05b77-4c1e-9f1a-0123456789ab"}) {
        EXPECT_NE(refused(std::string("requestId=") + text), "") << text;
    }
    EXPECT_EQ(effects, 0);
}

TEST_F(api_engine_test, a_request_that_is_refused_does_not_use_its_id_up)
{
    auto const query = std::string("requestId=") + id;
    engine.routes.add("POST", "v1/projects/{}/locations/{}/things/{}:try", [this](api_call const& call) {
        return engine.replay.once(
            call, []() -> boost::json::object { throw bad_field("thing", "It cannot be turned."); });
    });
    EXPECT_THROW(send("POST", "/v1/projects/p/locations/l/things/t:try?" + query), api_error);
    EXPECT_FALSE(turn(query).empty());
}

TEST_F(api_engine_test, no_more_than_a_bounded_number_of_request_ids_is_kept)
{
    auto const query = [](std::size_t number) {
        auto const digits = std::to_string(number);
        return "requestId=6f1d2f3a-5b77-4c1e-9f1a-" + std::string(12 - digits.size(), '0') + digits;
    };
    auto const first = turn(query(0));
    for (std::size_t i = 1; i != request_replay::maximum_ids; ++i) turn(query(i));
    auto const before = effects;
    EXPECT_EQ(turn(query(0)), first) << "a copy takes no place, its own least of all";
    turn(query(request_replay::maximum_ids));
    turn(query(request_replay::maximum_ids));
    EXPECT_EQ(effects, before + 1);
    turn(query(1));
    EXPECT_EQ(effects, before + 1) << "one has come, one has gone";
    EXPECT_NE(turn(query(0)), first);
}

}  // namespace

}  // namespace backbeat::emulation
