//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "key_content.hpp"

#include "failure.hpp"

#include <backbeat/memorystore/json.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <openssl/crypto.h>

#include <algorithm>
#include <stdexcept>

namespace backbeat::memorystore::detail {

namespace {

namespace json = boost::json;

constexpr std::string_view google_token_url = "https://oauth2.googleapis.com/token";
constexpr std::string_view google_sts_url = "https://sts.googleapis.com/v1/token";
constexpr std::string_view types_that_work =
    "those that work are service_account, authorized_user, impersonated_service_account and external_account";

// How deep impersonation may be nested: a source that impersonates itself is none of its own.
constexpr int deepest_source = 1;

std::string_view kind_of(json::value const& value) noexcept
{
    switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "a boolean";
    case json::kind::string: return "text";
    case json::kind::array: return "a list";
    case json::kind::object: return "an object";
    default: return "a number";
    }
}

// Overwrites all text in a document that was read.
void cleanse(json::value& value) noexcept
{
    if (auto* const text = value.if_string()) {
        OPENSSL_cleanse(text->data(), text->size());
    } else if (auto* const list = value.if_array()) {
        for (auto& each : *list) cleanse(each);
    } else if (auto* const object = value.if_object()) {
        for (auto& each : *object) cleanse(each.value());
    }
}

class cleansed_at_end {
public:
    explicit cleansed_at_end(json::value& value) noexcept : value_(value) {}
    cleansed_at_end(cleansed_at_end const&) = delete;
    cleansed_at_end& operator=(cleansed_at_end const&) = delete;
    ~cleansed_at_end() { cleanse(value_); }

private:
    json::value& value_;
};

// The fields of an object in a key file. Whatever is wrong with one, its value is not told: it may be a secret.
class key_fields {
public:
    key_fields(json::object const& object, std::string const& where, std::string prefix = {})
        : object_(object), where_(where), prefix_(std::move(prefix))
    {}

    [[nodiscard]] std::string const& where() const noexcept { return where_; }

    [[noreturn]] void refuse(std::string_view field, std::string_view why) const
    {
        refuse_credentials(where_, "its field " + prefix_ + printable(field, 50) + " " + std::string(why));
    }

    // Null: the field is absent, or null.
    [[nodiscard]] json::value const* find(std::string_view field) const
    {
        auto const* const found = object_.if_contains(field);
        return found == nullptr || found->is_null() ? nullptr : found;
    }

    [[nodiscard]] std::string_view text_if_any(std::string_view field) const
    {
        auto const* const found = find(field);
        if (found == nullptr) return {};
        if (!found->is_string()) refuse(field, "is " + std::string(kind_of(*found)) + "; it must be text");
        return {found->get_string().data(), found->get_string().size()};
    }

    [[nodiscard]] std::string_view text(std::string_view field) const
    {
        auto const found = text_if_any(field);
        if (found.empty()) refuse(field, "is missing");
        return found;
    }

    // Text that is shown to people, and is sent.
    [[nodiscard]] std::string plain_text(std::string_view field) const
    {
        auto const found = text(field);
        if (printable(found, found.size() * 6 + 3) != found) refuse(field, "holds characters that it cannot have");
        return std::string(found);
    }

    // A value of a header field, or a part of one.
    [[nodiscard]] secret header_text(std::string_view field) const
    {
        auto const found = text_if_any(field);
        if (!std::all_of(found.begin(), found.end(), [](char c) { return c >= 0x20 && c < 0x7f; }))
            refuse(field, "holds characters that no header field has");
        return secret(found);
    }

    [[nodiscard]] std::optional<key_fields> object_if_any(std::string_view field) const
    {
        auto const* const found = find(field);
        if (found == nullptr) return {};
        if (!found->is_object()) refuse(field, "is " + std::string(kind_of(*found)) + "; it must be an object");
        return key_fields(found->get_object(), where_, prefix_ + std::string(field) + ".");
    }

    [[nodiscard]] key_fields object(std::string_view field) const
    {
        auto const found = object_if_any(field);
        if (!found) refuse(field, "is missing");
        return *found;
    }

