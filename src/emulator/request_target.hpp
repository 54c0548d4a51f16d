//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_REQUEST_TARGET_HPP
#define BACKBEAT_SRC_EMULATOR_REQUEST_TARGET_HPP

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::emulation {

// A request target, taken apart. Tolerant where clients are sloppy: of unescaped characters, of a bare '?', of the
// absolute form; but an escape that is none, or text that is not UTF-8 when decoded, is malformed.
struct request_target {
    // The whole path, decoded.
    std::string path;

    // Its parts between the slashes, each decoded by itself: an escaped slash does not divide.
    std::vector<std::string> segments;

    // As sent, without the question mark; what is not printable ASCII is escaped.
    std::string query;

    std::vector<std::pair<std::string, std::string>> parameters;

    // The value of the first parameter with this name, or null.
    [[nodiscard]] std::string const* parameter(std::string_view name) const;

    // The same for a field of the request message, which may be named `pageSize` or `page_size`.
    [[nodiscard]] std::string const* field(std::string_view camel_name) const;
};

[[nodiscard]] std::optional<request_target> parse_request_target(std::string_view target);

// Escapes what would break a line or is not ASCII.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace backbeat::emulation

#endif
