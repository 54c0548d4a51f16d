//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "route_table.hpp"

#include "error_reply.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace backbeat::emulation {

namespace {

constexpr std::string_view braces = "{}";

// The service knows which projects and locations exist; here all do, as long as a name can be made of them.
bool is_id(std::string_view id) noexcept
{
    return !id.empty() && id.size() <= 100 && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'
            || c == '.' || c == ':';
    });
}

// Calls `each(part, segment)` for each pair; of the last segment without the verb. Returns whether all match.
template <class Each>
bool match(std::string_view pattern, std::vector<std::string> const& segments, Each each)
{
    for (std::size_t i = 0; i != segments.size(); ++i) {
        auto const end = pattern.find('/');
        auto const part = pattern.substr(0, end);
        auto const is_last = i + 1 == segments.size();
        if (is_last != (end == pattern.npos)) return false;
        std::string_view segment = segments[i];
        if (part.substr(0, braces.size()) != braces) {
            if (segment != part) return false;
        } else {
            auto const verb = part.substr(braces.size());
            auto const colon = is_last ? (std::min)(segment.find(':'), segment.size()) : segment.size();
            if (colon == 0 || segment.substr(colon) != verb) return false;
            segment = segment.substr(0, colon);
        }
        each(part, segment);
        pattern.remove_prefix(is_last ? pattern.size() : end + 1);
    }
    return pattern.empty() && !segments.empty();
}

}  // namespace

void route_table::add(std::string_view method, std::string_view pattern, function carry_out)
{
    routes_.push_back({method, pattern, std::move(carry_out)});
}

void route_table::guard(std::function<void(api_call const&)> check)
{
    checks_.push_back(std::move(check));
}

boost::json::object route_table::carry_out(
    http_request const& request, request_target const& target, std::function<void(emulator_effect)> const& record) const
{
    auto const method = request.method == "HEAD" ? std::string_view("GET") : std::string_view(request.method);
    for (auto const& route : routes_) {
        if (route.method != method) continue;
        if (!match(route.pattern, target.segments, [](std::string_view, std::string_view) {})) continue;
        api_call call{request, target, record, {}, {}, {}, route.pattern};
        std::string path;
        std::string_view before;
        match(route.pattern, target.segments, [&](std::string_view part, std::string_view segment) {
            // The version is not part of any name.
            if (before.data() != nullptr) path.append(path.empty() ? "" : "/").append(segment);
            if (part.substr(0, braces.size()) == braces) {
                if (!is_id(segment)) throw bad_field("name", "The resource name is malformed.");
                call.name = path;
                if (before == "projects") call.project = segment;
                if (before == "locations") call.location = segment;
            }
            before = part;
        });
        for (auto const& check : checks_) check(call);
        return route.carry_out(call);
    }
    throw api_error(
        memorystore::rpc_code::not_found,
        "The emulator has no method " + request.method.substr(0, 32) + " " + printable(target.path).substr(0, 512)
            + ".");
}

}  // namespace backbeat::emulation
