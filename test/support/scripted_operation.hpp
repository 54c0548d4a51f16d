//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_SCRIPTED_OPERATION_HPP
#define BACKBEAT_TEST_SCRIPTED_OPERATION_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/manual_clock.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace backbeat::test {

struct outcome {
    boost::system::error_code error{};
    int result = 0;
    bool at_once = false;  // inside the initiating function, which no operation of Asio does
};

struct seen_attempt {
    std::uint32_t number = 0;
    std::optional<std::chrono::nanoseconds> time_limit{};
    std::chrono::nanoseconds started{};
    std::vector<boost::asio::cancellation_type> cancelled{};
};

enum class when_cancelled { aborts, aborts_inside_the_emission, ignores, succeeds, drops_its_handler };

// An operation whose attempts complete when the test says so, and how it says. It notes what each attempt was given.
// It knows one attempt at a time. Its attempts wait in it, and not in an execution context: it must be destroyed, or
// told to `abandon`, before the context is.
class scripted_operation {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit scripted_operation(executor_type executor) : executor_(std::move(executor)) {}
    scripted_operation(scripted_operation const&) = delete;
    scripted_operation& operator=(scripted_operation const&) = delete;

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }

    std::vector<seen_attempt> attempts;
    std::deque<outcome> script;  // attempts that find an entry here complete by themselves
    when_cancelled reaction = when_cancelled::aborts;
    std::function<void()> during_initiation = [] {};

    template <class Token>
    auto operator()(attempt const& current, Token&& token)
    {
        return boost::asio::async_initiate<Token, void(boost::system::error_code, int)>(
            [this, &current](auto handler) { this->begin(current, std::move(handler)); }, token);
    }

    [[nodiscard]] bool running() const noexcept { return pending_ != nullptr; }

    // Posts the completion of the running attempt to where its handler runs.
    void complete(boost::system::error_code error, int result = 0)
    {
        std::exchange(pending_, {})->post({error, result});
    }

    // Completes the running attempt before it returns.
    void complete_now(boost::system::error_code error, int result = 0)
    {
        std::exchange(pending_, {})->call({error, result});
    }

    // Destroys the handler of the running attempt without calling it.
    void abandon() { pending_.reset(); }

private:
    struct pending {
        virtual ~pending() = default;
        virtual void post(outcome with) = 0;
        virtual void call(outcome with) = 0;
    };

    template <class Handler>
    struct pending_for final : pending {
        pending_for(Handler&& h, executor_type const& fallback) : handler(std::move(h)), executor(fallback) {}

        void post(outcome with) override
        {
            auto const where = boost::asio::get_associated_executor(handler, executor);
            auto completion = [h = std::move(handler), with]() mutable {
                boost::asio::get_associated_cancellation_slot(h).clear();
                std::move(h)(with.error, with.result);
            };
            boost::asio::post(executor, boost::asio::bind_executor(where, std::move(completion)));
        }

        void call(outcome with) override
        {
            boost::asio::get_associated_cancellation_slot(handler).clear();
            std::move(handler)(with.error, with.result);
        }

        Handler handler;
        executor_type executor;
    };

    template <class Handler>
    void begin(attempt const& current, Handler handler)
    {
        attempts.push_back({current.number(), current.time_limit(), manual_clock::now().time_since_epoch()});
        if (auto slot = boost::asio::get_associated_cancellation_slot(handler); slot.is_connected())
            slot.assign([this](boost::asio::cancellation_type type) { cancelled(type); });
        pending_ = std::make_unique<pending_for<Handler>>(std::move(handler), executor_);
        during_initiation();
        if (script.empty() || !pending_) return;
        auto const next = script.front();
        script.pop_front();
        next.at_once ? complete_now(next.error, next.result) : complete(next.error, next.result);
    }

    void cancelled(boost::asio::cancellation_type type)
    {
        attempts.back().cancelled.push_back(type);
        if (!pending_) return;
        switch (reaction) {
        case when_cancelled::aborts: complete(boost::asio::error::operation_aborted, -1); break;
        case when_cancelled::aborts_inside_the_emission: complete_now(boost::asio::error::operation_aborted, -1); break;
        case when_cancelled::ignores: break;
        case when_cancelled::succeeds: complete({}, 42); break;
        case when_cancelled::drops_its_handler: abandon(); break;
        }
    }

    executor_type executor_;
    std::unique_ptr<pending> pending_;
};

}  // namespace backbeat::test

#endif
