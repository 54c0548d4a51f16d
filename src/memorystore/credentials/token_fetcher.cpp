//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "token_fetcher.hpp"

#include "base64.hpp"
#include "failure.hpp"
#include "jwt.hpp"
#include "token_answer.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <utility>
#include <variant>

namespace backbeat::memorystore::detail {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr std::string_view cloud_platform = "https://www.googleapis.com/auth/cloud-platform";

std::string joined(std::vector<std::string> const& texts, char separator)
{
    std::string result;
    for (auto const& each : texts) {
        if (!result.empty()) result += separator;
        result += each;
    }
    return result;
}

}  // namespace

std::chrono::system_clock::time_point now(token_provider_options const& options)
{
    return options.now();
}

token_fetcher::token_fetcher(credentials_pointer who, token_provider_options options)
    : who_(std::move(who)), options_(std::move(options))
{}

asio::awaitable<fetched_token> token_fetcher::fetch()
{
    fetched_token result;
    if (auto const* const custom = std::get_if<custom_source>(&who_->kind)) {
        auto getting = custom->source();
        auto token = co_await std::move(getting);
        if (!is_token(token.value))
            throw failure(
                errc::malformed_response,
                printable(custom->description)
                    + (token.value.empty() ? " gave an empty token"
                                           : " gave a token that holds characters that no token has"));
        result.token = std::move(token);
        co_return result;
    }
    if (!found_) {
        auto looked_for = co_await find();
        found_ = std::move(looked_for);
    }
    if (!found_->key) {
        auto token = co_await fetch_from_metadata_server();
        result.token = std::move(token);
    } else {
        auto token = co_await fetch_with(*found_->key, false);
        result.token = std::move(token);
        result.quota_project = found_->key->quota_project;
    }
    result.description = describe(*found_);
    co_return result;
}

std::string token_fetcher::describe(found const& what) const
{
    if (!what.key) return "service account of this machine, by its metadata server at " + metadata_origin();
    auto const place = what.place.empty() ? std::string() : " (" + what.place + ")";
    return detail::describe(*what.key) + place + usage_of(*what.key, who_->options);
}

token_request token_fetcher::request_for(std::string action, endpoint to) const
{
    token_request result(std::move(action), std::move(to));
    result.retry = options_.retry.value_or(token_endpoint_retries());
    result.ca_file = who_->options.ca_file;
    return result;
}

// A source of impersonation needs this one, whatever the result is to be good for.
std::vector<std::string> token_fetcher::scopes(bool as_source) const
{
    if (as_source || who_->options.scopes.empty()) return {std::string(cloud_platform)};
    return who_->options.scopes;
}

asio::awaitable<access_token> token_fetcher::fetch_from_metadata_server()
{
    endpoint to;
    to.origin = metadata_origin();
    to.target = "/computeMetadata/v1/instance/service-accounts/default/token";
    if (!who_->options.scopes.empty()) {
        auto const asked_for = joined(who_->options.scopes, ',');
        to.target += "?scopes=" + boost::urls::encode(asked_for, boost::urls::unreserved_chars);
    }
    auto request = request_for("getting a token from the metadata server", std::move(to));
    request.retry = options_.retry.value_or(metadata_server_retries());
    request.to_metadata_server = true;
    request.fields.emplace_back("Metadata-Flavor", "Google");
    auto const action = request.action;
    auto const answer = co_await send(std::move(request));
    co_return read_token_answer(answer.body(), action, now(options_));
}

asio::awaitable<access_token> token_fetcher::fetch_with(key_content const& key, bool as_source)
{
    if (!who_->options.subject.empty() && !std::holds_alternative<service_account>(key.kind))
        throw failure(
            errc::invalid_argument,
            "credentials_options::subject is set, but the credentials are: " + detail::describe(key)
                + "; only the key of a service account can act on behalf of a user");
    access_token result;
    if (auto const* const account = std::get_if<service_account>(&key.kind)) {
        auto token = co_await fetch_with(*account, as_source);
        result = std::move(token);
    } else if (auto const* const user = std::get_if<authorized_user>(&key.kind)) {
        auto token = co_await fetch_with(*user, as_source);
        result = std::move(token);
    } else if (auto const* const impersonated = std::get_if<impersonated_service_account>(&key.kind)) {
        auto token = co_await fetch_with(*impersonated);
        result = std::move(token);
    } else if (auto const* const external = std::get_if<external_account>(&key.kind)) {
        auto token = co_await fetch_with(*external);
        result = std::move(token);
    }
    co_return result;
}

