//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_ORIGIN_HPP
#define BACKBEAT_SRC_HTTP_ORIGIN_HPP

#include <cstdint>
#include <string>
#include <string_view>

namespace backbeat::http::detail {

// Where a client's requests go.
struct origin {
    bool tls = false;
    std::string host;  // without the brackets of an IPv6 address
    bool is_address = false;  // the host is an IP address, not a name
    std::uint16_t port = 0;
    std::string host_field;  // the value of the header field Host
};

// Throws std::invalid_argument, with a sentence for each way in which a URL can be wrong.
[[nodiscard]] origin parse_origin(std::string_view url);

}  // namespace backbeat::http::detail

#endif
