//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_DEADLINE_SET_HPP
#define BACKBEAT_SRC_HTTP_DEADLINE_SET_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/set.hpp>
#include <boost/intrusive/set_hook.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace backbeat::http::detail {

class deadline_set;

// What has a deadline.
class deadline_entry : public boost::intrusive::set_base_hook<boost::intrusive::optimize_size<true>> {
public:
    deadline_entry() = default;
    deadline_entry(deadline_entry const&) = delete;
    deadline_entry& operator=(deadline_entry const&) = delete;

    // The deadline has passed. There is none any more, until one is set.
    virtual void on_deadline() = 0;

    [[nodiscard]] bool operator<(deadline_entry const& other) const noexcept { return due_ < other.due_; }

protected:
    ~deadline_entry() = default;

private:
    friend class deadline_set;

    std::chrono::steady_clock::time_point due_{};
    std::shared_ptr<void> owner_;  // of this, while it is in a set
};

// The deadlines of a client's exchanges, on one timer. While there is an entry, a wait is under way, which owns all
// entries: they go with the execution context, if that is destroyed before they are removed.
//
// The timer is set anew only for a deadline that is earlier than the one it waits for. Most deadlines never pass, and
// those of requests that begin one after the other come in that order: so they cost nothing but their place here.
//
// It is used on one strand.
class deadline_set : public std::enable_shared_from_this<deadline_set> {
public:
    using clock = std::chrono::steady_clock;

    explicit deadline_set(boost::asio::any_io_executor const& strand);
    deadline_set(deadline_set const&) = delete;
    deadline_set& operator=(deadline_set const&) = delete;
    ~deadline_set();

    // The latest time point is no deadline. If this throws, the entry is not in the set.
    void insert(deadline_entry& entry, clock::time_point due, std::shared_ptr<void> owner);

    // Of an entry that was inserted; one that was abandoned meanwhile gets none. If this throws, it has its deadline, but
    // notices late that it has passed.
    void set(deadline_entry& entry, clock::time_point due);

    // Lets go of the entry, if it is in the set.
    void remove(deadline_entry& entry) noexcept;

private:
    class wait_handler;

    void arm();
    void disarm() noexcept;
    void on_end_of_wait(std::uint64_t which);
    void call_due();
    void abandon(std::uint64_t which) noexcept;

    [[nodiscard]] boost::asio::steady_timer& timer_of(std::uint64_t wait) noexcept { return timers_[wait % 2]; }

    // Two, which take turns. When another time is to be waited for, its wait begins before the other one ends, so that
    // none is lost if the memory for it is short.
    std::array<boost::asio::steady_timer, 2> timers_;
    boost::intrusive::multiset<deadline_entry, boost::intrusive::constant_time_size<false>> entries_;
    std::optional<clock::time_point> armed_;  // what the timer waits for
    std::uint64_t waits_ = 0;  // the number of the latest one: what others do when they end does not count
};

}  // namespace backbeat::http::detail

#endif
