//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/latency_tracker.hpp>

#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using backbeat::latency_tracker;
using backbeat::latency_tracker_options;
using backbeat::retry_errc;
using nanoseconds = std::chrono::nanoseconds;

constexpr double error = 1.0 / 16;

// Low enough for one sample.
constexpr double lowest = 1e-7;

void expect_about(std::optional<nanoseconds> const& found, nanoseconds right)
{
    ASSERT_TRUE(found);
    EXPECT_NEAR(
        static_cast<double>(found->count()),
        static_cast<double>(right.count()),
        error * static_cast<double>(right.count()));
}

TEST(latency_tracker, has_no_quantile_below_the_minimum_of_samples)
{
    latency_tracker tracker({.minimum_samples = 3});
    EXPECT_FALSE(tracker.quantile(0.5, 0s));
    tracker.record(10ms, 0s);
    tracker.record(10ms, 0s);
    EXPECT_FALSE(tracker.quantile(0.5, 0s));
    tracker.record(10ms, 0s);
    expect_about(tracker.quantile(0.5, 0s), 10ms);
}

TEST(latency_tracker, has_no_quantile_beyond_which_no_sample_is_to_be_expected)
{
    for (auto const& [q, needed] :
         {std::pair{0.5, 2}, std::pair{0.9, 10}, std::pair{0.95, 20}, std::pair{0.99, 100}, std::pair{0.999, 1000}}) {
        latency_tracker tracker({.minimum_samples = 1});
        for (int i = 1; i != needed; ++i) tracker.record(10ms, 0s);
        EXPECT_FALSE(tracker.quantile(q, 0s)) << q;
        tracker.record(10ms, 0s);
        EXPECT_TRUE(tracker.quantile(q, 0s)) << q;
    }
}

TEST(latency_tracker, is_off_by_a_sixteenth_at_most)
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(3, 12);
    for (int i = 0; i != 10000; ++i) {
        // From 1 us, the smallest that is told apart from smaller ones, to 1000 s.
        auto const latency = nanoseconds(static_cast<std::int64_t>(std::pow(10.0, exponent(random)))) + 24ns;
        latency_tracker tracker({.minimum_samples = 1});
        tracker.record(latency, 0s);
        expect_about(tracker.quantile(lowest, 0s), latency);
    }
}

TEST(latency_tracker, finds_the_quantiles_of_what_was_recorded)
{
    std::mt19937_64 random(1);
    for (double const spread : {0.1, 0.5, 1.5}) {
        std::lognormal_distribution<double> distribution(std::log(50e6), spread);
        latency_tracker tracker;
        std::vector<nanoseconds> samples;
        for (int i = 0; i != 5000; ++i) {
            samples.emplace_back(static_cast<std::int64_t>(distribution(random)));
            tracker.record(samples.back(), 0s);
        }
        std::sort(samples.begin(), samples.end());
        for (double const q : {0.01, 0.5, 0.9, 0.95, 0.99, 0.999}) {
            auto const rank = static_cast<std::size_t>(std::ceil(q * 5000)) - 1;
            expect_about(tracker.quantile(q, 0s), samples[rank]);
        }
    }
}

TEST(latency_tracker, takes_what_lies_outside_its_scale_for_the_nearest_on_it)
{
    for (auto const& [latency, nearest] :
         {std::pair{-5ns, 1024ns},
          std::pair{0ns, 1024ns},
          std::pair{500ns, 1024ns},
          std::pair<nanoseconds, nanoseconds>{20min, 18min},
          std::pair<nanoseconds, nanoseconds>{nanoseconds::max(), 18min}}) {
        latency_tracker tracker({.minimum_samples = 1});
        tracker.record(latency, 0s);
        expect_about(tracker.quantile(lowest, 0s), nearest);
    }
}

TEST(latency_tracker, forgets_a_sample_after_one_to_two_windows)
{
    latency_tracker tracker({.window = 10s, .minimum_samples = 1});
    tracker.record(1ms, 14s);
    EXPECT_TRUE(tracker.quantile(lowest, 14s));
    EXPECT_TRUE(tracker.quantile(lowest, 24s)) << "a sample counts for a whole window at least";
    EXPECT_TRUE(tracker.quantile(lowest, 29999ms));
    EXPECT_FALSE(tracker.quantile(lowest, 30s));
    EXPECT_FALSE(tracker.quantile(lowest, 1h));
}

