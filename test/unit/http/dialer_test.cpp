//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_fixture.hpp"
#include "dialer.hpp"
#include "stuck_listener.hpp"
#include "system_calls.hpp"

#include <boost/asio/error.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using http::detail::dialer;
using http::detail::endpoint_list;
using http::detail::interleave_families;
using http::detail::tells_more;

tcp::endpoint at(char const* address, std::uint16_t port = 1)
{
    return {asio::ip::make_address(address), port};
}

tcp::endpoint local(std::uint16_t port)
{
    return at("127.0.0.1", port);
}

endpoint_list parsed(std::vector<char const*> const& addresses)
{
    endpoint_list result;
    for (auto const* each : addresses) result.push_back(at(each));
    return result;
}

TEST(http_addresses, are_tried_in_turns_of_the_families)
{
    std::pair<std::vector<char const*>, std::vector<char const*>> const cases[] = {
        {{}, {}},
        {{"1.1.1.1"}, {"1.1.1.1"}},
        {{"1.1.1.1", "1.1.1.2", "1.1.1.3"}, {"1.1.1.1", "1.1.1.2", "1.1.1.3"}},
        {{"::2", "::1"}, {"::2", "::1"}},
        {{"::1", "::2", "1.1.1.1", "1.1.1.2"}, {"::1", "1.1.1.1", "::2", "1.1.1.2"}},
        {{"1.1.1.1", "1.1.1.2", "::1", "::2"}, {"1.1.1.1", "::1", "1.1.1.2", "::2"}},
        {{"::1", "::2", "::3", "1.1.1.1"}, {"::1", "1.1.1.1", "::2", "::3"}},
        {{"::1", "1.1.1.1", "1.1.1.2", "1.1.1.3"}, {"::1", "1.1.1.1", "1.1.1.2", "1.1.1.3"}},
        // In turns already.
        {{"1.1.1.1", "::1", "1.1.1.2"}, {"1.1.1.1", "::1", "1.1.1.2"}},
    };
    for (auto const& [found, expected] : cases) EXPECT_EQ(interleave_families(parsed(found)), parsed(expected));
}

TEST(http_addresses, have_errors_that_tell_more_or_less)
{
    std::vector<std::vector<asio::error::basic_errors>> const ranks = {
        {asio::error::network_unreachable, asio::error::address_family_not_supported, asio::error::access_denied},
        {asio::error::timed_out, asio::error::host_unreachable},
        {asio::error::connection_refused, asio::error::connection_reset, asio::error::no_descriptors}};
    for (std::size_t a = 0; a != ranks.size(); ++a)
        for (std::size_t b = 0; b != ranks.size(); ++b)
            for (auto const one : ranks[a])
                for (auto const than : ranks[b]) EXPECT_EQ(tells_more(one, than), a > b) << one << ' ' << than;
}

class http_dialer : public client_fixture {
protected:
    void start(endpoint_list addresses, std::chrono::nanoseconds delay)
    {
        dialling = std::make_shared<dialer>(
            context.get_executor(),
            context.get_executor(),
            std::move(addresses),
            delay,
            [this](error_code failure, tcp::socket socket) {
                ++ends;
                error = failure;
                connected.emplace(std::move(socket));
                dialling.reset();
            });
        dialling->start();
        EXPECT_EQ(ends, 0) << "ended inside `start`";
    }

    void dial(endpoint_list addresses, std::chrono::nanoseconds delay)
    {
        start(std::move(addresses), delay);
        ASSERT_TRUE(run_until([this] { return ends != 0; })) << "hangs";
        expect_nothing_under_way();
        EXPECT_EQ(ends, 1);
    }

    // Neither a socket nor the timer keeps the context from ending.
    void expect_nothing_under_way()
    {
        settle();
        context.restart();
        context.poll();
        EXPECT_TRUE(context.stopped());
    }

    void expect_connected_to(std::uint16_t port)
    {
        EXPECT_EQ(error, error_code()) << error.message();
        ASSERT_TRUE(connected && connected->is_open());
        EXPECT_EQ(connected->remote_endpoint().port(), port);
    }

    std::shared_ptr<dialer> dialling;
    int ends = 0;
    error_code error;
    std::optional<tcp::socket> connected;
};

TEST_F(http_dialer, connects_to_the_only_address)
{
    scripted_server server({answering({answer(200)})});
    dial({local(server.port())}, 1h);
    expect_connected_to(server.port());
}

TEST_F(http_dialer, tries_the_next_at_once_when_one_fails)
{
    scripted_server server({answering({answer(200)})});
    dial({local(refused_port()), local(refused_port()), local(server.port())}, 1h);
    expect_connected_to(server.port());
}

