//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "arguments.hpp"
#include "registration.hpp"
#include "tally.hpp"
#include "task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using namespace bench;

registration find(std::string const& name)
{
    auto const all = all_contenders();
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.name == name; });
    if (found == all.end()) throw usage_error("there is no contender '" + name + "'");
    return *found;
}

void list()
{
    for (auto const& each : all_contenders())
        std::printf("%.*s\n", static_cast<int>(each.name.size()), each.name.data());
}

// What only the first run pays for: faulting in the code and the heap, and filling Asio's caches. Where memory is what is
// measured, the heap stays as it is.
void warm_up(registration const& contender, task const& of)
{
    auto const operations = of.scenario == scenario::throughput ? (std::min<std::size_t>)(of.operations, 10'000) : 64;
    auto const before =
        parse_arguments({std::string(contender.name), "A", "--operations", std::to_string(operations)}).task;
    static_cast<void>(contender.run(before));
    static_cast<void>(take_tally());
}

void run(contender_arguments const& arguments)
{
    auto const contender = find(arguments.contender);
    warm_up(contender, arguments.task);
    auto const result = contender.run(arguments.task);
    if (!result) throw usage_error(arguments.contender + " cannot do scenario " + arguments.scenario);
    auto const counted = take_tally();
    check_tally(counted, arguments.task);
    std::printf(
        "{\"contender\":\"%s\",\"scenario\":\"%s\",\"operations\":%zu,\"attempts\":%llu,\"cpu_ns\":%.0f,"
        "\"wall_ns\":%.0f,\"allocations\":%lld,\"rss_bytes\":%lld,\"start_cpu_ns\":%.0f,\"asked_bytes\":%lld,"
        "\"given_bytes\":%zu}\n",
        arguments.contender.c_str(),
        arguments.scenario.c_str(),
        arguments.task.operations,
        static_cast<unsigned long long>(counted.attempts),
        result->processor_ns,
        result->wall_ns,
        static_cast<long long>(result->allocations),
        static_cast<long long>(result->resident),
        result->start_processor_ns,
        static_cast<long long>(result->asked),
        result->given);
}

}  // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> const words(argv + 1, argv + argc);
    try {
        if (words.size() == 1 && words.front() == "--list")
            list();
        else
            run(parse_arguments(words));
    } catch (bench::usage_error const& e) {
        std::fprintf(stderr, "backbeat_bench_contenders: %s\n", e.what());
        return 2;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "backbeat_bench_contenders: %s\n", e.what());
        return 1;
    }
}
