//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "resource_rules.hpp"

#include "is_one_of.hpp"
#include "plain_text.hpp"

#include <algorithm>

namespace backbeat::emulation {

namespace {

constexpr std::size_t maximum_setting_text = 1024;

bool is_number(std::string_view text)
{
    return !text.empty() && text.size() <= 18
        && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool fits(std::string_view value, std::string_view kind)
{
    if (kind == "yes/no") return is_one_of(value, {"yes", "no"});
    if (kind == "number") return is_number(value);
    if (kind == "integer") return is_number(value.starts_with('-') ? value.substr(1) : value);
    if (kind == "policy") {
        return is_one_of(
            value,
            {"noeviction",
             "allkeys-lru",
             "allkeys-lfu",
             "allkeys-random",
             "volatile-lru",
             "volatile-lfu",
             "volatile-random",
             "volatile-ttl"});
    }
    return value.size() <= maximum_setting_text;
}

}  // namespace

bool is_resource_id(std::string_view id, std::size_t limit) noexcept
{
    auto const is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (id.empty() || id.size() > limit || !is_letter(id.front()) || id.back() == '-') return false;
    return std::all_of(id.begin(), id.end(), [&](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

bool is_like(std::string_view text, std::string_view pattern) noexcept
{
    while (true) {
        auto const part = text.substr(0, text.find('/'));
        auto const wanted = pattern.substr(0, pattern.find('/'));
        if (wanted == "*" ? part.empty() || part.size() > 100 : part != wanted) return false;
        text.remove_prefix(part.size());
        pattern.remove_prefix(wanted.size());
        if (text.empty() || pattern.empty()) return text.empty() && pattern.empty();
        text.remove_prefix(1);
        pattern.remove_prefix(1);
    }
}

bool is_zone_of(std::string_view region, std::string_view zone) noexcept
{
    return zone.size() == region.size() + 2 && zone.starts_with(region) && zone[region.size()] == '-'
        && zone.back() >= 'a' && zone.back() <= 'z';
}

bool is_storage_object(std::string_view uri) noexcept
{
    constexpr std::string_view scheme = "gs://";
    auto const slash = uri.starts_with(scheme) ? uri.find('/', scheme.size()) : uri.npos;
    return slash != uri.npos && slash != scheme.size() && slash + 1 != uri.size() && uri.size() <= 2048;
}

std::string in_quotes(std::string_view text)
{
    return "'" + std::string(beginning_of(text, 64)) + "'";
}

void check_redis_configs(
    std::map<std::string, std::string> const& configs,
    std::span<redis_setting const> settings,
    std::string_view version,
    std::string const& field,
    violations& found)
{
    for (auto const& [name, value] : configs) {
        auto const known = std::find_if(
            settings.begin(), settings.end(), [&key = name](auto const& each) { return each.name == key; });
        if (known == settings.end()) {
            found.add(field, "There is no Redis configuration parameter " + in_quotes(name) + ".");
        } else if (version < known->since) {
            found.add(field, "The parameter " + name + " needs " + std::string(known->since) + " or later.");
        } else if (!fits(value, known->kind)) {
            found.add(field, "The parameter " + name + " cannot be " + in_quotes(value) + ".");
        }
    }
}

}  // namespace backbeat::emulation
