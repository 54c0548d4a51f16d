//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_SCENARIOS_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_SCENARIOS_HPP

#include "caller.hpp"
#include "done.hpp"
#include "metering.hpp"
#include "stage.hpp"
#include "tally.hpp"
#include "task.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <cstddef>
#include <latch>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

// The scenarios, for any contender. A contender is a class
//
//     Contender(stage&, std::size_t operations);
//     template <class Done> void start(std::size_t index, Done done);   // starts an operation, which ends with `done`
//     template <class Done> static constexpr std::size_t given;         // see `measurement::given`
//     void cancel(std::size_t index);                                   // only for `cancellation`
//
// What it needs beforehand, such as signals to cancel by, it makes in its constructor, which is not measured.
namespace bench {

// What is used from here until `read`.
class meter {
public:
    void read(measurement& into) const
    {
        into.processor_ns = processor_time() - processor_;
        into.wall_ns = wall_time() - wall_;
        into.allocations = static_cast<std::int64_t>(bench::allocations() - allocations_);
    }

private:
    std::uint64_t allocations_ = bench::allocations();
    double wall_ = wall_time();
    double processor_ = processor_time();
};

template <class Contender>
void start_all(Contender& contender, std::size_t first, std::size_t last, boost::system::error_code const& expected)
{
    for (auto i = first; i != last; ++i) contender.start(i, done(expected));
}

template <class Contender>
measurement measure_throughput(task const& of)
{
    boost::system::error_code const success;
    stage common(of);
    Contender contender(common, of.operations);
    measurement result;
    meter const used;
    start_all(contender, 0, of.operations, success);
    std::vector<std::thread> others;
    for (unsigned i = 1; i < of.threads; ++i) {
        others.emplace_back([&] {
            common.context.run();
            hand_in_tally();
            leave_thread();
        });
    }
    common.context.run();
    for (auto& thread : others) thread.join();
    used.read(result);
    return result;
}

template <class Contender>
measurement measure_shards(task const& of)
{
    boost::system::error_code const success;
    std::latch ready(of.threads);
    std::latch begin(1);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i != of.threads; ++i) {
        threads.emplace_back([&, i] {
            auto part = of;
            part.operations = of.operations * (i + 1) / of.threads - of.operations * i / of.threads;
            stage own(part);
            Contender contender(own, part.operations);
            ready.count_down();
            begin.wait();
            start_all(contender, 0, part.operations, success);
            own.context.run();
            hand_in_tally();
            leave_thread();
        });
    }
    ready.wait();
    measurement result;
    meter const used;
    begin.count_down();
    for (auto& thread : threads) thread.join();
    used.read(result);
    return result;
}

// Starts them a thousand at a time, so that what is resident is what waits, and not what was queued before.
template <class Contender>
void suspend_all(stage& on, Contender& contender, boost::system::error_code const& expected)
{
    auto const operations = on.task.operations;
    for (std::size_t first = 0; first != operations;) {
        auto const last = (std::min)(first + 1'000, operations);
        start_all(contender, first, last, expected);
        while (on.context.poll() != 0) {}
        first = last;
    }
    if (my_tally.attempts != operations || my_tally.right + my_tally.wrong != 0)
        throw std::runtime_error("some waits ended before all operations were suspended: let them wait longer");
}

template <class Contender>
measurement measure_capacity(task const& of)
{
    boost::system::error_code const success;
    stage common(of);
    Contender contender(common, of.operations);
    measurement result;
    auto const before = resident_bytes();
    if (of.asked) watch_asked_bytes();
    meter const used;
    suspend_all(common, contender, success);
    used.read(result);
    result.start_processor_ns = result.processor_ns;
    if (of.asked)
        result.asked = static_cast<std::int64_t>(asked_bytes());
    else
        result.resident = resident_bytes() - before;
    result.given = Contender::template given<done>;
    common.context.run();
    used.read(result);
    return result;
}

template <class Contender>
measurement measure_calls(task const& of)
{
    caller_of<Contender> calls(of);
    calls.run((std::min<std::size_t>)(of.operations, 1'000));
    static_cast<void>(take_tally());
    measurement result;
    meter const used;
    calls.run(of.operations);
    used.read(result);
    return result;
}

template <class Contender>
measurement measure_cancellation(task const& of)
{
    boost::system::error_code const aborted = boost::asio::error::operation_aborted;
    stage common(of);
    Contender contender(common, of.operations);
    suspend_all(common, contender, aborted);
    measurement result;
    meter const used;
    for (std::size_t i = 0; i != of.operations; ++i) contender.cancel(i);
    common.context.run();
    used.read(result);
    return result;
}

template <class Contender>
concept cancellable = requires(Contender& contender)
{
    contender.cancel(std::size_t{0});
};

// Whether it is more than one call that ends at once.
template <class Contender>
concept retrying = requires
{
    Contender::template given<done>;
};

// Empty: this contender cannot do this scenario.
template <class Contender>
std::optional<measurement> measure_scenario(task const& of)
{
    switch (of.scenario) {
    case scenario::calls: return measure_calls<Contender>(of);
    case scenario::throughput:
        if constexpr (retrying<Contender>)
            return of.shards ? measure_shards<Contender>(of) : measure_throughput<Contender>(of);
        break;
    case scenario::capacity:
        if constexpr (retrying<Contender>) return measure_capacity<Contender>(of);
        break;
    case scenario::cancellation:
        if constexpr (cancellable<Contender>) return measure_cancellation<Contender>(of);
        break;
    }
    return std::nullopt;
}

}  // namespace bench

#endif
