//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_EMULATOR_API_DRIVER_HPP
#define BACKBEAT_TEST_UNIT_EMULATOR_API_DRIVER_HPP

#include "error_reply.hpp"
#include "redis_api.hpp"
#include "request_target.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::emulation {

inline std::string const location = "/v1/projects/p/locations/us-central1";
inline std::string const instances = location + "/instances";
inline std::string const r1 = instances + "/r1";
inline std::string const clusters = location + "/clusters";
inline std::string const c1 = clusters + "/c1";

// A time that only a test moves. Begins on Thursday, 2026-01-01T00:00:00Z.
struct moved_clock {
    std::chrono::nanoseconds passed{};

    [[nodiscard]] api_clock view() const
    {
        return {
            [this] { return api_clock::steady::time_point(passed); },
            [this] {
                return api_clock::wall::time_point(std::chrono::seconds(1'767'225'600))
                    + std::chrono::duration_cast<api_clock::wall::duration>(passed);
            }};
    }
};

inline std::string text_of(boost::json::object const& object, std::string_view name)
{
    auto const* const found = object.if_contains(name);
    return found == nullptr ? "absent" : std::string(found->as_string());
}

// The API without a network.
class api_driver {
public:
    struct answer {
        int status = 0;
        std::string body;

        [[nodiscard]] boost::json::object json() const { return boost::json::parse(body).as_object(); }
        [[nodiscard]] std::string code() const { return text("error", "status"); }
        [[nodiscard]] std::string message() const { return text("error", "message"); }

        // The text of a member, or of a member of one; empty where there is none.
        [[nodiscard]] std::string text(std::string_view name, std::string_view inner = {}) const
        {
            auto const document = json();
            auto const* found = document.if_contains(name);
            if (found != nullptr && !inner.empty())
                found = found->is_object() ? found->get_object().if_contains(inner) : nullptr;
            return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
        }

        // The fields that a 400 INVALID_ARGUMENT blames.
        [[nodiscard]] std::set<std::string> blamed() const
        {
            EXPECT_EQ(status, 400) << body;
            if (status != 400) return {};
            EXPECT_EQ(code(), "INVALID_ARGUMENT") << body;
            std::set<std::string> fields;
            auto const document = json();
            for (auto const& detail : document.at("error").at("details").as_array()) {
                EXPECT_EQ(detail.at("@type").as_string(), "type.googleapis.com/google.rpc.BadRequest");
                for (auto const& violation : detail.at("fieldViolations").as_array())
                    fields.emplace(violation.at("field").as_string());
            }
            return fields;
        }

        // The operation in it, as the target that asks for it.
        [[nodiscard]] std::string operation() const
        {
            EXPECT_EQ(status, 200) << body;
            return "/v1/" + text("name");
        }
    };

    explicit api_driver(std::chrono::nanoseconds operation_time = std::chrono::nanoseconds(0))
        : api(operation_time, 7, time.view())
    {}

    api_driver(api_driver const&) = delete;
    api_driver& operator=(api_driver const&) = delete;

    answer send(std::string const& method, std::string const& target, std::string const& body = {})
    {
        http_request const request{method, target, body, "id"};
        auto const parsed = parse_request_target(target);
        if (!parsed) throw std::invalid_argument(target);
        http_reply reply;
        try {
            reply =
                api.handle(request, *parsed, [this](emulator_effect effect) { effects.push_back(std::move(effect)); });
        } catch (api_error const& error) {
            reply = error.reply();
        }
        EXPECT_EQ(reply.body.find("null"), std::string::npos) << reply.body;
        return {reply.status, reply.body};
    }

    answer get(std::string const& target) { return send("GET", target); }
    answer post(std::string const& target, std::string const& body = {}) { return send("POST", target, body); }
    answer patch(std::string const& target, std::string const& body = {}) { return send("PATCH", target, body); }

    // An instance that is ready.
    boost::json::object create(std::string const& id, std::string const& body)
    {
        auto const begun = post(instances + "?instanceId=" + id, body);
        EXPECT_EQ(begun.status, 200) << begun.body;
        return get(instances + "/" + id).json();
    }

    moved_clock time;
    redis_api api;
    std::vector<emulator_effect> effects;
};

using field_set = std::set<std::string>;

}  // namespace backbeat::emulation

#endif
