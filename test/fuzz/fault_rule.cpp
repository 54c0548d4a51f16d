//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A fault rule as text, or, from a `{` on, a list of them as JSON.

#include "require.hpp"

#include <backbeat/fault_rule.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using backbeat::fuzz::require;

namespace {

// Boost.JSON reads numbers with a fraction not to the last bit.
bool is_same(backbeat::fault_rule read, backbeat::fault_rule const& written)
{
    if (std::abs(read.rate - written.rate) < 1e-9) read.rate = written.rate;
    return read == written;
}

void check(backbeat::fault_rule const& rule)
{
    backbeat::validate(rule);
    auto const text = backbeat::fault_rule_text(rule);
    require(backbeat::fuzz::is_one_line(text), "a rule's text is one line");
    require(is_same(backbeat::parse_fault_rule(text), rule), "a rule's text reads as that rule");
    boost::json::object document;
    document["faults"] = boost::json::array{backbeat::fault_rule_json(rule)};
    auto const written = boost::json::serialize(document);
    auto const again = backbeat::parse_fault_rules(backbeat::memorystore::parse_json(written));
    require(is_same(again.at(0), rule), "a rule's JSON reads as that rule");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    std::vector<backbeat::fault_rule> rules;
    try {
        if (text.substr(0, 1) == "{")
            rules = backbeat::parse_fault_rules(backbeat::memorystore::parse_json(text));
        else
            rules = {backbeat::parse_fault_rule(text)};
    } catch (backbeat::fault_error const& error) {
        require(error.what()[0] != '\0', "an error says what is wrong");
    } catch (backbeat::memorystore::json_error const& error) {
        require(error.what()[0] != '\0', "an error says what is wrong");
    }
    for (auto const& rule : rules) check(rule);
    return 0;
}