TEST(latency_tracker, follows_a_server_that_changes)
{
    latency_tracker tracker({.window = 10s});
    auto now = 0s;
    for (auto const latency : {100ms, 20ms, 400ms}) {
        for (int i = 0; i != 20; ++i, now += 1s)
            for (int j = 0; j != 10; ++j) tracker.record(latency, now);
        expect_about(tracker.quantile(0.95, now), latency);
        expect_about(tracker.quantile(0.05, now), latency);
    }
}

TEST(latency_tracker, counts_in_a_window_that_had_an_older_one_in_its_place)
{
    latency_tracker tracker({.window = 10s, .minimum_samples = 1});
    for (int i = 0; i != 5; ++i) tracker.record(100ms, 0s);
    tracker.record(100ms, 20s);
    tracker.record(1ms, 20s);
    expect_about(tracker.quantile(0.5, 20s), 1ms);
    expect_about(tracker.quantile(0.499, 30s), 1ms);
    EXPECT_FALSE(tracker.quantile(0.51, 30s)) << "two samples";
}

TEST(latency_tracker, works_before_the_epoch_of_the_clock)
{
    latency_tracker tracker({.window = 10s, .minimum_samples = 2});
    tracker.record(5ms, -1ns);
    tracker.record(5ms, 0s);
    expect_about(tracker.quantile(0.5, 9999ms), 5ms);
    EXPECT_FALSE(tracker.quantile(0.5, 10s)) << "one of the two was in the window before the epoch";
}

TEST(latency_tracker, bears_a_clock_that_another_thread_read_a_little_later)
{
    latency_tracker tracker({.window = 10s, .minimum_samples = 2});
    tracker.record(5ms, 10s);
    tracker.record(5ms, 9999ms);
    expect_about(tracker.quantile(0.5, 9999ms), 5ms);
    expect_about(tracker.quantile(0.5, 10s), 5ms);
}

TEST(latency_tracker, loses_no_sample_of_several_threads)
{
    latency_tracker tracker({.window = 1ms, .minimum_samples = 40'000});
    auto const on_four_threads = [&](auto work) {
        std::vector<std::thread> threads;
        for (int t = 0; t != 4; ++t) threads.emplace_back(work);
        for (auto& thread : threads) thread.join();
    };
    // Through many windows, then all in one.
    on_four_threads([&] {
        for (int i = 0; i != 1000; ++i) tracker.record(1ms, i * 500us);
    });
    on_four_threads([&] {
        for (int i = 0; i != 10'000; ++i) {
            tracker.record(i % 2 == 0 ? 1ms : 8ms, 1s);
            if (i % 100 == 0) static_cast<void>(tracker.quantile(0.5, 1s));
        }
    });
    expect_about(tracker.quantile(0.49, 1s), 1ms);
    expect_about(tracker.quantile(0.51, 1s), 8ms);
}

TEST(latency_tracker, refuses_options_that_make_no_sense)
{
    struct example {
        latency_tracker_options options;
        char const* message;
    };
    for (auto const& [options, message] :
         {example{{.window = 999999ns}, "window is not between 1 ms and 24 h; 1 min is usual"},
          example{{.window = 24h + 1ns}, "window is not between 1 ms and 24 h; 1 min is usual"},
          example{{.minimum_samples = 0}, "minimum_samples is zero; it must be 1 or more, 20 is usual"}}) {
        EXPECT_EQ(validate(options), retry_errc::invalid_options);
        EXPECT_EQ(validate(options).message(), message);
        EXPECT_THROW(latency_tracker tracker(options), boost::system::system_error);
    }
    EXPECT_FALSE(validate(latency_tracker_options{}));
    EXPECT_FALSE(validate(latency_tracker_options{.window = 1ms, .minimum_samples = 1}));
    EXPECT_FALSE(validate(latency_tracker_options{.window = 24h}));
}

}  // namespace
