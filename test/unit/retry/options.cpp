//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "random_sources.hpp"

#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_options.hpp>

#include <boost/system/error_code.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;
using boost::system::error_code;

namespace {

constexpr auto longest = (std::chrono::nanoseconds::max)();
constexpr auto infinity = std::numeric_limits<double>::infinity();
constexpr auto not_a_number = std::numeric_limits<double>::quiet_NaN();

struct contradiction {
    retry_options options;
    std::string_view message;
};

std::vector<contradiction> every_contradiction()
{
    return {
        {{.initial_backoff = -1ns}, "initial_backoff is negative; it must be zero (retry without delay) or more"},
        {{.multiplier = not_a_number},
         "multiplier is not a finite number; it must be 1 (constant backoff) or more, 2 is usual"},
        {{.multiplier = infinity},
         "multiplier is not a finite number; it must be 1 (constant backoff) or more, 2 is usual"},
        {{.multiplier = -infinity},
         "multiplier is not a finite number; it must be 1 (constant backoff) or more, 2 is usual"},
        {{.multiplier = std::nextafter(1.0, 0.0)},
         "multiplier is below 1, so backoff would shrink; it must be 1 (constant backoff) or more, 2 is usual"},
        {{.multiplier = -2},
         "multiplier is below 1, so backoff would shrink; it must be 1 (constant backoff) or more, 2 is usual"},
        {{.initial_backoff = 2s, .maximum_backoff = 2s - 1ns},
         "maximum_backoff is below initial_backoff; raise maximum_backoff or lower initial_backoff"},
        {{.initial_backoff = 0s, .maximum_backoff = -1ns},
         "maximum_backoff is below initial_backoff; raise maximum_backoff or lower initial_backoff"},
        {{.maximum_jitter = -1ns}, "maximum_jitter is negative; it must be zero (nothing is added) or more"},
        {{.jitter = static_cast<jitter>(17)},
         "jitter is not one of the values of backbeat::jitter; use none, additive, full, equal or decorrelated"},
        {{.throttled_backoff = -1ns}, "throttled_backoff is negative; it must be zero (retry without delay) or more"},
        {{.maximum_backoff = 64s, .throttled_backoff = 64s + 1ns},
         "maximum_backoff is below throttled_backoff; raise maximum_backoff or lower throttled_backoff"},
        {{.attempt_timeout = -1ns}, "attempt_timeout is negative; it must be zero (no limit) or more"},
        {{.total_timeout = -1ns}, "total_timeout is negative; it must be zero (no limit) or more"},
        {{.maximum_hint = -1ns}, "maximum_hint is negative; it must be zero (hints are ignored) or more"},
        {{.wait_resolution = -1ns}, "wait_resolution is negative; it must be zero (exact waits) or more"},
        {{.timers = static_cast<timers>(2)}, "timers is not one of the values of backbeat::timers; use asio or wheel"},
    };
}

}  // namespace

TEST(options, have_the_documented_defaults)
{
    retry_options const options;
    EXPECT_EQ(ns(options.initial_backoff), ns(1s));
    EXPECT_EQ(options.multiplier, 2);
    EXPECT_EQ(ns(options.maximum_backoff), ns(64s));
    EXPECT_FALSE(options.maximum_jitter.has_value());
    EXPECT_EQ(options.jitter, jitter::additive);
    EXPECT_FALSE(options.throttled_backoff.has_value());
    EXPECT_EQ(options.maximum_retries, 5u);
    EXPECT_EQ(ns(options.attempt_timeout), 0);
    EXPECT_EQ(ns(options.total_timeout), 0);
    EXPECT_EQ(ns(options.maximum_hint), ns(5min));
    EXPECT_EQ(ns(options.wait_resolution), ns(1ms));
    EXPECT_EQ(options.timers, timers::asio);
    EXPECT_EQ(options.observer, nullptr);
    EXPECT_EQ(options.random, nullptr);
    EXPECT_FALSE(validate(options));
}

