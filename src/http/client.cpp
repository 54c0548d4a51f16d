//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"

#include <backbeat/http/client.hpp>

#include <new>

namespace backbeat::http {

namespace {

// Without the memory to say so, what runs goes on to its end, and the core goes with the last of it.
void let_go(detail::client_core& core) noexcept
{
    try {
        core.close();
    } catch (std::bad_alloc const&) {}
}

}  // namespace

client::client(executor_type executor, std::string_view url, client_options options)
    : core_(std::make_shared<detail::client_core>(std::move(executor), url, std::move(options)))
{}

client& client::operator=(client&& other) noexcept
{
    if (core_ && core_ != other.core_) let_go(*core_);
    core_ = std::move(other.core_);
    return *this;
}

client::~client()
{
    if (core_) let_go(*core_);
}

void client::close()
{
    core_->close();
}

std::size_t client::open_connections() const noexcept
{
    return core_->open_count();
}

std::size_t client::idle_connections() const noexcept
{
    return core_->idle_count();
}

std::size_t client::queued_requests() const noexcept
{
    return core_->queued_count();
}

namespace detail {

boost::asio::any_io_executor executor_of(client_core const& core) noexcept
{
    return core.executor();
}

}  // namespace detail

}  // namespace backbeat::http
