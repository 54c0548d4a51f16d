//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_CALL_FRAME_HPP
#define BACKBEAT_DETAIL_CALL_FRAME_HPP

namespace backbeat::detail {

// Stands on the stack while foreign code is called that may complete an attempt before it returns: an initiating
// function, or the emission of a cancellation signal. A completion that finds such a frame on its own thread notes
// itself there and returns, so that nothing recurses; one that finds none runs on its own.
//
// Nothing but the frame may be looked at after the call: once it is initiated, the attempt may have completed on
// another thread, and the operation may be gone.
class call_frame {
public:
    explicit call_frame(void const* operation) noexcept : operation_(operation), outer_(innermost) { innermost = this; }

    call_frame(call_frame const&) = delete;
    call_frame& operator=(call_frame const&) = delete;

    ~call_frame() { innermost = outer_; }

    [[nodiscard]] static call_frame* find(void const* operation) noexcept
    {
        auto* frame = innermost;
        while (frame != nullptr && frame->operation_ != operation) frame = frame->outer_;
        return frame;
    }

    bool completed = false;  // the attempt's handler was called
    bool dropped = false;  // the attempt's handler was destroyed without being called

private:
    void const* operation_;
    call_frame* outer_;

    inline static thread_local call_frame* innermost = nullptr;
};

}  // namespace backbeat::detail

#endif
