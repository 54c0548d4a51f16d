//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_ANY_HPP
#define BACKBEAT_MEMORYSTORE_ANY_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::memorystore {

/**
 * \brief A message of any type, with the name of its type: `google.protobuf.Any`.
 * \details
 * Held as JSON, so that a type that is not known here survives unchanged. A type that is known can be had from it:
 *
 * \code
 * if (auto info = detail.unpack<rpc::retry_info>()) wait_for(info->retry_delay);
 * \endcode
 */
class any {
public:
    /// Nothing, not even a type.
    any() = default;

    /// What came from the API; the type is its member `@type`.
    explicit any(boost::json::object typed) : content(std::move(typed)) {}

    /// Holds a message, with its type.
    template <class Message>
    [[nodiscard]] static any pack(Message const& message)
    {
        any result;
        result.content["@type"] = std::string("type.googleapis.com/").append(Message::type_name);
        for (auto& member : to_json(message)) result.content.insert_or_assign(member.key(), std::move(member.value()));
        return result;
    }

    /// The name of the type, such as `google.rpc.RetryInfo`. Empty: it has none.
    [[nodiscard]] std::string_view type_name() const noexcept;

    /// Whether it holds a `Message`.
    template <class Message>
    [[nodiscard]] bool is() const noexcept
    {
        return type_name() == Message::type_name;
    }

    /**
     * \brief The message, if it is a `Message`.
     * \throws json_error The type is that one, but the content is not.
     */
    template <class Message>
    [[nodiscard]] std::optional<Message> unpack() const
    {
        if (!is<Message>()) return {};
        std::optional<Message> result(std::in_place);
        from_json(boost::json::value(content), *result);
        result->unknown_fields.erase("@type");
        return result;
    }

    /// The JSON, including `@type`.
    boost::json::object content;

    friend bool operator==(any const&, any const&) = default;
};

}  // namespace backbeat::memorystore

#endif
