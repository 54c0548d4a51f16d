//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/http/retry_after.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace std::chrono_literals;
using backbeat::http::retry_after;
using backbeat::http::retry_after_ms;
using std::chrono::nanoseconds;
using std::chrono::sys_seconds;
using time_point = std::chrono::system_clock::time_point;
using wait = std::optional<nanoseconds>;

constexpr auto longest = (nanoseconds::max)();
constexpr std::string_view new_year_s_eve = "Fri, 31 Dec 1999 23:59:59 GMT";
constexpr std::int64_t new_year_s_eve_time = 946684799;
constexpr std::int64_t summer_2026 = 1787356800;  // 2026-08-22T00:00:00Z

time_point at(std::int64_t seconds_since_epoch)
{
    return sys_seconds(std::chrono::seconds(seconds_since_epoch));
}

struct vector {
    std::string value;
    std::int64_t now;
    wait expected;
};

void expect(std::vector<vector> const& vectors)
{
    for (auto const& [value, now, expected] : vectors)
        EXPECT_EQ(retry_after(value, at(now)), expected) << '"' << value << "\" at " << now;
}

TEST(retry_after, reads_seconds)
{
    expect({
        {"0", 0, 0ns},
        {"2", 0, 2s},
        {" \t120 \t", 0, 120s},
        {"007", 0, 7s},
        {"9223372036", 0, 9223372036s},
        {"9223372037", 0, longest},
        {std::string(400, '9'), 0, longest},
        {"120", 1773769074, 120s},
    });
}

TEST(retry_after, agrees_with_the_libraries_that_others_use)
{
    expect({
        // go-retryablehttp
        {"2", new_year_s_eve_time - 2, 2s},
        {"Fri, 31 Dec 1999 23:59:59 GMT", new_year_s_eve_time - 2, 2s},
        {"Fri, 31 Dec 1999 23:59:00 GMT", new_year_s_eve_time - 2, 0s},
        {"", 0, {}},
        {"-2", 0, {}},
        {"Fri, 32 Dec 1999 23:59:59 GMT", 0, {}},
        {"badbadbad", 0, {}},
        // urllib3
        {"0", 0, 0s},
        {"1000", 0, 1000s},
        {"\t42 ", 0, 42s},
        {"-1", 0, {}},
        {"+1", 0, {}},
        {"1.0", 0, {}},
        {"\xc2\xb2", 0, {}},
        {"Mon, 03 Jun 2019 11:30:12 GMT", 1559559600, 1812s},
        {"Monday, 03-Jun-19 11:30:12 GMT", 1559559600, 1812s},
        {"Mon Jun  3 11:30:12 2019", 1559559600, 1812s},
        // smithy-ts: fields that were merged
        {std::string(new_year_s_eve) + ", 45", summer_2026, 45s},
        // curl
        {"22", 0, 22s},
    });
}

struct exclusion {
    std::string_view vector;
    std::string_view reason;
    std::string_view value;
    time_point now;
    wait here;
};

TEST(retry_after, leaves_out_vectors_of_others_for_a_reason_that_holds)
{
    std::vector<exclusion> const exclusions{
        {"go-retryablehttp, two fields 2 and 3: the first", "of several the largest counts", "2, 3", at(0), 3s},
        {"urllib3, 21601: 21600", "retry_options::maximum_hint is the limit, and stops", "21601", at(0), 21601s},
        {"curl test1596, a date in 2138: 21600",
         "as urllib3's",
         "Wed, 31 Dec 2138 02:26:59 GMT",
         at(5333048819 - 21601),
         21601s},
        {"smithy-ts, ISO 8601", "no form of RFC 9110", "2999-01-01T00:00:00Z", at(0), {}},
        {"smithy-ts, 1.0", "delta-seconds are digits", "1.0", at(0), {}},
        {"curl 1595, no field: 0", "no hint is none; an empty value is malformed", "", at(0), {}},
        {"curl test366, 200 with ten seconds left", "the schedule's: hint_too_long", "200", at(0), 200s},
        {"curl test3010, a hint and then none", "the schedule's; the classifier has no memory", "2", at(0), 2s},
    };
    for (auto const& each : exclusions) {
        EXPECT_EQ(retry_after(each.value, each.now), each.here) << each.vector;
        std::cout << "  left out: " << each.vector << ": " << each.reason << '\n';
    }
}

