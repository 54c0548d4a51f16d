//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_JSON_CODEC_HPP
#define BACKBEAT_MEMORYSTORE_JSON_CODEC_HPP

// The definitions of from_json and to_json. They are compiled once for the messages of this library; include this
// header for message classes of your own, which must be described with Boost.Describe.

#include <backbeat/memorystore/any.hpp>
#include <backbeat/memorystore/duration.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/json/array.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace backbeat::memorystore::detail {

// Where reading is: a chain of frames on the stack, so that a path costs nothing until an error needs it.
class json_location {
public:
    explicit json_location(json_options const& options) noexcept : options_(options) {}
    json_location(json_location const& parent, std::string_view field) noexcept
        : options_(parent.options_), parent_(&parent), field_(field)
    {}
    json_location(json_location const& parent, std::size_t index) noexcept
        : options_(parent.options_), parent_(&parent), index_(index)
    {}
    json_location(json_location const&) = delete;
    json_location& operator=(json_location const&) = delete;

    [[nodiscard]] std::string path() const;
    [[nodiscard]] bool reject_unknown() const noexcept { return options_.reject_unknown; }

    [[noreturn]] void fail(std::string problem) const;
    // "expected WHAT, got VALUE"
    [[noreturn]] void expected(std::string_view what, boost::json::value const& got) const;

private:
    json_options const& options_;
    json_location const* parent_ = nullptr;
    std::string_view field_;
    std::size_t index_ = 0;
};

void read(json_location const& at, boost::json::value const& input, bool& output);
void read(json_location const& at, boost::json::value const& input, std::int32_t& output);
void read(json_location const& at, boost::json::value const& input, std::int64_t& output);
void read(json_location const& at, boost::json::value const& input, double& output);
void read(json_location const& at, boost::json::value const& input, std::string& output);
void read(json_location const& at, boost::json::value const& input, timestamp& output);
void read(json_location const& at, boost::json::value const& input, duration& output);
void read(json_location const& at, boost::json::value const& input, any& output);
boost::json::array const& read_array(json_location const& at, boost::json::value const& input);
boost::json::object const& read_map(json_location const& at, boost::json::value const& input);

[[nodiscard]] boost::json::value write(bool input);
[[nodiscard]] boost::json::value write(std::int32_t input);
[[nodiscard]] boost::json::value write(std::int64_t input);
[[nodiscard]] boost::json::value write(double input);
[[nodiscard]] boost::json::value write(std::string const& input);
[[nodiscard]] boost::json::value write(timestamp const& input);
[[nodiscard]] boost::json::value write(duration const& input);
[[nodiscard]] boost::json::value write(any const& input);

// Either the name of an enum value or its number.
class enum_text {
public:
    std::optional<std::int32_t> number;
    std::string_view name;
};
[[nodiscard]] enum_text read_enum(
    json_location const& at, boost::json::value const& input, std::span<enumerator const> known);

// One field of a message: its two names, and how to read and write it in a message of which only the address is known.
// The loops over the fields are compiled once that way, not once a message.
struct field {
    std::string_view json_name;  // memorySizeGb
    std::string_view proto_name;  // memory_size_gb
    void (*read)(json_location const&, boost::json::value const&, void*);
    bool (*write)(void const*, boost::json::value&);  // false: there is nothing to write
};

void read_fields(
    json_location const& at,
    boost::json::value const& input,
    std::span<field const> fields,
    void* message,
    boost::json::object& unknown_fields);

[[nodiscard]] boost::json::object write_fields(
    std::span<field const> fields, void const* message, boost::json::object const& unknown_fields);

// memory_size_gb -> memorySizeGb, at compile time.
template <std::size_t N>
class json_name {
public:
    constexpr explicit json_name(char const* proto_name) noexcept
    {
        bool upper = false;
        for (; *proto_name != 0; ++proto_name) {
            if (*proto_name == '_') {
                upper = true;
                continue;
            }
            bool const lower_case = *proto_name >= 'a' && *proto_name <= 'z';
            text_[size_++] = upper && lower_case ? static_cast<char>(*proto_name - 'a' + 'A') : *proto_name;
            upper = false;
        }
    }

    [[nodiscard]] constexpr std::string_view view() const noexcept { return {text_, size_}; }

private:
    char text_[N] = {};
    std::size_t size_ = 0;
};

template <class Described>
inline constexpr json_name<std::string_view(Described::name).size() + 1> json_name_of{Described::name};

// How a type of field is read, written, and found to be without a value. The general case: a message.
template <class T>
struct codec;

