//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Asio finds no memory to start a wait or to post: no other wait is lost by that.

#include <backbeat/detail/wheel_service.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <functional>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

bool is_short = false;

}  // namespace

// Asio's recycling allocator calls this one.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    if (is_short) return nullptr;
    void* block = nullptr;
    return posix_memalign(&block, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) == 0 ? block : nullptr;
}

namespace {

using namespace std::chrono_literals;
using backbeat::manual_clock;
using backbeat::detail::wheel_node;

class wheel_short_of_memory : public testing::Test {
protected:
    using numbers = std::vector<int>;

    struct sleeper : wheel_node {
        std::function<void()> woken;
    };

    wheel_short_of_memory() { manual_clock::reset(); }
    ~wheel_short_of_memory() override { is_short = false; }

    // Before the context, which abandons those that still wait when it is destroyed.
    numbers woken;
    std::deque<sleeper> sleepers;

    boost::asio::io_context context;
    backbeat::manual_clock_driver driver{context};

    auto& service() { return backbeat::detail::wheel_of<manual_clock>(context.get_executor()); }

    void insert(std::chrono::nanoseconds until, int number, std::function<void()> then = {})
    {
        auto& result = sleepers.emplace_back();
        result.woken = [this, number, then = std::move(then)] {
            woken.push_back(number);
            if (then) then();
        };
        result.on_due = [](wheel_node* node, bool abandoned) {
            if (!abandoned) static_cast<sleeper*>(node)->woken();
        };
        service().insert(result, until);
    }

    // In a handler: also what Asio keeps for this thread's next operations is used up.
    void use_up_memory()
    {
        for (int i = 0; i != 8; ++i) boost::asio::post(context, [] { is_short = false; });
        is_short = true;
    }
};

TEST_F(wheel_short_of_memory, an_insertion_that_fails_changes_nothing)
{
    insert(10s, 2);
    is_short = true;
    EXPECT_THROW(insert(1s, 1), std::bad_alloc);
    EXPECT_FALSE(sleepers.back().in_wheel());
    EXPECT_FALSE(service().remove(sleepers.back()));
    insert(11s, 3);  // what ends later needs no memory
    is_short = false;
    driver.run_for(10s);
    EXPECT_EQ(woken, numbers{2});
    driver.run();
    EXPECT_EQ(woken, (numbers{2, 3}));
}

TEST_F(wheel_short_of_memory, the_first_insertion_may_fail_and_be_tried_again)
{
    (void)service();
    is_short = true;
    EXPECT_THROW(insert(1s, 1), std::bad_alloc);
    is_short = false;
    EXPECT_EQ(driver.run(), 0u);
    service().insert(sleepers.back(), 1s);
    driver.run();
    EXPECT_EQ(woken, numbers{1});
}

TEST_F(wheel_short_of_memory, a_callback_that_uses_up_the_memory_keeps_no_other_waiting)
{
    insert(1s, 1, [this] { use_up_memory(); });
    insert(2s, 2);
    driver.run();
    EXPECT_EQ(woken, (numbers{1, 2}));
}

TEST_F(wheel_short_of_memory, a_batch_is_posted_before_a_callback_can_use_up_the_memory)
{
    for (int i = 0; i != 100; ++i)
        insert(1s, i, [this, i] {
            if (i == 63) use_up_memory();
        });
    driver.run();
    EXPECT_EQ(woken.size(), 100u);
}

TEST_F(wheel_short_of_memory, the_callbacks_exception_is_the_one_that_is_seen)
{
    insert(1s, 1, [this] {
        use_up_memory();
        throw std::runtime_error("as asked");
    });
    insert(2s, 2);
    EXPECT_THROW(driver.run(), std::runtime_error);
}

}  // namespace
