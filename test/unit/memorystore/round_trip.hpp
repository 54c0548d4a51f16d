//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_MEMORYSTORE_ROUND_TRIP_HPP
#define BACKBEAT_TEST_UNIT_MEMORYSTORE_ROUND_TRIP_HPP

#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/open_enum.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/mp11/list.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>
#include <utility>

// Reads and writes; nothing may be lost, nothing unknown.
template <class Message>
Message round_trip(std::string_view text)
{
    backbeat::memorystore::json_options options;
    options.reject_unknown = true;
    auto const message = backbeat::memorystore::parse_json<Message>(text, options);
    auto const written = backbeat::memorystore::to_json(message);
    EXPECT_EQ(boost::json::value(written), boost::json::parse({text.data(), text.size()}));
    EXPECT_EQ(backbeat::memorystore::parse_json<Message>(boost::json::serialize(written), options), message);
    return message;
}

template <class Enum>
void names_and_numbers(std::initializer_list<std::pair<std::int32_t, char const*>> expected)
{
    using backbeat::memorystore::open_enum;
    for (auto const& [number, name] : expected) {
        EXPECT_EQ(open_enum<Enum>::from_number(number).name(), name);
        EXPECT_EQ(open_enum<Enum>::from_name(name).number(), number);
        EXPECT_TRUE(open_enum<Enum>::from_number(number).known());
    }
    EXPECT_EQ(boost::mp11::mp_size<boost::describe::describe_enumerators<Enum>>::value, expected.size());
}

#endif