template <class T>
struct scalar_codec {
    static void read(json_location const& at, boost::json::value const& input, T& output)
    {
        detail::read(at, input, output);
    }
    static boost::json::value write(T const& input) { return detail::write(input); }
    static bool absent(T const& input) { return input == T{}; }
};

template <>
struct codec<bool> : scalar_codec<bool> {};
template <>
struct codec<std::int32_t> : scalar_codec<std::int32_t> {};
template <>
struct codec<std::int64_t> : scalar_codec<std::int64_t> {};
template <>
struct codec<double> : scalar_codec<double> {};
template <>
struct codec<std::string> : scalar_codec<std::string> {};
template <>
struct codec<timestamp> : scalar_codec<timestamp> {};
template <>
struct codec<duration> : scalar_codec<duration> {};
template <>
struct codec<any> : scalar_codec<any> {};

template <class Enum>
struct codec<open_enum<Enum>> {
    static void read(json_location const& at, boost::json::value const& input, open_enum<Enum>& output)
    {
        auto const text = read_enum(at, input, enumerators<Enum>);
        output = text.number ? open_enum<Enum>::from_number(*text.number) : open_enum<Enum>::from_name(text.name);
    }
    static boost::json::value write(open_enum<Enum> const& input)
    {
        if (auto const number = input.number(); number && !input.known()) return *number;
        return boost::json::value(input.name());
    }
    static bool absent(open_enum<Enum> const& input) { return input.unspecified(); }
};

template <class T>
struct codec<std::optional<T>> {
    static void read(json_location const& at, boost::json::value const& input, std::optional<T>& output)
    {
        codec<T>::read(at, input, output.emplace());
    }
    static boost::json::value write(std::optional<T> const& input) { return codec<T>::write(*input); }
    static bool absent(std::optional<T> const& input) { return !input; }
};

template <class T>
struct codec<std::vector<T>> {
    static void read(json_location const& at, boost::json::value const& input, std::vector<T>& output)
    {
        output.clear();
        for (auto const& each : read_array(at, input)) {
            json_location const here(at, output.size());
            codec<T>::read(here, each, output.emplace_back());
        }
    }
    static boost::json::value write(std::vector<T> const& input)
    {
        boost::json::array result;
        result.reserve(input.size());
        for (auto const& each : input) result.push_back(codec<T>::write(each));
        return result;
    }
    static bool absent(std::vector<T> const& input) { return input.empty(); }
};

template <class T>
struct codec<std::map<std::string, T>> {
    static void read(json_location const& at, boost::json::value const& input, std::map<std::string, T>& output)
    {
        output.clear();
        for (auto const& each : read_map(at, input))
            codec<T>::read(json_location(at, std::string_view(each.key())), each.value(), output[each.key()]);
    }
    static boost::json::value write(std::map<std::string, T> const& input)
    {
        boost::json::object result;
        result.reserve(input.size());
        for (auto const& [key, value] : input) result.emplace(key, codec<T>::write(value));
        return result;
    }
    static bool absent(std::map<std::string, T> const& input) { return input.empty(); }
};

template <class Message, class Described>
constexpr field field_of() noexcept
{
    using type = std::remove_reference_t<decltype(std::declval<Message&>().*Described::pointer)>;
    return {
        json_name_of<Described>.view(),
        Described::name,
        [](json_location const& at, boost::json::value const& input, void* message) {
            codec<type>::read(at, input, static_cast<Message*>(message)->*Described::pointer);
        },
        [](void const* message, boost::json::value& output) {
            auto const& input = static_cast<Message const*>(message)->*Described::pointer;
            if (codec<type>::absent(input)) return false;
            output = codec<type>::write(input);
            return true;
        }};
}

template <class Message, template <class...> class List, class... Described>
constexpr std::array<field, sizeof...(Described)> fields_in(List<Described...>) noexcept
{
    return {{field_of<Message, Described>()...}};
}

template <class Message>
inline constexpr auto fields =
    fields_in<Message>(boost::describe::describe_members<Message, boost::describe::mod_public>{});

template <class Message>
struct codec {
    static void read(json_location const& at, boost::json::value const& input, Message& output)
    {
        output = Message();
        read_fields(at, input, fields<Message>, &output, output.unknown_fields);
    }
    static boost::json::value write(Message const& input)
    {
        return write_fields(fields<Message>, &input, input.unknown_fields);
    }
};

}  // namespace backbeat::memorystore::detail

template <class Message>
void backbeat::memorystore::from_json(boost::json::value const& input, Message& message, json_options const& options)
{
    detail::codec<Message>::read(detail::json_location(options), input, message);
}

template <class Message>
boost::json::object backbeat::memorystore::to_json(Message const& message)
{
    return detail::write_fields(detail::fields<Message>, &message, message.unknown_fields);
}

#endif
