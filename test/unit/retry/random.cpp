//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "random_sources.hpp"

#include <backbeat/detail/random.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_schedule.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <thread>
#include <type_traits>
#include <vector>

#if BACKBEAT_HAS_FORK
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;
using detail::multiply_high;
using detail::next_random;
using detail::scale_random;
using std::chrono::nanoseconds;

namespace {

constexpr auto longest = (nanoseconds::max)();

std::vector<std::uint64_t> draw(std::size_t count)
{
    std::vector<std::uint64_t> result(count);
    for (auto& number : result) number = next_random(nullptr);
    return result;
}

bool all_different(std::vector<std::uint64_t> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
}

void append(std::vector<std::uint64_t>& to, std::vector<std::uint64_t> const& numbers)
{
    to.insert(to.end(), numbers.begin(), numbers.end());
}

}  // namespace

TEST(random, split_mix_gives_the_published_numbers)
{
    // The first outputs of https://prng.di.unimi.it/splitmix64.c for the seed 1234567.
    detail::split_mix generator(1234567);
    for (std::uint64_t const expected :
         {6457827717110365317u,
          3203168211198807973u,
          9817491932198370423u,
          4593380528125082431u,
          16408922859458223821u})
        EXPECT_EQ(generator.next(), expected);
}

TEST(random, an_injected_source_is_asked_each_time)
{
    listed_source source({3, 1, 2});
    EXPECT_EQ(next_random(&source), 3u);
    EXPECT_EQ(next_random(&source), 1u);
    EXPECT_EQ(next_random(&source), 2u);
    EXPECT_EQ(source.drawn(), 3u);
}

