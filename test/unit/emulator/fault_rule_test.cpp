//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "fault_list.hpp"
#include "nearest_name.hpp"

#include <backbeat/detail/utf8.hpp>
#include <backbeat/fault_rule.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace backbeat {

namespace {

using namespace std::chrono_literals;

std::string refusal(std::string const& text)
{
    try {
        (void)parse_fault_rule(text);
    } catch (fault_error const& error) {
        return error.what();
    }
    return "accepted";
}

std::pair<std::string, std::string> json_refusal(std::string const& text)
{
    try {
        (void)parse_fault_rules(boost::json::parse(text));
    } catch (fault_error const& error) {
        return {error.key(), error.what()};
    }
    return {"", "accepted"};
}

TEST(fault_rule_text, reads_every_key)
{
    auto const rule = parse_fault_rule(
        "status=503 delay=250ms when=after method=POST path=/instances$ rate=0.25 first=3 retry-after=2 "
        "retry-after-ms=20 retry-info=2.5s");
    fault_rule expected;
    expected.action = fault_action::status;
    expected.status = 503;
    expected.delay = 250ms;
    expected.when = fault_time::after;
    expected.method = "POST";
    expected.path = "/instances$";
    expected.rate = 0.25;
    expected.first = 3;
    expected.retry_after = 2;
    expected.retry_after_ms = 20;
    expected.retry_info = 2500ms;
    EXPECT_EQ(rule, expected);
}

TEST(fault_rule_text, flags_stand_alone)
{
    EXPECT_EQ(parse_fault_rule("reset").action, fault_action::reset);
    EXPECT_EQ(parse_fault_rule("truncate").action, fault_action::truncate);
    EXPECT_EQ(parse_fault_rule("hang").action, fault_action::hang);
    EXPECT_EQ(parse_fault_rule("refuse rate=0.5 first=2 when=before").action, fault_action::refuse);
    EXPECT_EQ(parse_fault_rule("reset=true").action, fault_action::reset);
    EXPECT_EQ(parse_fault_rule("  delay=1s\t ").delay, 1s);
    EXPECT_EQ(parse_fault_rule("delay=1s").action, fault_action::none);
}

TEST(fault_rule_text, values_may_be_quoted)
{
    EXPECT_EQ(parse_fault_rule("reset path='/a b'").path, "/a b");
    EXPECT_EQ(parse_fault_rule("reset path=\"/it's\" method=GET").path, "/it's");
    EXPECT_EQ(parse_fault_rule("reset path='\\d+=\"'").path, "\\d+=\"");
    EXPECT_EQ(parse_fault_rule("reset path=a'b").path, "a'b");
}

TEST(fault_rule_text, an_unknown_key_is_told_with_the_nearest_one_and_all_that_are_accepted)
{
    EXPECT_EQ(
        refusal("stauts=503"),
        "unknown fault key 'stauts'; did you mean 'status'? accepted keys are status, reset, truncate, hang, refuse, "
        "delay, when, method, path, rate, first, retry-after, retry-after-ms and retry-info");
    EXPECT_EQ(
        refusal("xyzzy=1"),
        "unknown fault key 'xyzzy'; accepted keys are status, reset, truncate, hang, refuse, delay, when, method, "
        "path, rate, first, retry-after, retry-after-ms and retry-info");
}

struct refused_text {
    char const* text;
    char const* part;
};

TEST(fault_rule_text, refuses_with_a_sentence)
{
    refused_text const table[] = {
        {"", "must say what happens"},
        {"method=GET", "must say what happens"},
        {"delay=0s", "must say what happens"},
        {"status=200", "status must be a whole number from 400 to 599, like 503; got 200"},
        {"status=abc", "got 'abc'"},
        {"status=503.5", "status must be a whole number"},
        {"status=-503", "status must be a whole number"},
        {"status", "status needs a value: write status=VALUE, without spaces around '='"},
        {"status = 503", "status needs a value"},
        {"status= 503", "status needs a value"},
        {"=503", "unknown fault key ''"},
        {"status=503 status=500", "the fault key status stands twice"},
        {"status=503 reset", "one of status, reset, truncate, hang and refuse"},
        {"reset truncate", "one of status, reset, truncate, hang and refuse"},
        {"reset=maybe", "reset must be true"},
        {"delay=250", "delay must be a duration"},
        {"delay=-1s", "delay must be a duration"},
        {"hang delay=1s", "delay cannot stand beside hang"},
        {"reset when=later", "when must be before or after; got 'later'"},
        {"status=429 when=after", "when=after cannot stand beside status=429"},
        {"reset method=get", "method must be a request method in capitals, like GET; got 'get'"},
        {"reset method=POSTS",
         "method must be one of GET, HEAD, POST, PUT, PATCH and DELETE; got 'POSTS'; did you mean 'POST'?"},
        {"reset method=OPTIONS", "method must be one of GET, HEAD, POST, PUT, PATCH and DELETE; got 'OPTIONS'"},
        {"reset method=", "method needs a value"},
        {"reset path=(", "path must be an ECMAScript regular expression"},
        {"reset path='/a", "the value of path has no closing quote"},
        {"reset path='/a'b", "after the closing quote of path"},
        {"reset path=''", "path must be a regular expression"},
        {"reset path=/\xff", "path must be a regular expression in UTF-8"},
        {"reset path='/a\nb'", "in which a control character is an escape, like \\x09"},
        {"reset path='/a''", "the value of path has no closing quote"},
        {"reset rate=1.5", "rate must be a number from 0 to 1, like 0.3; got 1.5"},
        {"reset rate=-0.1", "rate must be a number from 0 to 1"},
        {"reset rate=nan", "rate must be a number from 0 to 1, like 0.3; got 'nan'"},
        {"reset rate=30%", "got '30%'"},
        {"reset first=0", "first must be a whole number from 1, like 3; got 0"},
        {"reset first=99999999999999999999999", "first must be a whole number"},
        {"reset retry-after=2", "retry-after needs a status"},
        {"delay=1s retry-after-ms=2", "retry-after-ms needs a status"},
        {"status=503 retry-after=2s", "retry-after must be a whole number of seconds, like 2; got '2s'"},
        {"status=503 retry-after-ms=-1", "retry-after-ms must be a whole number of milliseconds, like 20; got -1"},
        {"status=503 rate=0.3,first=2", "rate must be"},
        {"refuse reset", "one of status, reset, truncate, hang and refuse"},
        {"refuse=yes", "refuse must be true"},
        {"refuse method=GET", "method cannot stand beside refuse"},
        {"refuse path=/a", "path cannot stand beside refuse"},
        {"refuse delay=1s", "delay cannot stand beside refuse"},
        {"refuse when=after", "when=after cannot stand beside refuse"},
        {"refuse retry-after=1", "retry-after needs a status"},
        {"reset retry-info=1s", "retry-info needs a status, like status=503 retry-info=2.5s"},
        {"status=503 retry-info=2", "retry-info must be a duration"},
        {"status=503 retry-info=-2s", "retry-info must be a duration"},
    };
    for (auto const& [text, part] : table)
        EXPECT_NE(refusal(text).find(part), std::string::npos) << text << ": " << refusal(text);
    EXPECT_NE(refusal("reset path=" + std::string(2000, 'a')).find("at most 1000 characters"), std::string::npos);
}

TEST(fault_rule_text, is_written_as_it_is_read)
{
    for (auto const* text :
         {"status=503",
          "reset",
          "truncate",
          "hang",
          "refuse rate=0.25 first=3",
          "status=429 retry-info=2.5s",
          "status=429 retry-info=0s",
          "status=429 retry-info=1.000000001s",
          "delay=250ms",
          "delay=1.5s",
          "delay=1234567ns",
          "status=500 delay=2s when=after method=GET path=/a rate=0.3 first=7 retry-after=1",
          "reset path=\"/a b\"",
          "reset path='/\" b'",
          "reset path='/\" it''s '",
          "reset path=\"\"\"\"",
          "reset path=/it's\xc3\xa9"}) {
        auto const rule = parse_fault_rule(text);
        EXPECT_EQ(parse_fault_rule(fault_rule_text(rule)), rule) << text;
    }
    EXPECT_EQ(fault_rule_text(parse_fault_rule("rate=0.3 status=503")), "status=503 rate=0.3");
    EXPECT_EQ(parse_fault_rule("reset path='it''s '").path, "it's ");
}

TEST(fault_rule_json, has_the_same_keys)
{
    auto const rules = parse_fault_rules(boost::json::parse(
        R"({"faults":[{"status":503,"method":"GET","path":"/instances$","first":2,"rate":0.3,"retry-after":2,
            "retry-after-ms":20},{"reset":true,"when":"after","delay":"250ms"},{"hang":true},{"delay":"1s","rate":1}]})"));
    ASSERT_EQ(rules.size(), 4U);
    EXPECT_EQ(
        rules[0],
        parse_fault_rule("status=503 method=GET path=/instances$ first=2 rate=0.3 retry-after=2 retry-after-ms=20"));
    EXPECT_EQ(rules[1], parse_fault_rule("reset when=after delay=250ms"));
    EXPECT_EQ(rules[2], parse_fault_rule("hang"));
    EXPECT_EQ(rules[3], parse_fault_rule("delay=1s"));
    for (auto const& rule : rules) {
        boost::json::object document;
        document["faults"] = boost::json::array{fault_rule_json(rule)};
        EXPECT_EQ(parse_fault_rules(document).at(0), rule);
    }
    EXPECT_TRUE(parse_fault_rules(boost::json::parse(R"({"faults":[]})")).empty());
}

