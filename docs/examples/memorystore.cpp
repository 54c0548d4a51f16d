//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The examples of docs/memorystore.md, against an emulator.

#include <backbeat/emulator.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/memorystore/classifier.hpp>
#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/error_details.hpp>

#include <boost/asio.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace memorystore = backbeat::memorystore;
namespace http = backbeat::http;

// [create
asio::awaitable<memorystore::instance> create(memorystore::client& redis, memorystore::wait_options pace)
{
    memorystore::instance wanted;
    wanted.tier = memorystore::tier::standard_ha;
    wanted.memory_size_gb = 5;
    auto const begun = co_await redis.async_create_instance("projects/p/locations/us-central1", "cache", wanted);
    std::cout << begun.verb() << ' ' << begun.target() << '\n';
    auto const ended = co_await redis.async_wait_operation(begun, pace);
    co_return ended.response_as<memorystore::instance>().value();
}
// create]

// [update
asio::awaitable<memorystore::operation> add_label(memorystore::client& redis, std::string name)
{
    auto const before = co_await redis.async_get_instance(name);
    auto after = before;
    after.labels["team"] = "search";
    auto const changed = memorystore::update_mask::difference(before, after);  // labels
    co_return co_await redis.async_update_instance(after, changed);
}
// update]

// [pages
asio::awaitable<std::size_t> count(memorystore::client& redis)
{
    std::size_t found = 0;
    auto pages = redis.instance_pages("projects/p/locations/-");
    while (auto const page = co_await pages.async_next()) found += page->instances.size();
    co_return found;
}
// pages]

// [errors
asio::awaitable<bool> is_refused(memorystore::client& redis)
{
    memorystore::instance wanted;
    wanted.tier = memorystore::tier::basic;
    wanted.memory_size_gb = 1;
    wanted.replica_count = 3;
    try {
        auto const begun = co_await redis.async_create_instance("projects/p/locations/us-central1", "odd", wanted);
    } catch (memorystore::error const& refused) {
        std::cout << refused.what() << '\n';
        auto const why = refused.detail<memorystore::rpc::bad_request>();
        co_return refused.code() == memorystore::rpc_code::invalid_argument && !refused.outcome_unknown()
            && why->field_violations.at(0).field == "instance.replicaCount";
    }
    co_return false;
}
// errors]

// [alone
asio::awaitable<http::response> list_by_hand(http::client& redis)
{
    http::request const message(http::verb::get, "/v1/projects/p/locations/-/instances", 11);
    memorystore::classifier const decide{http::verb::get};
    co_return co_await redis.async_send(message, backbeat::classify(decide));
}
// alone]

asio::awaitable<bool> all(memorystore::client& redis, http::client& by_hand)
{
    memorystore::wait_options pace;
    pace.initial_poll_interval = pace.maximum_poll_interval = 10ms;
    auto const made = co_await create(redis, pace);
    auto const updated = co_await add_label(redis, made.name);
    auto const ended = co_await redis.async_wait_operation(updated, pace);
    auto const found = co_await count(redis);
    auto const refused = co_await is_refused(redis);
    auto const listed = co_await list_by_hand(by_hand);
    co_return found == 1 && refused&& listed.result_int() == 200
        && ended.response_as<memorystore::instance>()->labels.contains("team");
}

int main()
{
    backbeat::emulator_options quick;
    quick.operation_time = 20ms;
    backbeat::emulator google(quick);
    asio::io_context context;
    memorystore::client_options options;
    options.endpoint = google.url();
    memorystore::client redis(context.get_executor(), options);
    http::client by_hand(context.get_executor(), google.url());
    auto done = asio::co_spawn(context, all(redis, by_hand), asio::use_future);
    context.run();
    return done.get() ? EXIT_SUCCESS : EXIT_FAILURE;
}