TEST(retry_after, reads_all_three_forms_of_a_date)
{
    for (auto const* text :
         {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"}) {
        expect({{text, 784111777, 0s}, {text, 784111770, 7s}, {text, 784111778, 0s}});
        EXPECT_EQ(retry_after(text, at(784111776) + 250ms), 750ms) << text;
    }
    expect({
        {"Sun Nov 06 08:49:37 1994", 784111770, 7s},
        {"Wed, 21 Oct 2015 07:28:00 GMT", 1445412480 - 3, 3s},
        {"Tue, 29 Feb 2000 23:59:59 GMT", 951868799 - 3, 3s},
        {"\t Sun, 06 Nov 1994 08:49:37 GMT \t", 784111770, 7s},
    });
}

TEST(retry_after, finds_the_century_of_two_digits)
{
    expect({
        {"Friday, 21-Aug-76 00:00:00 GMT", summer_2026, std::chrono::seconds(3365193600 - summer_2026)},
        {"Saturday, 22-Aug-76 00:00:00 GMT", summer_2026, std::chrono::seconds(3365193600 + 86400 - summer_2026)},
        {"Saturday, 22-Aug-76 00:00:01 GMT", summer_2026, 0s},
        {"Monday, 23-Aug-76 00:00:00 GMT", summer_2026, 0s},
        {"Monday, 23-Aug-76 00:00:00 GMT", 209606400 - 5, 5s},
        {"Sunday, 06-Nov-94 08:49:37 GMT", summer_2026, 0s},
        // Over the turn of a century
        {"Saturday, 01-Jan-00 00:00:00 GMT", new_year_s_eve_time, 1s},
        {"Friday, 31-Dec-99 23:59:59 GMT", new_year_s_eve_time + 1, 0s},
        {"Monday, 01-Jan-05 00:00:00 GMT", 3471292800, std::chrono::seconds(4260211200 - 3471292800)},
        // A leap year or not, by its century
        {"Tuesday, 29-Feb-00 00:00:00 GMT", 951782400 - 1, 1s},
        {"Monday, 29-Feb-00 00:00:00 GMT", 3471292800, {}},
    });
}

TEST(retry_after, minds_days_and_times)
{
    auto const is_valid = [](std::string const& text) { return retry_after(text, at(0)).has_value(); };
    struct {
        int year;
        bool leap;
    } const years[] = {{1900, false}, {1999, false}, {2000, true}, {2024, true}, {2100, false}, {2400, true}};
    constexpr std::string_view months[] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    for (auto const& [year, leap] : years) {
        int const lengths[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
        for (int month = 0; month != 12; ++month)
            for (int day = 0; day != 100; ++day) {
                auto const digits = std::string{char('0' + day / 10), char('0' + day % 10)};
                auto const text =
                    "Sun, " + digits + " " + std::string(months[month]) + " " + std::to_string(year) + " 00:00:00 GMT";
                EXPECT_EQ(is_valid(text), day >= 1 && day <= lengths[month]) << text;
            }
    }
    for (int i = 0; i != 100; ++i) {
        auto const digits = std::string{char('0' + i / 10), char('0' + i % 10)};
        EXPECT_EQ(is_valid("Sun, 06 Nov 1994 " + digits + ":49:37 GMT"), i <= 23) << i;
        EXPECT_EQ(is_valid("Sun, 06 Nov 1994 08:" + digits + ":37 GMT"), i <= 59) << i;
        EXPECT_EQ(is_valid("Sun, 06 Nov 1994 08:49:" + digits + " GMT"), i <= 60) << i;
    }
    expect({
        {"Sat, 31 Dec 2016 23:59:60 GMT", 1483228799, 1s},
        // Which day of the week it says does not matter, but it must be one.
        {"Mon, 31 Dec 1999 23:59:59 GMT", new_year_s_eve_time - 2, 2s},
        {"Monday, 31-Dec-99 23:59:59 GMT", new_year_s_eve_time - 2, 2s},
        {"Mon Dec 31 23:59:59 1999", new_year_s_eve_time - 2, 2s},
        {"Fry, 31 Dec 1999 23:59:59 GMT", 0, {}},
        {"Freitag, 31-Dec-99 23:59:59 GMT", 0, {}},
    });
}

TEST(retry_after, refuses_all_else)
{
    for (std::string_view const text :
         {" ",
          "\n1",
          "1\r",
          "1 2",
          "1s",
          "0x10",
          "1e3",
          "soon",
          ",",
          "1;2",
          "Fri, 45",
          "Fri",
          "Friday,",
          // Another case, zone or spelling than RFC 9110's
          "fri, 31 Dec 1999 23:59:59 GMT",
          "FRI, 31 Dec 1999 23:59:59 GMT",
          "Fri, 31 dec 1999 23:59:59 GMT",
          "Fri, 31 DEC 1999 23:59:59 GMT",
          "Fri, 31 Dec 1999 23:59:59 gmt",
          "Fri, 31 Dec 1999 23:59:59 UTC",
          "Fri, 31 Dec 1999 23:59:59 EST",
          "Fri, 31 Dec 1999 23:59:59 +0000",
          "Fri, 31 Dec 1999 23:59:59",
          "Fri, 31 Dec 1999 23:59 GMT",
          "Fri, 31 Dec 1999 23:59:59.5 GMT",
          "Fri, 31 Dec 99 23:59:59 GMT",
          "Fri, 31-Dec-1999 23:59:59 GMT",
          "Fri, 31-Dec-99 23:59:59 GMT",
          "Friday, 31 Dec 1999 23:59:59 GMT",
          "Fri, 31 December 1999 23:59:59 GMT",
          "Fri,31 Dec 1999 23:59:59 GMT",
          "Fri,  31 Dec 1999 23:59:59 GMT",
          "Fri, 31  Dec 1999 23:59:59 GMT",
          "Fri , 31 Dec 1999 23:59:59 GMT",
          "Sun, 6 Nov 1994 08:49:37 GMT",
          "Sun,  6 Nov 1994 08:49:37 GMT",
          "Sun Nov 6 08:49:37 1994",
          "Sun Nov  6 08:49:37 1994 GMT",
          "Sun Nov 16 08:49:37 94",
          "Sunday Nov  6 08:49:37 1994",
          "31 Dec 1999 23:59:59 GMT",
          "Fri, +1 Dec 1999 23:59:59 GMT",
          "1999-12-31T23:59:59Z"})
        EXPECT_EQ(retry_after(text, at(0)), std::nullopt) << '"' << text << '"';
    EXPECT_EQ(retry_after(std::string_view("1\0", 2), at(0)), std::nullopt);
    EXPECT_EQ(retry_after(std::string_view(), at(0)), std::nullopt);
}

TEST(retry_after, saturates_however_far_a_date_and_the_clock_lie_apart)
{
    auto const far = "Fri, 31 Dec 9999 23:59:59 GMT";
    auto const past = "Sat, 01 Jan 0000 00:00:00 GMT";
    for (auto const now : {(time_point::min)(), at(-1), at(0), at(summer_2026)}) {
        EXPECT_EQ(retry_after(far, now), longest);
        EXPECT_EQ(retry_after(past, now), 0s);
        EXPECT_EQ(retry_after("Monday, 01-Jan-01 00:00:00 GMT", now).has_value(), true);
    }
    EXPECT_EQ(retry_after(far, (time_point::max)()), longest);
    // The last second that fits, from just before and just after 1970.
    EXPECT_EQ(retry_after("Fri, 11 Apr 2262 23:47:16 GMT", at(0)), 9223372036s);
    EXPECT_EQ(retry_after("Fri, 11 Apr 2262 23:47:17 GMT", at(0)), longest);
    EXPECT_EQ(retry_after("Fri, 11 Apr 2262 23:47:16 GMT", at(0) - 1ns), 9223372036s + 1ns);
    EXPECT_EQ(retry_after("Fri, 11 Apr 2262 23:47:16 GMT", at(0) - 999999999ns), longest);
    EXPECT_EQ(retry_after("Fri, 11 Apr 2262 23:47:16 GMT", at(0) + 1ns), 9223372036s - 1ns);
}

TEST(retry_after, takes_the_largest_of_merged_fields)
{
    auto const date = std::string(new_year_s_eve);
    auto const now = new_year_s_eve_time - 50;
    expect({
        {"2, 3", 0, 3s},
        {"3,2", 0, 3s},
        {"2,\t2", 0, 2s},
        {"2, soon, -4", 0, 2s},
        {"2,,", 0, 2s},
        {"," + std::string(100, ' ') + "2", 0, 2s},
        {"2, 99999999999999999999", 0, longest},
        {date + ", 45", now, 50s},
        {date + ", 55", now, 55s},
        {"45, " + date, now, 50s},
        {"45," + date + "," + date, now, 50s},
        {date + ", Friday, 31-Dec-99 23:59:58 GMT, Fri Dec 31 23:59:57 1999", now, 50s},
        {"Fri Dec 31 23:59:57 1999, " + date, now, 50s},
        {"Fri, 32 Dec 1999 23:59:59 GMT, 45", now, 45s},
        {"Fri, " + date, now, {}},
    });
}

TEST(retry_after, refuses_what_was_cut_off)
{
    for (std::string_view const text :
         {"Fri, 31 Dec 1999 23:59:59 GMT", "Friday, 31-Dec-99 23:59:59 GMT", "Fri Dec 31 23:59:59 1999"})
        for (std::size_t i = 0; i != text.size(); ++i)
            EXPECT_EQ(retry_after(text.substr(0, i), at(0)), std::nullopt) << text.substr(0, i);
}

// Each text is on the heap in its exact size, so that a sanitizer sees who reads beyond it.
wait of_copy(std::string_view text)
{
    std::vector<char> const copy(text.begin(), text.end());
    return retry_after({copy.data(), copy.size()}, at(new_year_s_eve_time));
}

TEST(retry_after, survives_a_change_of_any_byte)
{
    for (std::string const& original :
         {std::string(new_year_s_eve),
          std::string("Friday, 31-Dec-99 23:59:59 GMT"),
          std::string("Fri Dec 31 23:59:59 1999"),
          std::string("9223372037"),
          std::string(new_year_s_eve) + ", 45"}) {
        std::size_t valid = 0;
        for (std::size_t i = 0; i != original.size(); ++i)
            for (int byte = 0; byte != 256; ++byte) {
                auto changed = original;
                changed[i] = static_cast<char>(byte);
                auto const result = of_copy(changed);
                EXPECT_GE(result.value_or(0s), 0s) << changed;
                valid += result.has_value();
                of_copy(std::string_view(changed).substr(0, i + 1));
            }
        EXPECT_GE(valid, original.size());
    }
}

TEST(retry_after_ms, reads_milliseconds)
{
    EXPECT_EQ(retry_after_ms("20"), 20ms);
    EXPECT_EQ(retry_after_ms(" 0 "), 0ms);
    EXPECT_EQ(retry_after_ms("9223372036854"), 9223372036854ms);
    EXPECT_EQ(retry_after_ms("9223372036855"), longest);
    EXPECT_EQ(retry_after_ms("20, 30"), 30ms);
    for (auto const* text : {"", "1.5", "20ms", "-1", "soon", "Fri, 31 Dec 1999 23:59:59 GMT"})
        EXPECT_EQ(retry_after_ms(text), std::nullopt) << text;
}

}  // namespace
