//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_API_CLOCK_HPP
#define BACKBEAT_SRC_EMULATOR_API_CLOCK_HPP

#include <backbeat/memorystore/timestamp.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace backbeat::emulation {

// The time of the emulated service. Tests have one that they move.
class api_clock {
public:
    using steady = std::chrono::steady_clock;
    using wall = std::chrono::system_clock;

    api_clock() : api_clock(&steady::now, &wall::now) {}

    api_clock(std::function<steady::time_point()> steady_now, std::function<wall::time_point()> wall_now)
        : steady_now_(std::move(steady_now)), wall_now_(std::move(wall_now))
    {}

    // For what is due: it never goes back.
    [[nodiscard]] steady::time_point now() const { return steady_now_(); }

    // For what is shown. No two calls return the same time: `createTime` tells one incarnation of a name from the next.
    memorystore::timestamp stamp()
    {
        memorystore::timestamp time(wall_now_());
        if (time <= last_)
            time = last_.time_point() + std::chrono::duration_cast<wall::duration>(std::chrono::microseconds(1));
        last_ = time;
        return time;
    }

    // When something was due, that is only now found to have been.
    [[nodiscard]] memorystore::timestamp stamp_of(steady::time_point due) const
    {
        auto const ago = (std::max)(steady_now_() - due, steady::duration::zero());
        return wall_now_() - std::chrono::duration_cast<wall::duration>(ago);
    }

private:
    std::function<steady::time_point()> steady_now_;
    std::function<wall::time_point()> wall_now_;
    memorystore::timestamp last_;
};

}  // namespace backbeat::emulation

#endif
