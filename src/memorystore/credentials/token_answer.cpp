//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "token_answer.hpp"

#include "failure.hpp"

#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <system_error>

namespace backbeat::memorystore::detail {

namespace {

namespace json = boost::json;
using std::chrono::seconds;

// No token is good for longer; a time that a clock can hold.
constexpr std::int64_t longest_life = std::int64_t{10} * 365 * 24 * 3600;

[[noreturn]] void refuse(std::string const& action, std::string const& why)
{
    throw failure(errc::malformed_response, action + " succeeded, but the answer cannot be used: " + why);
}

json::object object_of(std::string_view body, std::string const& action)
{
    try {
        auto document = parse_json(body);
        if (auto* const object = document.if_object()) return std::move(*object);
    } catch (json_error const& problem) {
        refuse(action, problem.what());
    }
    refuse(action, "it is no JSON object");
}

std::string_view text_of(json::object const& object, std::string_view field)
{
    auto const* const found = object.if_contains(field);
    if (found == nullptr || !found->is_string()) return {};
    return {found->get_string().data(), found->get_string().size()};
}

std::string token_of(json::object const& object, std::string_view field, std::string const& action)
{
    auto const found = text_of(object, field);
    if (found.empty()) refuse(action, "it has no " + std::string(field));
    if (!is_token(found)) refuse(action, "its " + std::string(field) + " holds characters that no token has");
    return std::string(found);
}

// Some servers write the number as text, or as 3599.0.
std::optional<std::int64_t> number_of(json::value const& value)
{
    if (auto const* const number = value.if_int64()) return *number;
    if (value.is_uint64()) return longest_life;
    if (auto const* const number = value.if_double()) {
        if (!std::isfinite(*number)) return {};
        auto const limit = static_cast<double>(longest_life);
        return static_cast<std::int64_t>((std::clamp)(*number, -limit, limit));
    }
    auto const* const text = value.if_string();
    if (text == nullptr) return {};
    std::int64_t result = 0;
    auto const read = std::from_chars(text->data(), text->data() + text->size(), result);
    if (read.ec == std::errc() && read.ptr == text->data() + text->size()) return result;
    return {};
}

}  // namespace

bool is_token(std::string_view text) noexcept
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

access_token read_token_answer(
    std::string_view body, std::string const& action, std::chrono::system_clock::time_point now)
{
    auto const object = object_of(body, action);
    access_token result(token_of(object, "access_token", action));
    auto const* const life = object.if_contains("expires_in");
    if (life == nullptr || life->is_null()) return result;
    auto const number = number_of(*life);
    if (!number) refuse(action, "its expires_in is no number of seconds");
    result.expires = now + seconds((std::clamp)(*number, std::int64_t{0}, longest_life));
    return result;
}

access_token read_impersonation_answer(std::string_view body, std::string const& action)
{
    auto const object = object_of(body, action);
    access_token result(token_of(object, "accessToken", action));
    auto const time = timestamp::parse(text_of(object, "expireTime"));
    if (!time) refuse(action, "its expireTime is missing, or no time like 2026-08-22T10:11:12Z");
    result.expires = time->time_point();
    return result;
}

std::string read_subject_token(std::string_view text, std::string const& field, std::string const& where)
{
    std::string result;
    if (field.empty()) {
        auto const end = text.find_last_not_of(" \t\r\n");
        result = text.substr(0, end == text.npos ? 0 : end + 1);
    } else {
        try {
            auto const document = parse_json(text);
            if (auto const* const object = document.if_object()) result = text_of(*object, field);
        } catch (json_error const& problem) {
            refuse_credentials(where, problem.what());
        }
        if (result.empty()) refuse_credentials(where, "it has no field '" + printable(field, 50) + "' with text");
    }
    if (result.empty()) refuse_credentials(where, "it is empty");
    if (!is_token(result)) refuse_credentials(where, "it holds characters that no token has");
    return result;
}

}  // namespace backbeat::memorystore::detail
