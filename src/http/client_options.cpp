//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/http/client_options.hpp>

#define BACKBEAT_HTTP_TEXT_OF(x) #x
#define BACKBEAT_HTTP_TEXT(x) BACKBEAT_HTTP_TEXT_OF(x)

namespace backbeat::http {

client_options::client_options()
    : user_agent("backbeat/" BACKBEAT_HTTP_TEXT(BACKBEAT_VERSION_MAJOR) "." BACKBEAT_HTTP_TEXT(BACKBEAT_VERSION_MINOR))
{}

}  // namespace backbeat::http