asio::awaitable<access_token> token_fetcher::fetch_with(service_account const& key, bool as_source)
{
    auto const scope = joined(scopes(as_source), ' ');
    auto const issued = now(options_);
    auto const& subject = who_->options.subject;
    if (who_->options.self_signed_jwt && subject.empty())
        co_return access_token(
            self_signed_jwt(key, scope, issued), std::chrono::floor<std::chrono::seconds>(issued) + jwt_lifetime);

    auto request = request_for("getting a token of service account " + key.email, key.token_endpoint);
    request.add_parameter("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer");
    request.add_secret("assertion", assertion(key, scope, subject, issued));
    auto const action = request.action;
    auto const answer = co_await send(std::move(request));
    co_return read_token_answer(answer.body(), action, now(options_));
}

asio::awaitable<access_token> token_fetcher::fetch_with(authorized_user const& key, bool as_source)
{
    auto request = request_for("refreshing the token of an authorized user", key.token_endpoint);
    request.add_parameter("grant_type", "refresh_token");
    request.add_parameter("client_id", key.client_id);
    request.add_secret("client_secret", key.client_secret.text());
    request.add_secret("refresh_token", key.refresh_token.text());
    if (!as_source && !who_->options.scopes.empty()) request.add_parameter("scope", joined(scopes(false), ' '));
    auto const action = request.action;
    auto const answer = co_await send(std::move(request));
    co_return read_token_answer(answer.body(), action, now(options_));
}

asio::awaitable<access_token> token_fetcher::fetch_with(impersonated_service_account const& key)
{
    auto source = co_await fetch_with(*key.source, true);
    auto impersonating =
        impersonate(key.impersonation_endpoint, key.account, key.delegates, who_->options.lifetime, std::move(source));
    auto result = co_await std::move(impersonating);
    co_return result;
}

asio::awaitable<access_token> token_fetcher::impersonate(
    endpoint to,
    std::string account,
    std::vector<std::string> delegates,
    std::chrono::seconds lifetime,
    access_token source)
{
    auto request = request_for("impersonating service account " + account, std::move(to));
    json::object body;
    if (!delegates.empty()) body["delegates"] = json::array(delegates.begin(), delegates.end());
    auto const wanted = scopes(false);
    body["scope"] = json::array(wanted.begin(), wanted.end());
    body["lifetime"] = std::to_string(lifetime.count()) + "s";
    request.body = json::serialize(body);
    request.content_type = "application/json";
    request.fields.emplace_back("Authorization", "Bearer " + source.value);
    request.secrets.push_back(std::move(source.value));
    auto const action = request.action;
    auto const answer = co_await send(std::move(request));
    co_return read_impersonation_answer(answer.body(), action);
}

asio::awaitable<std::string> token_fetcher::subject_token(external_account const& key)
{
    std::string result;
    if (!key.url) {
        secret const text(read_small_file(key.file, "file with the subject token"));
        result = read_subject_token(
            text.text(), key.token_field, "the file with the subject token '" + printable(key.file, 1000) + "'");
        co_return result;
    }
    auto request = request_for("getting the subject token of an external account", *key.url);
    for (auto const& [name, value] : key.headers) {
        request.fields.emplace_back(name, value.text());
        request.secrets.push_back(value.text());
    }
    auto const answer = co_await send(std::move(request));
    result = read_subject_token(answer.body(), key.token_field, "the subject token from " + key.url->origin);
    co_return result;
}

asio::awaitable<access_token> token_fetcher::fetch_with(external_account const& key)
{
    auto const subject = co_await subject_token(key);
    auto request = request_for("exchanging the token of an external account", key.token_endpoint);
    request.add_parameter("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange");
    request.add_parameter("audience", key.audience);
    request.add_parameter("scope", joined(scopes(key.impersonation_endpoint.has_value()), ' '));
    request.add_parameter("requested_token_type", "urn:ietf:params:oauth:token-type:access_token");
    request.add_secret("subject_token", subject);
    request.add_parameter("subject_token_type", key.subject_token_type);
    if (!key.client_id.empty()) {
        auto const both = encode_base64(key.client_id + ":" + key.client_secret.text());
        request.fields.emplace_back("Authorization", "Basic " + both);
        request.secrets.push_back(both);
        request.secrets.push_back(key.client_secret.text());
    } else if (!key.workforce_user_project.empty()) {
        json::object project;
        project["userProject"] = json::string_view(key.workforce_user_project);
        request.add_parameter("options", json::serialize(project));
    }
    auto const action = request.action;
    auto const answer = co_await send(std::move(request));
    auto result = read_token_answer(answer.body(), action, now(options_));
    if (!key.impersonation_endpoint) co_return result;
    auto impersonating = impersonate(
        *key.impersonation_endpoint, key.account, {}, key.lifetime.value_or(who_->options.lifetime), std::move(result));
    auto impersonated = co_await std::move(impersonating);
    co_return impersonated;
}

}  // namespace backbeat::memorystore::detail
