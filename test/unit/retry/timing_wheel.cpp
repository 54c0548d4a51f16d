//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/detail/timing_wheel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using backbeat::detail::timing_wheel;
using backbeat::detail::wheel_node;

using tick = std::uint64_t;
using numbers = std::vector<int>;

constexpr auto last_tick = (std::numeric_limits<tick>::max)();

// Where the levels begin, and what is far away.
constexpr tick level_begins[] = {1, tick(1) << 8, tick(1) << 16, tick(1) << 24, tick(1) << 32, tick(1) << 40};

static_assert(sizeof(timing_wheel) <= 10 * 1024);
static_assert(sizeof(wheel_node) <= 32);
static_assert(std::is_trivially_destructible_v<wheel_node>);
static_assert(std::is_nothrow_default_constructible_v<wheel_node>);

struct numbered : wheel_node {
    explicit numbered(int n) : number(n) {}
    int number;
};

class wheel : public testing::Test {
protected:
    timing_wheel under_test;

    numbered& insert(int number, tick due)
    {
        auto& node = nodes_.emplace_back(number);
        under_test.insert(node, due);
        return node;
    }

    numbers pop()
    {
        numbers result;
        while (auto* const node = under_test.pop_ready()) result.push_back(static_cast<numbered*>(node)->number);
        return result;
    }

    numbers advance(tick now)
    {
        under_test.advance(now);
        return pop();
    }

    // Advances as often as the wheel asks for, and counts that. Returns when the first node was handed out.
    std::pair<tick, int> wake_until_one_is_ready()
    {
        for (int wake_ups = 1; wake_ups != 100; ++wake_ups) {
            auto const next = under_test.next_tick();
            if (!next) break;
            under_test.advance(*next);
            if (under_test.pop_ready() != nullptr) return {*next, wake_ups};
        }
        return {last_tick, -1};
    }

private:
    std::deque<numbered> nodes_;
};

TEST_F(wheel, an_empty_one_has_nothing_ready_and_asks_for_nothing)
{
    EXPECT_TRUE(under_test.empty());
    EXPECT_FALSE(under_test.has_ready());
    EXPECT_EQ(under_test.next_tick(), std::nullopt);
    EXPECT_EQ(advance(last_tick), numbers{});
}

TEST_F(wheel, a_node_knows_whether_it_is_in_one)
{
    numbered node(1);
    EXPECT_FALSE(node.in_wheel());
    under_test.insert(node, 10);
    EXPECT_TRUE(node.in_wheel());
    EXPECT_EQ(under_test.size(), 1u);
    under_test.advance(10);
    EXPECT_TRUE(node.in_wheel());
    EXPECT_EQ(under_test.pop_ready(), &node);
    EXPECT_FALSE(node.in_wheel());
    EXPECT_TRUE(under_test.empty());
    under_test.insert(node, 20);
    under_test.remove(node);
    EXPECT_FALSE(node.in_wheel());
    EXPECT_TRUE(under_test.empty());
}

