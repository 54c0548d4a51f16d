//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_WHEEL_SETTINGS_HPP
#define BACKBEAT_DETAIL_WHEEL_SETTINGS_HPP

#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <mutex>

namespace backbeat::detail {

// What an execution context's wheels are made with, once they are.
class wheel_settings : public boost::asio::execution_context::service {
public:
    using key_type = wheel_settings;

    explicit wheel_settings(boost::asio::execution_context& context) : service(context) {}

    // False: too late.
    [[nodiscard]] bool set_resolution(std::chrono::nanoseconds value)
    {
        std::lock_guard const lock(mutex_);
        if (!used_) resolution_ = value;
        return !used_;
    }

    // From now on it stays.
    [[nodiscard]] std::chrono::nanoseconds use_resolution()
    {
        std::lock_guard const lock(mutex_);
        used_ = true;
        return resolution_;
    }

private:
    void shutdown() override {}

    std::mutex mutex_;
    std::chrono::nanoseconds resolution_ = std::chrono::milliseconds(1);
    bool used_ = false;
};

}  // namespace backbeat::detail

#endif
