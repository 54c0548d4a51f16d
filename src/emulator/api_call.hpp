//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_API_CALL_HPP
#define BACKBEAT_SRC_EMULATOR_API_CALL_HPP

#include "exchange.hpp"
#include "request_target.hpp"

#include <backbeat/emulator_log.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace backbeat::emulation {

// A request for a method of the API.
struct api_call {
    http_request const& request;
    request_target const& target;

    // Is told of each change; number and time are left open.
    std::function<void(emulator_effect)> const& record;

    // The resource that the path names: of a list or a create the parent, else the thing itself. Without the version,
    // without a custom verb and without what follows the last id (`.../instances/i` for `.../instances/i/authString`).
    std::string name;

    std::string project;

    // A region, `-` for all of them, or nothing where the path has none.
    std::string location;

    // The route's, like `v1/projects/{}/locations/{}/instances`.
    std::string_view pattern;

    [[nodiscard]] std::string location_name() const { return "projects/" + project + "/locations/" + location; }
};

}  // namespace backbeat::emulation

#endif
