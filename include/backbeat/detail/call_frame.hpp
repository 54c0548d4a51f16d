//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_CALL_FRAME_HPP
#define BACKBEAT_DETAIL_CALL_FRAME_HPP

#include <backbeat/detail/thread_frame.hpp>

namespace backbeat::detail {

// For calls that may complete an attempt before they return: of an initiating function, and the emission of a
// cancellation signal. A completion that finds such a frame notes itself there and returns, so that nothing recurses;
// one that finds none runs on its own.
class call_frame : public thread_frame<call_frame> {
public:
    using thread_frame::thread_frame;

    bool completed = false;  // the attempt's handler was called
    bool dropped = false;  // the attempt's handler was destroyed without being called
    bool lends = false;  // whether what Asio queues with the attempt's handler may lie in the operation's state
};

}  // namespace backbeat::detail

#endif
