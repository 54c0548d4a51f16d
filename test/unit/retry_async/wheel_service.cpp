//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "tracker_executor.hpp"

#include <backbeat/detail/random.hpp>
#include <backbeat/detail/wheel_service.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>
#include <backbeat/wheel_resolution.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#if BACKBEAT_HAS_FORK
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

using namespace std::chrono_literals;
using backbeat::manual_clock;
using backbeat::set_wheel_resolution;
using backbeat::detail::wheel_node;
using backbeat::detail::wheel_of;
using boost::asio::any_io_executor;
using boost::asio::io_context;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr auto tracked = boost::asio::execution::outstanding_work.tracked;

nanoseconds from_now(nanoseconds time)
{
    return steady_clock::now().time_since_epoch() + time;
}

class sleeper : public wheel_node {
public:
    explicit sleeper(std::function<void()> woken = {}, std::function<void()> abandoned = {})
        : woken_(std::move(woken)), abandoned_(std::move(abandoned))
    {
        on_due = [](wheel_node* node, bool is_abandoned) { static_cast<sleeper*>(node)->called(is_abandoned); };
    }

    // How often it was. Written by the context's threads.
    int wakes = 0;
    int abandons = 0;

private:
    void called(bool is_abandoned)
    {
        EXPECT_FALSE(in_wheel());
        ++(is_abandoned ? abandons : wakes);
        if (auto const& then = is_abandoned ? abandoned_ : woken_) then();
    }

    std::function<void()> woken_;
    std::function<void()> abandoned_;
};

// In virtual time.
class wheel_services : public testing::Test {
protected:
    using numbers = std::vector<int>;

    wheel_services() { manual_clock::reset(); }

    // The numbers of those that woke up.
    numbers woken;

    // Before the context, which abandons those that still wait when it is destroyed.
    std::deque<sleeper> sleepers;

    io_context context;
    backbeat::manual_clock_driver driver{context};

    auto& service() { return wheel_of<manual_clock>(context.get_executor()); }

    static nanoseconds now() { return manual_clock::now().time_since_epoch(); }

    sleeper& insert(nanoseconds until, int number = 0, std::function<void()> then = {})
    {
        auto& result = sleepers.emplace_back([this, number, then = std::move(then)] {
            woken.push_back(number);
            if (then) then();
        });
        service().insert(result, until);
        return result;
    }
};

