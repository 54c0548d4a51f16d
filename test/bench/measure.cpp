//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "measure.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace {

std::atomic<std::uint64_t> allocation_count{0};

}  // namespace

// glibc's own functions under the names that it exports them by. Programs may replace these, so they do no harm.
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept
{
    allocation_count.fetch_add(1, std::memory_order_relaxed);
    return __libc_malloc(size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    allocation_count.fetch_add(1, std::memory_order_relaxed);
    return __libc_memalign(alignment, size);
}

}  // extern "C"

namespace bench {

namespace {

double median(std::vector<double> values)
{
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

std::uint64_t allocations() noexcept
{
    return allocation_count.load(std::memory_order_relaxed);
}

double processor_time() noexcept
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    auto const nanoseconds = [](timeval const& t) {
        return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_usec) * 1e3;
    };
    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

std::vector<sample> measure(std::vector<contender> const& contenders, double units, int rounds)
{
    std::vector<std::vector<double>> times(contenders.size());
    std::vector<std::vector<double>> wall_times(contenders.size());
    std::vector<std::vector<double>> counts(contenders.size());
    for (int round = -1; round != rounds; ++round) {
        for (std::size_t i = 0; i != contenders.size(); ++i) {
            auto const allocated = allocations();
            auto const started = std::chrono::steady_clock::now();
            auto const begun = processor_time();
            contenders[i].run();
            auto const used = processor_time() - begun;
            std::chrono::duration<double, std::nano> const passed = std::chrono::steady_clock::now() - started;
            if (round < 0) continue;
            times[i].push_back(used / units);
            wall_times[i].push_back(passed.count() / units);
            counts[i].push_back(static_cast<double>(allocations() - allocated) / units);
        }
    }
    std::vector<sample> result;
    for (std::size_t i = 0; i != contenders.size(); ++i)
        result.push_back({median(times[i]), median(wall_times[i]), median(counts[i])});
    return result;
}

void print(std::vector<row> const& rows)
{
    std::printf("%-36s %12s  %-12s %8s  %s\n", "name", "value", "unit", "ratio", "baseline");
    for (auto const& r : rows) {
        std::printf("%-36s %12.3f  %-12s ", r.name.c_str(), r.value, r.unit.c_str());
        if (r.baseline.empty())
            std::printf("%8s\n", "");
        else
            std::printf("%8.3f  %s\n", r.ratio, r.baseline.c_str());
    }
}

void write_json(std::vector<row> const& rows, std::string const& path)
{
    std::ofstream out(path);
    out << "{\"rows\":[";
    char const* separator = "";
    for (auto const& r : rows) {
        out << separator << "\n  {\"name\":\"" << r.name << "\",\"value\":" << r.value << ",\"unit\":\"" << r.unit
            << "\",\"baseline\":\"" << r.baseline << "\",\"ratio\":" << r.ratio << '}';
        separator = ",";
    }
    out << "\n]}\n";
    if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace bench
