//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_EMULATOR_CLIENT_REQUESTS_HPP
#define BACKBEAT_TEST_UNIT_EMULATOR_CLIENT_REQUESTS_HPP

#include "emulator_client.hpp"

#include <backbeat/emulator.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace backbeat {

// Requests byte for byte as Google's own clients send them: gcloud 528, @google-cloud/redis 6.0.0 and
// @google-cloud/redis-cluster 0.6.1.
class client_requests : public testing::Test {
protected:
    // `resource` is the target of what gcloud looks at when an operation has ended.
    client_requests(std::string resource, std::chrono::nanoseconds operation_time)
        : google(quick(operation_time)), client(google.url()), resource_(std::move(resource))
    {}

    using reply = test::emulator_client::reply;

    // gcloud: `content-length: 0` on whatever has no body, POST included, and no content type then.
    reply gcloud(std::string const& method, std::string const& target, std::string const& body = {})
    {
        std::string fields =
            "user-agent: google-cloud-sdk gcloud/528.0.0 command/gcloud.redis.instances.list environment/None\r\n"
            "accept: application/json\r\naccept-encoding: gzip, deflate\r\nConnection: keep-alive\r\n";
        if (!body.empty()) fields += "content-type: application/json\r\n";
        return answered(client.send(method, target, body, fields));
    }

    // Node: a content type also where there is no body, and a routing field that may name something else.
    reply node(std::string const& method, std::string const& target, std::optional<std::string> const& body = {})
    {
        return answered(client.send(
            method,
            target,
            body,
            "accept: */*\r\naccept-encoding: gzip,deflate,br\r\ncontent-type: application/json\r\n"
            "user-agent: google-api-nodejs-client/11.3.4\r\n"
            "x-goog-api-client: gax/6.17.0-fallback gapic/6.0.0 gl-node/20.20.2 rest/6.17.0\r\n"
            "x-goog-request-params: name=projects%2Fmy-proj%2Flocations%2Fus-central1%2Finstances%2Fother\r\n"));
    }

    // As the REST clients for Go send it.
    reply go(std::string const& method, std::string const& target, std::string const& body)
    {
        return answered(client.send(
            method,
            target,
            body,
            "Accept-Encoding: gzip\r\nContent-Type: application/json\r\nUser-Agent: Go-http-client/1.1\r\n"
            "X-Goog-Api-Client: gl-go/1.24.0 gapic/1.18.0 gax/2.14.0 rest/UNKNOWN\r\n"));
    }

    reply answered(reply given)
    {
        EXPECT_EQ(given.status, 200) << given.body;
        EXPECT_EQ(given.body.find("null"), std::string::npos) << given.body;
        EXPECT_EQ(given.fields["Content-Type"], "application/json; charset=UTF-8");
        EXPECT_EQ(given.fields.count("Content-Encoding"), 0U);
        return given;
    }

    // gcloud looks at an operation until it is done, and then at the resource.
    boost::json::object finish(reply const& begun)
    {
        auto const name = std::string(begun.json().at("name").as_string());
        auto operation = gcloud("GET", "/v1/" + name + "?alt=json").json().as_object();
        while (!operation.contains("done")) operation = gcloud("GET", "/v1/" + name + "?alt=json").json().as_object();
        EXPECT_FALSE(operation.contains("error")) << boost::json::serialize(operation);
        return gcloud("GET", resource_ + "?alt=json").json().as_object();
    }

    // GET, and PATCH of the whole resource with what is to be changed.
    boost::json::object update_with_gcloud(
        std::string const& mask, std::string const& changes, char const* without = "")
    {
        auto whole = gcloud("GET", resource_ + "?alt=json").json().as_object();
        auto const changed = boost::json::parse(changes).as_object();
        for (auto const& each : changed) whole[each.key()] = each.value();
        whole.erase(without);
        return finish(gcloud("PATCH", resource_ + "?alt=json&updateMask=" + mask, boost::json::serialize(whole)));
    }

    emulator google;
    test::emulator_client client;

private:
    static emulator_options quick(std::chrono::nanoseconds operation_time)
    {
        emulator_options options;
        options.operation_time = operation_time;
        return options;
    }

    std::string resource_;
};

}  // namespace backbeat

#endif
