//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_FAULT_ANSWER_HPP
#define BACKBEAT_SRC_EMULATOR_FAULT_ANSWER_HPP

#include "exchange.hpp"

#include <backbeat/fault_rule.hpp>

namespace backbeat::emulation {

// What a request is answered with by a rule of `fault_action::status`: its error, with all the hints of the rule.
[[nodiscard]] http_reply fault_answer(fault_rule const& rule);

}  // namespace backbeat::emulation

#endif
