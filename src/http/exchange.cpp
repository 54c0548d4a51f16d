//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "exchange.hpp"

#include "deadline.hpp"

#include <backbeat/http/error.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace backbeat::http::detail {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

[[nodiscard]] bool is_token(std::string_view name) noexcept
{
    // RFC 9110, 5.6.2
    return !name.empty()
        && name.find_first_not_of("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        == std::string_view::npos;
}

[[nodiscard]] bool is_target(std::string_view target) noexcept
{
    if (target != "*" && (target.empty() || target.front() != '/')) return false;
    return std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c != '\x7f'; });
}

[[nodiscard]] std::string_view view(beast::string_view text) noexcept
{
    return {text.data(), text.size()};
}

[[nodiscard]] bool starts_like_http(beast::flat_buffer const& buffer) noexcept
{
    auto const bytes = buffer.data();
    std::string_view const seen(static_cast<char const*>(bytes.data()), bytes.size());
    constexpr std::string_view start = "HTTP/1.";
    return seen.substr(0, start.size()) == start.substr(0, seen.size());
}

}  // namespace

exchange::exchange(
    std::shared_ptr<client_core> core,
    request const& message,
    idempotency replay,
    attempt const* reported_to,
    response_handler handler)
    : operation(std::move(core), std::move(handler)),
      reported_to_(reported_to),
      replay_(replay),
      timer_(this->core().serial())
{
    malformed_ = serialise(message);
}

exchange::~exchange()
{
    // If the context was destroyed before the end.
    if (queued_at_) core().leave_queue(*queued_at_);
}

