//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/json_codec.hpp>

#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace backbeat::memorystore {

namespace json = boost::json;

namespace {

std::string sentence(std::string const& path, std::string const& problem)
{
    return path.empty() ? problem : path + ": " + problem;
}

// What a person sees of a value: all of a short one, the start of a long one.
std::string shown(json::value const& value)
{
    switch (value.kind()) {
    case json::kind::object: return "an object";
    case json::kind::array: return "an array";
    case json::kind::string: {
        constexpr std::size_t limit = 60;
        auto const& text = value.get_string();
        if (text.size() <= limit) return json::serialize(value);
        auto cut = limit;
        // Never in the middle of a character.
        while (cut != 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
        auto start = json::serialize(json::value(json::string_view(text.data(), cut)));
        start.insert(start.size() - 1, "...");
        return start;
    }
    case json::kind::double_: {
        // Boost.JSON writes 1.5 as 1.5E0.
        char text[32];
        return {text, std::to_chars(text, text + sizeof text, value.get_double()).ptr};
    }
    default: return json::serialize(value);
    }
}

// A whole number in `value`, however it is spelled. Empty: it is none, or it fits no 64 bits.
std::optional<std::int64_t> whole_number(double value)
{
    constexpr double limit = 9223372036854775808.0;
    if (!(value >= -limit && value < limit) || std::trunc(value) != value) return {};
    return static_cast<std::int64_t>(value);
}

template <class Number>
std::optional<Number> parse_number(std::string_view text)
{
    // from_chars also takes "inf", "nan" and "0x..." apart; JSON has none of them.
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return {};
    Number result{};
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (problem != std::errc() || end != text.data() + text.size()) return {};
    return result;
}

std::optional<std::int64_t> whole_number(json::value const& input)
{
    if (input.is_int64()) return input.get_int64();
    if (input.is_uint64()) {
        if (input.get_uint64() > static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)())) return {};
        return static_cast<std::int64_t>(input.get_uint64());
    }
    if (input.is_double()) return whole_number(input.get_double());
    if (input.is_string()) {
        std::string_view const text(input.get_string().data(), input.get_string().size());
        if (auto const whole = parse_number<std::int64_t>(text)) return whole;
        if (auto const number = parse_number<double>(text)) return whole_number(*number);
    }
    return {};
}

bool is_number(json::value const& input)
{
    return input.is_number()
        || (input.is_string() && parse_number<double>({input.get_string().data(), input.get_string().size()}));
}

// Copying a value recurses, so its depth must be known to be bounded before; this recursion bounds itself.
bool too_deep(json::value const& value, std::size_t levels)
{
    if (value.is_object()) {
        if (levels == 0) return true;
        for (auto const& each : value.get_object())
            if (too_deep(each.value(), levels - 1)) return true;
    } else if (value.is_array()) {
        if (levels == 0) return true;
        for (auto const& each : value.get_array())
            if (too_deep(each, levels - 1)) return true;
    }
    return false;
}

void check_depth(detail::json_location const& at, json::value const& input)
{
    if (too_deep(input, maximum_json_depth))
        at.fail("nests too deep; at most " + std::to_string(maximum_json_depth) + " levels are read");
}

}  // namespace

json_error::json_error(std::string path, std::string problem)
    : std::runtime_error(sentence(path, problem)), path_(std::move(path)), problem_(std::move(problem))
{}

json::value parse_json(std::string_view text)
{
    json::parse_options options;
    options.max_depth = maximum_json_depth;
    json::parser parser({}, options);
    json::error_code problem;
    auto const read = parser.write_some(text.data(), text.size(), problem);
    if (problem == json::error::incomplete) {
        if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
            throw json_error({}, "expected JSON, got nothing");
        throw json_error({}, "the JSON ends too early, after " + std::to_string(text.size()) + " bytes");
    }
    if (problem) throw json_error({}, "not JSON: " + problem.message() + " at byte " + std::to_string(read + 1));
    if (auto const rest = text.find_first_not_of(" \t\r\n", read); rest != std::string_view::npos)
        throw json_error({}, "not JSON: something follows its end, at byte " + std::to_string(rest + 1));
    return parser.release();
}

