//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_JSON_HPP
#define BACKBEAT_MEMORYSTORE_JSON_HPP

#include <backbeat/config.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace backbeat::memorystore {

/// Input that is not the JSON of the message that was expected. Its text is a sentence that starts with the path.
class json_error : public std::runtime_error {
public:
    /// An error at `path`, such as `instance.nodes[2].zone`; empty: the whole input. `problem`: what is wrong.
    json_error(std::string path, std::string problem);

    /// Where it is wrong. Empty: the input as a whole.
    [[nodiscard]] std::string const& path() const noexcept { return path_; }

    /// What is wrong there: `expected an integer, got "x"`.
    [[nodiscard]] std::string const& problem() const noexcept { return problem_; }

private:
    std::string path_;
    std::string problem_;
};

/// How JSON is read.
class json_options {
public:
    /// What is known about the input is read, what is not is kept.
    json_options() = default;

    /// What the paths of errors start with, such as `instance`. Empty: with the field.
    std::string root;

    /**
     * \brief Whether fields and enum values that the message does not have are an error.
     * \details Default: no, they are kept. A client must keep them; a server must refuse them.
     */
    bool reject_unknown = false;
};

/// The most levels of arrays and objects that `parse_json` and `from_json` accept, so that no input exhausts the stack.
inline constexpr std::size_t maximum_json_depth = 64;

/**
 * \brief Reads a message from JSON, by the rules of proto3.
 * \details
 * - Field names: `memorySizeGb` and `memory_size_gb` alike. `null` is as good as absent.
 * - Numbers: also as strings; whole ones also as `1.0` or `1e3`. What does not fit is an error.
 * - Enum values: by name or by number; unknown ones are kept.
 * - Timestamps: RFC 3339. Durations: `2.5s`.
 * - Unknown fields are kept in `message.unknown_fields`.
 *
 * Defined for the messages of this library; for a class of your own, include `json_codec.hpp`.
 *
 * \param message Is overwritten. After an exception its value is unspecified.
 * \throws json_error The input is not this message.
 */
template <class Message>
void from_json(boost::json::value const& input, Message& message, json_options const& options = {});

/**
 * \brief Writes a message as JSON, by the rules of proto3.
 * \details
 * Names in lowerCamelCase; 64-bit integers as strings; known enum values by name. Fields without a value are left out:
 * empty optionals, strings, lists and maps, zeros, `false`, unspecified enum values. What was kept in `unknown_fields`
 * is written back.
 */
template <class Message>
[[nodiscard]] boost::json::object to_json(Message const& message);

/**
 * \brief Parses JSON text.
 * \throws json_error It is not JSON, or nests more than `maximum_json_depth` levels. The text says where it breaks.
 */
[[nodiscard]] boost::json::value parse_json(std::string_view text);

/// Parses JSON text, and reads a message from it.
template <class Message>
[[nodiscard]] Message parse_json(std::string_view text, json_options const& options = {})
{
    Message result;
    from_json(parse_json(text), result, options);
    return result;
}

}  // namespace backbeat::memorystore

#endif
