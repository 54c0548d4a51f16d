//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "nearest_name.hpp"
#include "path_pattern.hpp"
#include "plain_text.hpp"

#include <backbeat/detail/duration_text.hpp>
#include <backbeat/detail/utf8.hpp>
#include <backbeat/fault_rule.hpp>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <tuple>
#include <utility>

namespace backbeat {

namespace {

namespace json = boost::json;

enum class value_kind { number, text, flag };

// A fault key: how it is read into a rule, and how it is written. `write` leaves the value null to say nothing.
struct fault_key {
    std::string_view name;
    value_kind kind;
    void (*read)(fault_rule& rule, std::string const& key, json::value const& value);
    void (*write)(fault_rule const& rule, json::value& value);
};

std::string number_text(json::value const& value)
{
    if (!value.is_double()) return json::serialize(value);
    // Boost.JSON writes 0.3 as 3E-1.
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value.get_double()).ptr};
}

std::string shown(json::value const& value)
{
    auto const quoted = value.is_string();
    auto text = quoted ? "'" + std::string(value.get_string()) + "'" : number_text(value);
    if (text.size() <= 80) return text;
    return std::string(emulation::beginning_of(text, quoted ? 76 : 77)) + (quoted ? "...'" : "...");
}

[[noreturn]] void refuse_value(std::string const& key, std::string const& right, json::value const& value)
{
    throw fault_error(key, key + " must be " + right + "; got " + shown(value));
}

std::uint64_t whole_number(
    std::string const& key, std::string const& right, json::value const& value, std::uint64_t least, std::uint64_t most)
{
    std::uint64_t number = 0;
    if (value.is_uint64()) {
        number = value.get_uint64();
    } else if (value.is_int64() && value.get_int64() >= 0) {
        number = static_cast<std::uint64_t>(value.get_int64());
    } else {
        refuse_value(key, right, value);
    }
    if (number < least || number > most) refuse_value(key, right, value);
    return number;
}

void set_action(fault_rule& rule, std::string const& key, fault_action action)
{
    if (rule.action != fault_action::none) {
        throw fault_error(key, "a fault has one of status, reset, truncate, hang and refuse, and this one has several");
    }
    rule.action = action;
}

template <fault_action action>
void read_flag(fault_rule& rule, std::string const& key, json::value const& value)
{
    if (!value.is_bool()) refuse_value(key, "true, or stand alone in the text form", value);
    if (value.get_bool()) set_action(rule, key, action);
}

template <fault_action action>
void write_flag(fault_rule const& rule, json::value& value)
{
    if (rule.action == action) value = true;
}

template <std::optional<std::uint32_t> fault_rule::*member>
void read_hint(fault_rule& rule, std::string const& key, json::value const& value)
{
    auto const unit = member == &fault_rule::retry_after ? "seconds, like 2" : "milliseconds, like 20";
    rule.*member = static_cast<std::uint32_t>(whole_number(
        key, std::string("a whole number of ") + unit, value, 0, (std::numeric_limits<std::uint32_t>::max)()));
}

template <std::optional<std::uint32_t> fault_rule::*member>
void write_hint(fault_rule const& rule, json::value& value)
{
    if (auto const& hint = rule.*member) value = *hint;
}

void read_status(fault_rule& rule, std::string const& key, json::value const& value)
{
    rule.status = static_cast<int>(whole_number(key, "a whole number from 400 to 599, like 503", value, 400, 599));
    set_action(rule, key, fault_action::status);
}

template <auto member>
void read_duration(fault_rule& rule, std::string const& key, json::value const& value)
{
    std::optional<std::chrono::nanoseconds> duration;
    if (value.is_string()) duration = detail::parse_duration(std::string_view(value.get_string()));
    if (!duration) refuse_value(key, std::string("a duration (") + detail::duration_syntax + ")", value);
    rule.*member = *duration;
}

// Exact where the four digits of `duration_text` are not.
std::string exact_text(std::chrono::nanoseconds duration)
{
    auto text = detail::duration_text(duration);
    return detail::parse_duration(text) == duration ? text : std::to_string(duration.count()) + "ns";
}

void read_when(fault_rule& rule, std::string const& key, json::value const& value)
{
    if (value == "before") {
        rule.when = fault_time::before;
    } else if (value == "after") {
        rule.when = fault_time::after;
    } else {
        refuse_value(key, "before or after", value);
    }
}

