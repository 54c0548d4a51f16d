//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_OPEN_ENUM_HPP
#define BACKBEAT_MEMORYSTORE_OPEN_ENUM_HPP

#include <backbeat/config.hpp>

#include <boost/describe/enum.hpp>
#include <boost/describe/enumerators.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

// An enumerator as it is spelled in C++: the API's name in lower case.
struct enumerator {
    std::int32_t number;
    char const* name;
};

template <template <class...> class List, class... Described>
constexpr std::array<enumerator, sizeof...(Described)> enumerators_in(List<Described...>) noexcept
{
    return {{{static_cast<std::int32_t>(Described::value), Described::name}...}};
}

template <class Enum>
inline constexpr auto enumerators = enumerators_in(boost::describe::describe_enumerators<Enum>{});

// The number that has this name in the API; upper case in the API, lower case in the table.
[[nodiscard]] std::optional<std::int32_t> find_number(
    std::span<enumerator const> table, std::string_view name) noexcept;

// The name in upper case, or nothing.
[[nodiscard]] std::string find_name(std::span<enumerator const> table, std::int32_t number);

// "BASIC, STANDARD_HA": what a person may choose from. Without the zero value, which only says that nothing was chosen.
[[nodiscard]] std::string list_names(std::span<enumerator const> table);

}  // namespace detail

/**
 * \brief A value of an enumeration that the server may extend at any time.
 * \details
 * Holds one of `Enum`'s values, or a name or a number that this version of the library does not know. An unknown value
 * is kept, printed and sent back as it came; it never makes a response unreadable.
 *
 * `Enum`'s enumerators are the API's names in lower case: `instance_state::ready` is `READY`.
 *
 * \code
 * if (found.state == instance_state::ready) ...
 * std::cout << found.state;                      // READY, or whatever the server said
 * \endcode
 */
template <class Enum>
class open_enum {
public:
    using enum_type = Enum;

    /// The zero value, which the API calls `..._UNSPECIFIED` and does not send.
    open_enum() = default;

    /// Implicit, so that `tier = tier::basic` reads as it should.
    open_enum(Enum value) noexcept : number_(static_cast<std::int32_t>(value)) {}

    /// The value with this name in the API, such as `READY`; an unknown name is kept.
    [[nodiscard]] static open_enum from_name(std::string_view name)
    {
        open_enum result;
        if (auto const number = detail::find_number(detail::enumerators<Enum>, name))
            result.number_ = *number;
        else if (!name.empty()) {
            result.number_ = -1;
            result.unknown_name_ = name;
        }
        return result;
    }

    /// The value with this number; an unknown number is kept.
    [[nodiscard]] static open_enum from_number(std::int32_t number)
    {
        open_enum result;
        result.number_ = number;
        return result;
    }

    /// The value, if this version of the library knows it.
    [[nodiscard]] std::optional<Enum> known() const
    {
        if (!unknown_name_.empty()) return {};
        for (auto const& each : detail::enumerators<Enum>)
            if (each.number == number_) return static_cast<Enum>(number_);
        return {};
    }

    /// Whether it is the zero value: nothing was said.
    [[nodiscard]] bool unspecified() const noexcept { return number_ == 0 && unknown_name_.empty(); }

    /// The number. Empty: it came as a name that is not known.
    [[nodiscard]] std::optional<std::int32_t> number() const
    {
        return unknown_name_.empty() ? std::optional(number_) : std::nullopt;
    }

    /// The name in the API; of an unknown number, its digits.
    [[nodiscard]] std::string name() const
    {
        if (!unknown_name_.empty()) return unknown_name_;
        auto found = detail::find_name(detail::enumerators<Enum>, number_);
        return found.empty() ? std::to_string(number_) : found;
    }

    friend bool operator==(open_enum const&, open_enum const&) = default;
    friend bool operator==(open_enum const& a, Enum b) noexcept
    {
        return a.unknown_name_.empty() && a.number_ == static_cast<std::int32_t>(b);
    }

    friend std::ostream& operator<<(std::ostream& out, open_enum const& value) { return out << value.name(); }

private:
    std::int32_t number_ = 0;
    std::string unknown_name_;
};

}  // namespace backbeat::memorystore

#endif
