//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "interruption.hpp"

#include "exit_status.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/system/error_code.hpp>

#include <csignal>
#include <exception>
#include <utility>

namespace backbeat::cli {

interruption::interruption(boost::asio::io_context& context, std::function<void()> on_signal)
    : signals_(context, SIGINT, SIGTERM), on_signal_(std::move(on_signal))
{
    wait();
}

void interruption::wait()
{
    signals_.async_wait([this](boost::system::error_code error, int number) {
        if (error) return;
        signal_ = number;
        // From here on the signals do what they do in a program that knows nothing of them.
        boost::system::error_code ignored;
        signals_.clear(ignored);
        on_signal_();
    });
}

void interruption::dismiss()
{
    boost::system::error_code ignored;
    signals_.cancel(ignored);
}

void run_until_done(boost::asio::io_context& context, std::function<boost::asio::awaitable<void>()> const& work)
{
    namespace asio = boost::asio;
    asio::cancellation_signal cancel;
    interruption stop(context, [&cancel] { cancel.emit(asio::cancellation_type::terminal); });
    std::exception_ptr failure;
    auto finished = [&](std::exception_ptr thrown) {
        failure = std::move(thrown);
        // And not until it runs out of work: a name look-up, which cannot be cancelled, may still be under way.
        context.stop();
    };
    asio::co_spawn(context, work(), asio::bind_cancellation_slot(cancel.slot(), std::move(finished)));
    context.run();
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (std::exception const& error) {
        if (stop.signal()) throw interrupted(*stop.signal(), error.what());
        throw;
    }
    if (stop.signal()) throw interrupted(*stop.signal());
}

}  // namespace backbeat::cli