template <std::string fault_rule::*member>
void read_text(fault_rule& rule, std::string const& key, json::value const& value)
{
    auto const right = member == &fault_rule::method ? "a request method in capitals, like GET"
                                                     : "a regular expression, like /instances$";
    if (!value.is_string() || value.get_string().empty()) refuse_value(key, right, value);
    rule.*member = std::string(value.get_string());
}

template <std::string fault_rule::*member>
void write_text(fault_rule const& rule, json::value& value)
{
    if (!(rule.*member).empty()) value = rule.*member;
}

void read_rate(fault_rule& rule, std::string const& key, json::value const& value)
{
    if (!value.is_number()) refuse_value(key, "a number from 0 to 1, like 0.3", value);
    rule.rate = value.to_number<double>();
    if (!(rule.rate >= 0 && rule.rate <= 1)) refuse_value(key, "a number from 0 to 1, like 0.3", value);
}

void read_first(fault_rule& rule, std::string const& key, json::value const& value)
{
    rule.first =
        whole_number(key, "a whole number from 1, like 3", value, 1, (std::numeric_limits<std::int64_t>::max)());
}

constexpr std::array<fault_key, 14> fault_keys{{
    {"status",
     value_kind::number,
     read_status,
     [](fault_rule const& rule, json::value& value) {
         if (rule.action == fault_action::status) value = rule.status;
     }},
    {"reset", value_kind::flag, read_flag<fault_action::reset>, write_flag<fault_action::reset>},
    {"truncate", value_kind::flag, read_flag<fault_action::truncate>, write_flag<fault_action::truncate>},
    {"hang", value_kind::flag, read_flag<fault_action::hang>, write_flag<fault_action::hang>},
    {"refuse", value_kind::flag, read_flag<fault_action::refuse>, write_flag<fault_action::refuse>},
    {"delay",
     value_kind::text,
     read_duration<&fault_rule::delay>,
     [](fault_rule const& rule, json::value& value) {
         if (rule.delay != rule.delay.zero()) value = exact_text(rule.delay);
     }},
    {"when",
     value_kind::text,
     read_when,
     [](fault_rule const& rule, json::value& value) {
         if (rule.when == fault_time::after) value = "after";
     }},
    {"method", value_kind::text, read_text<&fault_rule::method>, write_text<&fault_rule::method>},
    {"path", value_kind::text, read_text<&fault_rule::path>, write_text<&fault_rule::path>},
    {"rate",
     value_kind::number,
     read_rate,
     [](fault_rule const& rule, json::value& value) {
         if (rule.rate != 1) value = rule.rate;
     }},
    {"first",
     value_kind::number,
     read_first,
     [](fault_rule const& rule, json::value& value) {
         if (rule.first) value = *rule.first;
     }},
    {"retry-after", value_kind::number, read_hint<&fault_rule::retry_after>, write_hint<&fault_rule::retry_after>},
    {"retry-after-ms",
     value_kind::number,
     read_hint<&fault_rule::retry_after_ms>,
     write_hint<&fault_rule::retry_after_ms>},
    {"retry-info",
     value_kind::text,
     read_duration<&fault_rule::retry_info>,
     [](fault_rule const& rule, json::value& value) {
         if (rule.retry_info) value = exact_text(*rule.retry_info);
     }},
}};

std::string accepted_keys()
{
    std::string text = "accepted keys are ";
    for (auto const& key : fault_keys) {
        if (&key != &fault_keys.front()) text += &key == &fault_keys.back() ? " and " : ", ";
        text += key.name;
    }
    return text;
}

fault_key const& find_key(std::string_view name, std::string const& blamed)
{
    for (auto const& key : fault_keys)
        if (key.name == name) return key;
    std::string message = "unknown fault key '" + std::string(emulation::beginning_of(name, 64)) + "'; ";
    if (auto const nearest = emulation::nearest_name(name, fault_keys); !nearest.empty())
        message += "did you mean '" + std::string(nearest) + "'? ";
    throw fault_error(blamed, message + accepted_keys());
}

fault_rule read_rule(json::object const& object)
{
    fault_rule rule;
    for (auto const& [name, value] : object) {
        std::string const key(name);
        find_key(key, key).read(rule, key, value);
    }
    validate(rule);
    return rule;
}

bool is_space(char c) noexcept
{
    return c == ' ' || c == '\t';
}

