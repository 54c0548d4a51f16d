//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "contenders.hpp"
#include "http/scenario.hpp"
#include "measure.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using namespace bench;

void happy_path(std::vector<row>& rows)
{
    work const w{.operations = 200'000, .sequential = true};
    auto const result = measure(
        {{"bare", [&] { run_bare(w); }},
         {"retry", [&] { run_retry(w); }},
         {"floor", [&] { run_floor(w); }},
         {"loop", [&] { run_awaitable_loop(w); }},
         {"retry awaited", [&] { run_retry_awaited(w); }}},
        static_cast<double>(w.operations),
        7);
    auto const over_bare = [&](std::size_t i) { return result[i].nanoseconds - result[0].nanoseconds; };
    rows.push_back({"happy/bare_call", result[0].nanoseconds, "ns", "", 0});
    rows.push_back({"happy/ns", over_bare(1), "ns over bare", "floor", over_bare(1) / over_bare(2)});
    rows.push_back({"happy/allocations", result[1].allocations, "per call", "", 0});
    rows.push_back({"happy/awaited_ns", over_bare(4), "ns over bare", "awaitable loop", over_bare(4) / over_bare(3)});
}

void waits(std::vector<row>& rows, std::size_t operations, std::string const& prefix)
{
    work const w{.operations = operations, .failures = 3};
    auto const attempts = static_cast<double>(w.operations * (w.failures + 1));
    auto const result = measure(
        {{"retry", [&] { run_retry(w); }},
         {"floor", [&] { run_floor(w); }},
         {"loop", [&] { run_awaitable_loop(w); }},
         {"retry awaited", [&] { run_retry_awaited(w); }}},
        attempts,
        7);
    auto const ratio = [&](std::size_t i, std::size_t to) { return result[i].nanoseconds / result[to].nanoseconds; };
    auto const allocations = result[0].allocations;
    rows.push_back({prefix + "ns_per_attempt", result[0].nanoseconds, "ns", "floor", ratio(0, 1)});
    rows.push_back(
        {prefix + "allocations_per_attempt", allocations, "per attempt", "floor", allocations / result[1].allocations});
    rows.push_back({prefix + "ratio_to_floor", ratio(0, 1), "ratio", "floor", ratio(0, 1)});
    rows.push_back({prefix + "ratio_to_awaitable_loop", ratio(0, 2), "ratio", "awaitable loop", ratio(0, 2)});
    rows.push_back({prefix + "awaited_ns_per_attempt", result[3].nanoseconds, "ns", "awaitable loop", ratio(3, 2)});
}

// What a further retry allocates: the difference between operations that fail five times and three times. An attempt
// posts, and a thousand posts at once are more than Asio recycles: so it is compared with as many attempts alone.
void further_attempts(std::vector<row>& rows)
{
    constexpr std::size_t operations = 1'000;
    auto const result = measure(
        {{"three", [&] { run_retry({.operations = operations, .failures = 3}); }},
         {"five", [&] { run_retry({.operations = operations, .failures = 5}); }},
         {"bare", [&] { run_bare({.operations = operations}); }}},
        static_cast<double>(operations),
        7);
    auto const retried = (result[1].allocations - result[0].allocations) / 2;
    auto const alone = result[2].allocations;
    rows.push_back({"further_attempts/allocations", retried, "per attempt", "bare call", retried / alone});
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: backbeat_bench FILE.json\n");
        return 2;
    }
    try {
        std::vector<row> rows;
        happy_path(rows);
        waits(rows, 100'000, "waits/");
        waits(rows, 1'000, "waits_1000/");
        further_attempts(rows);
        http_requests(rows);
        print(rows);
        write_json(rows, argv[1]);
    } catch (std::exception const& e) {
        std::fprintf(stderr, "backbeat_bench: %s\n", e.what());
        return 1;
    }
}
