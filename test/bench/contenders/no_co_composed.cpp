//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "registration.hpp"

#include <vector>

namespace bench {

std::vector<registration> composed_contenders()
{
    return {};
}

}  // namespace bench