    [[nodiscard]] std::vector<std::string> texts(std::string_view field) const
    {
        std::vector<std::string> result;
        auto const* const found = find(field);
        if (found == nullptr) return result;
        if (!found->is_array()) refuse(field, "is " + std::string(kind_of(*found)) + "; it must be a list of text");
        for (auto const& each : found->get_array()) {
            if (!each.is_string())
                refuse(field, "is a list with " + std::string(kind_of(each)) + "; it must be of text");
            result.emplace_back(each.get_string().data(), each.get_string().size());
        }
        return result;
    }

    [[nodiscard]] endpoint url(
        std::string_view field,
        std::string_view by_default = {},
        clear_text allowed = clear_text::to_this_machine) const
    {
        auto const found = text_if_any(field);
        if (found.empty() && by_default.empty()) refuse(field, "is missing");
        try {
            return parse_endpoint(found.empty() ? by_default : found, allowed);
        } catch (std::invalid_argument const& problem) {
            refuse(field, std::string(problem.what()) + "; it must be a URL like " + std::string(google_token_url));
        }
    }

    [[nodiscard]] json::object const& all() const noexcept { return object_; }

private:
    json::object const& object_;
    std::string const& where_;
    std::string prefix_;
};

std::shared_ptr<key_content const> read_key(key_fields const& fields, int depth);

service_account read_service_account(key_fields const& fields)
{
    auto key = [&] {
        try {
            return signing_key(fields.text("private_key"));
        } catch (std::invalid_argument const& problem) {
            fields.refuse("private_key", problem.what());
        }
    }();
    auto const url = fields.text_if_any("token_uri");
    return {
        fields.plain_text("client_email"),
        std::string(fields.text_if_any("private_key_id")),
        std::move(key),
        std::string(url.empty() ? google_token_url : url),
        fields.url("token_uri", google_token_url)};
}

authorized_user read_authorized_user(key_fields const& fields)
{
    authorized_user result;
    result.client_id = fields.plain_text("client_id");
    result.client_secret = secret(fields.text("client_secret"));
    result.refresh_token = secret(fields.text("refresh_token"));
    result.token_endpoint = fields.url("token_uri", google_token_url);
    return result;
}

// ".../serviceAccounts/EMAIL:generateAccessToken"
std::string account_of(endpoint const& impersonation)
{
    auto const& target = impersonation.target;
    auto const slash = target.rfind('/');
    auto const begin = slash == std::string::npos ? 0 : slash + 1;
    return printable(target.substr(begin, (std::min)(target.rfind(':'), target.size()) - begin));
}

impersonated_service_account read_impersonated(key_fields const& fields, int depth)
{
    impersonated_service_account result;
    result.impersonation_endpoint = fields.url("service_account_impersonation_url");
    result.account = account_of(result.impersonation_endpoint);
    result.delegates = fields.texts("delegates");
    auto const source = fields.object("source_credentials");
    if (depth == deepest_source)
        fields.refuse(
            "source_credentials", "impersonates once more; name the delegates in the field delegates instead");
    result.source = read_key(source, depth + 1);
    return result;
}

void read_headers(external_account& result, key_fields const& source)
{
    auto const headers = source.object_if_any("headers");
    if (!headers) return;
    for (auto const& each : headers->all()) {
        std::string name(each.key());
        auto const in_a_name = [](char c) { return c > 0x20 && c < 0x7f && c != ':'; };
        if (name.empty() || !std::all_of(name.begin(), name.end(), in_a_name))
            source.refuse("headers", "has a name that no header field has");
        auto value = headers->header_text(name);
        result.headers.emplace_back(std::move(name), std::move(value));
    }
}

void read_token_format(external_account& result, key_fields const& source)
{
    auto const format = source.object_if_any("format");
    if (!format) return;
    auto const type = format->text_if_any("type");
    if (type == "json")
        result.token_field = format->text("subject_token_field_name");
    else if (!type.empty() && type != "text")
        format->refuse("type", "is '" + printable(type, 50) + "'; it must be text or json");
}

void read_credential_source(external_account& result, key_fields const& fields)
{
    auto const source = fields.object("credential_source");
    for (auto const* const other : {"executable", "certificate", "environment_id"})
        if (source.find(other) != nullptr)
            fields.refuse(
                "credential_source",
                "has " + std::string(other) + (std::string_view(other) == "environment_id" ? " (AWS)" : "")
                    + ", which is not supported; a subject token can be read from a file (file) or fetched (url)");
    result.file = source.text_if_any("file");
    auto const has_url = source.find("url") != nullptr;
    if (result.file.empty() == !has_url)
        fields.refuse("credential_source", "must have either file or url, which say where the subject token is");
    if (has_url) result.url = source.url("url", {}, clear_text::to_metadata_servers);
    read_headers(result, source);
    read_token_format(result, source);
}

external_account read_external_account(key_fields const& fields)
{
    external_account result;
    result.audience = fields.plain_text("audience");
    result.subject_token_type = fields.plain_text("subject_token_type");
    result.token_endpoint = fields.url("token_url", google_sts_url);
    if (fields.find("service_account_impersonation_url") != nullptr) {
        result.impersonation_endpoint = fields.url("service_account_impersonation_url");
        result.account = account_of(*result.impersonation_endpoint);
    }
    if (auto const impersonation = fields.object_if_any("service_account_impersonation")) {
        if (auto const* const lifetime = impersonation->find("token_lifetime_seconds")) {
            if (!lifetime->is_int64() || lifetime->get_int64() < 1 || lifetime->get_int64() > 43200)
                impersonation->refuse("token_lifetime_seconds", "must be a whole number of seconds from 1 to 43200");
            result.lifetime = std::chrono::seconds(lifetime->get_int64());
        }
    }
    result.client_id = fields.text_if_any("client_id");
    result.client_secret = secret(fields.text_if_any("client_secret"));
    result.workforce_user_project = fields.text_if_any("workforce_pool_user_project");
    read_credential_source(result, fields);
    return result;
}

key_content::kinds read_kind(key_fields const& fields, int depth)
{
    auto const type = fields.text_if_any("type");
    if (type == "service_account") return read_service_account(fields);
    if (type == "authorized_user") return read_authorized_user(fields);
    if (type == "impersonated_service_account") return read_impersonated(fields, depth);
    if (type == "external_account") return read_external_account(fields);
    if (!type.empty()) fields.refuse("type", "is '" + printable(type, 50) + "'; " + std::string(types_that_work));
    if (fields.find("installed") != nullptr || fields.find("web") != nullptr)
        refuse_credentials(
            fields.where(),
            "it describes an OAuth client, which is nobody by itself; run 'gcloud auth application-default login' to get "
            "a key file");
    fields.refuse("type", "is missing; " + std::string(types_that_work));
}

std::shared_ptr<key_content const> read_key(key_fields const& fields, int depth)
{
    auto result = std::make_shared<key_content>(read_kind(fields, depth));
    result->quota_project = fields.text_if_any("quota_project_id");
    auto const in_a_header = [](char c) { return c > 0x20 && c < 0x7f; };
    if (!std::all_of(result->quota_project.begin(), result->quota_project.end(), in_a_header))
        fields.refuse("quota_project_id", "holds characters that no project has");
    return result;
}

std::string describe_kind(service_account const& key)
{
    return "service account " + key.email;
}

std::string describe_kind(authorized_user const&)
{
    return "authorized user";
}

std::string describe_kind(impersonated_service_account const& key)
{
    return "service account " + key.account + ", impersonated by " + describe(*key.source);
}

std::string describe_kind(external_account const& key)
{
    auto result = "external account of " + printable(key.audience) + " with the token "
        + (key.url ? "from " + printable(key.url->origin) : "in '" + printable(key.file) + "'");
    return key.account.empty() ? result : "service account " + key.account + ", impersonated by " + result;
}

}  // namespace

std::shared_ptr<key_content const> parse_key(std::string& text, std::string const& where)
{
    json::value document;
    cleansed_at_end const cleansed(document);
    secret const given(std::move(text));
    if (given.text().size() > longest_file) refuse_credentials(where, "it has more than 1 MiB");
    try {
        document = parse_json(given.text());
    } catch (json_error const& problem) {
        refuse_credentials(where, std::string(problem.what()) + "; it must be a key file as Google hands it out");
    }
    if (!document.is_object())
        refuse_credentials(where, "it holds " + std::string(kind_of(document)) + "; it must hold a JSON object");
    return read_key(key_fields(document.get_object(), where), 0);
}

std::string describe(key_content const& key)
{
    return std::visit([](auto const& kind) { return describe_kind(kind); }, key.kind);
}

}  // namespace backbeat::memorystore::detail
