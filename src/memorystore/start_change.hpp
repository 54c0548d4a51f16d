//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_START_CHANGE_HPP
#define BACKBEAT_SRC_MEMORYSTORE_START_CHANGE_HPP

#include "argument_rules.hpp"
#include "careful_change.hpp"
#include "change.hpp"
#include "client_core.hpp"
#include "request_id.hpp"

#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/operation.hpp>

#include <string>
#include <string_view>

namespace backbeat::memorystore::detail {

// A change of the resource `name` by a method that is called by its own name: "POST .../instances/i:failover".
// \throws std::invalid_argument The request breaks a rule.
template <class Request>
[[nodiscard]] change custom_change(
    change_kind kind, std::string const& name, std::string_view method, Request const& wanted)
{
    check_request(wanted);
    auto result = change_of(kind, http::verb::post, "name", name, name);
    result.request.target += method;
    want(result, to_json(wanted));
    return result;
}

// Makes a change, and carries it out. Whatever changes a resource goes through here.
template <class Make>
void start_change(
    core_pointer const& core, call_options const& options, result_handler<operation> handler, Make const& make)
{
    mutation_options how;
    auto what = made(core, handler, [&] {
        how = core->mutations(options);
        auto result = make();
        if (result.request_id.empty()) check_no_request_id(options);
        return result;
    });
    if (!what) return;
    // Known again by its id, it is carried out once however often it comes.
    auto const is_known_again = !what->request_id.empty();
    if (!is_known_again && how.mode == mutation_mode::careful)
        return start_careful_change(core, std::move(*what), how, options, std::move(handler));
    auto const is_repeated = is_known_again || how.mode == mutation_mode::literal;
    what->request.replay = is_repeated ? http::idempotency::idempotent : http::idempotency::never;
    start(core, std::move(what->request), options, std::move(handler));
}

}  // namespace backbeat::memorystore::detail

#endif
