//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_UPDATE_MASK_HPP
#define BACKBEAT_MEMORYSTORE_UPDATE_MASK_HPP

#include <backbeat/config.hpp>

#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/mp11/algorithm.hpp>

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace backbeat::memorystore {

/**
 * \brief Which fields an update changes: `google.protobuf.FieldMask`.
 * \details
 * What it names is set to what the message of the update has; what the message leaves empty is cleared. Everything else
 * stays as it is, whatever the message says.
 *
 * Fields have their names of the API, `memorySizeGb` or `memory_size_gb`. The update checks them, before anything is
 * sent.
 *
 * \code
 * update_mask by_names{"displayName", "memory_size_gb"};
 * auto by_members = update_mask::of(&instance::display_name, &instance::memory_size_gb);
 *
 * auto const before = co_await client.async_get_instance(name);
 * auto after = before;
 * after.labels["team"] = "search";
 * auto const changed = update_mask::difference(before, after);
 * co_await client.async_update_instance(after, changed);
 * \endcode
 */
class update_mask {
public:
    /// Names nothing. No update accepts that.
    update_mask() = default;

    /// Names these fields.
    update_mask(std::initializer_list<std::string_view> fields);

    /// Names the fields in a text, with commas between them: `displayName,labels`.
    explicit update_mask(std::string_view text);

    /// Names these members of a message.
    template <class Message, class... Fields>
    [[nodiscard]] static update_mask of(Fields Message::*... members)
    {
        update_mask result;
        (result.add(name_of(members)), ...);
        return result;
    }

    /**
     * \brief Names the fields in which two messages differ, except for those that only the service sets.
     * \details For `instance` and `cluster`. Equal messages: an empty mask, there is nothing to update.
     */
    template <class Message>
    [[nodiscard]] static update_mask difference(Message const& before, Message const& after);

    /// Names one more field.
    void add(std::string_view field);

    /// What it names, each once, in lowerCamelCase: `persistenceConfig.rdbSnapshotPeriod`.
    [[nodiscard]] std::vector<std::string> const& paths() const noexcept { return paths_; }

    /// Whether it names nothing.
    [[nodiscard]] bool empty() const noexcept { return paths_.empty(); }

    /// The names, with commas between them, as they are sent.
    [[nodiscard]] std::string to_string() const;

    friend bool operator==(update_mask const&, update_mask const&) = default;

private:
    template <class Message, class Field>
    [[nodiscard]] static std::string_view name_of(Field Message::*member)
    {
        using members = boost::describe::describe_members<Message, boost::describe::mod_public>;
        std::string_view result;
        boost::mp11::mp_for_each<members>([&](auto described) {
            if constexpr (std::same_as<std::remove_const_t<decltype(described.pointer)>, Field Message::*>)
                if (described.pointer == member) result = described.name;
        });
        return result;
    }

    std::vector<std::string> paths_;
};

}  // namespace backbeat::memorystore

#endif
