//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_CREDENTIALS_CREDENTIALS_FIXTURE_HPP
#define BACKBEAT_TEST_UNIT_CREDENTIALS_CREDENTIALS_FIXTURE_HPP

#include "../memorystore/scripted_server.hpp"
#include "test_key.hpp"

#include <backbeat/memorystore/credentials.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/token_provider.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace backbeat::test {

// How an operation for a token ended.
class token_outcome {
public:
    std::exception_ptr failure;
    memorystore::access_token token;

    // Its error; fails the test if it is none of ours.
    [[nodiscard]] memorystore::error problem() const;
};

// What a form has for a name; fails the test if there is not exactly one.
[[nodiscard]] std::string parameter(std::string_view body, std::string_view name);

// The value of a header field, or "(none)".
[[nodiscard]] std::string field(std::string_view request, std::string_view name);

[[nodiscard]] std::string body_of(std::string_view request);
[[nodiscard]] std::string first_line(std::string_view request);

class CredentialsTest : public testing::Test {
protected:
    CredentialsTest();
    ~CredentialsTest() override;

    // The text of a key file that sends to the test's server.
    [[nodiscard]] boost::json::object service_account_key() const;
    [[nodiscard]] boost::json::object authorized_user_key() const;
    [[nodiscard]] boost::json::object impersonated_key() const;
    [[nodiscard]] boost::json::object external_key(std::string const& token_file) const;

    // A file in a folder of this test's own.
    std::string file(std::string const& name, std::string_view content);
    [[nodiscard]] std::string path_of(std::string const& name) const;

    [[nodiscard]] memorystore::token_provider provider(memorystore::credentials const& who);

    // Runs an operation to its end. `start` is given the handler.
    token_outcome run(std::function<void(memorystore::detail::token_handler)> const& start);
    token_outcome get(memorystore::token_provider& tokens);
    token_outcome refresh(memorystore::token_provider& tokens, memorystore::access_token const& rejected);

    // Of a new provider.
    token_outcome get(memorystore::credentials const& who);

    // The answer of a token endpoint.
    void give(std::string_view token, long long life = 3600);

    boost::asio::io_context context;
    scripted_server server{context};
    std::map<std::string, std::string> environment;
    std::chrono::system_clock::time_point now{std::chrono::seconds(1'800'000'000)};
    memorystore::token_provider_options options;

private:
    std::string folder_;
};

}  // namespace backbeat::test

#endif
