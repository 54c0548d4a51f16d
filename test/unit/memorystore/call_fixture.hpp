//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_MEMORYSTORE_CALL_FIXTURE_HPP
#define BACKBEAT_TEST_UNIT_MEMORYSTORE_CALL_FIXTURE_HPP

#include "scripted_server.hpp"

#include <backbeat/memorystore/client.hpp>

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>

// How a call ended.
template <class Result>
class outcome {
public:
    outcome() = default;
    std::exception_ptr failure;
    Result result;

    // Its error; fails the test if it is none of ours.
    backbeat::memorystore::error problem() const
    {
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (backbeat::memorystore::error const& caught) {
            return caught;
        } catch (std::exception const& other) {
            ADD_FAILURE() << "another exception: " << other.what();
        }
        ADD_FAILURE() << "no error";
        return backbeat::memorystore::error({}, {});
    }
};

// A client and a server that answers it what the test says.
class CallFixture : public testing::Test {
protected:
    CallFixture()
    {
        options.endpoint = server.url();
        options.retry.initial_backoff = std::chrono::milliseconds(1);
        options.retry.jitter = backbeat::jitter::none;
        options.retry.maximum_retries = 3;
        // These tests are about single requests; what careful changes do beside them has tests of its own.
        options.mutations.mode = backbeat::memorystore::mutation_mode::never;
    }

    backbeat::memorystore::client& redis()
    {
        if (!client_) client_.emplace(context.get_executor(), options);
        return *client_;
    }

    // Runs a call to its end. `start` is given the handler.
    template <class Result, class Start>
    outcome<Result> run(Start start)
    {
        std::optional<outcome<Result>> ended;
        bool inside = true;
        start([&](std::exception_ptr failure, Result result) {
            EXPECT_FALSE(inside) << "called from inside the initiating function";
            EXPECT_FALSE(ended) << "called twice";
            ended.emplace();
            ended->failure = std::move(failure);
            ended->result = std::move(result);
        });
        inside = false;
        while (!ended && context.run_one_for(std::chrono::seconds(10)) != 0) {}
        if (!ended) {
            ADD_FAILURE() << "the handler was not called";
            return {};
        }
        return std::move(*ended);
    }

    boost::asio::io_context context;
    scripted_server server{context};
    backbeat::memorystore::client_options options;

private:
    std::optional<backbeat::memorystore::client> client_;
};

#endif
