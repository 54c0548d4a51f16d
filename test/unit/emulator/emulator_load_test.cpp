//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "emulator_client.hpp"
#include "load_generator.hpp"

#include <backbeat/emulator.hpp>

#include <boost/asio/buffer.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BACKBEAT_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BACKBEAT_SANITIZER
#endif
#endif

namespace backbeat {

namespace {

using namespace std::chrono_literals;

[[maybe_unused]] std::size_t resident_bytes()
{
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

emulator_options with_small_logs()
{
    emulator_options options;
    options.operation_time = 0ns;
    options.log_limit = 1000;
    return options;
}

// BACKBEAT_LOAD_SECONDS=30 makes it a measurement.
TEST(emulator_under_load, serves_256_connections_without_an_error)
{
    auto const* const wanted = std::getenv("BACKBEAT_LOAD_SECONDS");
    auto const duration = wanted ? std::chrono::seconds(std::atoi(wanted)) : std::chrono::seconds(1);
    emulator google(with_small_logs());
    auto const result = test::generate_load(google.url(), 256, duration);
    std::cout << result.text() << "\n";
    EXPECT_EQ(result.errors, 0U);
    EXPECT_GE(result.answers, 4 * 256U);
    EXPECT_EQ(google.total_requests(), result.answers);
    EXPECT_EQ(google.total_effects(), result.answers / 2);
    EXPECT_EQ(google.peak_connections(), 256U);
}

// A sanitizer keeps what is freed.
#ifndef BACKBEAT_SANITIZER
// The first rounds fill what is bounded: logs, finished operations, buffers. After them nothing may grow.
TEST(emulator_under_load, memory_does_not_grow_with_the_number_of_requests)
{
    auto const* const wanted = std::getenv("BACKBEAT_LOAD_SECONDS");
    auto const duration = wanted ? std::chrono::seconds(std::atoi(wanted)) : std::chrono::seconds(1);
    emulator google(with_small_logs());
    std::uint64_t warmed = 0;
    // Operations that have ended are kept up to 10,000 of them.
    while (google.total_effects() < 12'000) warmed += test::generate_load(google.url(), 256, 500ms).answers;
    auto const before = resident_bytes();
    auto result = test::generate_load(google.url(), 256, duration);
    auto const measured = result.microseconds.capacity() * sizeof(result.microseconds[0]);
    auto const after = resident_bytes();
    std::cout << result.text() << "\nresident before " << before / 1024 << " KiB, after " << after / 1024
              << " KiB, of which the measurement itself " << measured / 1024 << " KiB; " << warmed
              << " answers before that\n";
    EXPECT_EQ(result.errors, 0U);
    // Far below what would be kept if each request left 100 bytes behind in a run of half a minute.
    EXPECT_LT(after, before + measured + 24U * 1024 * 1024);
}

// What a connection has had to hold once must not stay with it while it waits for the next request.
TEST(emulator_under_load, connections_that_wait_keep_no_answers)
{
    auto options = with_small_logs();
    emulator google(options);
    test::emulator_client first(google.url());
    for (std::size_t i = 0; i != options.log_limit; ++i) (void)first.get("/" + std::string(2000, 'x'));
    std::vector<std::unique_ptr<test::emulator_client>> crowd;
    auto const before = resident_bytes();
    for (int i = 0; i != 100; ++i) {
        auto& client = *crowd.emplace_back(std::make_unique<test::emulator_client>(google.url()));
        // Not parsed, so that this process keeps nothing of it.
        client.write("GET /emulator/v1/requests HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
        std::string part(64 * 1024, '\0');
        std::size_t got = 0;
        while (got < options.log_limit * 2000) got += client.socket().read_some(boost::asio::buffer(part));
    }
    EXPECT_LT(resident_bytes(), before + 64U * 1024 * 1024);
}
#endif

}  // namespace

}  // namespace backbeat
