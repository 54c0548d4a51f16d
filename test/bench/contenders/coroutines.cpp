//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "cancellation_signals.hpp"
#include "failing_operation.hpp"
#include "registration.hpp"
#include "retry_settings.hpp"
#include "stage.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/retry_options.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace bench {

namespace {

namespace asio = boost::asio;

// What users of Asio write today, if they know that exceptions are dear.
asio::awaitable<void> awaitable_loop(stage& on)
{
    failing_operation operation(on);
    asio::steady_timer timer(on.context);
    for (std::uint32_t retry = 0;; ++retry) {
        auto const [error] = co_await operation(asio::as_tuple(asio::use_awaitable));
        if (!error) co_return;
        if (retry == maximum_retries) throw boost::system::system_error(error);
        timer.expires_after(backoff(on.task.law, retry));
        auto const [waited] = co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
        if (waited) throw boost::system::system_error(waited);
    }
}

asio::awaitable<void> attempt(failing_operation& operation)
{
    co_await operation(asio::use_awaitable);
}

// The same around attempts that are coroutines, and so fail by an exception.
asio::awaitable<void> throwing_loop(stage& on)
{
    failing_operation operation(on);
    asio::steady_timer timer(on.context);
    for (std::uint32_t retry = 0;; ++retry) {
        bool failed = false;
        try {
            co_await attempt(operation);
        } catch (boost::system::system_error const&) {
            if (retry == maximum_retries) throw;
            failed = true;
        }
        if (!failed) co_return;
        timer.expires_after(backoff(on.task.law, retry));
        co_await timer.async_wait(asio::use_awaitable);
    }
}

template <asio::awaitable<void> (&loop)(stage&), bool slot>
class awaitable_loop_contender {
public:
    template <class Done>
    static constexpr std::size_t given = sizeof(Done) + sizeof(failing_operation);

    awaitable_loop_contender(stage& on, std::size_t operations) : stage_(&on)
    {
        if constexpr (slot) signals_.emplace(operations);
    }

    template <class Done>
    void start([[maybe_unused]] std::size_t index, Done handler)
    {
        if constexpr (slot)
            asio::co_spawn(
                stage_->context,
                loop(*stage_),
                asio::bind_cancellation_slot(signals_->slot(index), std::move(handler)));
        else
            asio::co_spawn(stage_->context, loop(*stage_), std::move(handler));
    }

    void cancel(std::size_t index) requires slot { signals_->cancel(index); }

private:
    stage* stage_;
    std::optional<cancellation_signals> signals_;
};

asio::awaitable<void> retry_awaited(stage& on, backbeat::retry_options const& options)
{
    failing_operation operation(on);
    co_await backbeat::async_retry(operation, std::cref(options), asio::use_awaitable);
}

// `async_retry` inside a coroutine.
template <retry_settings settings>
class awaited_retry {
public:
    template <class Done>
    static constexpr std::size_t given = sizeof(Done) + sizeof(failing_operation) + sizeof(boost::system::error_code);

    awaited_retry(stage& on, std::size_t) : stage_(&on), options_(options_for(on.task.law, settings)) {}

    template <class Done>
    void start(std::size_t, Done handler)
    {
        asio::co_spawn(stage_->context, retry_awaited(*stage_, options_), std::move(handler));
    }

private:
    stage* stage_;
    backbeat::retry_options options_;
};

// Attempts that are coroutines themselves.
class coroutine_operation {
public:
    explicit coroutine_operation(stage& on) noexcept : operation_(on) {}

    using executor_type = context_executor;
    [[nodiscard]] executor_type get_executor() const noexcept { return operation_.get_executor(); }

    asio::awaitable<void> operator()() { co_await operation_(asio::use_awaitable); }

private:
    failing_operation operation_;
};

template <retry_settings settings>
class coroutine_retry {
public:
    template <class Done>
    static constexpr std::size_t given = sizeof(Done) + sizeof(coroutine_operation) + sizeof(std::exception_ptr);

    coroutine_retry(stage& on, std::size_t) : stage_(&on), options_(options_for(on.task.law, settings)) {}

    template <class Done>
    void start(std::size_t, Done handler)
    {
        backbeat::async_retry(coroutine_operation(*stage_), std::cref(options_), std::move(handler));
    }

private:
    stage* stage_;
    backbeat::retry_options options_;
};

}  // namespace

std::vector<registration> coroutine_contenders()
{
    return {
        entry<awaitable_loop_contender<awaitable_loop, false>>("awaitable-loop"),
        entry<awaitable_loop_contender<awaitable_loop, true>>("awaitable-loop-slot"),
        entry<awaitable_loop_contender<throwing_loop, false>>("throwing-loop"),
        entry<awaited_retry<retry_settings{}>>("retry-awaited"),
        entry<awaited_retry<retry_settings{.wheel = true}>>("wheel-awaited"),
        entry<coroutine_retry<retry_settings{}>>("retry-coroutine"),
        entry<coroutine_retry<retry_settings{.wheel = true}>>("wheel-coroutine")};
}

}  // namespace bench
