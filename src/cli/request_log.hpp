//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_REQUEST_LOG_HPP
#define BACKBEAT_SRC_CLI_REQUEST_LOG_HPP

#include <backbeat/retry_observer.hpp>

#include <cstdint>

namespace backbeat::cli {

// Prints the report of every request, if that is wanted, and remembers how the last one ended.
class request_log final : public retry_observer {
public:
    explicit request_log(bool explain) noexcept : explain_(explain) {}

    void at_end(retry_report const& report) override;

    // Whether the last request failed at its only attempt. Of more attempts, and of limits, the client's own errors
    // tell.
    [[nodiscard]] bool failed_at_once() const noexcept { return failed_at_once_; }

private:
    bool explain_;
    std::uint64_t requests_ = 0;
    bool failed_at_once_ = false;
};

}  // namespace backbeat::cli

#endif
