//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_OVERLAPPING_OPERATION_HPP
#define BACKBEAT_TEST_OVERLAPPING_OPERATION_HPP

#include "scripted_operation.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/delivery.hpp>
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

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backbeat::test {

// As `scripted_operation`, but any number of attempts may be under way. They are told apart by their numbers, and are
// started in their order.
class overlapping_operation {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit overlapping_operation(executor_type executor) : executor_(std::move(executor)) {}
    overlapping_operation(overlapping_operation const&) = delete;
    overlapping_operation& operator=(overlapping_operation const&) = delete;

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }

    // By number. Attempts that find an entry complete by themselves.
    std::map<std::uint32_t, outcome> script;
    std::map<std::uint32_t, when_cancelled> reactions;  // `aborts` where there is none
    std::map<std::uint32_t, delivery> deliveries;
    std::vector<seen_attempt> attempts;
    std::function<void(std::uint32_t)> before_taking_the_slot = [](std::uint32_t) {};
    std::function<void(std::uint32_t)> during_initiation = [](std::uint32_t) {};

    template <class Token>
    auto operator()(attempt const& current, Token&& token)
    {
        return boost::asio::async_initiate<Token, void(boost::system::error_code, int)>(
            [this, &current](auto handler) { this->begin(current, std::move(handler)); }, token);
    }

    [[nodiscard]] bool running(std::uint32_t number) const { return pending_.count(number) != 0; }
    [[nodiscard]] std::size_t running() const noexcept { return pending_.size(); }

    [[nodiscard]] seen_attempt const& seen(std::uint32_t number) const { return attempts.at(number - 1); }

    // Posts the completion of a running attempt to where its handler runs.
    void complete(std::uint32_t number, boost::system::error_code error, int result = 0)
    {
        take(number)->post({error, result});
    }

    // Completes a running attempt before it returns.
    void complete_now(std::uint32_t number, boost::system::error_code error, int result = 0)
    {
        take(number)->call({error, result});
    }

    // Destroys the handler of a running attempt without calling it.
    void abandon(std::uint32_t number) { take(number).reset(); }

    void abandon_all()
    {
        while (!pending_.empty()) abandon(pending_.begin()->first);
    }

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

    [[nodiscard]] std::unique_ptr<pending> take(std::uint32_t number)
    {
        auto node = pending_.extract(number);
        if (node.empty()) throw std::logic_error("attempt " + std::to_string(number) + " does not run");
        return std::move(node.mapped());
    }

    template <class Handler>
    void begin(attempt const& current, Handler handler)
    {
        auto const number = current.number();
        attempts.push_back({number, current.time_limit(), manual_clock::now().time_since_epoch()});
        if (auto const it = deliveries.find(number); it != deliveries.end()) current.report(it->second);
        before_taking_the_slot(number);
        if (auto slot = boost::asio::get_associated_cancellation_slot(handler); slot.is_connected())
            slot.assign([this, number](boost::asio::cancellation_type type) { cancelled(number, type); });
        pending_.emplace(number, std::make_unique<pending_for<Handler>>(std::move(handler), executor_));
        during_initiation(number);
        auto const it = script.find(number);
        if (it == script.end() || !running(number)) return;
        auto const next = it->second;
        next.at_once ? complete_now(number, next.error, next.result) : complete(number, next.error, next.result);
    }

    void cancelled(std::uint32_t number, boost::asio::cancellation_type type)
    {
        attempts.at(number - 1).cancelled.push_back(type);
        if (!running(number)) return;
        auto const it = reactions.find(number);
        switch (it == reactions.end() ? when_cancelled::aborts : it->second) {
        case when_cancelled::aborts: complete(number, boost::asio::error::operation_aborted, -1); break;
        case when_cancelled::aborts_inside_the_emission:
            complete_now(number, boost::asio::error::operation_aborted, -1);
            break;
        case when_cancelled::ignores: break;
        case when_cancelled::succeeds: complete(number, {}, 42); break;
        case when_cancelled::drops_its_handler: abandon(number); break;
        }
    }

    executor_type executor_;
    std::map<std::uint32_t, std::unique_ptr<pending>> pending_;
};

}  // namespace backbeat::test

#endif