TEST_F(wheel, a_node_is_handed_out_at_its_tick_and_not_before_wherever_that_lies)
{
    for (auto const begin : level_begins) {
        for (auto const start : {tick(0), tick(1), begin - 1, begin, 255 * begin, 12'345'678'901 * begin}) {
            for (auto const distance : {begin - 1, begin, begin + 1, 255 * begin, 256 * begin - 1}) {
                if (distance == 0) continue;
                under_test.restart(start);
                insert(1, start + distance);
                ASSERT_EQ(advance(start + distance - 1), numbers{}) << start << " + " << distance;
                ASSERT_EQ(advance(start + distance), numbers{1}) << start << " + " << distance;
            }
        }
    }
}

TEST_F(wheel, what_is_due_already_is_ready_at_once_and_the_last)
{
    insert(1, 5);
    insert(2, 7);
    under_test.advance(6);
    insert(3, 6);
    insert(4, 0);
    EXPECT_EQ(under_test.next_tick(), 6u);
    EXPECT_EQ(pop(), (numbers{1, 3, 4}));
    EXPECT_EQ(under_test.next_tick(), 7u);
    EXPECT_EQ(advance(7), numbers{2});
}

TEST_F(wheel, a_jump_hands_out_in_order_of_ticks)
{
    int number = 0;
    std::map<tick, int> by_tick;
    for (auto const begin : level_begins)
        for (auto const due : {3 * begin, begin, 2 * begin, 255 * begin, 5 * begin + 1}) by_tick.emplace(due, ++number);
    for (auto const& [due, n] : by_tick) insert(n, due);
    numbers expected;
    for (auto const& [due, n] : by_tick) expected.push_back(n);
    EXPECT_EQ(advance(last_tick), expected);
}

TEST_F(wheel, one_tick_hands_out_in_order_of_insertion_however_far_it_was_then)
{
    for (auto const due : {tick(0x0102'0304'0506), tick(0x0405'0607), tick(0x0506), tick(6)}) {
        under_test.restart(0);
        insert(1, due);
        under_test.advance(due / 2);
        insert(2, due);
        under_test.advance(due - due % 256);  // in the middle of the slots of several levels
        insert(3, due);
        insert(4, due + 1);
        insert(5, due);
        EXPECT_EQ(advance(due), (numbers{1, 2, 3, 5}));
        EXPECT_EQ(advance(due + 1), numbers{4});
    }
}

TEST_F(wheel, ticks_do_not_go_back)
{
    under_test.advance(1000);
    insert(1, 1010);
    under_test.advance(3);
    insert(2, 1005);
    insert(3, 999);
    EXPECT_EQ(pop(), numbers{3});
    EXPECT_EQ(advance(1009), numbers{2});
    EXPECT_EQ(advance(1010), numbers{1});
}

TEST_F(wheel, an_empty_one_can_go_on_earlier)
{
    insert(1, tick(1) << 50);
    EXPECT_EQ(advance(tick(1) << 50), numbers{1});
    under_test.restart(10);
    insert(2, 20);
    EXPECT_EQ(advance(19), numbers{});
    EXPECT_EQ(advance(20), numbers{2});
}

TEST_F(wheel, a_node_is_removed_from_anywhere)
{
    for (auto const due : {tick(3), tick(300), tick(70'000), tick(1) << 25, tick(1) << 33}) {
        for (int removed = 1; removed != 4; ++removed) {
            under_test.restart(0);
            std::vector<numbered*> nodes;
            for (int number = 1; number != 4; ++number) nodes.push_back(&insert(number, due));
            under_test.remove(*nodes[static_cast<std::size_t>(removed - 1)]);
            numbers expected{1, 2, 3};
            expected.erase(expected.begin() + removed - 1);
            EXPECT_EQ(advance(due), expected) << due;
        }
    }
}

TEST_F(wheel, a_node_is_removed_when_it_is_ready)
{
    auto& first = insert(1, 3);
    insert(2, 4);
    auto& last = insert(3, 5);
    under_test.advance(10);
    under_test.remove(last);
    insert(4, 7);
    under_test.remove(first);
    EXPECT_EQ(pop(), (numbers{2, 4}));
    EXPECT_TRUE(under_test.empty());
    EXPECT_EQ(under_test.next_tick(), std::nullopt);
}

TEST_F(wheel, removing_the_last_node_of_a_place_leaves_nothing_to_wake_up_for)
{
    for (auto const due : {tick(3), tick(300), tick(70'000), tick(1) << 25, tick(1) << 33, tick(1) << 41}) {
        under_test.remove(insert(1, due));
        EXPECT_EQ(under_test.next_tick(), std::nullopt);
        // What was far away is no longer in the way of what is further.
        under_test.advance(due + (tick(1) << 42));
        insert(2, due + (tick(1) << 50));
        EXPECT_EQ(advance(due + (tick(1) << 50) - 1), numbers{});
        EXPECT_EQ(advance(due + (tick(1) << 50)), numbers{2});
        under_test.restart(0);
    }
}

TEST_F(wheel, a_lone_node_wakes_up_once)
{
    for (auto const due :
         {tick(1),
          tick(255),
          tick(256),
          tick(10'000),
          tick(64'000),
          tick(300'000),
          tick(90'000'000),
          tick(40'000'000'000),
          last_tick}) {
        under_test.restart(0);
        insert(1, due);
        EXPECT_EQ(wake_until_one_is_ready(), std::pair(due, 1));
    }
}

TEST_F(wheel, many_nodes_far_away_wake_up_once_a_level)
{
    constexpr tick due = 0x0102'0304'0506;
    for (int i = 0; i != 1000; ++i) insert(1, due);
    EXPECT_EQ(wake_until_one_is_ready(), std::pair(due, 5));
}

TEST_F(wheel, a_lone_node_in_a_distant_future_is_reached_in_one_step)
{
    // Were there a step for each tick, or for each turn of the wheel, this would not end.
    for (int i = 0; i != 1000; ++i) {
        under_test.restart(0);
        insert(1, last_tick - 1);
        ASSERT_EQ(advance(last_tick - 2), numbers{});
        ASSERT_EQ(advance(last_tick), numbers{1});
    }
}

TEST_F(wheel, does_what_a_sorted_map_does)
{
    struct owned {
        std::unique_ptr<numbered> node;
        std::multimap<tick, owned*>::iterator waiting;
        bool is_ready = false;
    };

    std::mt19937_64 random(20261122);
    auto const below = [&](tick bound) { return std::uniform_int_distribution<tick>(0, bound - 1)(random); };
    // Short distances often, long ones seldom, multiples of the digits' values and their neighbours very often.
    auto const distance = [&] {
        auto const bits = below(44);
        auto const result = below((tick(1) << bits) + 1);
        switch (below(4)) {
        case 0: return result & ~tick(255);
        case 1: return result | 255;
        default: return result;
        }
    };

    for (int round = 0; round != 50; ++round) {
        tick now = below(3) == 0 ? last_tick / 2 - below(1000) : below(1000);
        under_test.restart(now);
        std::multimap<tick, owned*> waiting;
        std::deque<owned*> ready;
        std::deque<owned> all;
        std::vector<owned*> in_wheel;
        auto const forget = [&](owned* one) { std::erase(in_wheel, one); };

        for (int step = 0; step != 4000; ++step) {
            switch (below(8)) {
            case 0:
            case 1:
            case 2: {
                auto& one = all.emplace_back();
                one.node = std::make_unique<numbered>(step);
                auto const due = below(20) == 0 ? now - below(3) : now + distance();
                under_test.insert(*one.node, due);
                in_wheel.push_back(&one);
                one.is_ready = due <= now;
                if (one.is_ready)
                    ready.push_back(&one);
                else
                    one.waiting = waiting.emplace(due, &one);
                break;
            }
            case 3: {
                if (in_wheel.empty()) break;
                auto* const one = in_wheel[below(in_wheel.size())];
                under_test.remove(*one->node);
                if (one->is_ready)
                    std::erase(ready, one);
                else
                    waiting.erase(one->waiting);
                forget(one);
                break;
            }
            case 4:
            case 5: {
                auto const next = under_test.next_tick();
                if (ready.empty() && waiting.empty()) {
                    ASSERT_EQ(next, std::nullopt);
                    break;
                }
                ASSERT_TRUE(next);
                ASSERT_LE(*next, ready.empty() ? waiting.begin()->first : now);
                now = below(3) == 0 ? now + distance() : below(4) == 0 && *next > now ? *next - 1 : *next;
                under_test.advance(now);
                while (!waiting.empty() && waiting.begin()->first <= now) {
                    ready.push_back(waiting.begin()->second);
                    ready.back()->is_ready = true;
                    waiting.erase(waiting.begin());
                }
                break;
            }
            default: {
                auto* const node = under_test.pop_ready();
                if (ready.empty()) {
                    ASSERT_EQ(node, nullptr);
                    break;
                }
                ASSERT_EQ(node, ready.front()->node.get());
                forget(ready.front());
                ready.pop_front();
            }
            }
            ASSERT_EQ(under_test.size(), in_wheel.size());
            ASSERT_EQ(under_test.has_ready(), !ready.empty());
        }

        under_test.advance(last_tick);
        for (auto const& [due, one] : waiting) ready.push_back(one);
        for (auto* const one : ready) ASSERT_EQ(under_test.pop_ready(), one->node.get());
        ASSERT_TRUE(under_test.empty());
    }
}

}  // namespace
