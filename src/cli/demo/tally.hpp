//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_DEMO_TALLY_HPP
#define BACKBEAT_SRC_CLI_DEMO_TALLY_HPP

#include <backbeat/retry_observer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace backbeat::cli::demo {

// Counts what happens to all requests together, as the clients see it. Used in one thread.
class tally final : public retry_observer {
public:
    std::uint64_t attempts = 0;
    std::uint64_t started = 0;
    std::uint64_t ended = 0;
    std::uint64_t retried = 0;
    std::uint64_t succeeded = 0;

    // "exhausted, the last attempt: 503"
    std::map<std::string, std::uint64_t> failures;

    // Every attempt is in one of these.
    std::map<int, std::uint64_t> answers;  // by status
    std::uint64_t not_sent = 0;
    std::uint64_t unanswered = 0;

    // Of those unanswered: ended by the client, while the server may have been about to answer.
    std::uint64_t given_up = 0;

    std::chrono::nanoseconds waited{};
    std::chrono::nanoseconds longest_wait{};

    std::uint64_t in_flight = 0;
    std::uint64_t most_in_flight = 0;
    std::uint64_t waiting = 0;
    std::uint64_t most_waiting = 0;

    void before_attempt(attempt const& starting) override;
    void after_attempt(attempt_record const& ended) override;
    void before_wait(attempt_record const& ended) override;
    void at_end(retry_report const& report) override;
};

}  // namespace backbeat::cli::demo

#endif
