//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_TESTED_CLIENT_OPTIONS_HPP
#define BACKBEAT_TEST_TESTED_CLIENT_OPTIONS_HPP

#include <backbeat/http/client_options.hpp>

#include <cstdlib>
#include <string_view>

namespace backbeat::test {

// Of a client on one thread. The tests of `http::client` run with each kind of strand.
[[nodiscard]] inline http::client_options tested_client_options()
{
    http::client_options result;
    char const* const name = std::getenv("BACKBEAT_TEST_STRAND");
    if (name != nullptr && std::string_view(name) == "implicit") result.strand = http::strand_kind::implicit_strand;
    return result;
}

}  // namespace backbeat::test

#endif
