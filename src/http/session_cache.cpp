//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "session_cache.hpp"

#include <utility>

namespace backbeat::http::detail {

session_cache::session_cache(std::size_t limit) : limit_(limit)
{
    // Nothing is allocated later, where OpenSSL is the caller, which knows no exceptions.
    sessions_.reserve(limit_);
}

void session_cache::put(session_pointer session) noexcept
{
    if (!session || limit_ == 0) return;
    if (sessions_.size() == limit_) sessions_.erase(sessions_.begin());
    sessions_.push_back(std::move(session));
}

session_pointer session_cache::take() noexcept
{
    while (!sessions_.empty()) {
        auto newest = std::move(sessions_.back());
        sessions_.pop_back();
        // OpenSSL marks the session of a connection on which there was a fatal alert.
        if (::SSL_SESSION_is_resumable(newest.get()) == 1) return newest;
    }
    return nullptr;
}

}  // namespace backbeat::http::detail
