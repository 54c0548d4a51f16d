//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_TOKEN_REQUEST_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_TOKEN_REQUEST_HPP

#include "endpoint.hpp"

#include <backbeat/http/message.hpp>
#include <backbeat/retry_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::memorystore::detail {

// A request to a token endpoint, or to whatever has a token.
class token_request {
public:
    // `doing` is what it is for: "getting a token of service account a@b".
    token_request(std::string doing, endpoint where) : action(std::move(doing)), to(std::move(where)) {}

    std::string action;
    endpoint to;
    std::vector<std::pair<std::string, std::string>> fields;
    std::string body;  // empty: it is a GET, else a POST
    std::string content_type;
    retry_options retry;
    std::string ca_file;
    // Whether only a metadata server may answer.
    bool to_metadata_server = false;
    // What must not be told, should the answer repeat it.
    std::vector<std::string> secrets;

    // Adds `name=value` to the body, as a form has it.
    void add_parameter(std::string_view name, std::string_view value);

    // Adds one that must not be told.
    void add_secret(std::string_view name, std::string_view value);
};

// What Google's libraries do at token endpoints, and at the metadata server.
[[nodiscard]] retry_options token_endpoint_retries() noexcept;
[[nodiscard]] retry_options metadata_server_retries() noexcept;

// Sends it, and again if need be. Gives an answer with a status of success, or throws an error.
[[nodiscard]] boost::asio::awaitable<http::response> send(token_request request);

// Whether an answer is a metadata server's.
[[nodiscard]] bool is_from_metadata_server(http::response const& answer);

}  // namespace backbeat::memorystore::detail

#endif
