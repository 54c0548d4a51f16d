//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_READ_BODY_HPP
#define BACKBEAT_SRC_EMULATOR_READ_BODY_HPP

#include "error_reply.hpp"

#include <backbeat/memorystore/json.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace backbeat::emulation {

// The message in a request's body; nothing at all is a message without fields. What the message does not have is
// refused. `root` is what the paths of errors begin with: the field of the request that the body is, or nothing where
// the body is the whole request. Then it may have the name that stands in the path, too, as Google's clients for Go
// send it; the path counts. Throws api_error.
template <class Message>
[[nodiscard]] Message read_body(std::string const& body, std::string const& root)
{
    Message result;
    if (body.find_first_not_of(" \t\r\n") == body.npos) return result;
    memorystore::json_options options;
    options.root = root;
    options.reject_unknown = true;
    try {
        auto value = memorystore::parse_json(body);
        if (auto* const request = root.empty() ? value.if_object() : nullptr) {
            auto const* const name = request->if_contains("name");
            if (name && name->is_string()) request->erase("name");
        }
        memorystore::from_json(value, result, options);
    } catch (memorystore::json_error const& error) {
        throw bad_field(error.path(), std::string("Invalid JSON payload received. ") + error.what());
    }
    return result;
}

}  // namespace backbeat::emulation

#endif
