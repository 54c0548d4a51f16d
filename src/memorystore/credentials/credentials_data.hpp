//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_CREDENTIALS_DATA_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_CREDENTIALS_DATA_HPP

#include "key_content.hpp"
#include "secret.hpp"

#include <backbeat/memorystore/credentials.hpp>

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace backbeat::memorystore::detail {

// The kinds of credentials, as they were asked for.
class from_environment {};

class key_file {
public:
    std::string path;
};

class key_text {
public:
    std::shared_ptr<key_content const> content;
};

class machine_account {};

class given_token {
public:
    secret value;
};

class nobody {};

class custom_source {
public:
    token_source source;
    std::string description;
};

class credentials_data {
public:
    using kinds =
        std::variant<nobody, from_environment, key_file, key_text, machine_account, given_token, custom_source>;

    credentials_data(kinds of, credentials_options with) : kind(std::move(of)), options(std::move(with)) {}

    kinds kind;
    credentials_options options;
};

// How a key is used, behind its description: ", self-signed JWT".
[[nodiscard]] std::string usage_of(key_content const& key, credentials_options const& options);

}  // namespace backbeat::memorystore::detail

#endif
