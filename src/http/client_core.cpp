//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"

#include "exchange.hpp"

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/dispatch.hpp>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backbeat::http::detail {

namespace {

client_options checked(client_options options)
{
    auto const refuse_negative = [](std::chrono::nanoseconds value, char const* name) {
        if (value < std::chrono::nanoseconds{})
            throw std::invalid_argument(
                std::string("client_options::") + name + " is negative; it must be zero or more");
    };
    refuse_negative(options.connect_timeout, "connect_timeout");
    refuse_negative(options.connection_attempt_delay, "connection_attempt_delay");
    refuse_negative(options.attempt_timeout, "attempt_timeout");
    refuse_negative(options.idle_timeout, "idle_timeout");
    if (options.maximum_connections == 0)
        throw std::invalid_argument("client_options::maximum_connections is zero; it must be 1 or more");
    if (options.header_limit == 0)
        throw std::invalid_argument("client_options::header_limit is zero; no response has an empty header");
    if (options.certificate_file.empty() && !options.private_key_file.empty())
        throw std::invalid_argument(
            "client_options::private_key_file is set without certificate_file; a key is of use with its certificate");
    if (options.user_agent.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
        throw std::invalid_argument("client_options::user_agent contains a line break or NUL; it must be one line");
    return options;
}

}  // namespace

client_core::client_core(boost::asio::any_io_executor executor, std::string_view url, client_options settings)
    : executor_(std::move(executor)),
      strand_(executor_),
      settings_(checked(std::move(settings))),
      origin_(parse_origin(url))
{
    if (origin_.tls) tls_.emplace(settings_);
}

void client_core::close()
{
    boost::asio::dispatch(strand_, [self = shared_from_this()] { self->close_on_strand(); });
}

void client_core::close_on_strand()
{
    closed_ = true;
    open_ -= idle_.size();
    idle_.clear();
    note_sizes();
    // Stopping one removes it from the list, and may let the next in the queue begin: it then sees that this is closed.
    std::vector<std::shared_ptr<operation>> pending;
    pending.reserve(running_.size());
    for (auto* each : running_) pending.push_back(each->shared_from_this());
    for (auto const& each : pending) each->cancel(boost::asio::cancellation_type::terminal);
}

client_core::position client_core::add(operation& started)
{
    return running_.insert(running_.end(), &started);
}

void client_core::remove(position where) noexcept
{
    running_.erase(where);
}

std::optional<client_core::queue_position> client_core::acquire(exchange& wanting)
{
    drop_stale();
    while (!idle_.empty()) {
        // The one used last is the least likely to be closed by the server.
        auto kept = std::move(idle_.back());
        idle_.pop_back();
        note_sizes();
        if (kept->is_alive()) {
            wanting.use(std::move(kept));
            return std::nullopt;
        }
        --open_;
    }
    if (open_ < settings_.maximum_connections) {
        ++open_;
        wanting.connect();
        return std::nullopt;
    }
    auto const where = queue_.insert(queue_.end(), &wanting);
    note_sizes();
    return where;
}

void client_core::leave_queue(queue_position where) noexcept
{
    queue_.erase(where);
    note_sizes();
}

void client_core::release(std::unique_ptr<connection> returned)
{
    // Those in the queue are being cancelled, one by one. Handing the place on would do so from inside each other, as
    // deep as the queue is long.
    if (closed_) {
        --open_;
        return;
    }
    if (settings_.idle_timeout == std::chrono::nanoseconds{}) returned.reset();
    drop_stale();
    if (!queue_.empty()) {
        auto* const next = queue_.front();
        queue_.pop_front();
        note_sizes();
        if (returned && returned->is_alive()) return next->use(std::move(returned));
        returned.reset();
        return next->connect();
    }
    if (!returned) {
        --open_;
        return;
    }
    returned->idle_since = std::chrono::steady_clock::now();
    idle_.push_back(std::move(returned));
    note_sizes();
}

std::unique_ptr<connection> client_core::make_connection(boost::asio::ip::tcp::socket connected)
{
    return std::make_unique<connection>(std::move(connected), tls_ ? &*tls_ : nullptr, origin_);
}

bool client_core::is_fresh(connection const& kept) const
{
    return std::chrono::steady_clock::now() - kept.idle_since < settings_.idle_timeout;
}

void client_core::drop_stale()
{
    while (!idle_.empty() && !is_fresh(*idle_.front())) {
        idle_.pop_front();
        --open_;
    }
    note_sizes();
}

void client_core::note_sizes() noexcept
{
    idle_count_.store(idle_.size(), std::memory_order_relaxed);
    queued_count_.store(queue_.size(), std::memory_order_relaxed);
}

}  // namespace backbeat::http::detail
