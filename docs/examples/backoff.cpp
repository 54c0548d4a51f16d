//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Prints the table of docs/retrying.md: the waits of each kind of jitter, and how well they keep clients apart.

#include <backbeat/backoff.hpp>

#include <cstdio>
#include <limits>
#include <map>
#include <random>
#include <string>

using namespace std::chrono_literals;
using backbeat::jitter;
using std::chrono::nanoseconds;

constexpr struct {
    jitter kind;
    int width;
} columns[] = {
    {jitter::none, 6}, {jitter::additive, 10}, {jitter::full, 7}, {jitter::equal, 8}, {jitter::decorrelated, 14}};

std::string range(nanoseconds least, nanoseconds most)
{
    char text[32];
    std::chrono::duration<double> const from = least, to = most;
    std::snprintf(text, sizeof text, least == most ? "%g" : "%g-%g", from.count(), to.count());
    return text;
}

// A thousand clients fail in the same moment. The largest number of them that make a retry within the same 50 ms.
int crowd(backbeat::retry_options const& options, std::uint32_t retry)
{
    std::mt19937_64 random;
    std::map<std::int64_t, int> arrivals;
    int most = 0;
    for (int client = 0; client != 1000; ++client) {
        nanoseconds now = 0s, wait = 0s;
        for (std::uint32_t n = 0; n <= retry; ++n) now += wait = backoff(options, n, random(), false, wait);
        if (auto const here = ++arrivals[now / 50ms]; here > most) most = here;
    }
    return most;
}

int main()
{
    std::puts("             wait in seconds                       | most clients in the same 50 ms");
    std::puts("retry  none  additive   full   equal  decorrelated  |  none  additive   full   equal  decorrelated");
    nanoseconds longest = 0s;
    for (std::uint32_t n = 0; n != 8; ++n) {
        std::printf("%5d", static_cast<int>(n));
        for (auto const [kind, width] : columns) {
            backbeat::retry_options const options{.jitter = kind};
            auto const most = backoff(options, n, std::numeric_limits<std::uint64_t>::max(), false, longest);
            if (kind == jitter::decorrelated) longest = most;
            std::printf("%*s", width, range(backoff(options, n, 0), most).c_str());
        }
        std::printf("  |");
        for (auto const [kind, width] : columns) std::printf("%*d", width, crowd({.jitter = kind}, n));
        std::puts("");
    }
    return crowd({.jitter = jitter::additive}, 7) > 5 * crowd({.jitter = jitter::full}, 7) ? 0 : 1;
}
