//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_TOKEN_HPP
#define BACKBEAT_SRC_HTTP_TOKEN_HPP

#include <backbeat/detail/token.hpp>

namespace backbeat::http::detail {

using backbeat::detail::is_token;

}  // namespace backbeat::http::detail

#endif
