//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_ENDPOINT_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_ENDPOINT_HPP

#include <cstdint>
#include <string>
#include <string_view>

namespace backbeat::memorystore::detail {

// Where requests may go in clear text.
enum class clear_text : std::uint8_t {
    // Nowhere but to this machine.
    to_this_machine,
    // Also to the addresses at which clouds have their metadata servers, which no network routes.
    to_metadata_servers,
    // Anywhere.
    anywhere
};

// Where a request goes.
class endpoint {
public:
    endpoint() = default;

    std::string origin;  // "https://host:port"
    std::string target;  // "/path?query"
};

// Throws std::invalid_argument: what is wrong with the URL, without what it may have secret.
[[nodiscard]] endpoint parse_endpoint(std::string_view url, clear_text allowed = clear_text::to_this_machine);

}  // namespace backbeat::memorystore::detail

#endif
