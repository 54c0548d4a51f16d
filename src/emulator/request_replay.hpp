//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_REQUEST_REPLAY_HPP
#define BACKBEAT_SRC_EMULATOR_REQUEST_REPLAY_HPP

#include "api_call.hpp"
#include "api_clock.hpp"
#include "operation_store.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

namespace backbeat::emulation {

// Carries out requests with a `requestId` once, for the methods that have one.
class request_replay {
public:
    // How long an id is remembered, and how many are: the oldest go first.
    static constexpr std::chrono::hours lifetime{1};
    static constexpr std::size_t maximum_ids = 10'000;

    request_replay(api_clock& clock, operation_store const& operations) : clock_(clock), operations_(operations) {}

    // Begins an operation by `carry_out`, unless a request with the same id has begun one: then returns that. Throws
    // api_error for an id that is none, or that another request has; a request that is refused does not use its id up.
    boost::json::object once(api_call const& call, std::function<boost::json::object()> const& carry_out);

    void clear();

private:
    struct known_request {
        std::uint64_t fingerprint = 0;

        // Kept, as the operation may be deleted or forgotten before the id is.
        boost::json::object operation;
    };

    struct age {
        api_clock::steady::time_point since;
        std::string key;
    };

    api_clock& clock_;
    operation_store const& operations_;
    std::unordered_map<std::string, known_request> known_;
    std::deque<age> ages_;
};

}  // namespace backbeat::emulation

#endif
