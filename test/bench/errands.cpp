//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "errands.hpp"

#include "median.hpp"
#include "run_process.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <numeric>
#include <random>
#include <stdexcept>

namespace bench {

namespace {

namespace json = boost::json;

struct field {
    char const* name;
    double outcome::*member;
};

constexpr field fields[] = {
    {"operations", &outcome::operations},
    {"attempts", &outcome::attempts},
    {"cpu_ns", &outcome::processor_ns},
    {"wall_ns", &outcome::wall_ns},
    {"start_cpu_ns", &outcome::start_processor_ns},
    {"allocations", &outcome::allocations},
    {"rss_bytes", &outcome::resident},
    {"asked_bytes", &outcome::asked},
    {"given_bytes", &outcome::given}};

outcome parse_outcome(std::string const& text)
{
    outcome result;
    auto const answer = json::parse(text);
    for (auto const& each : fields)
        if (auto const* const found = answer.as_object().if_contains(each.name))
            result.*each.member = found->to_number<double>();
    return result;
}

outcome run_once(errand const& what)
{
    using namespace std::chrono_literals;
    auto const ended = backbeat::test::run_process(what.command, {}, 120s);
    if (ended.timed_out) throw std::runtime_error(what.contender + " took longer than 120 s");
    if (ended.status == 0) return parse_outcome(ended.out);
    auto said = ended.err;
    while (!said.empty() && said.back() == '\n') said.pop_back();
    throw std::runtime_error(what.contender + " ended with status " + std::to_string(ended.status) + ": " + said);
}

outcome medians(std::vector<outcome> const& runs)
{
    outcome result;
    for (auto const& each : fields) {
        std::vector<double> values;
        for (auto const& run : runs) values.push_back(run.*each.member);
        result.*each.member = median(std::move(values));
    }
    return result;
}

}  // namespace

outcomes run_in_rounds(std::vector<errand> const& errands, int rounds)
{
    std::vector<std::vector<outcome>> runs(errands.size());
    std::vector<bool> failed(errands.size());
    std::vector<std::size_t> order(errands.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(std::random_device{}());
    for (int round = 0; round != rounds; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        for (auto const i : order) {
            if (failed[i] || round >= errands[i].rounds) continue;
            try {
                runs[i].push_back(run_once(errands[i]));
            } catch (std::exception const& e) {
                if (!errands[i].may_fail) throw;
                failed[i] = true;
                std::printf("Left out: %s\n", e.what());
            }
        }
    }
    outcomes result;
    for (std::size_t i = 0; i != errands.size(); ++i)
        if (!failed[i] && !runs[i].empty()) result.emplace(errands[i].contender, medians(runs[i]));
    return result;
}

}  // namespace bench
