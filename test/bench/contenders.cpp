//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "contenders.hpp"

#include <backbeat/async_retry.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

namespace bench {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using namespace std::chrono_literals;
using executor = asio::io_context::executor_type;
using timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, executor>;

// 16 bytes, like a pointer and a counter: what a small operation captures.
class failing_operation {
public:
    failing_operation(asio::io_context& context, std::size_t failures)
        : context_(&context), failures_(static_cast<std::uint32_t>(failures))
    {}

    using executor_type = executor;
    [[nodiscard]] executor_type get_executor() const noexcept { return context_->get_executor(); }

    [[nodiscard]] error_code next() noexcept
    {
        if (failures_ == 0) return {};
        --failures_;
        return asio::error::connection_reset;
    }

    template <class Token>
    auto operator()(Token&& token)
    {
        return asio::async_initiate<Token, void(error_code)>(
            [](auto handler, failing_operation* self) {
                auto const target = self->context_->get_executor();
                asio::post(target, asio::append(std::move(handler), self->next()));
            },
            token,
            this);
    }

private:
    asio::io_context* context_;
    std::uint32_t failures_;
};

constexpr backbeat::retry_options options{
    .initial_backoff = 1ms, .maximum_backoff = 8ms, .maximum_retries = 16, .wait_resolution = 0ns};

std::uint64_t next_random() noexcept
{
    thread_local backbeat::detail::split_mix generator(1);
    return generator.next();
}

std::chrono::nanoseconds backoff(std::uint32_t retry) noexcept
{
    return (std::min<
            std::chrono::nanoseconds>)(1ms * (1 << retry) + backbeat::detail::scale_random(next_random(), 1ms), 8ms);
}

// Starts all operations, or each when the one before has ended. `start(done)` starts one.
template <class Start>
void drive(asio::io_context& context, work const& w, Start start)
{
    struct sequence {
        Start& start;
        std::size_t left;
        void operator()()
        {
            if (left-- == 0) return;
            start([this] { (*this)(); });
        }
    };
    if (w.sequential) {
        sequence next{start, w.operations};
        next();
        context.run();
        return;
    }
    for (std::size_t i = 0; i != w.operations; ++i) start([] {});
    context.run();
}

template <class Done>
class hand_written {
public:
    static void start(asio::io_context& context, std::size_t failures, Done done)
    {
        auto* const self = new hand_written(context, failures, std::move(done));
        self->attempt();
    }

private:
    hand_written(asio::io_context& context, std::size_t failures, Done done)
        : timer_(context), operation_(context, failures), done_(std::move(done))
    {}

    void attempt()
    {
        operation_([this](error_code ec) { ended(ec); });
    }

    void ended(error_code ec)
    {
        if (!ec || retry_ == options.maximum_retries) {
            auto done = std::move(done_);
            delete this;
            done();
            return;
        }
        timer_.expires_after(backoff(retry_++));
        timer_.async_wait([this](error_code) { attempt(); });
    }

    timer timer_;
    failing_operation operation_;
    Done done_;
    std::uint32_t retry_ = 0;
};

asio::awaitable<void> loop(asio::io_context& context, std::size_t failures)
{
    failing_operation operation(context, failures);
    asio::steady_timer waiting(context);
    for (std::uint32_t retry = 0;; ++retry) {
        bool failed = false;
        try {
            co_await operation(asio::use_awaitable);
        } catch (boost::system::system_error const&) {
            if (retry == options.maximum_retries) throw;
            failed = true;
        }
        if (!failed) co_return;
        waiting.expires_after(backoff(retry));
        co_await waiting.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<void> retried(asio::io_context& context, std::size_t failures)
{
    failing_operation operation(context, failures);
    co_await backbeat::async_retry(operation, options);
}

}  // namespace

void run_bare(work w)
{
    asio::io_context context(1);
    drive(context, w, [&](auto done) {
        failing_operation operation(context, 0);
        operation([done](error_code) mutable { done(); });
    });
}

void run_retry(work w)
{
    asio::io_context context(1);
    drive(context, w, [&](auto done) {
        backbeat::async_retry(failing_operation(context, w.failures), options, [done](error_code) mutable { done(); });
    });
}

void run_floor(work w)
{
    asio::io_context context(1);
    drive(context, w, [&](auto done) { hand_written<decltype(done)>::start(context, w.failures, done); });
}

void run_awaitable_loop(work w)
{
    asio::io_context context(1);
    drive(context, w, [&](auto done) {
        asio::co_spawn(context, loop(context, w.failures), [done](std::exception_ptr) mutable { done(); });
    });
}

void run_retry_awaited(work w)
{
    asio::io_context context(1);
    drive(context, w, [&](auto done) {
        asio::co_spawn(context, retried(context, w.failures), [done](std::exception_ptr) mutable { done(); });
    });
}

}  // namespace bench
