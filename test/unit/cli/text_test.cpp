//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "exit_status.hpp"
#include "json_text.hpp"
#include "nearest.hpp"
#include "option_values.hpp"
#include "output.hpp"
#include "text.hpp"

#include <boost/json/parse.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace backbeat::cli {
namespace {

using namespace std::chrono_literals;

template <class Call>
std::string refusal(Call call)
{
    try {
        call();
    } catch (usage_error const& error) {
        return error.what();
    }
    return "accepted";
}

TEST(cli_text, the_nearest_name_is_offered_and_a_far_one_is_not)
{
    std::vector<std::string> const names{"--region", "--project", "--output"};
    EXPECT_EQ(did_you_mean("--regoin", names), "; did you mean '--region'?");
    EXPECT_EQ(did_you_mean("--ouput", names), "; did you mean '--output'?");
    EXPECT_EQ(did_you_mean("--frobnicate", names), "");
}

TEST(cli_text, durations_are_read_and_refused_with_what_would_be_right)
{
    EXPECT_EQ(duration_value("--f", "250ms"), 250ms);
    EXPECT_EQ(duration_value("--f", "2.5s"), 2500ms);
    EXPECT_EQ(duration_value("--f", "0s"), 0s);
    EXPECT_EQ(
        refusal([] { (void)duration_value("--f", "5"); }),
        "--f '5': the unit is missing, write 5s or 5ms; a duration is a non-negative decimal number and one of ns, us, "
        "ms, s, m, h, without a space, like 250ms or 2.5s");
    EXPECT_EQ(
        refusal([] { (void)duration_value("--f", "-5s"); }).substr(0, 39), "--f '-5s': the duration is negative; a ");
    EXPECT_EQ(refusal([] { (void)duration_value("--f", ""); }).substr(0, 20), "--f '': a duration i");
    EXPECT_NE(refusal([] { (void)duration_value("--f", "5 s"); }), "accepted");
    EXPECT_NE(refusal([] { (void)duration_value("--f", "5min"); }), "accepted");
}

TEST(cli_text, counts_and_numbers_are_read_and_refused)
{
    EXPECT_EQ(count_value("--n", "7", 1, 9), 7U);
    for (auto const* const text : {"0", "10", "-1", "1.5", "7x", "99999999999999999999"})
        EXPECT_EQ(
            refusal([&] { (void)count_value("--n", text, 1, 9); }),
            "--n '" + std::string(text) + "': must be a whole number from 1 to 9");
    EXPECT_EQ(number_value("--m", "1.5"), 1.5);
    EXPECT_EQ(refusal([] { (void)number_value("--m", "two"); }), "--m 'two': must be a number, like 2 or 1.5");
}

TEST(cli_text, tables_line_up_and_cannot_move_the_cursor)
{
    table shown({"NAME", "SIZE"});
    shown.rows = {{"Kärtchen", "1"}, {"a\x1b[2Jb", "20"}};
    EXPECT_EQ(shown.text(), "NAME      SIZE\nKärtchen  1\na [2Jb    20\n");
    shown.first_number = 1;
    EXPECT_EQ(shown.text(), "NAME      SIZE\nKärtchen     1\na [2Jb      20\n");
    EXPECT_EQ(shown.record(), "NAME  Kärtchen\nSIZE  1\n");
}

TEST(cli_text, csv_quotes_what_needs_it)
{
    table shown({"a", "b"});
    shown.rows = {{"1,2", "say \"so\""}, {"x", ""}};
    EXPECT_EQ(shown.csv(), "a,b\n\"1,2\",\"say \"\"so\"\"\"\nx,\n");
}

TEST(cli_text, json_is_indented)
{
    auto const value = boost::json::parse(R"({"a":[1,{"b":"c\n"}],"d":{},"e":[]})");
    auto const text = json_text(value.get_object());
    EXPECT_EQ(text, "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"c\\n\"\n    }\n  ],\n  \"d\": {},\n  \"e\": []\n}\n");
    EXPECT_EQ(boost::json::parse(text), value);
}

TEST(cli_text, numbers_and_times_are_readable)
{
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1234567), "1,234,567");
    EXPECT_EQ(counted(1, "attempt"), "1 attempt");
    EXPECT_EQ(counted(2, "attempt"), "2 attempts");
    EXPECT_EQ(short_time(0ns), "0 ms");
    EXPECT_EQ(short_time(3140us), "3.1 ms");
    EXPECT_EQ(short_time(250ms), "250 ms");
    EXPECT_EQ(short_time(1427ms), "1.43 s");
    EXPECT_EQ(short_time(125s), "125 s");
    EXPECT_EQ(wrapped("one two three", 2, 9), "one two\n  three\n");
}

}  // namespace
}  // namespace backbeat::cli
