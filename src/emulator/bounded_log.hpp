//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_BOUNDED_LOG_HPP
#define BACKBEAT_SRC_EMULATOR_BOUNDED_LOG_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>

namespace backbeat::emulation {

// The last entries, each with a member `n` that counts from 1, and the number of all there ever were.
template <class Entry>
class bounded_log {
public:
    explicit bounded_log(std::size_t limit) : limit_(limit) {}

    std::uint64_t add(Entry entry)
    {
        entry.n = ++total_;
        entries_.push_back(std::move(entry));
        if (entries_.size() > limit_) entries_.pop_front();
        return total_;
    }

    // The entry with this number, or null when it has left.
    [[nodiscard]] Entry* find(std::uint64_t n)
    {
        if (entries_.empty() || n < entries_.front().n || n > total_) return nullptr;
        return &entries_[static_cast<std::size_t>(n - entries_.front().n)];
    }

    void clear()
    {
        entries_.clear();
        total_ = 0;
    }

    [[nodiscard]] std::deque<Entry> const& entries() const noexcept { return entries_; }
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

private:
    std::size_t limit_;
    std::deque<Entry> entries_;
    std::uint64_t total_ = 0;
};

}  // namespace backbeat::emulation

#endif