TEST(random, a_number_does_not_come_twice)
{
    EXPECT_TRUE(all_different(draw(64'000)));
}

TEST(random, copies_of_a_schedule_do_not_back_off_in_step)
{
    retry_schedule const original({.maximum_backoff = 2h, .maximum_jitter = 1h}, 0s);
    std::vector<std::uint64_t> waits;
    for (int i = 0; i != 8; ++i) {
        auto copy = original;
        waits.push_back(static_cast<std::uint64_t>(ns(copy.after_attempt(verdict::retry(), 0s).wait)));
    }
    // By chance less than once in 10^11 runs.
    EXPECT_TRUE(all_different(waits));
}

TEST(random, threads_have_streams_of_their_own)
{
    constexpr std::size_t threads = 8;
    std::array<std::vector<std::uint64_t>, threads> drawn;
    {
        std::vector<std::thread> running;
        for (auto& mine : drawn) running.emplace_back([&mine] { mine = draw(2'000); });
        for (auto& thread : running) thread.join();
    }
    std::vector<std::uint64_t> all;
    for (auto const& mine : drawn) append(all, mine);
    EXPECT_EQ(all.size(), threads * 2'000);
    EXPECT_TRUE(all_different(all));
}

#if BACKBEAT_HAS_FORK
namespace {

// What is drawn in a child of this process, and then in a child of that child.
std::vector<std::uint64_t> draw_in_child_and_grandchild()
{
    constexpr std::size_t each = 16;
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return {};
    auto const write_numbers = [&] {
        std::array<std::uint64_t, each> numbers{};
        for (auto& number : numbers) number = next_random(nullptr);
        return ::write(ends[1], numbers.data(), sizeof numbers) == static_cast<ssize_t>(sizeof numbers);
    };
    auto const child = ::fork();
    if (child == 0) {
        auto good = write_numbers();
        auto const grandchild = ::fork();
        if (grandchild == 0) ::_exit(write_numbers() ? 0 : 1);
        int status = 1;
        good = ::waitpid(grandchild, &status, 0) == grandchild && status == 0 && good;
        ::_exit(good ? 0 : 1);
    }
    ::close(ends[1]);
    std::vector<std::uint64_t> numbers;
    std::uint64_t number = 0;
    // Each block is written at once and is shorter than PIPE_BUF, so numbers arrive whole.
    while (::read(ends[0], &number, sizeof number) == static_cast<ssize_t>(sizeof number)) numbers.push_back(number);
    ::close(ends[0]);
    int status = 1;
    if (::waitpid(child, &status, 0) != child || status != 0) return {};
    return numbers;
}

}  // namespace

TEST(random, a_forked_process_does_not_go_on_with_its_parents_stream)
{
    std::vector<std::uint64_t> all;
    for (int round = 0; round != 3; ++round) {
        append(all, draw(4));
        auto const in_children = draw_in_child_and_grandchild();
        ASSERT_EQ(in_children.size(), 32u);
        append(all, in_children);
        append(all, draw(16));
    }
    EXPECT_TRUE(all_different(all));
}
#endif

#if BACKBEAT_HAS_FORK
namespace {

// What a child of this process draws, and at the same time a child of that child.
std::vector<std::uint64_t> draw_in_child_beside_grandchild()
{
    constexpr std::size_t each = 16;
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return {};
    auto const write_numbers = [&] {
        auto const numbers = draw(each);
        auto const size = each * sizeof numbers.front();
        return ::write(ends[1], numbers.data(), size) == static_cast<ssize_t>(size);
    };
    auto const child = ::fork();
    if (child == 0) {
        // Forked first, so that both go on from the same place.
        auto const grandchild = ::fork();
        auto good = write_numbers();
        if (grandchild == 0) ::_exit(good ? 0 : 1);
        int status = 1;
        good = ::waitpid(grandchild, &status, 0) == grandchild && status == 0 && good;
        ::_exit(good ? 0 : 1);
    }
    ::close(ends[1]);
    std::vector<std::uint64_t> numbers;
    std::uint64_t number = 0;
    while (::read(ends[0], &number, sizeof number) == static_cast<ssize_t>(sizeof number)) numbers.push_back(number);
    ::close(ends[0]);
    int status = 1;
    if (::waitpid(child, &status, 0) != child || status != 0) return {};
    return numbers;
}

}  // namespace

TEST(random, a_stream_goes_on_differently_in_each_process_that_it_was_forked_into)
{
    auto all = draw(4);
    // Siblings, too, must not back off in step.
    for (int child = 0; child != 3; ++child) {
        auto const in_children = draw_in_child_beside_grandchild();
        ASSERT_EQ(in_children.size(), 32u);
        append(all, in_children);
    }
    append(all, draw(16));
    EXPECT_TRUE(all_different(all));
}
#endif

TEST(random, numbers_are_uniform_in_all_their_bits)
{
    constexpr int operations = 20'000;
    std::array<int, 64> ones{};
    for (int i = 0; i != operations; ++i) {
        auto const number = next_random(nullptr);
        for (std::size_t bit = 0; bit != ones.size(); ++bit) ones[bit] += static_cast<int>(number >> bit & 1);
    }
    // Eight standard deviations: wrong by chance less than once in 10^13 runs.
    for (std::size_t bit = 0; bit != ones.size(); ++bit) EXPECT_NEAR(ones[bit], operations / 2, 8 * 71) << bit;
}

TEST(random, jitter_is_uniform_over_its_range)
{
    constexpr std::size_t buckets = 100;
    constexpr int drawn = 100'000;
    std::array<int, buckets> counts{};
    retry_schedule schedule({.multiplier = 1, .maximum_retries = unlimited_retries}, 0s);
    double sum = 0;
    for (int i = 0; i != drawn; ++i) {
        auto const added = ns(schedule.after_attempt(verdict::retry(), 0s).wait - 1s);
        ASSERT_GE(added, 0);
        ASSERT_LE(added, 1'000'000'000);
        sum += static_cast<double>(added);
        ++counts[static_cast<std::size_t>((std::min)(added, std::int64_t{999'999'999}) / 10'000'000)];
    }
    EXPECT_NEAR(sum / drawn, 0.5e9, 8 * 0.2887e9 / 316);
    double chi_squared = 0;
    for (int const count : counts) chi_squared += (count - drawn / 100.0) * (count - drawn / 100.0) / (drawn / 100.0);
    // 99 degrees of freedom: mean 99, standard deviation 14. Too even would be as wrong as too uneven.
    EXPECT_LT(chi_squared, 230);
    EXPECT_GT(chi_squared, 25);
}

TEST(random, scaling_reaches_both_ends_and_never_leaves_them)
{
    for (auto const bound :
         {nanoseconds(0), nanoseconds(1), nanoseconds(2), nanoseconds(1s), nanoseconds(1h), longest - 1ns, longest}) {
        EXPECT_EQ(ns(scale_random(no_jitter, bound)), 0);
        EXPECT_EQ(ns(scale_random(all_jitter, bound)), ns(bound));
    }
    EXPECT_EQ(ns(scale_random(half_jitter, 1s)), 500'000'000);
    EXPECT_EQ(ns(scale_random(half_jitter - 1, 1ns)), 0);
    EXPECT_EQ(ns(scale_random(half_jitter, 1ns)), 1);
    EXPECT_EQ(ns(scale_random(half_jitter, longest)), std::int64_t{1} << 62);
}

TEST(random, scaling_gives_every_value_the_same_share)
{
    // Ten values: a tenth of all numbers each. The borders are at the multiples of 2^64 / 10, rounded up.
    constexpr std::array<std::uint64_t, 10> borders{
        0,
        1'844'674'407'370'955'162,
        3'689'348'814'741'910'324,
        5'534'023'222'112'865'485,
        7'378'697'629'483'820'647,
        9'223'372'036'854'775'808u,
        11'068'046'444'225'730'970u,
        12'912'720'851'596'686'132u,
        14'757'395'258'967'641'293u,
        16'602'069'666'338'596'455u};
    for (std::size_t value = 0; value != borders.size(); ++value) {
        EXPECT_EQ(ns(scale_random(borders[value], 9ns)), static_cast<std::int64_t>(value));
        if (value != 0) {
            EXPECT_EQ(ns(scale_random(borders[value] - 1, 9ns)), static_cast<std::int64_t>(value) - 1);
        }
    }
}

TEST(random, scaling_is_monotonic)
{
    std::mt19937_64 random(3);
    for (int i = 0; i != 10'000; ++i) {
        nanoseconds const bound(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
        auto const a = random();
        auto const b = random();
        ASSERT_LE(ns(scale_random((std::min)(a, b), bound)), ns(scale_random((std::max)(a, b), bound)));
        ASSERT_LE(ns(scale_random(a, bound)), ns(bound));
    }
}

TEST(random, multiplication_keeps_the_high_half)
{
    EXPECT_EQ(multiply_high(0, all_jitter), 0u);
    EXPECT_EQ(multiply_high(all_jitter, all_jitter), all_jitter - 1);
    EXPECT_EQ(multiply_high(half_jitter, 2), 1u);
    EXPECT_EQ(multiply_high(0xffffffff, 0xffffffff), 0u);
    EXPECT_EQ(multiply_high(0x100000000, 0x100000000), 1u);
    // Computed with arbitrary precision.
    EXPECT_EQ(multiply_high(0x123456789abcdef0, 0xfedcba9876543210), 0x121fa00ad77d7422u);
    EXPECT_EQ(multiply_high(0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9), 0x7641f3080ff92329u);
}
