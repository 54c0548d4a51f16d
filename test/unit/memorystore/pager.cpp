//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "call_fixture.hpp"
#include "names.hpp"

#include <backbeat/retry_report.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

namespace {

using namespace backbeat::memorystore;
using namespace std::chrono_literals;

class Pager : public CallFixture {
protected:
    template <class Response>
    outcome<std::optional<Response>> next(pager<Response>& pages)
    {
        return run<std::optional<Response>>([&](auto handler) { pages.async_next(std::move(handler)); });
    }

    std::string path(std::size_t i) const
    {
        auto const& text = server.requests.at(i);
        return text.substr(0, text.find(" HTTP/1.1"));
    }
};

}  // namespace

TEST_F(Pager, GivesPageAfterPage)
{
    server.answer(200, R"({"instances":[{"name":"x"}],"nextPageToken":"2"})");
    server.answer(200, R"({"nextPageToken":"3"})");
    server.answer(503, "");
    server.answer(200, R"({"instances":[{"name":"z"}]})");
    page_request page;
    page.page_size = 1;
    auto pages = redis().instance_pages(region, page);
    EXPECT_EQ(next(pages).result->instances.at(0).name, "x");
    EXPECT_TRUE(next(pages).result->instances.empty());
    EXPECT_EQ(next(pages).result->instances.at(0).name, "z");
    for (int i = 0; i != 2; ++i) {
        auto const end = next(pages);
        EXPECT_FALSE(end.failure);
        EXPECT_FALSE(end.result);
    }
    ASSERT_EQ(server.requests.size(), 4U);
    EXPECT_EQ(path(0), "GET /v1/projects/p/locations/us-central1/instances?pageSize=1");
    EXPECT_EQ(path(3), "GET /v1/projects/p/locations/us-central1/instances?pageSize=1&pageToken=3");
}

TEST_F(Pager, ABrokenPageCanBeAskedForAgain)
{
    options.retry.maximum_retries = 0;
    server.answer(200, R"({"clusters":[{"name":"x"}],"nextPageToken":"2"})");
    server.answer(503, "");
    server.answer(200, R"({"clusters":[{"name":"y"}]})");
    auto pages = redis().cluster_pages(region);
    EXPECT_TRUE(next(pages).result);
    EXPECT_EQ(next(pages).problem().code(), rpc_code::unavailable);
    EXPECT_EQ(next(pages).result->clusters.at(0).name, "y");
    EXPECT_EQ(path(1), path(2));
    EXPECT_FALSE(next(pages).result);
}

TEST_F(Pager, ArgumentsAreChecked)
{
    auto pages = redis().backup_pages(region);
    EXPECT_EQ(next(pages).problem().code(), errc::invalid_argument);
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(Pager, PagesThatGoRoundInACircle)
{
    for (int i = 0; i != 30; ++i)
        server.answer(200, R"({"operations":[],"nextPageToken":")" + std::to_string(i < 2 ? -i : i % 3) + "\"}");
    auto pages = redis().operation_pages(region);
    outcome<std::optional<list_operations_response>> got;
    do got = next(pages);
    while (!got.failure && server.requests.size() < 30);
    EXPECT_EQ(got.problem().code(), errc::malformed_response);
    EXPECT_STREQ(
        got.problem().what(),
        "listing what is in 'projects/p/locations/us-central1' failed: its pages go round in a circle, each naming "
        "another as the next");
    EXPECT_LT(server.requests.size(), 12U);
}

TEST_F(Pager, FromACoroutine)
{
    server.answer(200, R"({"locations":[{"name":"x"}],"nextPageToken":"2"})");
    server.answer(200, R"({"locations":[{"name":"y"}]})");
    auto const coroutine = [&]() -> boost::asio::awaitable<std::vector<std::string>> {
        std::vector<std::string> names;
        auto pages = redis().location_pages("projects/p");
        while (auto const page = co_await pages.async_next(boost::asio::use_awaitable))
            for (auto const& each : page->locations) names.push_back(each.name);
        co_return names;
    };
    auto found = boost::asio::co_spawn(context, coroutine, boost::asio::use_future);
    while (found.wait_for(0s) != std::future_status::ready) context.run_one();
    EXPECT_EQ(found.get(), (std::vector<std::string>{"x", "y"}));
}