TEST(fault_rule_json, a_refusal_quotes_the_beginning_of_what_is_wrong)
{
    std::string umlauts;
    for (int i = 0; i != 100; ++i) umlauts += "\xc3\xa4";
    for (std::string const start : {"", "x"}) {
        for (auto const& rule :
             {boost::json::object{{start + umlauts, 1}},
              boost::json::object{{"status", start + umlauts}},
              boost::json::object{{"status", boost::json::array{start + umlauts}}}}) {
            boost::json::object document;
            document["faults"] = boost::json::array{rule};
            try {
                (void)parse_fault_rules(document);
                ADD_FAILURE();
            } catch (fault_error const& error) {
                EXPECT_TRUE(detail::is_utf8(error.what())) << error.what();
                EXPECT_LT(std::string(error.what()).size(), 400U);
            }
        }
    }
}

TEST(fault_rule_json, refuses_and_says_where)
{
    struct {
        char const* text;
        char const* key;
        char const* part;
    } const table[] = {
        {"[]", "", "the faults must be an object"},
        {"{}", "faults", "the faults must be an object"},
        {R"({"fault":[]})", "fault", "unknown key 'fault'"},
        {R"({"faults":{}})", "faults", "the faults must be an object"},
        {R"({"faults":[7]})", "faults[0]", "faults[0] must be an object"},
        {R"({"faults":[{"status":503},{"stauts":503}]})", "faults[1].stauts", "did you mean 'status'?"},
        {R"({"faults":[{"status":"503"}]})", "faults[0].status", "got '503'"},
        {R"({"faults":[{"status":503.0}]})", "faults[0].status", "status must be a whole number"},
        {R"({"faults":[{"status":null}]})", "faults[0].status", "got null"},
        {R"({"faults":[{"reset":1}]})", "faults[0].reset", "reset must be true"},
        {R"({"faults":[{"reset":false}]})", "faults[0]", "must say what happens"},
        {R"({"faults":[{"delay":250}]})", "faults[0].delay", "delay must be a duration"},
        {R"({"faults":[{"reset":true,"rate":"0.3"}]})", "faults[0].rate", "rate must be a number"},
        {R"({"faults":[{"reset":true,"rate":1e400}]})", "faults[0].rate", "rate must be a number"},
        {R"({"faults":[{"reset":true,"fired":2}]})", "faults[0].fired", "unknown fault key 'fired'"},
        {R"({"faults":[{"status":429,"when":"after"}]})", "faults[0].when", "429"},
        {R"({"faults":[{"status":503,"retry-info":2.5}]})", "faults[0].retry-info", "retry-info must be a duration"},
        {R"({"faults":[{"hang":true},{"refuse":true,"path":"/a"}]})", "faults[1].path", "cannot stand beside refuse"},
    };
    for (auto const& each : table) {
        auto const refused = json_refusal(each.text);
        EXPECT_EQ(refused.first, each.key) << each.text;
        EXPECT_NE(refused.second.find(each.part), std::string::npos) << each.text << ": " << refused.second;
    }
}

