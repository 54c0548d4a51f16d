//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_MEMORYSTORE_EMULATOR_FIXTURE_HPP
#define BACKBEAT_TEST_UNIT_MEMORYSTORE_EMULATOR_FIXTURE_HPP

#include <backbeat/emulator.hpp>
#include <backbeat/memorystore/client.hpp>

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

inline backbeat::emulator_options quick_emulator()
{
    backbeat::emulator_options result;
    result.tls = true;
    result.operation_time = std::chrono::milliseconds(5);
    return result;
}

// A client and an emulator.
class WithEmulator : public testing::Test {
protected:
    WithEmulator()
    {
        options.endpoint = google.url();
        options.retry.initial_backoff = std::chrono::milliseconds(1);
        options.retry.jitter = backbeat::jitter::none;
        pace.initial_poll_interval = std::chrono::milliseconds(1);
        pace.maximum_poll_interval = std::chrono::milliseconds(4);
    }

    backbeat::memorystore::client& redis()
    {
        if (!client_) client_.emplace(context.get_executor(), options);
        return *client_;
    }

    // Runs a call to its end, and gives its result or throws its error.
    template <class Result, class Start>
    Result run(Start start)
    {
        std::exception_ptr failure;
        std::optional<Result> result;
        start([&](std::exception_ptr problem, Result given) {
            failure = std::move(problem);
            result = std::move(given);
        });
        context.restart();
        context.run_for(std::chrono::seconds(20));
        if (failure) std::rethrow_exception(failure);
        if (!result) throw std::runtime_error("the handler was not called");
        return std::move(*result);
    }

    template <class Call>
    static backbeat::memorystore::error failure_of(Call call)
    {
        try {
            call();
        } catch (backbeat::memorystore::error const& caught) {
            return caught;
        }
        ADD_FAILURE() << "no error";
        return backbeat::memorystore::error({}, {});
    }

    backbeat::memorystore::instance get(std::string of, backbeat::memorystore::call_options with = {})
    {
        return run<backbeat::memorystore::instance>(
            [&](auto handler) { redis().async_get_instance(of, with, std::move(handler)); });
    }

    backbeat::memorystore::operation create(std::string id, backbeat::memorystore::call_options with = {})
    {
        backbeat::memorystore::instance wanted;
        wanted.tier = backbeat::memorystore::tier::basic;
        wanted.memory_size_gb = 2;
        wanted.labels["env"] = "test";
        return run<backbeat::memorystore::operation>(
            [&](auto handler) { redis().async_create_instance(region, id, wanted, with, std::move(handler)); });
    }

    backbeat::memorystore::operation remove(std::string of, backbeat::memorystore::call_options with = {})
    {
        return run<backbeat::memorystore::operation>(
            [&](auto handler) { redis().async_delete_instance(of, with, std::move(handler)); });
    }

    backbeat::memorystore::operation wait(backbeat::memorystore::operation started)
    {
        return run<backbeat::memorystore::operation>(
            [&](auto handler) { redis().async_wait_operation(started, pace, std::move(handler)); });
    }

    void faults(std::initializer_list<char const*> rules)
    {
        std::vector<backbeat::fault_rule> parsed;
        for (auto const* rule : rules) parsed.push_back(backbeat::parse_fault_rule(rule));
        google.set_faults(std::move(parsed));
    }

    // Where everything is.
    std::string const region = "projects/p/locations/us-central1";
    backbeat::emulator google{quick_emulator()};
    boost::asio::io_context context;
    backbeat::memorystore::client_options options;
    backbeat::memorystore::wait_options pace;

private:
    std::optional<backbeat::memorystore::client> client_;
};

#endif