TEST_F(Pager, TheHandlersExecutorIsUsed)
{
    server.answer(200, "{}");
    boost::asio::io_context other;
    auto pages = redis().backup_collection_pages(region);
    int called = 0;
    auto const ask = [&] {
        auto const before = called;
        context.restart();
        other.restart();
        pages.async_next(boost::asio::bind_executor(
            other.get_executor(), [&](std::exception_ptr failure, std::optional<list_backup_collections_response>) {
                EXPECT_FALSE(failure);
                EXPECT_TRUE(other.get_executor().running_in_this_thread());
                ++called;
            }));
        while (called == before) {
            context.poll();
            other.poll();
        }
    };
    ask();
    // The second time there is nothing to ask for.
    ask();
    EXPECT_EQ(server.requests.size(), 1U);
}

TEST_F(Pager, Cancellation)
{
    server.hang();
    server.answer(200, R"({"backups":[{"name":"x"}]})");
    boost::asio::cancellation_signal signal;
    auto pages = redis().backup_pages(collection_b);
    auto const cancelled = run<std::optional<list_backups_response>>([&](auto handler) {
        pages.async_next(boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler)));
        boost::asio::post(context, [&] {
            while (server.requests.empty()) context.run_one();
            signal.emit(boost::asio::cancellation_type::terminal);
        });
    });
    EXPECT_EQ(cancelled.problem().code(), boost::asio::error::operation_aborted);
    EXPECT_EQ(next(pages).result->backups.at(0).name, "x");
}

TEST_F(Pager, AListThatIsGatheredIsCancelledBetweenPages)
{
    for (auto const type :
         {boost::asio::cancellation_type::terminal,
          boost::asio::cancellation_type::partial,
          boost::asio::cancellation_type::total}) {
        server.requests.clear();
        server.answer(200, R"({"clusters":[{"name":"x"}],"nextPageToken":"2"})");
        server.answer(503, "");
        boost::asio::cancellation_signal signal;
        auto patient = options.retry;
        patient.initial_backoff = 64s;
        auto const cancelled = run<list_clusters_response>([&](auto handler) {
            redis().async_list_all_clusters(
                region, patient, boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler)));
            boost::asio::post(context, [&] {
                while (server.requests.size() != 2) context.run_one();
                // Until the answer has come, and the long wait has begun.
                for (int i = 0; i != 20; ++i) context.poll();
                signal.emit(type);
            });
        });
        EXPECT_EQ(cancelled.problem().code(), boost::asio::error::operation_aborted);
        EXPECT_TRUE(cancelled.result.clusters.empty());
    }
}

TEST_F(Pager, ListsAreGathered)
{
    auto const gather = [&]<class Response>(std::string const& items, auto start, Response*) {
        server.answer(200, "{\"" + items + R"(":[{"name":"x"}],"nextPageToken":"2"})");
        server.answer(200, "{\"" + items + R"(":[{"name":"y"},{"name":"z"}]})");
        auto got = run<Response>(start);
        EXPECT_FALSE(got.failure) << items;
        return got.result;
    };
    EXPECT_EQ(
        gather(
            "locations",
            [&](auto handler) { redis().async_list_all_locations("projects/p", std::move(handler)); },
            static_cast<list_locations_response*>(nullptr))
            .locations.size(),
        3U);
    EXPECT_EQ(
        gather(
            "clusters",
            [&](auto handler) { redis().async_list_all_clusters(region, std::move(handler)); },
            static_cast<list_clusters_response*>(nullptr))
            .clusters.size(),
        3U);
    EXPECT_EQ(
        gather(
            "backupCollections",
            [&](auto handler) { redis().async_list_all_backup_collections(region, std::move(handler)); },
            static_cast<list_backup_collections_response*>(nullptr))
            .backup_collections.size(),
        3U);
    EXPECT_EQ(
        gather(
            "backups",
            [&](auto handler) { redis().async_list_all_backups(collection_b, std::move(handler)); },
            static_cast<list_backups_response*>(nullptr))
            .backups.size(),
        3U);
    EXPECT_EQ(
        gather(
            "operations",
            [&](auto handler) { redis().async_list_all_operations(region, std::move(handler)); },
            static_cast<list_operations_response*>(nullptr))
            .operations.size(),
        3U);
}
