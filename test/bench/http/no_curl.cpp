//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "contender.hpp"

namespace bench {

std::unique_ptr<http_contender> make_curl(http_target const&)
{
    return nullptr;
}

}  // namespace bench
