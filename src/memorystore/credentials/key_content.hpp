//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_KEY_CONTENT_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_KEY_CONTENT_HPP

#include "endpoint.hpp"
#include "secret.hpp"
#include "signing_key.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace backbeat::memorystore::detail {

class key_content;

// A key file of the type `service_account`.
class service_account {
public:
    std::string email;
    std::string key_id;
    signing_key key;
    std::string audience;  // the URL of the endpoint, as the file has it
    endpoint token_endpoint;
};

class authorized_user {
public:
    std::string client_id;
    secret client_secret;
    secret refresh_token;
    endpoint token_endpoint;
};

class impersonated_service_account {
public:
    std::string account;
    endpoint impersonation_endpoint;
    std::vector<std::string> delegates;
    std::shared_ptr<key_content const> source;
};

class external_account {
public:
    std::string audience;
    std::string subject_token_type;
    endpoint token_endpoint;
    std::string account;  // that is impersonated; empty: none
    std::optional<endpoint> impersonation_endpoint;
    std::optional<std::chrono::seconds> lifetime;
    std::string client_id;
    secret client_secret;
    std::string workforce_user_project;
    // Where the subject token is: in a file, or at a URL.
    std::string file;
    std::optional<endpoint> url;
    std::vector<std::pair<std::string, secret>> headers;
    std::string token_field;  // empty: it is text, else a field of a JSON object
};

// What a key file says.
class key_content {
public:
    using kinds = std::variant<service_account, authorized_user, impersonated_service_account, external_account>;

    explicit key_content(kinds of) : kind(std::move(of)) {}

    kinds kind;
    std::string quota_project;
};

// The most that is read of a key file or of a file with a token.
inline constexpr std::size_t longest_file = 1024 * 1024;

// Reads a regular file of up to `longest_file` bytes. Throws errc::bad_credentials; `what` is "key file" or the like.
[[nodiscard]] std::string read_small_file(std::string const& path, std::string_view what);

// Throws errc::bad_credentials. `where` names the text: "the key file '/x'". Overwrites the text.
[[nodiscard]] std::shared_ptr<key_content const> parse_key(std::string& text, std::string const& where);

// "service account a@p.iam.gserviceaccount.com"
[[nodiscard]] std::string describe(key_content const& key);

}  // namespace backbeat::memorystore::detail

#endif
