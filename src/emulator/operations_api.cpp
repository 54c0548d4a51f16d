//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "operations_api.hpp"

#include "read_body.hpp"

#include <backbeat/memorystore/operation.hpp>

#include <utility>

namespace backbeat::emulation {

namespace {

void record_change(api_call const& call, std::string method)
{
    emulator_effect effect;
    effect.method = std::move(method);
    effect.resource = call.name;
    effect.operation = call.name;
    effect.logical_id = call.request.logical_id;
    call.record(std::move(effect));
}

}  // namespace

void add_operations_api(api_engine& engine)
{
    auto& operations = engine.operations;
    auto& routes = engine.routes;
    routes.add("GET", "v1/projects/{}/locations/{}/operations", [&engine](api_call const& call) {
        return engine.operations.list(call, engine.unreachable);
    });
    routes.add("GET", "v1/projects/{}/locations/{}/operations/{}", [&operations](api_call const& call) {
        auto found = operations.find(call.name);
        if (!found) throw not_found("google.longrunning.Operation", call.name);
        return std::move(*found);
    });
    routes.add("POST", "v1/projects/{}/locations/{}/operations/{}:cancel", [&operations](api_call const& call) {
        static_cast<void>(read_body<memorystore::empty>(call.request.body, ""));
        if (operations.cancel(call.name)) record_change(call, "operations.cancel");
        return boost::json::object();
    });
    routes.add("DELETE", "v1/projects/{}/locations/{}/operations/{}", [&operations](api_call const& call) {
        operations.remove(call.name);
        record_change(call, "operations.delete");
        return boost::json::object();
    });
}

}  // namespace backbeat::emulation
