//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"

#include "draining.hpp"
#include "exchange.hpp"
#include "token.hpp"

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/field.hpp>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backbeat::http::detail {

namespace {

namespace asio = boost::asio;

[[nodiscard]] bool is_strand(asio::any_io_executor const& executor) noexcept
{
    return executor.target<asio::strand<asio::io_context::executor_type>>() != nullptr
        || executor.target<asio::strand<asio::thread_pool::executor_type>>() != nullptr
        || executor.target<asio::strand<asio::any_io_executor>>() != nullptr;
}

// A strand of an executor whose type was erased would have to erase it again for each step of each request. An executor
// that is a strand already is good as it is.
asio::any_io_executor make_serial(asio::any_io_executor const& executor, strand_kind kind)
{
    if (kind == strand_kind::implicit_strand || is_strand(executor)) return executor;
    if (auto const* const known = executor.target<asio::io_context::executor_type>()) return asio::make_strand(*known);
    if (auto const* const known = executor.target<asio::thread_pool::executor_type>()) return asio::make_strand(*known);
    return asio::make_strand(executor);
}

// Names that the client, or the connection, has a use for of its own.
bool is_reserved(std::string_view name) noexcept
{
    using boost::beast::http::field;
    switch (boost::beast::http::string_to_field({name.data(), name.size()})) {
    case field::accept_encoding:
    case field::connection:
    case field::content_length:
    case field::expect:
    case field::host:
    case field::keep_alive:
    case field::te:
    case field::trailer:
    case field::transfer_encoding:
    case field::upgrade:
    case field::user_agent: return true;
    default: return false;
    }
}

void check_header_names(client_options const& options)
{
    struct {
        std::string const& name;
        char const* member;
    } const all[] = {
        {options.attempt_header, "attempt_header"},
        {options.deadline_header, "deadline_header"},
        {options.idempotency_key_header, "idempotency_key_header"}};
    for (auto const& each : all) {
        if (each.name.empty()) continue;
        auto const refuse = [&each](std::string const& why) {
            throw std::invalid_argument(
                std::string("client_options::") + each.member + " is '" + each.name + "', " + why
                + "; it must be a name of its own, like X-Attempt");
        };
        if (!is_token(each.name)) refuse("which is no name of a header field");
        if (is_reserved(each.name)) refuse("which has a meaning in HTTP");
        for (auto const& other : all)
            if (&other < &each && boost::beast::iequals(other.name, each.name))
                refuse(std::string("as client_options::") + other.member + " is");
    }
}

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
    refuse_negative(options.queue_timeout, "queue_timeout");
    if (options.strand != strand_kind::explicit_strand && options.strand != strand_kind::implicit_strand)
        throw std::invalid_argument(
            "client_options::strand is no strand_kind; it must be explicit_strand or implicit_strand");
    if (options.maximum_connections == 0)
        throw std::invalid_argument("client_options::maximum_connections is zero; it must be 1 or more");
    if (options.header_limit == 0)
        throw std::invalid_argument("client_options::header_limit is zero; no response has an empty header");
    if (options.certificate_file.empty() && !options.private_key_file.empty())
        throw std::invalid_argument(
            "client_options::private_key_file is set without certificate_file; a key is of use with its certificate");
    if (options.user_agent.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
        throw std::invalid_argument("client_options::user_agent contains a line break or NUL; it must be one line");
    check_header_names(options);
    if (auto const problem = validate(options.retry))
        throw std::invalid_argument("client_options::retry: " + problem.message());
    return options;
}

}  // namespace

client_core::client_core(boost::asio::any_io_executor executor, std::string_view url, client_options settings)
    : executor_(std::move(executor)),
      strand_(make_serial(executor_, settings.strand)),
      settings_(checked(std::move(settings))),
      origin_(parse_origin(url))
{
    if (origin_.tls) tls_.emplace(settings_);
    if (settings_.retry.budget == nullptr) settings_.retry.budget = settings_.budget;
}

client_core::~client_core() = default;

void client_core::close()
{
    dispatch([self = shared_from_this()] { self->close_on_strand(); });
}

void client_core::close_on_strand()
{
    closed_ = true;
    drop_idle();
    // Stopping one removes it from the list, and may let the next in the queue begin: it then sees that this is closed.
    std::vector<std::shared_ptr<operation>> pending;
    pending.reserve(running_.size());
    for (auto& each : running_) pending.push_back(each.shared_from_this());
    for (auto const& each : pending) each->cancel(boost::asio::cancellation_type::terminal);
}

void client_core::add(operation& started) noexcept
{
    running_.push_back(started);
}

void client_core::remove(operation& ended)
{
    running_.erase(running_.iterator_to(ended));
    if (closing_ && running_.empty()) end_draining();
}

void client_core::forget(operation& destroyed) noexcept
{
    running_.erase(running_.iterator_to(destroyed));
    if (!closing_ || !running_.empty()) return;
    try {
        end_draining();
    } catch (...) {
        // Those that wait go without a call, as what is destroyed here does.
    }
}

std::optional<client_core::drain_position> client_core::drain(draining& waiting)
{
    closing_ = true;
    if (!running_.empty()) return draining_.insert(draining_.end(), &waiting);
    drop_idle();
    return std::nullopt;
}

void client_core::leave_drain(drain_position where) noexcept
{
    draining_.erase(where);
}

void client_core::end_draining()
{
    drop_idle();
    std::exception_ptr failure;
    for (auto* each : std::exchange(draining_, {})) {
        try {
            each->on_drained();
        } catch (...) {
            // The others are to hear of it all the same.
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

std::optional<client_core::queue_position> client_core::acquire(exchange& wanting, time_point now)
{
    drop_stale(now);
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

bool client_core::acquire_new(exchange& wanting, time_point now)
{
    drop_stale(now);
    if (open_ >= settings_.maximum_connections) return false;
    ++open_;
    wanting.connect();
    return true;
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
    auto const now = std::chrono::steady_clock::now();
    drop_stale(now);
    if (!queue_.empty()) {
        auto* const next = queue_.front();
        auto const alive = next->shared_from_this();
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
    returned->idle_since = now;
    try {
        idle_.push_back(std::move(returned));
    } catch (std::bad_alloc const&) {
        // Only the connection is lost, not what came over it.
        --open_;
    }
    note_sizes();
}

std::unique_ptr<connection> client_core::make_connection(boost::asio::ip::tcp::socket connected)
{
    return std::make_unique<connection>(std::move(connected), tls_ ? &*tls_ : nullptr, origin_);
}

bool client_core::is_fresh(connection const& kept, time_point now) const
{
    return now - kept.idle_since < settings_.idle_timeout;
}

void client_core::drop_idle()
{
    open_ -= idle_.size();
    idle_.clear();
    note_sizes();
}

void client_core::drop_stale(time_point now)
{
    while (!idle_.empty() && !is_fresh(*idle_.front(), now)) {
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
