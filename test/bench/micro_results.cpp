//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "micro_results.hpp"

#include "median.hpp"
#include "run_process.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace bench {

namespace {

// Google Benchmark writes the variation of a counter that is always zero as NaN, which is no JSON.
std::string without_nan(std::string text)
{
    for (auto at = text.find(": NaN"); at != std::string::npos; at = text.find(": NaN", at))
        text.replace(at, 5, ": 0.0");
    return text;
}

}  // namespace

std::map<std::string, micro_result> run_micro(session& s, std::string const& filter, int repetitions)
{
    using namespace std::chrono_literals;
    auto const program = s.settings().programs + "/backbeat_bench_micro";
    if (!std::filesystem::exists(program)) {
        std::printf("Not measured: Google Benchmark was not there when this was built.\n");
        return {};
    }
    auto const ended = backbeat::test::run_process(
        {program,
         "--benchmark_format=json",
         "--benchmark_filter=" + filter,
         "--benchmark_min_time=0.05",
         "--benchmark_enable_random_interleaving=true",
         "--benchmark_repetitions=" + std::to_string(repetitions)},
        {},
        300s);
    if (ended.status != 0) throw std::runtime_error("backbeat_bench_micro failed: " + ended.err);

    std::map<std::string, std::map<std::string, std::vector<double>>> values;
    auto const answer = boost::json::parse(without_nan(ended.out));
    for (auto const& each : answer.at("benchmarks").as_array()) {
        auto const& one = each.as_object();
        if (one.at("run_type").as_string() != "iteration") continue;
        std::string name = one.at("run_name").as_string().c_str();
        auto& of_name = values[name.substr(0, name.find("/iterations:"))];
        for (auto const& [key, value] : one)
            if (value.is_number()) of_name[std::string(key)].push_back(value.to_number<double>());
    }
    std::map<std::string, micro_result> result;
    for (auto const& [name, fields] : values)
        for (auto const& [key, runs] : fields) result[name][key] = median(runs);
    return result;
}

}  // namespace bench