// Cuts the next value off `text`, which is not empty: quoted, or up to the next space.
std::string take_value(std::string_view& text, std::string const& key)
{
    auto const quote = text.front();
    if (quote != '"' && quote != '\'') {
        std::size_t end = 0;
        while (end != text.size() && !is_space(text[end])) ++end;
        std::string value(text.substr(0, end));
        text.remove_prefix(end);
        return value;
    }
    std::string value;
    for (;;) {
        text.remove_prefix(1);
        auto const end = text.find(quote);
        if (end == text.npos) throw fault_error(key, "the value of " + key + " has no closing quote");
        value += text.substr(0, end);
        text.remove_prefix(end + 1);
        if (text.empty() || is_space(text.front())) return value;
        if (text.front() != quote)
            throw fault_error(key, "after the closing quote of " + key + " there must be a space or nothing");
        value += quote;  // Two of them stand for one.
    }
}

json::value typed(fault_key const& key, std::string const& text)
{
    json::value result(text);
    if (key.kind == value_kind::number) {
        boost::system::error_code ec;
        auto number = json::parse(text, ec);
        if (!ec && number.is_number()) result = std::move(number);
    } else if (key.kind == value_kind::flag && (text == "true" || text == "false")) {
        result = text == "true";
    }
    return result;
}

[[noreturn]] void refuse_without_value(std::string const& name)
{
    auto message = name + " needs a value: write ";
    message.append(name).append("=VALUE, without spaces around '='");
    throw fault_error(name, message);
}

struct request_method {
    std::string_view name;
};

constexpr std::array<request_method, 6> request_methods{{{"GET"}, {"HEAD"}, {"POST"}, {"PUT"}, {"PATCH"}, {"DELETE"}}};

// Another one would be a rule that never fires.
void check_method(std::string const& method)
{
    auto const same = [&method](request_method const& each) { return each.name == method; };
    if (method.empty() || std::any_of(request_methods.begin(), request_methods.end(), same)) return;
    if (method.size() > 32 || method.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != method.npos)
        refuse_value("method", "a request method in capitals, like GET", json::value(method));
    auto const nearest = emulation::nearest_name(method, request_methods);
    throw fault_error(
        "method",
        "method must be one of GET, HEAD, POST, PUT, PATCH and DELETE; got '" + method + "'"
            + (nearest.empty() ? std::string() : "; did you mean '" + std::string(nearest) + "'?"));
}

// A connection is refused before anything of a request is known.
void refuse_what_needs_a_request(fault_rule const& rule)
{
    for (auto const& [key, given] :
         {std::pair{"method", !rule.method.empty()},
          {"path", !rule.path.empty()},
          {"delay", rule.delay != rule.delay.zero()},
          {"when", rule.when == fault_time::after}}) {
        if (!given) continue;
        auto const what = key == std::string_view("when") ? "when=after" : key;
        throw fault_error(
            key,
            std::string(what)
                + " cannot stand beside refuse, which ends a connection before a request is read; "
                  "use reset, or refuse with rate and first alone");
    }
}

}  // namespace

fault_rule::fault_rule() = default;

fault_error::fault_error(std::string key, std::string const& message)
    : std::invalid_argument(message), key_(std::move(key))
{}

