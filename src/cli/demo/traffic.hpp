//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_DEMO_TRAFFIC_HPP
#define BACKBEAT_SRC_CLI_DEMO_TRAFFIC_HPP

#include "../interruption.hpp"
#include "request.hpp"
#include "settings.hpp"
#include "tally.hpp"

#include <backbeat/detail/random.hpp>
#include <backbeat/random_source.hpp>
#include <backbeat/retry_options.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace backbeat {
class emulator;
}

namespace backbeat::memorystore {
class client;
}

namespace backbeat::cli::demo {

// Chance that is the same in every run with the same seed.
class seeded_random final : public random_source {
public:
    explicit seeded_random(std::uint64_t seed) noexcept : generator_(seed) {}
    std::uint64_t next() noexcept override { return generator_.next(); }

private:
    backbeat::detail::split_mix generator_;
};

// The crowd: a number of coroutines in one thread, each of which sends request after request.
class traffic {
public:
    traffic(settings const& chosen, emulator& server);
    traffic(traffic const&) = delete;
    traffic& operator=(traffic const&) = delete;
    ~traffic();

    // Sends all requests. Throws `interrupted` if a signal came, be it before this.
    void run();

    [[nodiscard]] std::vector<request> const& requests() const noexcept { return requests_; }
    [[nodiscard]] tally const& counts() const noexcept { return counts_; }
    [[nodiscard]] std::chrono::nanoseconds elapsed() const noexcept { return elapsed_; }
    [[nodiscard]] std::size_t most_threads() const noexcept { return most_threads_; }

private:
    boost::asio::awaitable<void> work();
    boost::asio::awaitable<void> perform(request& current);
    void cancel_all();
    void on_worker_end(std::exception_ptr failure);
    [[nodiscard]] std::string progress() const;

    settings const& chosen_;
    // These outlive the context: an operation that is destroyed with it tells its report and its observer so.
    std::vector<request> requests_;
    tally counts_;
    seeded_random random_;
    std::deque<boost::asio::cancellation_signal> cancels_;  // one a coroutine
    boost::asio::io_context context_{1};
    interruption stop_;
    std::unique_ptr<memorystore::client> plain_;
    std::unique_ptr<memorystore::client> tls_;
    std::size_t next_ = 0;
    std::size_t working_ = 0;
    std::exception_ptr failure_;
    bool stopping_ = false;
    std::chrono::nanoseconds elapsed_{};
    std::size_t most_threads_ = 0;
};

// Puts the instances into the server that the crowd asks for.
void fill(emulator& server);

}  // namespace backbeat::cli::demo

#endif
