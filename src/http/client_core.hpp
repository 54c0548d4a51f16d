//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_CLIENT_CORE_HPP
#define BACKBEAT_SRC_HTTP_CLIENT_CORE_HPP

#include "connection.hpp"
#include "deadline_set.hpp"
#include "origin.hpp"
#include "tls_context.hpp"

#include <backbeat/http/client_options.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/intrusive/list.hpp>
#include <boost/intrusive/list_hook.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace backbeat::http::detail {

class draining;
class exchange;
class operation;

// What the exchanges of a client share: its settings, and the pool of its connections. Everything but the settings and
// the counts is used on the strand only.
//
// A connection is either held by one exchange or idle. `open_` counts both, and the permission to make one, which an
// exchange holds while it connects. Nobody queues while a connection is idle or could be made: so whoever comes first
// is served first.
//
// It owns no exchange but by its deadlines, whose wait owns those: their pending operations own them, and they own this.
// So all goes with the execution context.
class client_core : public std::enable_shared_from_this<client_core> {
public:
    // Throws as `client` does.
    client_core(boost::asio::any_io_executor executor, std::string_view url, client_options settings);
    ~client_core();

    [[nodiscard]] boost::asio::any_io_executor const& executor() const noexcept { return executor_; }
    // The same, made once: to make one of the other type allocates.
    [[nodiscard]] boost::asio::any_completion_executor const& completion_executor() const noexcept
    {
        return completion_executor_;
    }
    [[nodiscard]] boost::asio::any_io_executor const& serial() const noexcept { return strand_; }
    [[nodiscard]] boost::asio::any_completion_executor const& completion_strand() const noexcept
    {
        return completion_strand_;
    }
    // Whether the two are the same.
    [[nodiscard]] bool has_strand_of_user() const noexcept { return has_strand_of_user_; }
    [[nodiscard]] client_options const& settings() const noexcept { return settings_; }
    [[nodiscard]] origin const& to() const noexcept { return origin_; }
    [[nodiscard]] bool is_closed() const noexcept { return closed_; }
    [[nodiscard]] bool takes_operations() const noexcept { return !closed_ && !closing_; }

    [[nodiscard]] std::size_t open_count() const noexcept { return open_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t idle_count() const noexcept { return idle_count_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t queued_count() const noexcept { return queued_count_.load(std::memory_order_relaxed); }

    // Calls it on the strand, in place if that is possible.
    template <class Function>
    void dispatch(Function function) const
    {
        if (strand_of_context_ != nullptr)
            strand_of_context_->execute(std::move(function));
        else
            boost::asio::dispatch(strand_, std::move(function));
    }

    // Not on the strand: goes there by itself.
    void close();

    // Takes no more operations. Calls `on_drained` when the last one is removed, unless none is running: then there is
    // no place in the list, with which `waiting` can leave it.
    using drain_position = std::list<draining*>::iterator;
    [[nodiscard]] std::optional<drain_position> drain(draining& waiting);
    void leave_drain(drain_position where) noexcept;

    using time_point = std::chrono::steady_clock::time_point;
    using queue_position = std::list<exchange*>::iterator;

    // The operation is running until `remove`, and is cancelled when the client is closed.
    void add(operation& started) noexcept;
    void remove(operation& ended);
    // The same, for one that is destroyed before its end, with its execution context or by an exception.
    void forget(operation& destroyed) noexcept;

    // Used on the strand only.
    [[nodiscard]] deadline_set& deadlines() const noexcept { return *deadlines_; }

    // Calls the exchange's `use` or `connect`, now, or when a connection becomes free: then it returns the place in the
    // queue, with which the exchange can leave it.
    [[nodiscard]] std::optional<queue_position> acquire(exchange& wanting, time_point now);
    void leave_queue(queue_position where) noexcept;

    // Calls the exchange's `connect`, unless there are as many connections as there may be.
    [[nodiscard]] bool acquire_new(exchange& wanting, time_point now);

    // Gives back what `acquire` gave. Null: the connection is not worth keeping.
    void release(std::unique_ptr<connection> returned);

    [[nodiscard]] std::unique_ptr<connection> make_connection(boost::asio::ip::tcp::socket connected);

private:
    [[nodiscard]] bool is_fresh(connection const& kept, time_point now) const;
    void drop_idle();
    void drop_stale(time_point now);
    void end_draining();
    void close_on_strand();
    void note_sizes() noexcept;

    boost::asio::any_io_executor executor_;
    boost::asio::any_completion_executor completion_executor_{executor_};
    boost::asio::any_io_executor strand_;
    boost::asio::any_completion_executor completion_strand_{strand_};
    bool has_strand_of_user_ = executor_ == strand_;
    // The same as `strand_`, if it is of this type, which saves a type erasure for each use.
    using strand_of_context = boost::asio::strand<boost::asio::io_context::executor_type>;
    strand_of_context const* strand_of_context_ = strand_.target<strand_of_context>();
    std::shared_ptr<deadline_set> deadlines_{std::make_shared<deadline_set>(strand_)};
    client_options settings_;
    origin origin_;
    std::optional<tls_context> tls_;

    bool closed_ = false;
    bool closing_ = false;
    std::list<draining*> draining_;
    boost::intrusive::list<operation, boost::intrusive::base_hook<boost::intrusive::list_base_hook<>>> running_;
    std::list<exchange*> queue_;
    std::deque<std::unique_ptr<connection>> idle_;  // the longest unused at the front
    std::atomic<std::size_t> open_ = 0;
    std::atomic<std::size_t> idle_count_ = 0;
    std::atomic<std::size_t> queued_count_ = 0;
};

}  // namespace backbeat::http::detail

#endif
