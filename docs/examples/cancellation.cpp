//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The examples of docs/cancellation.md: an operation that is always refused is stopped in two ways.

#include <backbeat/async_retry.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>

#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using backbeat::async_retry;
using boost::system::error_code;
using clock_type = backbeat::manual_clock;
using timer = asio::basic_waitable_timer<clock_type>;
constexpr backbeat::retry_options patient{.maximum_retries = backbeat::unlimited_retries};

auto const ask = [](auto token) {
    auto const refuse = [](auto handler) {
        asio::post(asio::append(std::move(handler), error_code(asio::error::connection_refused), 503));
    };
    return asio::async_initiate<decltype(token), void(error_code, int)>(refuse, token);
};

// [signal
// Stops asking after 10 s. The timer's handler runs where the operation's handlers do.
void ask_for_10_s(timer& end, asio::cancellation_signal& stop, auto done)
{
    async_retry<clock_type>(end.get_executor(), ask, patient, asio::bind_cancellation_slot(stop.slot(), done));
    end.expires_after(10s);
    end.async_wait([&](error_code) { stop.emit(asio::cancellation_type::total); });
}
// signal]

// [race
// Asks for 10 s, and says whether there was a completion before. `as_tuple`: so that a failure is one, too.
asio::awaitable<bool> answered_within_10_s(timer& end)
{
    using namespace asio::experimental::awaitable_operators;
    end.expires_after(10s);
    auto const first = co_await (
        async_retry<clock_type>(ask, patient, asio::as_tuple(asio::use_awaitable))
        || end.async_wait(asio::use_awaitable));
    co_return first.index() == 0;
}
// race]

int main()
{
    asio::io_context context;
    backbeat::manual_clock_driver driver(context);
    timer end(context);
    asio::cancellation_signal stop;
    int ok = 0;
    ask_for_10_s(end, stop, [&](error_code error, int status) {
        ok += error == asio::error::operation_aborted && status == 503 && end.expiry() == clock_type::now();
    });
    driver.run();
    asio::co_spawn(context, answered_within_10_s(end), [&](std::exception_ptr, bool completed) { ok += !completed; });
    driver.run();
    return ok == 2 && end.expiry() == clock_type::now() ? 0 : 1;
}