// Where there is no IPv6, that is what fails.
TEST_F(http_dialer, goes_from_one_family_to_the_other)
{
    scripted_server server({answering({answer(200)})});
    dial({at("::1", server.port()), local(server.port())}, 1h);
    expect_connected_to(server.port());
    EXPECT_TRUE(connected->remote_endpoint().address().is_v4());
}

TEST_F(http_dialer, tries_the_next_after_the_delay_beside_one_that_hangs)
{
    stuck_listener const first;
    stuck_listener const second;
    scripted_server server({answering({answer(200)})});
    auto const begin = std::chrono::steady_clock::now();
    dial({local(first.port()), local(second.port()), local(server.port())}, 20ms);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 40ms);
    expect_connected_to(server.port());
}

TEST_F(http_dialer, does_not_try_the_next_before_the_delay)
{
    stuck_listener const hanging;
    auto const before = connections_begun();
    start({local(hanging.port()), local(refused_port())}, 1h);
    settle();
    EXPECT_EQ(ends, 0);
    EXPECT_EQ(connections_begun(), before + 1);
    dialling.reset();
    expect_nothing_under_way();
}

TEST_F(http_dialer, keeps_one_that_is_slower_than_the_delay)
{
    // It listens, and does not answer before the other was tried and failed.
    stuck_listener hanging;
    auto const before = connections_begun();
    start({local(hanging.port()), local(refused_port())}, 1ms);
    ASSERT_TRUE(run_until([&] { return connections_begun() == before + 2; }));
    settle();
    EXPECT_EQ(ends, 0);
    hanging.unstick();
    ASSERT_TRUE(run_until([this] { return ends != 0; }));
    expect_connected_to(hanging.port());
}

TEST_F(http_dialer, uses_one_of_those_that_answer_at_once)
{
    scripted_server one({[](peer& client) { client.wait_for_close(); }});
    scripted_server other({[](peer& client) { client.wait_for_close(); }});
    dial({local(one.port()), local(other.port())}, 0ns);
    EXPECT_EQ(error, error_code());
    EXPECT_TRUE(connected->is_open());
}

TEST_F(http_dialer, reports_the_error_that_tells_most)
{
    // Without a route, and without a family.
    auto const nowhere = at("255.255.255.255", 1);
    for (auto const& addresses :
         {endpoint_list{nowhere, local(refused_port())}, endpoint_list{local(refused_port()), nowhere}}) {
        ends = 0;
        dial(addresses, 1h);
        EXPECT_EQ(error, asio::error::connection_refused) << error.message();
        EXPECT_FALSE(connected->is_open());
    }
    ends = 0;
    dial({nowhere}, 1h);
    EXPECT_TRUE(error);
    EXPECT_NE(error, asio::error::connection_refused);
}

TEST_F(http_dialer, waits_for_the_last_before_it_gives_up)
{
    stuck_listener hanging;
    start({local(hanging.port()), local(refused_port())}, 0ns);
    settle();
    EXPECT_EQ(ends, 0);
    dialling->stop();
    expect_nothing_under_way();
    EXPECT_EQ(ends, 0);
}

TEST_F(http_dialer, may_be_stopped_twice_and_after_the_end)
{
    scripted_server server({answering({answer(200)})});
    start({local(server.port())}, 1h);
    auto const kept = dialling;
    ASSERT_TRUE(run_until([this] { return ends != 0; }));
    kept->stop();
    kept->stop();
    expect_nothing_under_way();
    EXPECT_EQ(ends, 1);
    EXPECT_TRUE(connected->is_open());
}

// What it has under way refers to it weakly.
TEST_F(http_dialer, may_be_dropped_at_any_step)
{
    stuck_listener const hanging;
    scripted_server server({answering({answer(200)})});
    for (int steps = 0; steps != 6; ++steps) {
        start({local(hanging.port()), local(refused_port()), local(server.port())}, 0ns);
        context.restart();
        for (int i = 0; i != steps && ends == 0; ++i) context.poll_one();
        dialling.reset();
        auto const before = ends;
        expect_nothing_under_way();
        EXPECT_EQ(ends, before);
        ends = 0;
    }
}

TEST(http_dialer_abandoned, goes_with_its_context)
{
    stuck_listener const hanging;
    asio::io_context context;
    auto const abandoned = std::make_shared<dialer>(
        context.get_executor(),
        context.get_executor(),
        endpoint_list{local(hanging.port())},
        1h,
        [](error_code, tcp::socket) { FAIL(); });
    abandoned->start();
    context.poll();
}

}  // namespace
}  // namespace backbeat::test
