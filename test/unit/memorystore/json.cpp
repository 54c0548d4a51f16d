//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/json_codec.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace {

using namespace backbeat::memorystore;

enum class color : std::int32_t { color_unspecified = 0, red = 1, dark_green = 4 };
BOOST_DESCRIBE_ENUM(color, color_unspecified, red, dark_green)

class leaf {
public:
    leaf() = default;
    std::string text;
    boost::json::object unknown_fields;
    friend bool operator==(leaf const&, leaf const&) = default;
};
BOOST_DESCRIBE_STRUCT(leaf, (), (text))

// One field of every kind that a message can have.
class everything {
public:
    everything() = default;
    bool flag = false;
    std::int32_t small_number = 0;
    std::int64_t big_number = 0;
    double real_number = 0;
    std::string plain;
    open_enum<::color> color;
    std::optional<bool> optional_flag;
    std::optional<std::int32_t> optional_number;
    std::optional<std::string> optional_text;
    std::optional<timestamp> create_time;
    std::optional<backbeat::memorystore::duration> time_to_live;
    std::optional<leaf> one;
    std::vector<leaf> many;
    std::vector<std::int64_t> numbers;
    std::vector<open_enum<::color>> colors;
    std::map<std::string, std::string> labels;
    std::map<std::string, leaf> leaves;
    std::optional<any> anything;
    std::string sha1_sum;
    boost::json::object unknown_fields;
    friend bool operator==(everything const&, everything const&) = default;
};
BOOST_DESCRIBE_STRUCT(
    everything,
    (),
    (flag,
     small_number,
     big_number,
     real_number,
     plain,
     color,
     optional_flag,
     optional_number,
     optional_text,
     create_time,
     time_to_live,
     one,
     many,
     numbers,
     colors,
     labels,
     leaves,
     anything,
     sha1_sum))

everything parsed(std::string_view text, json_options const& options = {})
{
    return parse_json<everything>(text, options);
}

std::string printed(everything const& message)
{
    return boost::json::serialize(to_json(message));
}

json_options strict()
{
    json_options options;
    options.root = "thing";
    options.reject_unknown = true;
    return options;
}

// The whole sentence of the error, or "no error".
std::string problem(std::string_view text, json_options const& options = {})
{
    try {
        static_cast<void>(parsed(text, options));
    } catch (json_error const& error) {
        return error.what();
    }
    return "no error";
}

std::string nested(std::size_t levels)
{
    return std::string(levels, '[') + std::string(levels, ']');
}

}  // namespace

TEST(Json, AMessageWithoutValuesIsAnEmptyObject)
{
    EXPECT_EQ(printed(everything()), "{}");
    EXPECT_EQ(parsed("{}"), everything());
}

TEST(Json, NamesAreLowerCamelCase)
{
    everything message;
    message.small_number = 1;
    message.sha1_sum = "ab";
    EXPECT_EQ(printed(message), R"({"smallNumber":1,"sha1Sum":"ab"})");
}

TEST(Json, NamesAreReadInBothSpellings)
{
    EXPECT_EQ(parsed(R"({"smallNumber":7})").small_number, 7);
    EXPECT_EQ(parsed(R"({"small_number":7})").small_number, 7);
    EXPECT_EQ(
        problem(R"({"smallNumber":7,"small_number":7})"),
        "smallNumber: given twice, as smallNumber and as small_number");
}

TEST(Json, NullIsAbsent)
{
    everything const nothing = parsed(
        R"({"flag":null,"smallNumber":null,"plain":null,"color":null,"createTime":null,"one":null,"many":null,
            "labels":null,"anything":null,"optionalFlag":null})");
    EXPECT_EQ(nothing, everything());
    EXPECT_EQ(problem(R"({"many":[null]})"), "many[0]: expected an object, got null");
    EXPECT_EQ(problem(R"({"labels":{"a":null}})"), "labels.a: expected a string, got null");
}

TEST(Json, OptionalFieldsTellZeroFromAbsent)
{
    auto const message = parsed(R"({"optionalFlag":false,"optionalNumber":0,"optionalText":""})");
    EXPECT_EQ(message.optional_flag, false);
    EXPECT_EQ(message.optional_number, 0);
    EXPECT_EQ(message.optional_text, "");
    EXPECT_EQ(printed(message), R"({"optionalFlag":false,"optionalNumber":0,"optionalText":""})");
}

