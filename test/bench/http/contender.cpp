//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "contender.hpp"

#include "measure.hpp"

#include <chrono>
#include <stdexcept>

namespace bench {

http_cost http_contender::cost_of(std::size_t requests)
{
    auto const allocated = allocations();
    auto const started = std::chrono::steady_clock::now();
    auto const begun = processor_time();
    run(requests);
    auto const used = processor_time() - begun;
    std::chrono::duration<double, std::nano> const passed = std::chrono::steady_clock::now() - started;
    return {used, passed.count(), static_cast<double>(allocations() - allocated)};
}

std::string origin_of(http_target const& target)
{
    return (target.tls ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(target.port);
}

void check_response(http_target const& target, unsigned status, std::size_t size)
{
    if (status == 200 && size == target.body_size) return;
    throw std::runtime_error(
        "a response of status " + std::to_string(status) + " with " + std::to_string(size)
        + " bytes, and not the one that was asked for");
}

}  // namespace bench
