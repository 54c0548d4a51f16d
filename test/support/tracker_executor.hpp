//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_TRACKER_EXECUTOR_HPP
#define BACKBEAT_TEST_TRACKER_EXECUTOR_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>

#include <type_traits>
#include <utility>

namespace backbeat::test {

// Counts what runs through a `tracker_executor`, and tells whether something is running.
struct execution_log {
    int running = 0;
    int executed = 0;
};

// Another executor that notes in a log what it runs.
class tracker_executor {
public:
    tracker_executor(boost::asio::any_io_executor inner, execution_log& log) : inner_(std::move(inner)), log_(&log) {}

    template <class Function>
    void execute(Function&& function) const
    {
        inner_.execute([log = log_, f = std::decay_t<Function>(std::forward<Function>(function))]() mutable {
            ++log->executed;
            ++log->running;
            struct at_exit {
                execution_log* log;
                ~at_exit() { --log->running; }
            } const leave{log};
            std::move(f)();
        });
    }

    template <class Property>
        requires boost::asio::can_require_v<boost::asio::any_io_executor const&, Property> tracker_executor
        require(Property const& property)
    const { return {boost::asio::require(inner_, property), *log_}; }

    template <class Property>
        requires boost::asio::can_prefer_v<boost::asio::any_io_executor const&, Property> tracker_executor
        prefer(Property const& property)
    const { return {boost::asio::prefer(inner_, property), *log_}; }

    template <class Property>
        requires boost::asio::can_query_v<boost::asio::any_io_executor const&, Property>
    decltype(auto) query(Property const& property) const { return boost::asio::query(inner_, property); }

    friend bool operator==(tracker_executor const& a, tracker_executor const& b) noexcept
    {
        return a.log_ == b.log_ && a.inner_ == b.inner_;
    }
    friend bool operator!=(tracker_executor const& a, tracker_executor const& b) noexcept { return !(a == b); }

private:
    boost::asio::any_io_executor inner_;
    execution_log* log_;
};

}  // namespace backbeat::test

#endif