std::string_view any::type_name() const noexcept
{
    auto const* const type = content.if_contains("@type");
    if (type == nullptr || !type->is_string()) return {};
    std::string_view const url(type->get_string().data(), type->get_string().size());
    auto const slash = url.rfind('/');
    return slash == std::string_view::npos ? url : url.substr(slash + 1);
}

namespace detail {

std::optional<std::int32_t> find_number(std::span<enumerator const> table, std::string_view name) noexcept
{
    for (auto const& each : table) {
        std::string_view const known(each.name);
        auto const same = [](char lower, char given) {
            return (lower >= 'a' && lower <= 'z' ? static_cast<char>(lower - 'a' + 'A') : lower) == given;
        };
        if (std::equal(known.begin(), known.end(), name.begin(), name.end(), same)) return each.number;
    }
    return {};
}

std::string find_name(std::span<enumerator const> table, std::int32_t number)
{
    for (auto const& each : table) {
        if (each.number != number) continue;
        std::string result(each.name);
        for (auto& c : result)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        return result;
    }
    return {};
}

std::string list_names(std::span<enumerator const> table)
{
    std::string result;
    for (auto const& each : table) {
        if (each.number == 0) continue;
        if (!result.empty()) result += ", ";
        result += find_name(table, each.number);
    }
    return result;
}

std::string json_location::path() const
{
    if (parent_ == nullptr) return options_.root;
    auto result = parent_->path();
    if (field_.data() == nullptr) return result + '[' + std::to_string(index_) + ']';
    if (!result.empty()) result += '.';
    return result.append(field_);
}

void json_location::fail(std::string problem) const
{
    throw json_error(path(), std::move(problem));
}

void json_location::expected(std::string_view what, json::value const& got) const
{
    fail(std::string("expected ").append(what) + ", got " + shown(got));
}

void read(json_location const& at, json::value const& input, bool& output)
{
    if (!input.is_bool()) at.expected("true or false", input);
    output = input.get_bool();
}

void read(json_location const& at, json::value const& input, std::int64_t& output)
{
    auto const number = whole_number(input);
    if (!number) {
        if (!is_number(input)) at.expected("an integer", input);
        at.expected("an integer of 64 bits", input);
    }
    output = *number;
}

void read(json_location const& at, json::value const& input, std::int32_t& output)
{
    auto const number = whole_number(input);
    if (!number && !is_number(input)) at.expected("an integer", input);
    if (!number || *number < (std::numeric_limits<std::int32_t>::min)()
        || *number > (std::numeric_limits<std::int32_t>::max)())
        at.expected("an integer of 32 bits", input);
    output = static_cast<std::int32_t>(*number);
}

void read(json_location const& at, json::value const& input, double& output)
{
    std::optional<double> number;
    if (input.is_double()) number = input.get_double();
    if (input.is_int64()) number = static_cast<double>(input.get_int64());
    if (input.is_uint64()) number = static_cast<double>(input.get_uint64());
    if (input.is_string()) {
        std::string_view const text(input.get_string().data(), input.get_string().size());
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (text == "NaN")
            output = std::numeric_limits<double>::quiet_NaN();
        else if (text == "Infinity" || text == "-Infinity")
            output = text[0] == '-' ? -infinity : infinity;
        else
            number = parse_number<double>(text);
        if (!number && !(text == "NaN" || text == "Infinity" || text == "-Infinity")) at.expected("a number", input);
        if (!number) return;
    }
    if (!number) at.expected("a number", input);
    // As a literal, infinity is a number too large, not a value that somebody meant.
    if (!std::isfinite(*number)) at.fail("expected a number of 64 bits, got a larger one");
    output = *number;
}

void read(json_location const& at, json::value const& input, std::string& output)
{
    if (!input.is_string()) at.expected("a string", input);
    output.assign(input.get_string().data(), input.get_string().size());
}

void read(json_location const& at, json::value const& input, timestamp& output)
{
    auto const* const text = input.if_string();
    auto const time = text == nullptr ? std::nullopt : timestamp::parse({text->data(), text->size()});
    if (!time) at.expected(R"(a time such as "2026-08-22T10:11:12Z")", input);
    output = *time;
}

void read(json_location const& at, json::value const& input, duration& output)
{
    auto const* const text = input.if_string();
    auto const span = text == nullptr ? std::nullopt : duration::parse({text->data(), text->size()});
    if (!span) at.expected(R"(a duration such as "2.5s")", input);
    output = *span;
}

void read(json_location const& at, json::value const& input, any& output)
{
    if (!input.is_object()) at.expected("an object", input);
    check_depth(at, input);
    output.content = input.get_object();
}

json::array const& read_array(json_location const& at, json::value const& input)
{
    if (!input.is_array()) at.expected("an array", input);
    return input.get_array();
}

json::object const& read_map(json_location const& at, json::value const& input)
{
    if (!input.is_object()) at.expected("an object", input);
    return input.get_object();
}

json::value write(bool input)
{
    return input;
}

json::value write(std::int32_t input)
{
    return input;
}

json::value write(std::int64_t input)
{
    return json::value(std::to_string(input));
}

json::value write(double input)
{
    if (std::isnan(input)) return "NaN";
    if (std::isinf(input)) return input < 0 ? "-Infinity" : "Infinity";
    // Boost.JSON would write 39 as 3.9E1.
    auto const whole = whole_number(input);
    if (whole && !(input == 0 && std::signbit(input))) return *whole;
    return input;
}

json::value write(std::string const& input)
{
    return json::value(input);
}

json::value write(timestamp const& input)
{
    return json::value(input.to_string());
}

json::value write(duration const& input)
{
    return json::value(input.to_string());
}

json::value write(any const& input)
{
    return input.content;
}

enum_text read_enum(json_location const& at, json::value const& input, std::span<enumerator const> known)
{
    enum_text result;
    if (input.is_string()) {
        result.name = {input.get_string().data(), input.get_string().size()};
        if (!at.reject_unknown() || find_number(known, result.name)) return result;
    } else if (input.is_number()) {
        std::int32_t number = 0;
        read(at, input, number);
        result.number = number;
        auto const same = [&](enumerator const& each) { return each.number == number; };
        if (!at.reject_unknown() || std::any_of(known.begin(), known.end(), same)) return result;
    }
    at.expected("one of " + list_names(known), input);
}

void read_fields(
    json_location const& at,
    json::value const& input,
    std::span<field const> fields,
    void* message,
    json::object& unknown_fields)
{
    if (!input.is_object()) at.expected("an object", input);
    auto const& object = input.get_object();
    std::size_t found = 0;
    for (auto const& each : fields) {
        auto const* value = object.if_contains(each.json_name);
        if (each.proto_name != each.json_name) {
            if (auto const* const other = object.if_contains(each.proto_name)) {
                if (value != nullptr)
                    json_location(at, each.json_name)
                        .fail(std::string("given twice, as ")
                                  .append(each.json_name)
                                  .append(" and as ")
                                  .append(each.proto_name));
                value = other;
            }
        }
        if (value == nullptr) continue;
        ++found;
        if (!value->is_null()) each.read(json_location(at, each.json_name), *value, message);
    }
    if (found == object.size()) return;

    for (auto const& member : object) {
        std::string_view const key = member.key();
        auto const same = [&](field const& each) { return each.json_name == key || each.proto_name == key; };
        if (std::any_of(fields.begin(), fields.end(), same)) continue;
        json_location const here(at, key);
        if (at.reject_unknown()) here.fail("there is no such field");
        check_depth(here, member.value());
        unknown_fields.insert_or_assign(key, member.value());
    }
}

json::object write_fields(std::span<field const> fields, void const* message, json::object const& unknown_fields)
{
    json::object result;
    for (auto const& each : fields)
        if (json::value value; each.write(message, value)) result.emplace(each.json_name, std::move(value));
    for (auto const& member : unknown_fields) result.emplace(member.key(), member.value());
    return result;
}

}  // namespace detail

}  // namespace backbeat::memorystore
