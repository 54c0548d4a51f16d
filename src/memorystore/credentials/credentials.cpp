//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "credentials_data.hpp"
#include "failure.hpp"
#include "token_answer.hpp"

#include <backbeat/memorystore/credentials.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace backbeat::memorystore {

namespace {

using namespace std::chrono_literals;

void check_scope(std::string const& scope)
{
    // RFC 6749, section 3.3.
    auto const in_a_scope = [](char c) { return c > 0x20 && c < 0x7f && c != '"' && c != '\\'; };
    if (scope.empty() || !std::all_of(scope.begin(), scope.end(), in_a_scope))
        throw std::invalid_argument(
            "credentials_options::scopes holds '" + detail::printable(scope)
            + "'; each must be one scope, such as https://www.googleapis.com/auth/cloud-platform");
}

credentials_options checked(credentials_options options)
{
    for (auto const& each : options.scopes) check_scope(each);
    if (options.lifetime < 1s || options.lifetime > 12h)
        throw std::invalid_argument(
            "credentials_options::lifetime is " + std::to_string(options.lifetime.count())
            + " s; it must be from a second to twelve hours");
    auto const& project = options.quota_project;
    if (!project.empty() && !detail::is_token(project))
        throw std::invalid_argument(
            "credentials_options::quota_project is '" + detail::printable(project)
            + "'; it must be the ID of a project, such as my-project");
    return options;
}

template <class Kind>
detail::credentials_pointer make(Kind kind, credentials_options options)
{
    return std::make_shared<detail::credentials_data const>(std::move(kind), checked(std::move(options)));
}

std::string describe_kind(detail::from_environment const&, credentials_options const&)
{
    return "application default credentials";
}

std::string describe_kind(detail::key_file const& file, credentials_options const&)
{
    return "key file '" + detail::printable(file.path, 1000) + "'";
}

std::string describe_kind(detail::key_text const& key, credentials_options const& options)
{
    return describe(*key.content) + usage_of(*key.content, options);
}

std::string describe_kind(detail::machine_account const&, credentials_options const&)
{
    return "service account of this machine, by its metadata server";
}

std::string describe_kind(detail::given_token const&, credentials_options const&)
{
    return "a given access token";
}

std::string describe_kind(detail::nobody const&, credentials_options const&)
{
    return "nobody";
}

std::string describe_kind(detail::custom_source const& custom, credentials_options const&)
{
    return detail::printable(custom.description, 1000);
}

}  // namespace

std::string detail::usage_of(key_content const& key, credentials_options const& options)
{
    if (!std::holds_alternative<service_account>(key.kind)) return {};
    if (!options.subject.empty()) return ", on behalf of " + printable(options.subject);
    return options.self_signed_jwt ? ", self-signed JWT" : ", token exchange";
}

credentials_options::credentials_options() = default;

credentials::credentials() : credentials(anonymous()) {}

credentials credentials::application_default(credentials_options options)
{
    return credentials(make(detail::from_environment(), std::move(options)));
}

credentials credentials::from_file(std::string path, credentials_options options)
{
    return credentials(make(detail::key_file{std::move(path)}, std::move(options)));
}

credentials credentials::from_json(std::string text, credentials_options options)
{
    return credentials(make(detail::key_text{detail::parse_key(text, "the key that was given")}, std::move(options)));
}

credentials credentials::metadata_server(credentials_options options)
{
    return credentials(make(detail::machine_account(), std::move(options)));
}

credentials credentials::token(std::string value, credentials_options options)
{
    if (!detail::is_token(value))
        throw std::invalid_argument(
            value.empty() ? "the access token is empty; for none use credentials::anonymous"
                          : "the access token holds a space, a line break or another character that no token has");
    return credentials(make(detail::given_token{detail::secret(std::move(value))}, std::move(options)));
}

credentials credentials::anonymous()
{
    return credentials(make(detail::nobody(), credentials_options()));
}

credentials credentials::custom(token_source source, std::string description, credentials_options options)
{
    if (!source) throw std::invalid_argument("credentials::custom needs a function that gets a token");
    return credentials(make(detail::custom_source{std::move(source), std::move(description)}, std::move(options)));
}

std::string credentials::describe() const
{
    return std::visit([this](auto const& kind) { return describe_kind(kind, data_->options); }, data_->kind);
}

}  // namespace backbeat::memorystore
