//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_CANCEL_PROXY_HPP
#define BACKBEAT_DETAIL_CANCEL_PROXY_HPP

#include <boost/asio/cancellation_type.hpp>

namespace backbeat::detail {

// Stands in the caller's cancellation slot for an operation, which has `proxy()`, where it says who that is, and
// `cancel`. The operation clears the slot before it completes. One that is abandoned cannot, because the slot may be
// gone: so each of the two tells the other when it goes.
template <class Operation>
class cancel_proxy {
public:
    explicit cancel_proxy(Operation* operation) noexcept : operation_(operation) { operation_->proxy() = this; }

    cancel_proxy(cancel_proxy const&) = delete;
    cancel_proxy& operator=(cancel_proxy const&) = delete;

    ~cancel_proxy()
    {
        if (operation_ != nullptr) operation_->proxy() = nullptr;
    }

    void detach() noexcept { operation_ = nullptr; }

    void operator()(boost::asio::cancellation_type type) const
    {
        if (operation_ != nullptr) operation_->cancel(type);
    }

private:
    Operation* operation_;
};

}  // namespace backbeat::detail

#endif