TEST(Json, IntegersInEverySpelling)
{
    for (auto const* text : {"5", "\"5\"", "5.0", "5e0", "0.5e1", "\"5.0\"", "\"5e0\"", "50e-1"}) {
        EXPECT_EQ(parsed(std::string(R"({"smallNumber":)") + text + "}").small_number, 5) << text;
        EXPECT_EQ(parsed(std::string(R"({"bigNumber":)") + text + "}").big_number, 5) << text;
    }
    EXPECT_EQ(parsed(R"({"smallNumber":-2147483648})").small_number, -2147483647 - 1);
    EXPECT_EQ(parsed(R"({"smallNumber":"2147483647"})").small_number, 2147483647);
    EXPECT_EQ(parsed(R"({"bigNumber":9223372036854775807})").big_number, 9223372036854775807);
    EXPECT_EQ(parsed(R"({"bigNumber":"-9223372036854775808"})").big_number, (std::numeric_limits<std::int64_t>::min)());
}

TEST(Json, IntegersThatAreNone)
{
    EXPECT_EQ(problem(R"({"smallNumber":"x"})"), R"(smallNumber: expected an integer, got "x")");
    EXPECT_EQ(problem(R"({"smallNumber":""})"), R"(smallNumber: expected an integer, got "")");
    EXPECT_EQ(problem(R"({"smallNumber":" 5"})"), R"(smallNumber: expected an integer, got " 5")");
    EXPECT_EQ(problem(R"({"smallNumber":"0x5"})"), R"(smallNumber: expected an integer, got "0x5")");
    EXPECT_EQ(problem(R"({"smallNumber":"nan"})"), R"(smallNumber: expected an integer, got "nan")");
    EXPECT_EQ(problem(R"({"smallNumber":true})"), "smallNumber: expected an integer, got true");
    EXPECT_EQ(problem(R"({"smallNumber":{}})"), "smallNumber: expected an integer, got an object");
    EXPECT_EQ(problem(R"({"smallNumber":2147483648})"), "smallNumber: expected an integer of 32 bits, got 2147483648");
    EXPECT_EQ(
        problem(R"({"smallNumber":-2147483649})"), "smallNumber: expected an integer of 32 bits, got -2147483649");
    EXPECT_EQ(
        problem(R"({"bigNumber":9223372036854775808})"),
        "bigNumber: expected an integer of 64 bits, got 9223372036854775808");
    EXPECT_EQ(
        problem(R"({"bigNumber":"9223372036854775808"})"),
        R"(bigNumber: expected an integer of 64 bits, got "9223372036854775808")");
    EXPECT_EQ(problem(R"({"bigNumber":1e300})").substr(0, 42), "bigNumber: expected an integer of 64 bits,");
    EXPECT_EQ(problem(R"({"smallNumber":1.5})").substr(0, 20), "smallNumber: expecte");
}

TEST(Json, IntegersOf64BitsAreWrittenAsStrings)
{
    everything message;
    message.big_number = (std::numeric_limits<std::int64_t>::max)();
    message.numbers = {-1, 0};
    EXPECT_EQ(printed(message), R"({"bigNumber":"9223372036854775807","numbers":["-1","0"]})");
}

