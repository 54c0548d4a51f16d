//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_INTERRUPTION_HPP
#define BACKBEAT_SRC_CLI_INTERRUPTION_HPP

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <functional>
#include <optional>

namespace backbeat::cli {

// Turns the first SIGINT or SIGTERM into a call, in the thread of the context. A second one ends the process, in case
// that what the call began does not come to an end.
class interruption {
public:
    interruption(boost::asio::io_context& context, std::function<void()> on_signal);
    interruption(interruption const&) = delete;
    interruption& operator=(interruption const&) = delete;

    // Waits no longer, so that the context can run out of work.
    void dismiss();

    // The signal that came, if one did.
    [[nodiscard]] std::optional<int> signal() const noexcept { return signal_; }

private:
    void wait();

    boost::asio::signal_set signals_;
    std::function<void()> on_signal_;
    std::optional<int> signal_;
};

// Runs a coroutine to its end, in this thread, and stops the context. SIGINT and SIGTERM cancel the coroutine, by its
// cancellation slot; `interrupted` is then thrown instead of what it throws.
void run_until_done(boost::asio::io_context& context, std::function<boost::asio::awaitable<void>()> const& work);

}  // namespace backbeat::cli

#endif
