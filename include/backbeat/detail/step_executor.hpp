//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_STEP_EXECUTOR_HPP
#define BACKBEAT_DETAIL_STEP_EXECUTOR_HPP

namespace backbeat::detail {

// The executor of the handlers of an operation's own steps: that of the caller's handler. Where the timer's executor is
// the same, or where the handler has none, they need none: Asio would track work and dispatch for it at every wait.
template <class Operation, class HandlerExecutor, bool exposed>
class step_executor {
public:
    explicit step_executor(Operation*) noexcept {}
};

template <class Operation, class HandlerExecutor>
class step_executor<Operation, HandlerExecutor, true> {
public:
    using executor_type = HandlerExecutor;
    explicit step_executor(Operation* operation) noexcept : executing_(operation) {}
    [[nodiscard]] executor_type get_executor() const noexcept { return executing_->handler_executor(); }

private:
    Operation* executing_;
};

}  // namespace backbeat::detail

#endif
