//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "deadline_set.hpp"

#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using http::detail::deadline_entry;
using http::detail::deadline_set;
using clock = deadline_set::clock;

class probe_entry final : public deadline_entry {
public:
    explicit probe_entry(std::function<void(probe_entry&)> on_call) : on_call_(std::move(on_call)) {}

    void on_deadline() override
    {
        ++calls;
        on_call_(*this);
    }

    int calls = 0;

private:
    std::function<void(probe_entry&)> on_call_;
};

class http_deadline_set : public ::testing::Test {
protected:
    using entry_pointer = std::shared_ptr<probe_entry>;

    // Removes itself when it is called, unless it is told to do something else.
    entry_pointer insert(clock::time_point due, std::function<void(probe_entry&)> on_call = nullptr)
    {
        if (!on_call) on_call = [this](probe_entry& called) { set->remove(called); };
        auto const number = ++made;
        auto result = std::make_shared<probe_entry>([this, number, act = std::move(on_call)](probe_entry& called) {
            order.push_back(number);
            act(called);
        });
        set->insert(*result, due, result);
        return result;
    }

    std::size_t poll()
    {
        context->restart();
        return context->poll();
    }

    // Until no wait is left, with which the context would go on.
    void run_to_the_end()
    {
        context->restart();
        context->run_for(10s);
        EXPECT_TRUE(context->stopped()) << "a wait is left";
    }

    std::optional<asio::io_context> context{std::in_place, 1};
    std::shared_ptr<deadline_set> set = std::make_shared<deadline_set>(context->get_executor());
    clock::time_point const now = clock::now();
    std::vector<int> order;
    int made = 0;
};

TEST_F(http_deadline_set, calls_those_that_have_passed_in_their_order)
{
    auto const last = insert(now + 3ms);
    auto const first = insert(now + 1ms);
    auto const middle = insert(now + 2ms);
    run_to_the_end();
    EXPECT_EQ(order, (std::vector{2, 3, 1}));
    EXPECT_GE(clock::now(), now + 3ms);
}

// Runs what it is given on another one, or throws, as a strand does that has no memory to queue it.
class failing_executor {
public:
    failing_executor(asio::io_context& context, std::shared_ptr<int> failures) noexcept
        : context_(&context), failures_(std::move(failures))
    {}

    [[nodiscard]] asio::execution_context& query(asio::execution::context_t) const noexcept { return *context_; }
    [[nodiscard]] static constexpr auto query(asio::execution::blocking_t) noexcept
    {
        return asio::execution::blocking.never;
    }
    [[nodiscard]] failing_executor require(asio::execution::blocking_t::never_t) const noexcept { return *this; }

    template <class Function>
    void execute(Function&& function) const
    {
        if (*failures_ != 0) {
            --*failures_;
            [[maybe_unused]] auto const lost = std::forward<Function>(function);
            throw std::bad_alloc();
        }
        asio::post(*context_, std::forward<Function>(function));
    }

    friend bool operator==(failing_executor const& a, failing_executor const& b) noexcept
    {
        return a.context_ == b.context_;
    }

private:
    asio::io_context* context_;
    std::shared_ptr<int> failures_;
};

TEST_F(http_deadline_set, loses_nobody_when_a_wait_that_was_replaced_cannot_tell_its_end)
{
    auto const failures = std::make_shared<int>(0);
    set = std::make_shared<deadline_set>(failing_executor(*context, failures));
    auto const late = insert(now + 1h);
    auto const early = insert(now + 5ms, [&](probe_entry& self) {
        set->remove(self);
        set->remove(*late);
    });
    *failures = 1;
    EXPECT_THROW(context->run(), std::bad_alloc);
    EXPECT_EQ(early->calls, 0);
    EXPECT_TRUE(early->is_linked());
    EXPECT_TRUE(late->is_linked());
    run_to_the_end();
    EXPECT_EQ(early->calls, 1);
    EXPECT_EQ(late->calls, 0);
}

TEST_F(http_deadline_set, goes_on_after_a_wait_that_could_not_tell_its_end)
{
    auto const failures = std::make_shared<int>(0);
    set = std::make_shared<deadline_set>(failing_executor(*context, failures));
    auto const abandoned = insert(now + 1ms);
    *failures = 1;
    EXPECT_THROW(context->run(), std::bad_alloc);
    EXPECT_FALSE(abandoned->is_linked());
    set->set(*abandoned, now + 2ms);
    set->remove(*abandoned);
    auto const next = insert(now + 1h);
    set->set(*next, now + 3ms);
    run_to_the_end();
    EXPECT_EQ(abandoned->calls, 0);
    EXPECT_EQ(next->calls, 1);
}

