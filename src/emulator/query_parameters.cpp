//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "query_parameters.hpp"

#include "error_reply.hpp"
#include "is_one_of.hpp"

#include <string>
#include <string_view>

namespace backbeat::emulation {

namespace {

// Whether the method's request message has a field with this name that is neither in the path nor in the body.
bool is_field_of(std::string_view method, std::string_view pattern, std::string_view name) noexcept
{
    auto const ends = [pattern](std::string_view end) { return pattern.ends_with(end); };
    if (method == "GET" || method == "HEAD") {
        if (is_one_of(name, {"pageSize", "page_size", "pageToken", "page_token"}))
            return !ends("{}") && !ends("/authString") && !ends("/certificateAuthority");
        if (name == "filter") return ends("/locations") || ends("/operations");
        if (is_one_of(name, {"returnPartialSuccess", "return_partial_success"})) return ends("/operations");
        return is_one_of(name, {"extraLocationTypes", "extra_location_types"}) && ends("/locations");
    }
    if (is_one_of(name, {"requestId", "request_id"})) {
        return (method == "POST" && ends("/clusters")) || (method == "PATCH" && ends("/clusters/{}"))
            || (method == "DELETE" && (ends("/clusters/{}") || ends("/backups/{}")));
    }
    if (is_one_of(name, {"updateMask", "update_mask"})) return method == "PATCH";
    if (method != "POST") return false;
    if (is_one_of(name, {"instanceId", "instance_id"})) return ends("/instances");
    return is_one_of(name, {"clusterId", "cluster_id"}) && ends("/clusters");
}

api_error unknown_parameter(std::string_view name)
{
    auto const shown = printable(name).substr(0, 100);
    return bad_field(
        "",
        "Invalid JSON payload received. Unknown name \"" + shown + "\": Cannot bind query parameter. Field '" + shown
            + "' could not be found in request message.");
}

}  // namespace

bool is_system_parameter(std::string_view name) noexcept
{
    return name.starts_with('$')
        || is_one_of(
               name,
               {"access_token",
                "alt",
                "bearer_token",
                "callback",
                "fields",
                "key",
                "oauth_token",
                "pp",
                "prettyPrint",
                "quotaUser",
                "strict",
                "trace",
                "uploadType",
                "upload_protocol",
                "userIp",
                "userip"});
}

void check_query_parameters(api_call const& call)
{
    for (auto const& [name, value] : call.target.parameters) {
        if (is_system_parameter(name) || is_field_of(call.request.method, call.pattern, name)) continue;
        throw unknown_parameter(name);
    }
}

}  // namespace backbeat::emulation