TEST(fault_rule, is_checked_when_made_by_hand)
{
    fault_rule rule;
    EXPECT_THROW(validate(rule), fault_error);
    rule.action = fault_action::reset;
    EXPECT_NO_THROW(validate(rule));
    rule.rate = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(validate(rule), fault_error);
    rule.rate = 1;
    rule.delay = -1ns;
    EXPECT_THROW(validate(rule), fault_error);
    rule.delay = 0ns;
    rule.action = fault_action::status;
    rule.status = 302;
    EXPECT_THROW(validate(rule), fault_error);
}

TEST(nearest_name, finds_what_was_meant)
{
    EXPECT_EQ(emulation::typing_distance("stauts", "status"), 1U);
    EXPECT_EQ(emulation::typing_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(emulation::typing_distance("", "abc"), 3U);
}

std::vector<fault_rule> rules_of(std::vector<std::string> const& texts)
{
    std::vector<fault_rule> rules;
    for (auto const& text : texts) rules.push_back(parse_fault_rule(text));
    return rules;
}

TEST(fault_list, the_first_rule_that_matches_applies_alone)
{
    emulation::fault_list faults(1);
    faults.replace(rules_of({"status=503 method=POST", "reset path=/b$", "status=500 path=/b"}));
    EXPECT_EQ(faults.choose("GET", "/a"), std::nullopt);
    EXPECT_EQ(faults.choose("POST", "/b"), 0U);
    EXPECT_EQ(faults.choose("GET", "/b"), 1U);
    EXPECT_EQ(faults.choose("GET", "/b/c"), 2U);
    EXPECT_EQ(faults.fired(0), 1U);
    EXPECT_EQ(faults.fired(1), 1U);
}

TEST(fault_list, first_counts_what_was_applied)
{
    emulation::fault_list faults(1);
    faults.replace(rules_of({"status=503 first=2", "reset first=1"}));
    std::vector<std::optional<std::size_t>> chosen;
    for (int i = 0; i != 4; ++i) chosen.push_back(faults.choose("GET", "/a"));
    EXPECT_EQ(chosen, (std::vector<std::optional<std::size_t>>{0, 0, 1, std::nullopt}));

    // Failed draws do not count: with a small rate, `first` still fires as often as it says.
    faults.replace(rules_of({"status=503 rate=0.1 first=5"}));
    for (int i = 0; i != 1000; ++i) (void)faults.choose("GET", "/a");
    EXPECT_EQ(faults.fired(0), 5U);
}

TEST(fault_list, rate_is_the_share_of_requests)
{
    emulation::fault_list faults(7);
    faults.replace(rules_of({"status=503 rate=0", "status=500 rate=0.3", "reset"}));
    for (int i = 0; i != 10'000; ++i) (void)faults.choose("GET", "/" + std::to_string(i % 100));
    EXPECT_EQ(faults.fired(0), 0U);
    EXPECT_NEAR(static_cast<double>(faults.fired(1)), 3000, 200);
    EXPECT_EQ(faults.fired(1) + faults.fired(2), 10'000U);
}

TEST(fault_list, draws_do_not_depend_on_the_order_of_arrival)
{
    std::vector<std::string> requests;
    for (int path = 0; path != 200; ++path)
        for (int i = 0; i != 5; ++i) requests.push_back("/v1/" + std::to_string(path));
    auto const outcome = [](std::uint64_t seed, std::vector<std::string> const& order) {
        emulation::fault_list faults(seed);
        faults.replace(rules_of({"status=503 rate=0.2", "reset rate=0.3"}));
        std::map<std::string, std::vector<std::optional<std::size_t>>> chosen;
        for (auto const& path : order) chosen[path].push_back(faults.choose("GET", path));
        return chosen;
    };
    auto shuffled = requests;
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(5));
    EXPECT_EQ(outcome(42, requests), outcome(42, shuffled));
    EXPECT_NE(outcome(42, requests), outcome(43, requests));
}

TEST(fault_list, connections_are_refused_by_the_rules_for_connections_and_by_no_other)
{
    emulation::fault_list faults(1);
    faults.replace(rules_of({"reset", "refuse first=2", "status=503"}));
    EXPECT_EQ(faults.choose_for_connection(), 1U);
    EXPECT_EQ(faults.choose("GET", "/a"), 0U);
    EXPECT_EQ(faults.choose_for_connection(), 1U);
    EXPECT_EQ(faults.choose_for_connection(), std::nullopt);
    EXPECT_EQ(faults.fired(0), 1U);
    EXPECT_EQ(faults.fired(1), 2U);

    faults.replace(rules_of({"refuse"}));
    EXPECT_EQ(faults.choose("GET", "/a"), std::nullopt);
}

TEST(fault_list, connections_draw_by_their_ordinal)
{
    auto const refused = [](std::uint64_t seed, bool with_requests) {
        emulation::fault_list faults(seed);
        faults.replace(rules_of({"refuse rate=0.3", "reset rate=0.5"}));
        std::vector<bool> result;
        for (int i = 0; i != 2000; ++i) {
            result.push_back(faults.choose_for_connection().has_value());
            if (with_requests) (void)faults.choose("GET", "/" + std::to_string(i));
        }
        return result;
    };
    auto const alone = refused(5, false);
    EXPECT_EQ(alone, refused(5, true));
    EXPECT_NE(alone, refused(6, false));
    EXPECT_NEAR(static_cast<double>(std::count(alone.begin(), alone.end(), true)), 600, 100);

    emulation::fault_list again(5);
    again.replace(rules_of({"refuse rate=0.3"}));
    for (int i = 0; i != 100; ++i) (void)again.choose_for_connection();
    again.forget_requests();
    EXPECT_EQ(again.choose_for_connection().has_value(), alone.front());
}

TEST(fault_list, requests_that_are_skipped_change_no_draw_of_those_after_them)
{
    emulation::fault_list all(9);
    emulation::fault_list some(9);
    all.replace(rules_of({"reset rate=0.5"}));
    some.replace(rules_of({"reset rate=0.5"}));
    for (int i = 0; i != 200; ++i) {
        auto const drawn = all.choose("GET", "/a");
        if (i % 3 == 0) {
            some.skip("GET", "/a");
        } else {
            EXPECT_EQ(some.choose("GET", "/a"), drawn) << i;
        }
    }
}

TEST(fault_list, a_refused_list_changes_nothing)
{
    emulation::fault_list faults(1);
    faults.replace(rules_of({"reset"}));
    EXPECT_THROW(faults.replace({parse_fault_rule("hang"), fault_rule()}), fault_error);
    EXPECT_THROW(faults.replace(std::vector<fault_rule>(1001, parse_fault_rule("hang"))), fault_error);
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults.rule(0).action, fault_action::reset);
}

TEST(fault_list, a_pattern_that_would_never_end_is_not_found)
{
    emulation::fault_list faults(1);
    faults.replace(rules_of({"reset path=(a+)+$"}));
    EXPECT_EQ(faults.choose("GET", "/" + std::string(500, 'a') + "!"), std::nullopt);
    EXPECT_EQ(faults.choose("GET", "/aaa"), 0U);
    EXPECT_EQ(faults.choose("GET", "/" + std::string(100'000, 'a')), std::nullopt);
}

TEST(fault_list, patterns_are_those_of_ecmascript)
{
    emulation::fault_list faults(1);
    faults.replace(rules_of({R"(reset path=^/v\d+/projects/[^/]+/locations/(?:us|eu)-\w+/instances(?!/)$)"}));
    EXPECT_EQ(faults.choose("GET", "/v1/projects/p/locations/us-central1/instances"), 0U);
    EXPECT_EQ(faults.choose("GET", "/v1/projects/p/locations/us-central1/instances/i"), std::nullopt);
    EXPECT_EQ(faults.choose("GET", "/v1/projects/p/locations/asia-east1/instances"), std::nullopt);
}

TEST(ordinals, remember_recent_names_in_bounded_memory)
{
    emulation::ordinals numbers(100);
    EXPECT_EQ(numbers.next("GET", "/a"), 0U);
    EXPECT_EQ(numbers.next("GET", "/a"), 1U);
    EXPECT_EQ(numbers.next("POST", "/a"), 0U);
    for (int i = 0; i != 110; ++i) (void)numbers.next("GET", std::to_string(i));
    EXPECT_EQ(numbers.next("GET", "/a"), 2U);
    for (int i = 0; i != 300; ++i) (void)numbers.next("GET", std::to_string(i));
    EXPECT_EQ(numbers.next("GET", "/a"), 0U);
}

}  // namespace

}  // namespace backbeat
