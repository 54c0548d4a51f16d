//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "contenders/registration.hpp"
#include "contenders/tally.hpp"
#include "contenders/task.hpp"
#include "median.hpp"
#include "metering.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

namespace {

constexpr std::size_t batch = 1'000;
constexpr int pairs = 150;

std::unique_ptr<caller> make_caller(std::string_view name, completion of)
{
    using namespace std::chrono_literals;
    for (auto const& each : all_contenders())
        if (each.name == name && each.make_caller != nullptr)
            return each.make_caller(
                {.scenario = scenario::calls, .completion = of, .operations = 1, .law = {1ms, 1ms, 8ms}});
    return nullptr;
}

// Nanoseconds a call.
double time_of(caller& calls)
{
    auto const begun = wall_time();
    calls.run(batch);
    return (wall_time() - begun) / batch;
}

// What a contender adds to the attempt alone. That is a few nanoseconds of hundreds, which drift by more than that
// from one second to the next: so each batch of calls has its own baseline right beside it, and the difference counts.
void call(benchmark::State& state, std::string const& name, completion of)
{
    auto const bare = make_caller("bare", completion::posted);
    auto const own = make_caller(name, of);
    bare->run(batch);
    own->run(batch);
    std::vector<double> over_bare;
    std::vector<double> alone;
    bool own_first = false;
    for ([[maybe_unused]] auto _ : state) {
        auto own_time = own_first ? time_of(*own) : 0;
        auto const bare_time = time_of(*bare);
        if (!own_first) own_time = time_of(*own);
        alone.push_back(bare_time);
        over_bare.push_back(own_time - bare_time);
        own_first = !own_first;
    }
    // In one go: what Asio recycles, it keeps as long as the context runs.
    constexpr std::size_t many = 20'000;
    auto const before = allocations();
    own->run(many);
    auto const allocated = allocations() - before;
    auto const counted = take_tally();
    if (counted.wrong != 0 || counted.right != counted.attempts)
        throw std::runtime_error(name + ": a call ended wrong");
    state.counters["bare_ns"] = median(alone);
    state.counters["over_bare_ns"] = median(over_bare);
    state.counters["allocations"] = static_cast<double>(allocated) / many;
}

}  // namespace

void register_calls()
{
    for (auto const& each : all_contenders()) {
        if (each.make_caller == nullptr) continue;
        std::string const name(each.name);
        for (auto const of : {completion::posted, completion::in_place}) {
            auto const title = (of == completion::posted ? "call/posted/" : "call/inline/") + name;
            benchmark::RegisterBenchmark(title.c_str(), [=](benchmark::State& state) {
                call(state, name, of);
            })->Iterations(pairs);
        }
    }
}

}  // namespace bench
