//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "deadline_set.hpp"

#include <boost/system/error_code.hpp>

#include <utility>

namespace backbeat::http::detail {

// Is destroyed without a call if its execution context is.
class deadline_set::wait_handler {
public:
    wait_handler(std::shared_ptr<deadline_set> owner, std::uint64_t number) noexcept
        : owner_(std::move(owner)), number_(number)
    {}
    wait_handler(wait_handler&&) noexcept = default;
    wait_handler& operator=(wait_handler&&) = delete;
    ~wait_handler()
    {
        if (owner_) owner_->abandon(number_);
    }

    void operator()(boost::system::error_code)
    {
        auto const owner = std::exchange(owner_, nullptr);
        owner->on_end_of_wait(number_);
    }

private:
    std::shared_ptr<deadline_set> owner_;
    std::uint64_t number_;
};

deadline_set::deadline_set(boost::asio::any_io_executor const& strand)
    : timers_{boost::asio::steady_timer(strand), boost::asio::steady_timer(strand)}
{}

deadline_set::~deadline_set() = default;

void deadline_set::insert(deadline_entry& entry, clock::time_point due, std::shared_ptr<void> owner)
{
    entry.due_ = due;
    entries_.insert(entries_.end(), entry);
    try {
        arm();
    } catch (...) {
        entries_.erase(entries_.iterator_to(entry));
        throw;
    }
    entry.owner_ = std::move(owner);
}

void deadline_set::set(deadline_entry& entry, clock::time_point due)
{
    if (!entry.is_linked()) return;
    entries_.erase(entries_.iterator_to(entry));
    entry.due_ = due;
    entries_.insert(entries_.end(), entry);
    arm();
}

void deadline_set::remove(deadline_entry& entry) noexcept
{
    if (!entry.is_linked()) return;
    entries_.erase(entries_.iterator_to(entry));
    auto const owner = std::move(entry.owner_);
    // The wait is work for the execution context, and would keep it running.
    if (entries_.empty()) disarm();
}

void deadline_set::arm()
{
    auto const first = entries_.begin()->due_;
    if (armed_ && *armed_ <= first) return;
    auto& idle = timer_of(waits_ + 1);
    idle.expires_at(first);
    idle.async_wait(wait_handler(shared_from_this(), waits_ + 1));
    if (armed_) timer_of(waits_).cancel();
    ++waits_;
    armed_ = first;
}

void deadline_set::disarm() noexcept
{
    if (!armed_) return;
    timer_of(waits_).cancel();
    ++waits_;
    armed_.reset();
}

void deadline_set::on_end_of_wait(std::uint64_t which)
{
    if (which != waits_) return;
    armed_.reset();
    try {
        call_due();
    } catch (...) {
        if (!entries_.empty()) arm();
        throw;
    }
    if (!entries_.empty()) arm();
}

void deadline_set::call_due()
{
    auto const now = clock::now();
    while (!entries_.empty() && entries_.begin()->due_ <= now) {
        auto& entry = *entries_.begin();
        auto const alive = entry.owner_;
        entries_.erase(entries_.begin());
        entry.due_ = (clock::time_point::max)();
        entries_.insert(entries_.end(), entry);
        entry.on_deadline();
    }
}

void deadline_set::abandon(std::uint64_t which) noexcept
{
    // It could not be begun, or is not needed any more: the entries have another.
    if (which != waits_) return;
    armed_.reset();
    ++waits_;
    while (!entries_.empty()) {
        auto& entry = *entries_.begin();
        entries_.erase(entries_.begin());
        auto const owner = std::move(entry.owner_);
    }
}

}  // namespace backbeat::http::detail
