//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_TOKEN_FETCHER_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_TOKEN_FETCHER_HPP

#include "credentials_data.hpp"
#include "token_request.hpp"

#include <backbeat/memorystore/access_token.hpp>
#include <backbeat/memorystore/credentials.hpp>
#include <backbeat/memorystore/token_provider_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backbeat::memorystore::detail {

// A token, and what became known with it.
class fetched_token {
public:
    access_token token;
    std::string description;
    std::string quota_project;
};

// The value of a variable; empty: it is not set, or it is empty.
[[nodiscard]] std::string variable(token_provider_options const& options, std::string const& name);

[[nodiscard]] std::chrono::system_clock::time_point now(token_provider_options const& options);

// Gets tokens, one at a time. Coroutines that its functions return refer to it.
class token_fetcher {
public:
    // `options` has a clock and an environment.
    token_fetcher(credentials_pointer who, token_provider_options options);

    [[nodiscard]] boost::asio::awaitable<fetched_token> fetch();

private:
    // What was found where, if that has to be looked for. Without a key it is the metadata server.
    class found {
    public:
        std::shared_ptr<key_content const> key;
        std::string place;
    };

    [[nodiscard]] boost::asio::awaitable<found> find();
    [[nodiscard]] boost::asio::awaitable<found> find_default();
    [[nodiscard]] boost::asio::awaitable<std::string> probe_metadata_server();
    [[nodiscard]] found read_key_file(std::string const& path, std::string const& by) const;
    [[nodiscard]] std::string describe(found const& what) const;

    [[nodiscard]] boost::asio::awaitable<access_token> fetch_from_metadata_server();
    [[nodiscard]] boost::asio::awaitable<access_token> fetch_with(key_content const& key, bool as_source);
    [[nodiscard]] boost::asio::awaitable<access_token> fetch_with(service_account const& key, bool as_source);
    [[nodiscard]] boost::asio::awaitable<access_token> fetch_with(authorized_user const& key, bool as_source);
    [[nodiscard]] boost::asio::awaitable<access_token> fetch_with(impersonated_service_account const& key);
    [[nodiscard]] boost::asio::awaitable<access_token> fetch_with(external_account const& key);
    [[nodiscard]] boost::asio::awaitable<std::string> subject_token(external_account const& key);
    [[nodiscard]] boost::asio::awaitable<access_token> impersonate(
        endpoint to,
        std::string account,
        std::vector<std::string> delegates,
        std::chrono::seconds lifetime,
        access_token source);

    [[nodiscard]] token_request request_for(std::string action, endpoint to) const;
    [[nodiscard]] std::vector<std::string> scopes(bool as_source) const;
    [[nodiscard]] std::string metadata_origin() const;

    credentials_pointer who_;
    token_provider_options options_;
    std::optional<found> found_;
};

}  // namespace backbeat::memorystore::detail

#endif