TEST(Json, Doubles)
{
    EXPECT_EQ(parsed(R"({"realNumber":2})").real_number, 2);
    EXPECT_EQ(parsed(R"({"realNumber":"2.5"})").real_number, 2.5);
    EXPECT_TRUE(std::isnan(parsed(R"({"realNumber":"NaN"})").real_number));
    EXPECT_EQ(parsed(R"({"realNumber":"-Infinity"})").real_number, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(problem(R"({"realNumber":"1.5x"})"), R"(realNumber: expected a number, got "1.5x")");
    EXPECT_EQ(problem(R"({"realNumber":[]})"), "realNumber: expected a number, got an array");
    EXPECT_NE(problem(R"({"realNumber":1e999})"), "no error");
    EXPECT_NE(problem(R"({"realNumber":"1e999"})"), "no error");

    everything message;
    message.real_number = -std::numeric_limits<double>::infinity();
    EXPECT_EQ(printed(message), R"({"realNumber":"-Infinity"})");
    for (auto const number :
         {2.5, 1.5, 0.1, -39.25, 1e300, 5e-324, 9007199254740993.0, 9223372036854775808.0, -1e18, 1e17}) {
        message.real_number = number;
        EXPECT_EQ(parsed(printed(message)), message) << number;
    }
    message.real_number = 39;
    EXPECT_EQ(printed(message), R"({"realNumber":39})");
    message.real_number = -100;
    EXPECT_EQ(printed(message), R"({"realNumber":-100})");
    EXPECT_EQ(problem(R"({"flag":1.5})"), "flag: expected true or false, got 1.5");
}

TEST(Json, Booleans)
{
    EXPECT_TRUE(parsed(R"({"flag":true})").flag);
    EXPECT_EQ(problem(R"({"flag":"true"})"), R"(flag: expected true or false, got "true")");
    EXPECT_EQ(problem(R"({"flag":1})"), "flag: expected true or false, got 1");
}

TEST(Json, EnumsByNameAndByNumber)
{
    EXPECT_EQ(parsed(R"({"color":"DARK_GREEN"})").color, color::dark_green);
    EXPECT_EQ(parsed(R"({"color":4})").color, color::dark_green);
    EXPECT_EQ(parsed(R"({"color":"COLOR_UNSPECIFIED"})").color, color::color_unspecified);
    EXPECT_EQ(
        printed(parsed(R"({"color":4,"colors":[0,1]})")),
        R"({"color":"DARK_GREEN","colors":["COLOR_UNSPECIFIED","RED"]})");
    EXPECT_EQ(problem(R"({"color":false})"), "color: expected one of RED, DARK_GREEN, got false");
    EXPECT_NE(problem(R"({"color":99999999999})"), "no error");
}

TEST(Json, UnknownEnumValuesAreKept)
{
    auto const by_name = parsed(R"({"color":"MAUVE"})");
    EXPECT_EQ(by_name.color.name(), "MAUVE");
    EXPECT_FALSE(by_name.color.known());
    EXPECT_FALSE(by_name.color.number());
    EXPECT_FALSE(by_name.color == color::color_unspecified);
    EXPECT_EQ(printed(by_name), R"({"color":"MAUVE"})");

    auto const by_number = parsed(R"({"color":77})");
    EXPECT_EQ(by_number.color.name(), "77");
    EXPECT_FALSE(by_number.color.known());
    EXPECT_EQ(printed(by_number), R"({"color":77})");

    std::ostringstream out;
    out << by_name.color << ' ' << by_number.color << ' ' << open_enum<color>(color::red);
    EXPECT_EQ(out.str(), "MAUVE 77 RED");

    // The API's spelling only: "red" is a value of its own, if it is one at all.
    EXPECT_FALSE(parsed(R"({"color":"red"})").color == color::red);
    EXPECT_EQ(parsed(R"({"color":""})").color, color::color_unspecified);
}

TEST(Json, UnknownEnumValuesCanBeRefused)
{
    EXPECT_EQ(
        problem(R"({"color":"MAUVE"})", strict()), R"(thing.color: expected one of RED, DARK_GREEN, got "MAUVE")");
    EXPECT_EQ(
        problem(R"({"colors":["RED",77]})", strict()), "thing.colors[1]: expected one of RED, DARK_GREEN, got 77");
    EXPECT_EQ(problem(R"({"color":"RED","colors":[0]})", strict()), "no error");
}

TEST(Json, UnknownFieldsAreKept)
{
    auto const text = R"({"plain":"x","one":{"text":"y","inner":[1,{"a":null}]},"outer":{"b":true},"last":null})";
    auto const message = parsed(text);
    EXPECT_EQ(message.unknown_fields.size(), 2U);
    EXPECT_EQ(printed(message), text);
}

TEST(Json, UnknownFieldsCanBeRefused)
{
    EXPECT_EQ(problem(R"({"plane":"x"})", strict()), "thing.plane: there is no such field");
    EXPECT_EQ(problem(R"({"many":[{},{"txet":1}]})", strict()), "thing.many[1].txet: there is no such field");
    EXPECT_EQ(problem(R"({"unknownFields":{}})", strict()), "thing.unknownFields: there is no such field");
    EXPECT_EQ(problem(R"({"anything":{"@type":"x/y","whatever":1}})", strict()), "no error");
}

TEST(Json, AKeptFieldNeverReplacesAKnownOne)
{
    everything message;
    message.plain = "mine";
    message.unknown_fields["plain"] = "theirs";
    EXPECT_EQ(printed(message), R"({"plain":"mine"})");
}

TEST(Json, Maps)
{
    auto const message = parsed(R"({"labels":{"b":"2","a":"1","":"empty"},"leaves":{"x":{"text":"t"}}})");
    EXPECT_EQ(message.labels.at("a"), "1");
    EXPECT_EQ(message.labels.at(""), "empty");
    EXPECT_EQ(message.leaves.at("x").text, "t");
    EXPECT_EQ(printed(message), R"({"labels":{"":"empty","a":"1","b":"2"},"leaves":{"x":{"text":"t"}}})");
    EXPECT_EQ(problem(R"({"labels":[]})"), "labels: expected an object, got an array");
    EXPECT_EQ(problem(R"({"leaves":{"x":{"text":5}}})"), "leaves.x.text: expected a string, got 5");
}

TEST(Json, PathsReachTheFieldThatIsWrong)
{
    EXPECT_EQ(problem(R"({"many":[{},{"text":[]}]})", strict()), "thing.many[1].text: expected a string, got an array");
    EXPECT_EQ(problem(R"([])", strict()), "thing: expected an object, got an array");
    EXPECT_EQ(problem(R"("x")"), R"(expected an object, got "x")");
    EXPECT_EQ(
        problem(R"({"createTime":"yesterday"})"),
        R"(createTime: expected a time such as "2026-08-22T10:11:12Z", got "yesterday")");
    EXPECT_EQ(problem(R"({"timeToLive":5})"), R"(timeToLive: expected a duration such as "2.5s", got 5)");
    EXPECT_EQ(problem(R"({"anything":[]})"), "anything: expected an object, got an array");
    try {
        static_cast<void>(parsed(R"({"one":{"text":1}})", strict()));
        FAIL();
    } catch (json_error const& error) {
        EXPECT_EQ(error.path(), "thing.one.text");
        EXPECT_EQ(error.problem(), "expected a string, got 1");
    }
}

TEST(Json, LongValuesAreCutInErrors)
{
    auto const sentence =
        problem("{\"smallNumber\":\"" + std::string(59, 'x') + "\u00e4\u00e4" + std::string(5000, 'x') + "\"}");
    EXPECT_EQ(sentence, "smallNumber: expected an integer, got \"" + std::string(59, 'x') + "...\"");
}

TEST(Json, AnyTypeSurvives)
{
    auto const text = R"({"anything":{"@type":"type.googleapis.com/google.cloud.of.Tomorrow","a":[1,2]}})";
    auto const message = parsed(text);
    EXPECT_EQ(message.anything->type_name(), "google.cloud.of.Tomorrow");
    EXPECT_EQ(printed(message), text);
    EXPECT_EQ(any().type_name(), "");
    EXPECT_EQ(any(boost::json::object{{"@type", 5}}).type_name(), "");
    EXPECT_EQ(any(boost::json::object{{"@type", "bare"}}).type_name(), "bare");
}

TEST(Json, TextThatIsNoJson)
{
    EXPECT_EQ(problem(""), "expected JSON, got nothing");
    EXPECT_EQ(problem(" \r\n"), "expected JSON, got nothing");
    EXPECT_EQ(problem(R"({"plain":"x)"), "the JSON ends too early, after 11 bytes");
    EXPECT_EQ(problem(R"({} {})"), "not JSON: something follows its end, at byte 4");
    EXPECT_EQ(problem("{}\n"), "no error");
    EXPECT_EQ(problem(R"({"flag":01})"), "not JSON: syntax error at byte 10");
    EXPECT_NE(problem("{\"plain\":\"\xff\"}").find("not JSON"), std::string::npos);
    EXPECT_NE(problem("<html>").find("not JSON"), std::string::npos);
    EXPECT_NE(problem(std::string_view("{\"plain\":\"\0\"}", 12)).find("not JSON"), std::string::npos);
}

TEST(Json, DepthIsBounded)
{
    EXPECT_NE(problem(R"({"x":)" + nested(100) + "}").find("not JSON: too deep"), std::string::npos);
    EXPECT_NE(problem(nested(1'000'000)).find("not JSON"), std::string::npos);
    EXPECT_EQ(problem(R"({"x":)" + nested(60) + "}"), "no error");

    // Values that were not parsed here: made by hand, or parsed with other limits.
    boost::json::value deep(boost::json::array{});
    for (int i = 0; i != 200; ++i) deep = boost::json::array{std::move(deep)};
    everything message;
    boost::json::value const input(boost::json::object{{"x", deep}});
    EXPECT_THROW(from_json(input, message), json_error);
    boost::json::value const typed(boost::json::object{{"anything", boost::json::object{{"x", deep}}}});
    EXPECT_THROW(from_json(typed, message), json_error);
}

TEST(Json, ReadingOverwrites)
{
    everything message = parsed(R"({"plain":"x","labels":{"a":"1"},"z":1})");
    from_json(boost::json::parse(R"({"labels":{"b":"2"}})"), message);
    EXPECT_EQ(printed(message), R"({"labels":{"b":"2"}})");
}

TEST(Json, EverythingAtOnce)
{
    auto const text =
        R"({"flag":true,"smallNumber":-3,"bigNumber":"4","plain":"\u00e4\n","color":"RED",)"
        R"("optionalFlag":true,"optionalNumber":0,"optionalText":"t","createTime":"2026-08-22T10:11:12.000000345Z",)"
        R"("timeToLive":"2.500s","one":{},"many":[{"text":"a"},{}],"numbers":["1","2"],"colors":["RED","MAUVE",9],)"
        R"("labels":{"k":"v"},"leaves":{"l":{"text":"b"}},"anything":{"@type":"x"},"sha1Sum":"s"})";
    auto const message = parsed(text);
    EXPECT_EQ(parsed(printed(message)), message);
    EXPECT_EQ(boost::json::parse(printed(message)), boost::json::parse(text));
}