void validate(fault_rule const& rule)
{
    auto const timed = rule.delay != rule.delay.zero();
    if (rule.action == fault_action::none && !timed) {
        throw fault_error(
            "",
            "a fault rule must say what happens: one of status, reset, truncate, hang and refuse, or a "
            "delay above zero; for example status=503 rate=0.3");
    }
    if (rule.action == fault_action::status && (rule.status < 400 || rule.status > 599))
        refuse_value("status", "a whole number from 400 to 599, like 503", rule.status);
    if (rule.action == fault_action::status && rule.status == 429 && rule.when == fault_time::after) {
        throw fault_error(
            "when",
            "when=after cannot stand beside status=429, which means that the server did not act; "
            "use when=before or another status, like 503");
    }
    if (rule.delay < rule.delay.zero()) throw fault_error("delay", "delay must not be negative");
    if (rule.action == fault_action::hang && timed)
        throw fault_error("delay", "delay cannot stand beside hang, which never answers");
    for (auto const& [key, given, example] :
         {std::tuple{"retry-after", rule.retry_after.has_value(), "2"},
          {"retry-after-ms", rule.retry_after_ms.has_value(), "20"},
          {"retry-info", rule.retry_info.has_value(), "2.5s"}}) {
        if (given && rule.action != fault_action::status)
            throw fault_error(key, std::string(key) + " needs a status, like status=503 " + key + "=" + example);
    }
    if (rule.retry_info && *rule.retry_info < std::chrono::nanoseconds::zero())
        throw fault_error("retry-info", "retry-info must not be negative");
    if (rule.action == fault_action::refuse) refuse_what_needs_a_request(rule);
    check_method(rule.method);
    if (!(rule.rate >= 0 && rule.rate <= 1)) throw fault_error("rate", "rate must be a number from 0 to 1, like 0.3");
    if (rule.first == 0U) throw fault_error("first", "first must be a whole number from 1, like 3; got 0");
    if (rule.path.size() > emulation::path_pattern::maximum_pattern) {
        throw fault_error(
            "path",
            "path must be a regular expression of at most " + std::to_string(emulation::path_pattern::maximum_pattern)
                + " characters");
    }
    // A rule is shown in JSON, and on one line of a log.
    auto const is_control = [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; };
    if (!detail::is_utf8(rule.path) || std::any_of(rule.path.begin(), rule.path.end(), is_control)) {
        throw fault_error(
            "path",
            "path must be a regular expression in UTF-8, in which a control character is an escape, like \\x09");
    }
    try {
        if (!rule.path.empty()) emulation::path_pattern{rule.path};
    } catch (std::runtime_error const&) {
        refuse_value("path", "an ECMAScript regular expression, like /instances$", json::value(rule.path));
    }
}

fault_rule parse_fault_rule(std::string_view text)
{
    json::object object;
    for (;;) {
        while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
        if (text.empty()) break;
        std::size_t end = 0;
        while (end != text.size() && text[end] != '=' && !is_space(text[end])) ++end;
        std::string const name(text.substr(0, end));
        text.remove_prefix(end);
        auto const& key = find_key(name, name);
        if (object.contains(name)) throw fault_error(name, "the fault key " + name + " stands twice in one rule");
        if (text.empty() || text.front() != '=') {
            if (key.kind != value_kind::flag) refuse_without_value(name);
            object[name] = true;
            continue;
        }
        text.remove_prefix(1);
        if (text.empty() || is_space(text.front())) refuse_without_value(name);
        object[name] = typed(key, take_value(text, name));
    }
    return read_rule(object);
}

std::vector<fault_rule> parse_fault_rules(json::value const& document)
{
    static constexpr char const* shape = R"(the faults must be an object like {"faults":[{"status":503,"rate":0.3}]})";
    auto const* const object = document.if_object();
    if (!object) throw fault_error("", shape);
    for (auto const& [key, value] : *object) {
        if (key != "faults") throw fault_error(std::string(key), "unknown key '" + std::string(key) + "'; " + shape);
    }
    auto const* const list = object->if_contains("faults");
    if (!list || !list->is_array()) throw fault_error("faults", shape);

    std::vector<fault_rule> rules;
    for (auto const& item : list->get_array()) {
        auto const where = "faults[" + std::to_string(rules.size()) + "]";
        if (!item.is_object()) throw fault_error(where, where + " must be an object, like {\"status\":503}");
        try {
            rules.push_back(read_rule(item.get_object()));
        } catch (fault_error const& error) {
            throw fault_error(error.key().empty() ? where : where + "." + error.key(), where + ": " + error.what());
        }
    }
    return rules;
}

json::object fault_rule_json(fault_rule const& rule)
{
    json::object object;
    for (auto const& key : fault_keys) {
        json::value value;
        key.write(rule, value);
        if (!value.is_null()) object[key.name] = std::move(value);
    }
    return object;
}

std::string fault_rule_text(fault_rule const& rule)
{
    std::string text;
    for (auto const& [name, value] : fault_rule_json(rule)) {
        if (!text.empty()) text += ' ';
        text += name;
        if (value.is_bool()) continue;
        text += '=';
        if (!value.is_string()) {
            text += number_text(value);
            continue;
        }
        std::string const word(value.get_string());
        auto const quoted = word.find_first_of(" \t") != word.npos || word.front() == '"' || word.front() == '\'';
        char const quote = word.find('"') == word.npos ? '"' : '\'';
        if (!quoted) {
            text += word;
            continue;
        }
        text += quote;
        for (char const c : word) text.append(c == quote ? 2 : 1, c);
        text += quote;
    }
    return text;
}

}  // namespace backbeat
