//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_DRAINING_HPP
#define BACKBEAT_SRC_HTTP_DRAINING_HPP

#include "client_core.hpp"
#include "operation.hpp"

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <optional>

namespace backbeat::http::detail {

// Waits for the end of all operations of a client that takes no more of them.
//
// Until then a wait on the timer owns this: nothing else does.
class draining final : public operation {
public:
    draining(std::shared_ptr<client_core> core, std::unique_ptr<completion_target> target);
    ~draining() override;

    void on_drained();
    void cancel(boost::asio::cancellation_type type) override;

private:
    void start() override;
    void finish(boost::system::error_code error);

    boost::asio::steady_timer timer_;
    std::optional<client_core::drain_position> waiting_at_;
    bool finished_ = false;
};

}  // namespace backbeat::http::detail

#endif
