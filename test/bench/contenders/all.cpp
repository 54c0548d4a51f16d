//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "registration.hpp"

#include <vector>

namespace bench {

std::vector<registration> all_contenders()
{
    std::vector<registration> result;
    for (auto const& some :
         {hand_written_contenders(),
          callback_contenders(),
          wheel_contenders(),
          coroutine_contenders(),
          composed_contenders(),
          stackful_contenders(),
          thread_contenders()})
        result.insert(result.end(), some.begin(), some.end());
    return result;
}

}  // namespace bench