error_code exchange::serialise(request const& message)
{
    auto const method = view(message.method_string());
    auto const target = message.target().empty() ? std::string_view("/") : view(message.target());
    if (!is_token(method) || !is_target(target)) return errc::invalid_target;
    is_head_ = message.method() == verb::head;
    keep_alive_ = message.keep_alive();

    auto const field_line = [this](std::string_view name, std::string_view value) {
        wire_.append(name).append(": ").append(value).append("\r\n");
    };
    wire_.reserve(256 + target.size() + message.body().size());
    wire_.append(method).append(" ").append(target).append(message.version() == 10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    if (message.count(field::host) == 0) field_line("Host", core().to().host_field);
    if (message.count(field::user_agent) == 0 && !core().settings().user_agent.empty())
        field_line("User-Agent", core().settings().user_agent);
    for (auto const& each : message) {
        // The body is sent as it is, and its length is known: what else was said of them would be wrong.
        if (each.name() == field::content_length || each.name() == field::transfer_encoding) continue;
        auto const name = view(each.name_string());
        auto const value = view(each.value());
        // A line break would let a value add fields, or a request, of its own.
        if (!is_token(name) || value.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos)
            return errc::invalid_field;
        field_line(name, value);
    }
    auto const expects_body =
        message.method() == verb::post || message.method() == verb::put || message.method() == verb::patch;
    if (expects_body || !message.body().empty()) field_line("Content-Length", std::to_string(message.body().size()));
    wire_.append("\r\n").append(message.body());
    return {};
}

std::shared_ptr<exchange> exchange::self()
{
    return std::static_pointer_cast<exchange>(shared_from_this());
}

void exchange::start()
{
    if (malformed_) return fail(malformed_);
    if (core().is_closed()) return fail(errc::client_closed);
    enter();
    if (auto const limit = core().settings().attempt_timeout; limit != clock::duration{})
        attempt_deadline_ = deadline_after(limit);
    arm_timer();
    queued_at_ = core().acquire(*this);
}

void exchange::cancel(asio::cancellation_type type)
{
    // `total` promises that nothing happened: nothing may have been sent.
    auto const at_any_time = asio::cancellation_type::terminal | asio::cancellation_type::partial;
    if ((type & at_any_time) != asio::cancellation_type::none || (step_ < step::writing && !before_replay_))
        stop(asio::error::operation_aborted);
}

void exchange::stop(error_code reason)
{
    if (step_ == step::finished || stopped_) return;
    stopped_ = reason;
    if (connection_)
        connection_->close();
    else
        fail(reason);
}

void exchange::arm_timer()
{
    auto const next = attempt_deadline_ && connect_deadline_ ? (std::min)(*attempt_deadline_, *connect_deadline_)
        : attempt_deadline_                                  ? *attempt_deadline_
                                                             : connect_deadline_.value_or((clock::time_point::max)());
    timer_.expires_at(next);
    timer_.async_wait([self = self()](error_code error) {
        if (!error) self->on_timer();
    });
}

void exchange::on_timer()
{
    // A wait that had already ended when the timer was set anew ends in success all the same. So the clock decides.
    auto const now = clock::now();
    if (attempt_deadline_ && *attempt_deadline_ <= now)
        stop(retry_errc::attempt_timeout);
    else if (connect_deadline_ && *connect_deadline_ <= now)
        stop(errc::connect_timeout);
}

void exchange::use(std::unique_ptr<connection> kept)
{
    queued_at_.reset();
    holds_place_ = true;
    connection_ = std::move(kept);
    reused_ = true;
    write();
}

void exchange::connect()
{
    queued_at_.reset();
    holds_place_ = true;
    reused_ = false;
    if (core().is_closed()) return fail(asio::error::operation_aborted);
    if (auto const limit = core().settings().connect_timeout; limit != clock::duration{}) {
        connect_deadline_ = deadline_after(limit);
        arm_timer();
    }
    resolve();
}

void exchange::resolve()
{
    auto const& to = core().to();
    if (to.is_address) {
        error_code ignored;
        return dial({{asio::ip::make_address(to.host, ignored), to.port}});
    }
    step_ = step::resolving;
    resolver_.emplace(core().serial());
    resolver_->async_resolve(
        to.host,
        std::to_string(to.port),
        asio::ip::tcp::resolver::numeric_service,
        [self = self()](error_code error, asio::ip::tcp::resolver::results_type const& found) {
            if (self->step_ != step::resolving) return;
            if (error || found.empty()) return self->fail(error ? error : error_code(asio::error::host_not_found));
            self->dial(interleave_families({found.begin(), found.end()}));
        });
}

void exchange::dial(endpoint_list in_order)
{
    step_ = step::connecting;
    dialer_ = std::make_shared<dialer>(
        core().serial(),
        std::move(in_order),
        core().settings().connection_attempt_delay,
        // Not `self`, which would own itself. `finish` stops the dialer.
        [this](error_code error, asio::ip::tcp::socket connected) { on_connect(error, std::move(connected)); });
    dialer_->start();
}

void exchange::on_connect(error_code error, asio::ip::tcp::socket connected)
{
    dialer_.reset();
    if (error) return fail(error);
    try {
        connection_ = core().make_connection(std::move(connected));
    } catch (boost::system::system_error const& failure) {
        return fail(failure.code());
    }
    if (!connection_->uses_tls()) return write();
    step_ = step::handshaking;
    connection_->async_handshake([self = self()](error_code failure) { self->on_handshake(failure); });
}

void exchange::on_handshake(error_code error)
{
    if (stopped_) return fail(stopped_);
    if (auto const failure = connection_->end_handshake(error)) return fail(failure);
    write();
}

void exchange::write()
{
    if (connect_deadline_) {
        connect_deadline_.reset();
        arm_timer();
    }
    step_ = step::writing;
    connection_->async_write_some(
        asio::buffer(wire_.data() + written_, wire_.size() - written_),
        [self = self()](error_code error, std::size_t count) { self->on_write(error, count); });
}

void exchange::on_write(error_code error, std::size_t count)
{
    written_ += count;
    if (stopped_) return fail(stopped_);
    if (!error && written_ != wire_.size()) return write();
    if (error && written_ == 0) {
        if (!replay_on_fresh_connection()) fail(error);
        return;
    }
    // A server that has heard enough answers and closes before it has read everything: its answer is still to be had.
    write_error_ = error;
    step_ = step::reading;
    new_parser();
    if (connection_->buffer.size() != 0) return parse();
    read();
}

void exchange::read()
{
    connection_->async_read_some([self = self()](error_code error, std::size_t count) { self->on_read(error, count); });
}

void exchange::on_read(error_code error, std::size_t count)
{
    connection_->buffer.commit(count);
    if (count != 0) got_bytes_ = true;
    if (!error) return parse();
    if (stopped_) return fail(stopped_);
    if (error == asio::error::eof) return on_end_of_stream(beast::http::error::end_of_stream);
    on_end_of_stream(error);
}

void exchange::parse()
{
    auto& buffer = connection_->buffer;
    while (buffer.size() != 0) {
        error_code error;
        // Beast would wait for the end of the line, which a server of another protocol may never send.
        if (at_start_ && !starts_like_http(buffer)) return fail(errc::not_http);
        auto const used = parser_->put(buffer.data(), error);
        buffer.consume(used);
        if (used != 0) at_start_ = false;
        if (error && error != beast::http::error::need_more) return fail(error);
        if (parser_->is_done()) return on_message();
        if (used == 0) break;
    }
    if (stopped_) return fail(stopped_);
    // What is left is the beginning of something that is read as a whole: a header, which Beast limits by itself, or the
    // extensions or trailers of a chunk, which it would gather without end.
    if (buffer.size() > core().settings().header_limit) return fail(beast::http::error::header_limit);
    read();
}

void exchange::on_end_of_stream(error_code error)
{
    if (!got_bytes_) {
        if (!replay_on_fresh_connection()) fail(write_error_ ? write_error_ : error);
        return;
    }
    if (error == beast::http::error::end_of_stream && parser_->got_some()) {
        error_code incomplete;
        parser_->put_eof(incomplete);
        if (!incomplete) return on_message();
        error = incomplete;
    }
    fail(write_error_ ? write_error_ : error);
}

void exchange::on_message()
{
    auto const code = parser_->get().result_int();
    if (code / 100 == 1 && code != 101) {
        // Only the news that the answer is yet to come.
        new_parser();
        return parse();
    }
    auto const keep = !stopped_ && !write_error_ && keep_alive_ && code != 101 && parser_->keep_alive()
        && !parser_->need_eof() && connection_->is_drained();
    finish({}, parser_->release(), keep);
}

void exchange::new_parser()
{
    at_start_ = true;
    parser_.emplace();
    parser_->eager(true);
    parser_->skip(is_head_);
    parser_->header_limit(core().settings().header_limit);
    parser_->body_limit(core().settings().body_limit);
}

// A kept connection that turns out dead at its next use tells nothing about the server: the request goes out again at
// once, one time, on a connection that nobody has used.
bool exchange::replay_on_fresh_connection()
{
    if (!core().settings().replay_on_stale_connection) return false;
    if (!reused_ || replayed_ || stopped_ || core().is_closed()) return false;
    if (written_ != 0 && replay_ == idempotency::never) return false;
    replayed_ = true;
    // What becomes of the copy does not tell what became of the first, unless neither can change anything.
    if (written_ != 0 && replay_ != idempotency::safe) before_replay_ = delivery::ambiguous;
    written_ = 0;
    write_error_ = {};
    parser_.reset();
    connection_.reset();
    connect();
    return true;
}

void exchange::fail(error_code error)
{
    finish(error, no_response(), false);
}

delivery exchange::delivery_of(error_code error, response const& message) const noexcept
{
    auto how_far = delivery::responded;
    if (error)
        how_far = written_ == 0 ? delivery::not_sent : delivery::ambiguous;
    else if (message.result() == status::too_many_requests)
        how_far = delivery::rejected;
    else if (message.result_int() >= 500)
        how_far = delivery::ambiguous;
    return before_replay_ ? worse(*before_replay_, how_far) : how_far;
}

void exchange::finish(error_code error, response message, bool keep)
{
    auto const alive = self();
    auto const how_far = delivery_of(error, message);
    step_ = step::finished;
    timer_.cancel();
    // One that has not begun is not begun; one that has holds a reference to this, and is not waited for.
    if (resolver_) resolver_->cancel();
    if (dialer_) dialer_->stop();
    dialer_.reset();
    if (queued_at_) core().leave_queue(*std::exchange(queued_at_, std::nullopt));
    leave();
    parser_.reset();
    if (!keep) connection_.reset();
    // Before the handler is called: its next request is to find the connection.
    if (std::exchange(holds_place_, false)) core().release(std::move(connection_));
    complete(error, std::move(message), reported_to_, how_far);
}

void start_attempt(
    std::shared_ptr<client_core> const& core,
    request const& message,
    idempotency replay,
    attempt const* reported_to,
    response_handler handler)
{
    std::make_shared<exchange>(core, message, replay, reported_to, std::move(handler))->initiate();
}

}  // namespace backbeat::http::detail