TEST(options, are_set_by_name_in_the_documented_order)
{
    retry_observer observer;
    constant_source random(0);
    retry_options const options{
        .initial_backoff = 2s,
        .multiplier = 3,
        .maximum_backoff = 32s,
        .maximum_jitter = 100ms,
        .jitter = jitter::none,
        .throttled_backoff = 4s,
        .maximum_retries = unlimited_retries,
        .attempt_timeout = 1min,
        .total_timeout = 1h,
        .maximum_hint = 2min,
        .wait_resolution = 10us,
        .timers = timers::wheel,
        .observer = &observer,
        .random = &random};
    EXPECT_FALSE(validate(options));
    EXPECT_EQ(ns(*options.maximum_jitter), 100'000'000);
    EXPECT_EQ(ns(*options.throttled_backoff), 4'000'000'000);
    EXPECT_EQ(options.maximum_retries, 4'294'967'295u);
}

TEST(options, are_an_aggregate_that_is_trivially_destroyed)
{
    static_assert(std::is_aggregate_v<retry_options>);
    static_assert(std::is_trivially_destructible_v<retry_options>);
    static_assert(std::is_trivially_copyable_v<retry_options>);
    static_assert(std::is_same_v<decltype(retry_options::maximum_retries), std::uint32_t>);
}

TEST(options, at_the_edge_of_what_is_allowed_are_accepted)
{
    for (retry_options const& options : std::vector<retry_options>{
             {.initial_backoff = 0s},
             {.initial_backoff = 0s, .maximum_backoff = 0s},
             {.initial_backoff = longest, .maximum_backoff = longest},
             {.multiplier = 1},
             {.multiplier = 1e308},
             {.initial_backoff = 64s},
             {.maximum_jitter = 0s},
             {.maximum_jitter = longest},
             {.throttled_backoff = 0s},
             {.throttled_backoff = 64s},
             {.maximum_retries = 0},
             {.maximum_retries = unlimited_retries},
             {.attempt_timeout = longest, .total_timeout = longest, .maximum_hint = longest},
             {.attempt_timeout = 2s, .total_timeout = 1s},
             {.maximum_hint = 0s, .wait_resolution = 0s},
             {.wait_resolution = longest}}) {
        EXPECT_FALSE(validate(options)) << validate(options).message();
    }
}

TEST(options, that_contradict_themselves_are_refused_with_the_field_and_the_remedy)
{
    for (auto const& [options, message] : every_contradiction()) {
        SCOPED_TRACE(message);
        error_code const error = validate(options);
        EXPECT_TRUE(error.failed());
        EXPECT_EQ(error.message(), message);
        char buffer[256];
        EXPECT_EQ(std::string_view(error.message(buffer, sizeof buffer)), message);
        EXPECT_STREQ(error.category().name(), "backbeat.retry");
    }
}

TEST(options, that_contradict_themselves_all_give_the_same_error)
{
    for (auto const& [options, message] : every_contradiction()) {
        SCOPED_TRACE(message);
        error_code const error = validate(options);
        EXPECT_TRUE(error == retry_errc::invalid_options);
        EXPECT_TRUE(retry_errc::invalid_options == error);
        EXPECT_FALSE(error != retry_errc::invalid_options);
        EXPECT_FALSE(error == retry_errc::attempt_timeout);
        EXPECT_TRUE(error == make_error_code(retry_errc::invalid_options));
        EXPECT_TRUE(error.category() == retry_category());
        EXPECT_EQ(error.value(), static_cast<int>(retry_errc::invalid_options));
    }
}

TEST(options, errors_keep_their_meaning_and_their_text_in_the_standard_library)
{
    std::error_condition const invalid(static_cast<int>(retry_errc::invalid_options), retry_category());
    std::error_condition const timeout(static_cast<int>(retry_errc::attempt_timeout), retry_category());
    for (auto const& [options, message] : every_contradiction()) {
        SCOPED_TRACE(message);
        error_code const error = validate(options);
        std::error_code const converted = error;
        EXPECT_EQ(converted.message(), message);
        EXPECT_STREQ(converted.category().name(), "backbeat.retry");
        EXPECT_EQ(converted.value(), static_cast<int>(retry_errc::invalid_options));
        EXPECT_TRUE(converted == invalid);
        EXPECT_FALSE(converted == timeout);
        EXPECT_TRUE(converted == error);
        EXPECT_TRUE(error_code(converted) == retry_errc::invalid_options);
        EXPECT_EQ(error_code(converted).message(), message);
    }
}

TEST(options, with_several_contradictions_are_refused_for_the_first_field)
{
    retry_options options{
        .initial_backoff = -1s,
        .multiplier = 0,
        .maximum_backoff = -2s,
        .maximum_jitter = -1s,
        .jitter = static_cast<jitter>(200),
        .throttled_backoff = -1s,
        .attempt_timeout = -1s,
        .total_timeout = -1s,
        .maximum_hint = -1s,
        .wait_resolution = -1s,
        .timers = static_cast<timers>(2)};
    auto const refused_for = [&] {
        auto const message = validate(options).message();
        return message.substr(0, message.find(" is "));
    };
    EXPECT_EQ(refused_for(), "initial_backoff");
    options.initial_backoff = 1s;
    EXPECT_EQ(refused_for(), "multiplier");
    options.multiplier = 1;
    EXPECT_EQ(refused_for(), "maximum_backoff");
    options.maximum_backoff = 2s;
    EXPECT_EQ(refused_for(), "maximum_jitter");
    options.maximum_jitter = 0s;
    EXPECT_EQ(refused_for(), "jitter");
    options.jitter = jitter::none;
    EXPECT_EQ(refused_for(), "throttled_backoff");
    options.throttled_backoff = 3s;
    EXPECT_EQ(validate(options).message().find("maximum_backoff is below throttled_backoff"), 0u);
    options.throttled_backoff = 2s;
    EXPECT_EQ(refused_for(), "attempt_timeout");
    options.attempt_timeout = 0s;
    EXPECT_EQ(refused_for(), "total_timeout");
    options.total_timeout = 0s;
    EXPECT_EQ(refused_for(), "maximum_hint");
    options.maximum_hint = 0s;
    EXPECT_EQ(refused_for(), "wait_resolution");
    options.wait_resolution = 0s;
    EXPECT_EQ(refused_for(), "timers");
    options.timers = timers::wheel;
    EXPECT_FALSE(validate(options));
}

TEST(retry_errors, have_a_category_and_texts_of_their_own)
{
    EXPECT_STREQ(retry_category().name(), "backbeat.retry");
    error_code const timeout = retry_errc::attempt_timeout;
    EXPECT_EQ(timeout.message(), "the attempt took longer than attempt_timeout");
    EXPECT_EQ(error_code(retry_errc::deadline).message(), "total_timeout expired during an attempt");
    EXPECT_EQ(
        error_code(retry_errc::invalid_options).message(),
        "the options contradict themselves; backbeat::validate says how");
    EXPECT_EQ(
        error_code(retry_errc::unknown_exception).message(),
        "the attempt ended with an exception that carries no error code");
    EXPECT_EQ(error_code(99, retry_category()).message(), "unknown error of backbeat.retry");
    EXPECT_TRUE(timeout == retry_errc::attempt_timeout);
    EXPECT_FALSE(timeout == retry_errc::deadline);
    EXPECT_FALSE(timeout == error_code(timeout.value(), boost::system::generic_category()));
}
