//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_QUOTA_HPP
#define BACKBEAT_SRC_EMULATOR_QUOTA_HPP

#include "exchange.hpp"
#include "request_target.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace backbeat::emulation {

// How many requests of one kind a project may send in a period.
struct quota_limit {
    // As the error names them: `redis.googleapis.com/create_requests`, `CreateRequestsPerMinutePerProject`.
    std::string metric;
    std::string name;
    std::uint64_t most = 0;
    std::chrono::nanoseconds period{};

    // Whether the limit counts a request, known by its method and the segments of its path. Null: all of a project.
    bool (*counts)(std::string_view method, std::vector<std::string> const& segments) = nullptr;
};

// `N` requests of a project in `period`, whatever they are.
[[nodiscard]] quota_limit request_quota_limit(std::uint64_t most, std::chrono::nanoseconds period);

// The service's own: of instances 30 creates and 3000 requests a minute, of clusters 10 creates and deletes and 60
// requests.
[[nodiscard]] std::vector<quota_limit> service_quota_limits();

// A quota that was met: which one, whose, and how long until there is more.
struct quota_refusal {
    quota_limit const* limit = nullptr;
    std::string project;
    std::chrono::nanoseconds retry_delay{};

    // 429 RESOURCE_EXHAUSTED with QuotaFailure, ErrorInfo and RetryInfo, and Retry-After.
    [[nodiscard]] http_reply reply() const;
};

// Counts the requests of each project in windows: a window begins with the first request that finds none, lasts one
// period, and then all of the quota is there again. What is refused is not counted, not even by the limits that would
// have let it pass. It has no clock of its own.
class quota {
public:
    using time_point = std::chrono::steady_clock::time_point;

    explicit quota(std::vector<quota_limit> limits);

    // Counts a request. Empty: it may pass.
    std::optional<quota_refusal> take(std::string_view method, request_target const& target, time_point now);

    void clear();

    struct counters {
        std::uint64_t used = 0;
        std::uint64_t refused = 0;
    };

    // Of each limit, in the order of the limits: what passed and what it refused.
    [[nodiscard]] std::vector<counters> const& totals() const noexcept { return totals_; }
    [[nodiscard]] std::vector<quota_limit> const& limits() const noexcept { return limits_; }

private:
    struct window {
        time_point begin{};
        std::uint64_t used = 0;
    };

    // Clients name the projects: their number must not choose the memory, and neither must their length.
    static constexpr std::size_t maximum_projects = 65'536;

    window& window_of(std::size_t limit, std::uint64_t project, time_point now);

    std::vector<quota_limit> limits_;
    std::vector<std::unordered_map<std::uint64_t, window>> windows_;
    std::vector<counters> totals_;
};

}  // namespace backbeat::emulation

#endif
