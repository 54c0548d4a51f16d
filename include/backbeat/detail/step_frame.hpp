//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_STEP_FRAME_HPP
#define BACKBEAT_DETAIL_STEP_FRAME_HPP

#include <backbeat/detail/thread_frame.hpp>

#include <exception>

namespace backbeat::detail {

// For the start of a step of our own, a wait or a post. If it throws, Asio destroys the step's handler first and frees
// its memory afterwards, which lies in the operation's state: so the state must outlive the call. A handler that is
// destroyed under such a frame only notes itself.
class step_frame : public thread_frame<step_frame> {
public:
    using thread_frame::thread_frame;

    int dropped = 0;
};

// Calls `start`, and then `dropped` for each handler that was destroyed meanwhile, with whether an exception is on its
// way.
template <class Start, class Dropped>
void initiate_step(void const* operation, Start&& start, Dropped&& dropped)
{
    int handlers = 0;
    std::exception_ptr thrown;
    {
        step_frame frame(operation);
        try {
            start();
        } catch (...) {
            thrown = std::current_exception();
        }
        handlers = frame.dropped;
    }
    for (; handlers != 0; --handlers) dropped(thrown != nullptr);
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace backbeat::detail

#endif