TEST_F(http_deadline_set, calls_nobody_too_early)
{
    clock::time_point called;
    auto const due = now + 5ms;
    // What the timer waits for first is not there any more when it ends.
    auto const earlier = insert(now + 1ms);
    auto const entry = insert(due, [&](probe_entry& self) {
        called = clock::now();
        set->remove(self);
    });
    set->remove(*earlier);
    run_to_the_end();
    EXPECT_EQ(earlier->calls, 0);
    EXPECT_EQ(entry->calls, 1);
    EXPECT_GE(called, due);
}

TEST_F(http_deadline_set, waits_no_longer_for_one_that_is_set_later)
{
    auto const postponed = insert(now + 1ms);
    set->set(*postponed, now + 1h);
    auto const other = insert(now + 5ms, [&](probe_entry& self) {
        set->remove(self);
        set->remove(*postponed);
    });
    run_to_the_end();
    EXPECT_EQ(order, std::vector{2});
}

TEST_F(http_deadline_set, notices_one_that_is_set_earlier)
{
    auto const hurried = insert(now + 1h);
    auto const other = insert(now + 2h, [](probe_entry&) {});
    set->set(*hurried, now - 1s);
    while (order.empty()) context->run_one_for(10s);
    EXPECT_EQ(order, std::vector{1});
    set->remove(*other);
    run_to_the_end();
}

TEST_F(http_deadline_set, keeps_the_context_running_as_long_as_there_is_an_entry)
{
    auto const unlimited = insert((clock::time_point::max)());
    poll();
    EXPECT_FALSE(context->stopped());
    set->remove(*unlimited);
    poll();
    EXPECT_TRUE(context->stopped());
    // And once more.
    auto const other = insert(now + 1h);
    poll();
    EXPECT_FALSE(context->stopped());
    set->remove(*other);
    set->remove(*other);
    poll();
    EXPECT_TRUE(context->stopped());
    EXPECT_TRUE(order.empty());
}

TEST_F(http_deadline_set, owns_its_entries_until_they_are_removed)
{
    auto entry = insert(now + 1h);
    std::weak_ptr<probe_entry> const witness = entry;
    auto* const plain = entry.get();
    entry.reset();
    EXPECT_FALSE(witness.expired());
    set->remove(*plain);
    EXPECT_TRUE(witness.expired());
}

TEST_F(http_deadline_set, lets_its_entries_go_with_the_context)
{
    std::vector<std::weak_ptr<probe_entry>> witnesses;
    for (auto const due : {now + 1h, now + 1min, (clock::time_point::max)()}) witnesses.push_back(insert(due));
    poll();
    for (auto const& each : witnesses) EXPECT_FALSE(each.expired());
    set.reset();
    context.reset();
    for (auto const& each : witnesses) EXPECT_TRUE(each.expired());
    EXPECT_TRUE(order.empty());
}

TEST_F(http_deadline_set, calls_an_entry_once_unless_it_is_set_again)
{
    auto const entry = insert(now - 1s, [this](probe_entry& called) {
        if (called.calls == 1) return set->set(called, now - 1s);
    });
    while (order.size() != 2) context->run_one_for(10s);
    poll();
    EXPECT_EQ(entry->calls, 2);
    EXPECT_FALSE(context->stopped());
    set->remove(*entry);
    run_to_the_end();
}

TEST_F(http_deadline_set, lets_an_entry_remove_and_insert_others)
{
    entry_pointer victim;
    entry_pointer fresh;
    auto const killer = insert(now - 2s, [&](probe_entry& self) {
        set->remove(*victim);
        set->remove(self);
        fresh = insert(now - 1s);
    });
    victim = insert(now - 1s);
    run_to_the_end();
    EXPECT_EQ(order, (std::vector{1, 3}));
    EXPECT_EQ(victim->calls, 0);
}

TEST_F(http_deadline_set, calls_the_others_although_one_throws)
{
    auto const thrower = insert(now - 2s, [this](probe_entry& self) {
        set->remove(self);
        throw std::runtime_error("on purpose");
    });
    auto const other = insert(now - 1s);
    EXPECT_THROW(run_to_the_end(), std::runtime_error);
    run_to_the_end();
    EXPECT_EQ(order, (std::vector{1, 2}));
}

}  // namespace
}  // namespace backbeat::test
