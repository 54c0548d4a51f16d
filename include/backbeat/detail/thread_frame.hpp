//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_THREAD_FRAME_HPP
#define BACKBEAT_DETAIL_THREAD_FRAME_HPP

namespace backbeat::detail {

// Stands on the stack while foreign code is called for an operation. What that code does to the operation on its own
// thread finds the innermost frame of that kind and notes itself there; what it does on another thread finds none.
//
// Nothing but the frame may be looked at after the call: the operation may have gone on, on another thread, and be gone.
template <class Kind>
class thread_frame {
public:
    explicit thread_frame(void const* operation) noexcept : operation_(operation), outer_(innermost)
    {
        innermost = this;
    }

    thread_frame(thread_frame const&) = delete;
    thread_frame& operator=(thread_frame const&) = delete;

    ~thread_frame() { innermost = outer_; }

    [[nodiscard]] static Kind* find(void const* operation) noexcept
    {
        auto* frame = innermost;
        while (frame != nullptr && frame->operation_ != operation) frame = frame->outer_;
        return static_cast<Kind*>(frame);
    }

private:
    void const* operation_;
    thread_frame* outer_;

    inline static thread_local thread_frame* innermost = nullptr;
};

}  // namespace backbeat::detail

#endif