TEST_F(wheel_services, a_wait_ends_never_early_and_less_than_a_tick_late)
{
    std::mt19937_64 random(7);
    nanoseconds latest{};
    nanoseconds earliest = 1h;
    auto const insert_one = [&](nanoseconds until) {
        insert(until, 0, [&, until] {
            latest = (std::max)(latest, now() - until);
            earliest = (std::min)(earliest, now() - until);
        });
    };
    for (int i = 0; i != 2000; ++i)
        insert_one(nanoseconds(std::uniform_int_distribution<std::int64_t>(0, 60e9)(random)));
    for (auto const until : {0ns, 1ns, 999'999ns, 1'000'000ns, 1'000'001ns}) insert_one(until);
    driver.run();
    EXPECT_EQ(woken.size(), 2005u);
    EXPECT_EQ(earliest, 0ns);
    EXPECT_LT(latest, 1ms);
    EXPECT_GT(latest, 900us);
}

TEST_F(wheel_services, waits_of_one_tick_end_in_order_of_insertion_in_one_wake_up)
{
    insert(1s, 1);
    insert(1s - 1ns, 2);
    insert(2s, 4);
    insert(1s - 999us, 3);
    // The handler, and the one that was posted in case that a callback blocks.
    EXPECT_EQ(driver.run_for(1500ms), 2u);
    EXPECT_EQ(woken, (numbers{1, 2, 3}));
    EXPECT_EQ(driver.run_for(500ms), 1u);
    EXPECT_EQ(woken, (numbers{1, 2, 3, 4}));
}

TEST_F(wheel_services, a_lone_wait_wakes_the_context_once)
{
    for (auto const time : {1ms, 300ms, 10'000ms, 3'600'000ms}) {
        insert(now() + time);
        EXPECT_EQ(driver.run_for(time - 1ns), 0u);
        EXPECT_EQ(driver.run_for(1ns), 1u);
    }
    EXPECT_EQ(woken.size(), 4u);
}

TEST_F(wheel_services, a_wheel_that_was_idle_for_long_does_not_catch_up)
{
    insert(1s);
    driver.run();
    manual_clock::advance(24h * 365);
    insert(now() + 3s);
    EXPECT_EQ(driver.run(), 1u);
    EXPECT_EQ(now(), 1s + 24h * 365 + 3s);
}

TEST_F(wheel_services, an_idle_wheel_is_used_again_after_the_clock_went_back)
{
    insert(1h);
    driver.run();
    manual_clock::reset();
    insert(5s);
    EXPECT_EQ(driver.run_for(5s - 1ns), 0u);
    EXPECT_EQ(driver.run(), 1u);
}

TEST_F(wheel_services, a_wait_that_ends_before_all_others_is_not_kept_by_them)
{
    nanoseconds first{};
    insert(10s, 3);
    insert(3s, 2);
    insert(1s, 1, [&] { first = now(); });
    driver.run();
    EXPECT_EQ(woken, (numbers{1, 2, 3}));
    EXPECT_EQ(first, 1s);
    EXPECT_EQ(now(), 10s);
}

TEST_F(wheel_services, a_wait_may_have_ended_when_it_is_inserted)
{
    manual_clock::advance(1h);
    insert(1s, 1);
    insert(-1s, 2);
    EXPECT_EQ(woken, numbers{});
    driver.poll();
    EXPECT_EQ(woken, (numbers{1, 2}));
    EXPECT_EQ(now(), 1h);
}

TEST_F(wheel_services, a_wait_without_an_end_is_one)
{
    auto& endless = insert((nanoseconds::max)());
    insert(1s, 1);
    driver.run();
    EXPECT_EQ(woken, numbers{1});
    EXPECT_EQ(now(), 1s);
    EXPECT_TRUE(service().remove(endless));
}

TEST_F(wheel_services, the_context_has_work_while_something_waits)
{
    auto& one = insert(1s);
    auto& other = insert(2s);
    driver.poll();
    EXPECT_FALSE(context.stopped());
    EXPECT_EQ(context.run_for(0s), 0u);
    EXPECT_FALSE(context.stopped());
    EXPECT_TRUE(service().remove(one));
    EXPECT_EQ(context.run_for(0s), 0u);
    EXPECT_FALSE(context.stopped());
    EXPECT_TRUE(service().remove(other));
    context.run();
    EXPECT_TRUE(context.stopped());
    EXPECT_EQ(woken, numbers{});
}

TEST_F(wheel_services, what_was_removed_is_not_called)
{
    auto& removed = insert(1s, 1);
    insert(1s, 2);
    EXPECT_TRUE(service().remove(removed));
    EXPECT_FALSE(service().remove(removed));
    driver.run();
    EXPECT_EQ(woken, numbers{2});
    EXPECT_FALSE(service().remove(removed));
    EXPECT_FALSE(service().remove(sleepers.back()));
}

TEST_F(wheel_services, what_is_due_can_be_removed_until_it_is_called)
{
    sleeper* first = nullptr;
    sleeper* second = nullptr;
    sleeper* last = nullptr;
    std::vector<bool> removed;
    first = &insert(1s, 1, [&] {
        for (auto* const node : {second, last, first}) removed.push_back(service().remove(*node));
    });
    second = &insert(1s, 2);
    for (int i = 0; i != 200; ++i) insert(1s, 3);
    last = &insert(1s, 4);
    driver.run();
    EXPECT_EQ(removed, (std::vector<bool>{true, true, false}));
    EXPECT_EQ(woken.size(), 201u);
    EXPECT_EQ(second->wakes, 0);
    EXPECT_EQ(last->wakes, 0);
}

TEST_F(wheel_services, a_callback_may_insert_its_node_again)
{
    std::vector<nanoseconds> times;
    sleeper* node = nullptr;
    node = &insert(1s, 1, [&] {
        times.push_back(now());
        if (times.size() != 4) service().insert(*node, now() + 250ms);
    });
    EXPECT_EQ(driver.run(), 4u);
    EXPECT_EQ(times, (std::vector<nanoseconds>{1s, 1250ms, 1500ms, 1750ms}));
}

TEST_F(wheel_services, a_callback_may_destroy_its_node)
{
    auto* const node = new sleeper;
    node->on_due = [](wheel_node* self, bool) { delete static_cast<sleeper*>(self); };
    service().insert(*node, 1s);
    auto* const abandoned = new sleeper;
    abandoned->on_due = node->on_due;
    service().insert(*abandoned, 1h);
    EXPECT_EQ(driver.run_for(1min), 1u);
}

TEST_F(wheel_services, other_handlers_run_between_batches)
{
    constexpr auto batch = 64;
    std::vector<std::size_t> woken_at_handler;
    insert(1s, 0, [&] {
        boost::asio::post(context, [&] {
            woken_at_handler.push_back(woken.size());
            boost::asio::post(context, [&] { woken_at_handler.push_back(woken.size()); });
        });
    });
    for (int i = 1; i != 3 * batch; ++i) insert(1s, i);
    // The batches, the two handlers, and a batch that finds nothing left. Each batch is posted before the one before it
    // calls anybody.
    EXPECT_EQ(driver.run(), 6u);
    EXPECT_EQ(woken_at_handler, (std::vector<std::size_t>{2 * batch, 3 * batch}));
    EXPECT_EQ(woken.size(), 3u * batch);
    EXPECT_TRUE(std::is_sorted(woken.begin(), woken.end()));
}

TEST_F(wheel_services, nodes_that_are_due_again_at_once_do_not_keep_others_out)
{
    bool ended = false;
    sleeper* node = nullptr;
    node = &insert(1s, 0, [&] {
        if (!ended) service().insert(*node, now());
    });
    insert(1s, 1, [&] { boost::asio::post(context, [&] { ended = true; }); });
    driver.run();
    EXPECT_TRUE(ended);
}

TEST_F(wheel_services, time_that_passes_in_a_batch_is_seen_in_it)
{
    insert(1s, 1, [&] {
        insert(2s, 2);
        manual_clock::advance(1s);
    });
    driver.run();
    EXPECT_EQ(woken, (numbers{1, 2}));
}

TEST_F(wheel_services, a_stopped_context_goes_on_where_it_was)
{
    for (int i = 0; i != 200; ++i)
        insert(1s, i, [this, i] {
            if (i == 10) context.stop();
        });
    insert(2s, 200);
    driver.run();
    EXPECT_EQ(woken.size(), 64u);
    // Meanwhile nodes come and go.
    insert(1s, 201);
    EXPECT_TRUE(service().remove(sleepers[100]));
    EXPECT_TRUE(service().remove(insert(3s, 202)));
    driver.run();
    EXPECT_EQ(woken.size(), 64u + 135u + 2u);
    EXPECT_EQ(woken.back(), 200);
}

TEST_F(wheel_services, an_exception_of_a_callback_comes_out_of_run_and_loses_nobody)
{
    auto const fail = [] { throw std::runtime_error("as asked"); };
    insert(1s, 1);
    insert(1s, 2, fail);
    insert(1s, 3, fail);
    insert(1s, 4);
    insert(2s, 5, fail);
    insert(3s, 6);
    EXPECT_THROW(driver.run(), std::runtime_error);
    EXPECT_EQ(woken, (numbers{1, 2}));
    EXPECT_THROW(driver.run(), std::runtime_error);
    EXPECT_EQ(woken, (numbers{1, 2, 3}));
    EXPECT_THROW(driver.run(), std::runtime_error);
    EXPECT_EQ(woken, (numbers{1, 2, 3, 4, 5}));
    EXPECT_EQ(driver.run(), 1u);
    EXPECT_EQ(woken, (numbers{1, 2, 3, 4, 5, 6}));
}

TEST_F(wheel_services, a_finer_resolution)
{
    set_wheel_resolution(context, 100us);
    std::vector<nanoseconds> times;
    for (auto const until : {1ns, 100'000ns, 100'001ns, 1'234'567ns}) insert(until, 0, [&] { times.push_back(now()); });
    driver.run();
    EXPECT_EQ(times, (std::vector<nanoseconds>{100us, 100us, 200us, 1300us}));
}

TEST_F(wheel_services, the_finest_resolution_is_exact)
{
    set_wheel_resolution(context, 1ns);
    std::vector<nanoseconds> times;
    auto& endless = insert((nanoseconds::max)());
    for (auto const until : {nanoseconds(24h) + 1ns, nanoseconds(7s), 1ns})
        insert(until, 0, [&] { times.push_back(now()); });
    driver.run();
    EXPECT_EQ(times, (std::vector<nanoseconds>{1ns, 7s, nanoseconds(24h) + 1ns}));
    EXPECT_TRUE(service().remove(endless));
}

TEST_F(wheel_services, a_resolution_is_positive_and_comes_before_the_first_use)
{
    EXPECT_THROW(set_wheel_resolution(context, 0ns), std::invalid_argument);
    EXPECT_THROW(set_wheel_resolution(context, -1ms), std::invalid_argument);
    set_wheel_resolution(context, 5ms);
    set_wheel_resolution(context, 10ms);
    insert(1ns);
    EXPECT_THROW(set_wheel_resolution(context, 5ms), std::logic_error);
    driver.run();
    EXPECT_EQ(now(), 10ms);

    io_context other;
    set_wheel_resolution(other, 5ms);
}

TEST(wheel_service, a_context_that_is_destroyed_abandons_what_waits)
{
    sleeper removed;
    sleeper late;
    sleeper far_away;
    std::optional<io_context> context(std::in_place);
    auto& service = wheel_of<steady_clock>(context->get_executor());
    bool was_removed = false;
    sleeper near({}, [&] {
        was_removed = service.remove(removed);
        service.insert(late, from_now(1h));
    });
    service.insert(near, from_now(1h));
    service.insert(far_away, (nanoseconds::max)());
    service.insert(removed, from_now(2h));
    context.reset();
    EXPECT_TRUE(was_removed);
    EXPECT_EQ(near.abandons, 1);
    EXPECT_EQ(late.abandons, 1);
    EXPECT_EQ(far_away.abandons, 1);
    EXPECT_EQ(removed.abandons, 0);
    for (auto const* const node : {&near, &late, &far_away, &removed}) EXPECT_EQ(node->wakes, 0);
}

TEST(wheel_service, a_handler_that_is_destroyed_unrun_may_still_remove_its_node)
{
    sleeper waiting;
    std::optional<bool> was_removed;
    {
        io_context context;
        auto& service = wheel_of<steady_clock>(context.get_executor());
        service.insert(waiting, from_now(1h));
        auto const at_end = [&](void*) { was_removed = service.remove(waiting); };
        boost::asio::post(context, [owner = std::unique_ptr<void, decltype(at_end)>(&waiting, at_end)] {});
    }
    // The context destroys handlers last.
    EXPECT_EQ(was_removed, false);
    EXPECT_EQ(waiting.abandons, 1);
}

TEST(wheel_service, a_context_is_destroyed_in_the_middle_of_a_batch_that_was_stopped)
{
    std::deque<sleeper> sleepers;
    {
        io_context context;
        auto& service = wheel_of<steady_clock>(context.get_executor());
        auto const same_tick = from_now(0s);
        for (int i = 0; i != 200; ++i) service.insert(sleepers.emplace_back([&context] { context.stop(); }), same_tick);
        context.run();
    }
    int wakes = 0;
    for (auto const& node : sleepers) {
        wakes += node.wakes;
        EXPECT_EQ(node.wakes + node.abandons, 1);
    }
    EXPECT_EQ(wakes, 64);
}

TEST(wheel_service, run_returns_when_the_last_wait_is_removed)
{
    io_context context;
    auto& service = wheel_of<steady_clock>(context.get_executor());
    sleeper waiting;
    sleeper removing([&] { EXPECT_TRUE(service.remove(waiting)); });
    service.insert(waiting, from_now(1h));
    service.insert(removing, from_now(1ms));
    context.run();
    EXPECT_EQ(removing.wakes, 1);

    // From another thread, to a context that sleeps.
    context.restart();
    service.insert(waiting, from_now(1h));
    std::thread other([&] { EXPECT_TRUE(service.remove(waiting)); });
    context.run();
    other.join();
    EXPECT_EQ(waiting.wakes, 0);
}

TEST(wheel_service, a_wake_up_from_outside_reaches_a_context_that_sleeps)
{
    io_context context;
    auto& service = wheel_of<steady_clock>(context.get_executor());
    sleeper endless;
    sleeper waking([&] { EXPECT_TRUE(service.remove(endless)); });
    service.insert(endless, (nanoseconds::max)());
    std::thread other([&] { service.insert(waking, from_now(1ms)); });
    context.run();
    other.join();
    EXPECT_EQ(waking.wakes, 1);
}

// Comes from before its epoch.
struct young_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<young_clock>;
    [[maybe_unused]] static constexpr bool is_steady = true;

    static time_point now() noexcept
    {
        static auto const epoch = steady_clock::now() + 5ms;
        return time_point(steady_clock::now() - epoch);
    }
};

TEST(wheel_service, a_clock_may_come_from_before_its_epoch)
{
    io_context context;
    auto& service = wheel_of<young_clock>(context.get_executor());
    auto const now = [] { return young_clock::now().time_since_epoch(); };
    std::deque<sleeper> sleepers;
    std::vector<nanoseconds> order;
    for (auto until = now(); until < 5ms; until += 77us) {
        auto& node = sleepers.emplace_back([&, until] {
            EXPECT_GE(now(), until);
            order.push_back(until);
        });
        service.insert(node, until);
    }
    EXPECT_GT(sleepers.size(), 60u);
    context.run();
    EXPECT_EQ(order.size(), sleepers.size());
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(wheel_service, all_executors_of_a_context_share_a_wheel)
{
    io_context context;
    auto const executor = context.get_executor();
    auto const* const wheel = &wheel_of<steady_clock>(executor);
    EXPECT_EQ(&wheel_of<steady_clock>(boost::asio::make_strand(context)), wheel);
    EXPECT_EQ(&wheel_of<steady_clock>(boost::asio::make_strand(boost::asio::make_strand(context))), wheel);
    EXPECT_EQ(&wheel_of<steady_clock>(boost::asio::prefer(executor, tracked)), wheel);
    EXPECT_EQ(&wheel_of<steady_clock>(boost::asio::require(executor, boost::asio::execution::blocking.never)), wheel);

    auto const* const any_wheel = &wheel_of<steady_clock>(any_io_executor(executor));
    EXPECT_EQ(&wheel_of<steady_clock>(any_io_executor(boost::asio::make_strand(context))), any_wheel);
    EXPECT_EQ(&wheel_of<steady_clock>(boost::asio::make_strand(any_io_executor(executor))), any_wheel);

    boost::asio::thread_pool pool(1);
    auto const* const pool_wheel = &wheel_of<steady_clock>(pool.get_executor());
    EXPECT_EQ(&wheel_of<steady_clock>(boost::asio::make_strand(pool)), pool_wheel);

    io_context other;
    EXPECT_NE(&wheel_of<steady_clock>(other.get_executor()), wheel);
    static_assert(
        std::is_same_v<backbeat::detail::context_executor<boost::asio::system_executor>, boost::asio::system_executor>);
}

TEST(wheel_service, what_an_any_executor_holds_is_used_without_strands_and_without_work)
{
    using backbeat::detail::to_context_executor;
    io_context context;
    boost::asio::thread_pool pool(1);
    auto const unwraps = [](auto const& bare) {
        auto const is_bare = [&](any_io_executor const& executor) {
            auto const own = to_context_executor(executor);
            auto const* const target = own.template target<std::decay_t<decltype(bare)>>();
            return target != nullptr && *target == bare;
        };
        auto const with_work = boost::asio::prefer(bare, tracked);
        EXPECT_TRUE(is_bare(bare));
        EXPECT_TRUE(is_bare(with_work));
        EXPECT_TRUE(is_bare(boost::asio::make_strand(bare)));
        EXPECT_TRUE(is_bare(boost::asio::make_strand(with_work)));
        EXPECT_TRUE(is_bare(boost::asio::make_strand(any_io_executor(bare))));
        EXPECT_TRUE(is_bare(boost::asio::make_strand(any_io_executor(boost::asio::make_strand(with_work)))));
    };
    unwraps(context.get_executor());
    unwraps(pool.get_executor());
}

TEST(wheel_service, the_wheel_itself_is_no_work)
{
    io_context context;
    boost::asio::executor_work_guard<io_context::executor_type> work(context.get_executor());
    (void)wheel_of<steady_clock>(boost::asio::prefer(context.get_executor(), tracked));
    (void)wheel_of<steady_clock>(any_io_executor(boost::asio::prefer(context.get_executor(), tracked)));
    backbeat::test::execution_log log;
    (void)wheel_of<steady_clock>(
        backbeat::test::tracker_executor(boost::asio::prefer(context.get_executor(), tracked), log));
    work.reset();
    EXPECT_EQ(context.run(), 0u);
}

TEST(wheel_service, an_executor_that_is_none_of_asios_runs_the_callbacks)
{
    io_context context;
    backbeat::test::execution_log log;
    backbeat::test::tracker_executor const tracker(context.get_executor(), log);
    int running = 0;
    sleeper in_own([&] { running += log.running; });
    sleeper in_any([&] { running += log.running; });
    wheel_of<steady_clock>(boost::asio::make_strand(tracker)).insert(in_own, from_now(1ms));
    wheel_of<steady_clock>(any_io_executor(tracker)).insert(in_any, from_now(1ms));
    context.run();
    EXPECT_EQ(in_own.wakes + in_any.wakes, 2);
    EXPECT_EQ(running, 2);
}

// Many come and go on all threads: each is called or was removed, never both, never twice.
template <class Executor, class Run>
void stress(Executor const& executor, Run const& run)
{
    struct one {
        sleeper node;
        bool removed = false;
    };

    constexpr std::size_t threads = 3;
    constexpr std::size_t each = 2000;
    auto& service = wheel_of<steady_clock>(executor);
    std::deque<one> all(threads * each);
    std::vector<std::thread> inserting;
    for (std::size_t thread = 0; thread != threads; ++thread) {
        inserting.emplace_back([&, thread] {
            std::minstd_rand random(static_cast<unsigned>(thread + 1));
            auto const insert = [&](one& it, nanoseconds time) { service.insert(it.node, from_now(time)); };
            for (std::size_t i = 0; i != each; ++i) {
                auto& it = all[thread * each + i];
                insert(it, std::chrono::microseconds(random() % 5000));
                if (random() % 3 == 0) {
                    auto& victim = all[thread * each + random() % (i + 1)];
                    if (service.remove(victim.node)) {
                        if (random() % 2 == 0)
                            insert(victim, std::chrono::microseconds(random() % 3000));
                        else
                            victim.removed = true;
                    }
                }
            }
        });
    }
    for (auto& thread : inserting) thread.join();
    run();
    for (auto& it : all) ASSERT_EQ(it.node.wakes + (it.removed ? 1 : 0), 1);
}

TEST(wheel_service, threads_of_a_pool_and_others)
{
    boost::asio::thread_pool pool(3);
    stress(pool.get_executor(), [&] { pool.join(); });
}

TEST(wheel_service, threads_of_a_pool_behind_an_any_executor)
{
    boost::asio::thread_pool pool(3);
    stress(any_io_executor(boost::asio::make_strand(pool)), [&] { pool.join(); });
}

TEST(wheel_service, several_threads_run_one_context)
{
    io_context context;
    std::optional work(boost::asio::make_work_guard(context));
    std::vector<std::thread> running;
    for (int i = 0; i != 3; ++i) running.emplace_back([&] { context.run(); });
    stress(boost::asio::make_strand(context), [&] {
        work.reset();
        for (auto& thread : running) thread.join();
    });
}

TEST(wheel_service, callbacks_come_once_and_not_before_their_time_on_many_threads)
{
    constexpr int count = 5000;
    boost::asio::thread_pool pool(4);
    auto& service = wheel_of<steady_clock>(pool.get_executor());
    std::atomic<int> early = 0;
    std::atomic<int> wakes = 0;
    std::deque<sleeper> sleepers;
    for (int i = 0; i != count; ++i) {
        auto const until = from_now(std::chrono::microseconds(i % 7000));
        auto& node = sleepers.emplace_back([&, until] {
            if (from_now(0s) < until) ++early;
            ++wakes;
        });
        service.insert(node, until);
    }
    pool.join();
    EXPECT_EQ(wakes, count);
    EXPECT_EQ(early, 0);
}

// As with timers of Asio's: it may wait for what happens on other threads.
TEST(wheel_service, a_callback_that_blocks_keeps_no_other_waiting_on_other_threads)
{
    boost::asio::thread_pool pool(2);
    auto& service = wheel_of<steady_clock>(pool.get_executor());
    std::promise<void> woken_meanwhile;
    std::deque<sleeper> sleepers;
    auto const until = from_now(1ms);
    sleepers.emplace_back([&] { woken_meanwhile.get_future().wait(); });
    sleepers.emplace_back(
        [&] { service.insert(sleepers.emplace_back([&] { woken_meanwhile.set_value(); }), from_now(1ms)); });
    service.insert(sleepers[0], until);
    service.insert(sleepers[1], until);
    pool.join();
    EXPECT_EQ(sleepers.back().wakes, 1);
}

#if BACKBEAT_HAS_FORK
TEST(wheel_service, what_waits_at_a_fork_wakes_up_in_the_parent_and_in_the_child)
{
    io_context context;
    auto& service = wheel_of<steady_clock>(context.get_executor());
    std::deque<sleeper> sleepers;
    for (int i = 1; i != 6; ++i) service.insert(sleepers.emplace_back(), from_now(i * 2ms));
    auto const all_awake = [&] {
        service.insert(sleepers.emplace_back(), from_now(1ms));
        context.run();
        return std::all_of(sleepers.begin(), sleepers.end(), [](auto const& node) { return node.wakes == 1; });
    };

    context.notify_fork(io_context::fork_prepare);
    auto const child = ::fork();
    if (child == 0) {
        context.notify_fork(io_context::fork_child);
        ::_exit(all_awake() ? 0 : 1);
    }
    context.notify_fork(io_context::fork_parent);
    EXPECT_TRUE(all_awake());
    int status = 1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}
#endif

}  // namespace
