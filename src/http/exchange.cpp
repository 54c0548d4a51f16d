//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "exchange.hpp"

#include "deadline.hpp"
#include "tls_error.hpp"
#include "token.hpp"

#include <backbeat/http/error.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

namespace backbeat::http::detail {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::beast::http::field;
using boost::beast::http::verb;
using boost::system::error_code;

constexpr unsigned most_interim_responses = 64;

[[nodiscard]] bool is_target(std::string_view target) noexcept
{
    if (target != "*" && (target.empty() || target.front() != '/')) return false;
    return std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c != '\x7f' && c != '#'; });
}

// A line break would let a value add fields, or a request, of its own.
[[nodiscard]] bool is_field_value(std::string_view value) noexcept
{
    return value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

[[nodiscard]] std::string_view view(beast::string_view text) noexcept
{
    return {text.data(), text.size()};
}

// "12.345"; none is left: "0.000".
[[nodiscard]] std::string seconds_text(std::chrono::steady_clock::duration left)
{
    auto const milliseconds =
        (std::max)(std::chrono::duration_cast<std::chrono::milliseconds>(left).count(), std::int64_t{0});
    auto const fraction = std::to_string(1000 + milliseconds % 1000);
    return std::to_string(milliseconds / 1000) + '.' + fraction.substr(1);
}

[[nodiscard]] std::string_view view_of(beast::flat_buffer const& buffer) noexcept
{
    auto const bytes = buffer.data();
    return {static_cast<char const*>(bytes.data()), bytes.size()};
}

[[nodiscard]] error_code code_of_current_exception()
{
    try {
        throw;
    } catch (boost::system::system_error const& thrown) {
        return thrown.code();
    } catch (std::bad_alloc const&) {
        return make_error_code(boost::system::errc::not_enough_memory);
    } catch (...) {
        return retry_errc::unknown_exception;
    }
}

[[nodiscard]] bool starts_like_http(std::string_view seen) noexcept
{
    constexpr std::string_view start = "HTTP/1.";
    return seen.substr(0, start.size()) == start.substr(0, seen.size());
}

}  // namespace

exchange::exchange(
    std::shared_ptr<client_core> core,
    exchange_order const& order,
    std::unique_ptr<completion_target> target,
    std::unique_ptr<request_source> own)
    : operation(std::move(core), std::move(target)), order_(order), own_(std::move(own))
{}

exchange::~exchange()
{
    // If the context was destroyed before the end.
    if (queued_at_) core().leave_queue(*queued_at_);
}

error_code exchange::make_head()
{
    auto const& message = order_.message->header();
    auto const method = view(message.method_string());
    auto const target = message.target().empty() ? std::string_view("/") : view(message.target());
    if (!is_token(method) || message.method() == verb::connect) return errc::invalid_method;
    if (!is_target(target)) return errc::invalid_target;
    auto const size = order_.message->body_size();
    if (!size && message.version() == 10) return errc::unknown_body_size;
    is_head_ = message.method() == verb::head;
    keep_alive_ = order_.message->keep_alive();

    auto const& settings = core().settings();
    auto const add = [this](std::string_view name, std::string_view value) {
        head_.append(name).append(": ").append(value).append("\r\n");
    };
    auto const add_option = [&](std::string const& name, std::string_view value) {
        if (!name.empty() && !value.empty() && message.count(name) == 0) add(name, value);
    };
    head_.reserve(512);
    head_.append(method).append(" ").append(target).append(message.version() == 10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    if (message.count(field::host) == 0) add("Host", core().to().host_field);
    if (message.count(field::user_agent) == 0 && !settings.user_agent.empty()) add("User-Agent", settings.user_agent);
    for (auto const& each : message) {
        // The body is sent as it is, and its length is known or not: what else was said of them would be wrong.
        if (each.name() == field::content_length || each.name() == field::transfer_encoding) continue;
        auto const name = view(each.name_string());
        auto const value = view(each.value());
        if (!is_token(name) || !is_field_value(value)) return errc::invalid_field;
        add(name, value);
    }
    // Part of a compressed body could not be decompressed.
    asks_for_gzip_ =
        settings.accept_gzip && message.count(field::accept_encoding) == 0 && message.count(field::range) == 0;
    if (asks_for_gzip_) add("Accept-Encoding", "gzip");
    add_option(settings.idempotency_key_header, order_.idempotency_key);
    if (!is_field_value(order_.authorization)) return errc::invalid_field;
    if (!order_.authorization.empty()) add("Authorization", order_.authorization);
    if (!settings.attempt_header.empty())
        add_option(
            settings.attempt_header, std::to_string(order_.reported_to != nullptr ? order_.reported_to->number() : 1u));
    auto const expects_body =
        message.method() == verb::post || message.method() == verb::put || message.method() == verb::patch;
    if (!size)
        add("Transfer-Encoding", "chunked");
    else if (expects_body || *size != 0)
        add("Content-Length", std::to_string(*size));
    return {};
}

std::string exchange::header()
{
    // For a replay it is made once more: to keep a copy would cost every request one.
    if (head_.empty()) static_cast<void>(make_head());
    auto result = std::exchange(head_, {});
    auto const& name = core().settings().deadline_header;
    if (!name.empty() && answer_deadline_ && order_.message->header().count(name) == 0)
        result.append(name).append(": ").append(seconds_text(*answer_deadline_ - clock::now())).append("\r\n");
    result += "\r\n";
    return result;
}

std::shared_ptr<exchange> exchange::self()
{
    return std::static_pointer_cast<exchange>(shared_from_this());
}

void exchange::start()
{
    if (order_.message != nullptr) {
        error_code malformed;
        guard([&] { malformed = make_head(); }, malformed);
        if (malformed) return fail(malformed);
    }
    if (order_.is_part ? core().is_closed() : !core().takes_operations()) return fail(errc::client_closed);
    enter();
    auto const& settings = core().settings();
    auto const now = clock::now();
    if (settings.attempt_timeout != clock::duration{})
        attempt_deadline_ = deadline_after(settings.attempt_timeout, now);
    answer_deadline_ = attempt_deadline_;
    if (auto const limit = order_.reported_to != nullptr ? order_.reported_to->time_limit() : std::nullopt) {
        auto const end = deadline_after(*limit - order_.already_spent, now);
        answer_deadline_ = answer_deadline_ ? (std::min)(*answer_deadline_, end) : end;
    }
    guarded([this, now] { take_place(now); });
}

void exchange::take_place(clock::time_point now)
{
    core().deadlines().insert(*this, next_deadline(), self());
    if (order_.message == nullptr) {
        if (!core().acquire_new(*this, now)) finish({}, 0, false);
        return;
    }
    queued_at_ = core().acquire(*this, now);
    if (auto const limit = core().settings().queue_timeout; queued_at_ && limit != clock::duration{}) {
        queue_deadline_ = deadline_after(limit, now);
        core().deadlines().set(*this, next_deadline());
    }
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

exchange::clock::time_point exchange::next_deadline() const noexcept
{
    auto next = (clock::time_point::max)();
    for (auto const& each : {attempt_deadline_, connect_deadline_, queue_deadline_})
        if (each) next = (std::min)(next, *each);
    return next;
}

void exchange::on_deadline()
{
    auto const now = clock::now();
    if (attempt_deadline_ && *attempt_deadline_ <= now)
        stop(retry_errc::attempt_timeout);
    else if (connect_deadline_ && *connect_deadline_ <= now)
        stop(errc::connect_timeout);
    else if (queue_deadline_ && *queue_deadline_ <= now)
        stop(errc::queue_timeout);
    else
        core().deadlines().set(*this, next_deadline());  // it was for a limit that holds no more
}

void exchange::use(std::unique_ptr<connection> kept)
{
    queued_at_.reset();
    queue_deadline_.reset();
    holds_place_ = true;
    connection_ = std::move(kept);
    reused_ = true;
    on_connected();
}

void exchange::connect()
{
    queued_at_.reset();
    queue_deadline_.reset();
    holds_place_ = true;
    reused_ = false;
    if (core().is_closed()) return fail(asio::error::operation_aborted);
    error_code error;
    guard(
        [this] {
            if (auto const limit = core().settings().connect_timeout; limit != clock::duration{}) {
                connect_deadline_ = deadline_after(limit);
                core().deadlines().set(*this, next_deadline());
            }
            resolve();
        },
        error);
    if (!error) return;
    if (dialer_) dialer_->stop();
    dialer_.reset();
    end_later(error, false);
}

void exchange::resolve()
{
    auto const& to = core().to();
    if (to.is_address) {
        error_code ignored;
        return dial({{asio::ip::make_address(to.host, ignored), to.port}});
    }
    step_ = step::resolving;
    resolver_ = std::make_unique<asio::ip::tcp::resolver>(core().serial());
    resolver_->async_resolve(
        to.host,
        std::to_string(to.port),
        asio::ip::tcp::resolver::numeric_service,
        [self = self()](error_code error, asio::ip::tcp::resolver::results_type const& found) {
            if (self->step_ != step::resolving) return;
            self->resolver_.reset();
            if (error || found.empty()) return self->fail(error ? error : error_code(asio::error::host_not_found));
            self->guarded([&] { self->dial(interleave_families({found.begin(), found.end()})); });
        });
}

void exchange::dial(endpoint_list in_order)
{
    step_ = step::connecting;
    dialer_ = std::make_shared<dialer>(
        core().executor(),
        core().serial(),
        std::move(in_order),
        core().settings().connection_attempt_delay,
        // Not `self`, which would own itself. `finish` stops the dialer.
        [this](error_code error, asio::ip::tcp::socket connected) { on_connect(error, std::move(connected)); });
    dialer_->start();
}

void exchange::on_connect(error_code error, asio::ip::tcp::socket connected)
{
    auto const alive = self();
    dialer_.reset();
    if (error) return fail(error);
    guarded([&] {
        connection_ = core().make_connection(std::move(connected));
        if (!connection_->uses_tls()) return on_connected();
        step_ = step::handshaking;
        connection_->async_handshake(
            handler_on_strand(core(), [self = self()](error_code failure) { self->on_handshake(failure); }));
    });
}

void exchange::on_handshake(error_code error)
{
    if (stopped_) return fail(stopped_);
    guarded([&] {
        if (auto const failure = connection_->end_handshake(error)) return fail(failure);
        on_connected();
    });
}

void exchange::on_connected()
{
    connect_deadline_.reset();
    if (order_.message == nullptr) return finish({}, 0, true);
    step_ = step::writing;
    error_code error;
    guard([&] { writer_.start(header(), *order_.message, error); }, error);
    if (!error) return guarded([this] { write_at_once(); });
    // Nothing was written to it.
    end_later(error, true);
}

// Others may wait for the connection, or for leave to make one: each that fails at once would hand it on to the next
// from inside this, as deep as the queue is long.
void exchange::end_later(error_code error, bool keep)
{
    try {
        asio::post(core().serial(), [self = self(), error, keep] {
            if (self->step_ == step::finished) return;
            if (self->stopped_) return self->fail(self->stopped_);
            self->end(error, 0, keep);
        });
    } catch (...) {
        // With nothing under way that would end it, it is to end as soon as it is stopped.
        connection_.reset();
        throw;
    }
}

// What the caller gave (a body, `prepare_body`) may throw, as may whatever allocates, and may do so while another
// exchange hands its connection on.
template <class Function>
void exchange::guard(Function function, error_code& error)
{
    try {
        function();
    } catch (...) {
        // The end itself could not be told, and there is no other.
        if (step_ == step::finished) throw;
        error = code_of_current_exception();
    }
}

template <class Function>
void exchange::guarded(Function function)
{
    error_code thrown;
    guard(function, thrown);
    if (thrown) fail(thrown);
}

// A request that is small fits into the buffer of the socket, as a rule: then it needs no handler.
void exchange::write_at_once()
{
    if (!writer_.is_last()) return write();
    error_code error;
    auto const bytes = writer_.data(error);
    auto const count = connection_->write_at_once(bytes, error);
    if (!error) {
        written_ += count;
        writer_.consume(count);
    } else if (error != asio::error::would_block && error != asio::error::interrupted) {
        // Later, as above.
        asio::post(core().serial(), [self = self(), error] { self->on_write(error, 0); });
        writing_ = true;
        return;
    }
    write();
}

void exchange::write()
{
    error_code error;
    auto const bytes = writer_.data(error);
    if (error) return fail(error);
    if (bytes.size() == 0) {
        step_ = step::reading;
        if (early_answer_) return end({}, *early_answer_, may_keep());
        if (!reading_) receive();
        return;
    }
    // What takes more than one write may be answered before it is all written, and a server that has answered need not
    // read on.
    if (written_ != 0 && !reading_ && !parser_) receive();
    if (end_ || step_ == step::finished) return;
    connection_->async_write_some(
        bytes, handler_on_strand(core(), [self = self()](error_code failure, std::size_t count) {
            self->on_write(failure, count);
        }));
    writing_ = true;
}

void exchange::on_write(error_code error, std::size_t count)
{
    writing_ = false;
    written_ += count;
    writer_.consume(count);
    if (end_) return finish_if_quiet();
    if (early_answer_ && (error || stopped_)) return end({}, *early_answer_, false);
    if (read_error_) return guarded([this] { on_end_of_stream(*read_error_); });
    if (!error && !stopped_) return guarded([this] { write(); });
    auto const is_closed = error == asio::error::broken_pipe || error == asio::error::connection_reset
        || error == asio::error::connection_aborted;
    // After any other error the connection may stand, and the server wait for the rest.
    if (error && !stopped_ && !is_closed && reading_) connection_->close();
    if (error && !stopped_ && !reading_ && (written_ == 0 || !is_closed)) {
        if (!replay_on_fresh_connection()) fail(error);
        return;
    }
    // A server that has heard enough answers and closes before it has read everything: its answer is still to be had.
    write_error_ = error;
    if (reading_) return;
    if (stopped_) return fail(stopped_);
    step_ = step::reading;
    guarded([this] { receive(); });
}

void exchange::receive()
{
    new_parser();
    if (connection_->buffer.size() != 0) return parse();
    read();
}

void exchange::read()
{
    if (connection_->uses_tls()) {
        // All of TLS runs on the strand. On one of the client's own the handler is not called, which would keep it.
        connection_->async_read_some_of_tls(
            handler_on_strand(core(), [self = self()](error_code error, std::size_t count) mutable {
                if (!self->core().has_strand_of_user()) return self->on_read(error, count);
                on_end_of_read(std::move(self), error, count);
            }));
    } else {
        connection_->async_read_some_of_socket([self = self()](error_code error, std::size_t count) mutable {
            on_end_of_read(std::move(self), error, count);
        });
    }
    reading_ = true;
}

// As a rule, it is the end of the exchange.
void exchange::on_end_of_read(std::shared_ptr<exchange> self, error_code error, std::size_t count)
{
    last_step last(self->shared_core(), last_step::place::executor);
    if (self->core().has_strand_of_user())
        self->on_read(error, count);
    else
        self->core().dispatch([self, error, count] {
            last_step last_on_strand(self->shared_core(), last_step::place::strand);
            self->on_read(error, count);
            last_on_strand.run();
        });
    self.reset();
    last.run();
}

void exchange::on_read(error_code error, std::size_t count)
{
    reading_ = false;
    connection_->buffer.commit(count);
    if (count != 0) got_bytes_ = true;
    if (end_) return finish_if_quiet();
    if (!error) return guarded([this] { parse(); });
    if (error == asio::error::eof) error = beast::http::error::end_of_stream;
    if (writing_) {
        // Nobody waits for the rest.
        read_error_ = error;
        connection_->close();
        return;
    }
    guarded([this, error] { on_end_of_stream(error); });
}

void exchange::parse()
{
    auto& buffer = connection_->buffer;
    while (buffer.size() != 0) {
        error_code error;
        auto const seen = view_of(buffer);
        // Beast would wait for the end of the line, which a server of another protocol may never send.
        if (at_start_ && !starts_like_http(seen)) return fail(errc::not_http);
        // Beast before 1.86 asserts that it sees no less of the end of a chunked body, and does see less if the body has
        // no chunk at all (boostorg/beast#2861). There is always as much to come.
        if (parser_->is_header_done() && parser_->chunked() && seen.size() < 5 && seen.front() == '0') break;
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
    if (stopped_) return fail(stopped_);
    // A broken pipe says no more than that the connection is no more; the end of the stream, no more than that.
    auto const reading_tells_why = error.category() == boost::system::system_category()
        && (error == asio::error::connection_reset
            || (write_error_ == asio::error::broken_pipe && error != asio::error::operation_aborted));
    auto const told = write_error_ && !reading_tells_why ? write_error_ : error;
    if (!got_bytes_) {
        if (!replay_on_fresh_connection()) fail(told);
        return;
    }
    if (error == beast::http::error::end_of_stream && parser_->got_some()) {
        error_code incomplete;
        parser_->put_eof(incomplete);
        if (!incomplete) return on_message();
        return fail(write_error_ ? write_error_ : incomplete);
    }
    fail(told);
}

void exchange::on_message()
{
    auto const code = parser_->get().result_int();
    if (code / 100 == 1 && code != 101) {
        // Only the news that the answer is yet to come. A server could go on for ever.
        if (++interim_responses_ > most_interim_responses) return fail(errc::too_many_interim_responses);
        new_parser();
        return parse();
    }
    if (writing_ && code / 100 == 2) {
        // Done, and the rest is wanted, unless the server hangs up: it may have answered while it reads.
        early_answer_ = code;
        return;
    }
    end({}, code, may_keep());
}

bool exchange::may_keep() const
{
    // RFC 9112, 6.1: chunks in an answer of HTTP/1.0 may be somebody's mistake.
    auto const is_odd = parser_->chunked() && parser_->get().version() < 11;
    return step_ == step::reading && !stopped_ && !write_error_ && keep_alive_ && parser_->get().result_int() != 101
        && parser_->keep_alive() && !parser_->need_eof() && !is_odd && connection_->is_drained();
}

void exchange::new_parser()
{
    at_start_ = true;
    parser_.emplace();
    reader_.emplace(*order_.to, *parser_, core().settings().body_limit, asks_for_gzip_ && !is_head_);
    parser_->get().body() = &*reader_;
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
    if (writing_ || reading_) return false;
    if (written_ != 0 && !may_repeat(order_.replay)) return false;
    if (!order_.message->can_rewind()) return false;
    replayed_ = true;
    // What becomes of the copy does not tell what became of the first.
    if (written_ != 0) before_replay_ = delivery::ambiguous;
    written_ = 0;
    write_error_ = {};
    read_error_.reset();
    parser_.reset();
    reader_.reset();
    connection_.reset();
    connect();
    return true;
}

void exchange::fail(error_code error)
{
    end(error, 0, false);
}

void exchange::end(error_code error, unsigned status, bool keep)
{
    if (!writing_ && !reading_) return finish(error, status, keep);
    // What runs on the connection has to end before it.
    end_ = {error, status};
    connection_->close();
}

void exchange::finish_if_quiet()
{
    if (!writing_ && !reading_) finish(end_->error, end_->status, false);
}

delivery exchange::delivery_of(error_code error, unsigned status) const noexcept
{
    auto how_far = delivery::responded;
    if (error)
        how_far = written_ == 0 || refused_handshake(error) ? delivery::not_sent : delivery::ambiguous;
    else if (status == 429)
        how_far = delivery::rejected;
    else if (status >= 500)
        how_far = delivery::ambiguous;
    // An answer to a request that changes nothing answers all its copies.
    if (how_far == delivery::responded && order_.replay == idempotency::safe) return how_far;
    return before_replay_ ? worse(*before_replay_, how_far) : how_far;
}

// In TLS 1.3 the client is done with the handshake before the server has seen its certificate: the server tells that it
// does not accept it when the request is already on its way. It does not read that.
bool exchange::refused_handshake(error_code error) const noexcept
{
    return !reused_ && !got_bytes_ && connection_ && connection_->uses_tls_1_3() && refuses_client(error);
}

void exchange::finish(error_code error, unsigned status, bool keep)
{
    auto const alive = self();
    auto const how_far = delivery_of(error, status);
    step_ = step::finished;
    core().deadlines().remove(*this);
    // A look-up that has not begun is not begun; one that has holds a reference to this, and is not waited for. To cancel
    // it would allocate.
    resolver_.reset();
    if (dialer_) dialer_->stop();
    dialer_.reset();
    if (queued_at_) core().leave_queue(*std::exchange(queued_at_, std::nullopt));
    parser_.reset();
    reader_.reset();
    if (error && order_.to != nullptr) order_.to->discard();
    own_.reset();
    if (!keep) connection_.reset();
    // Before the handler is called: its next request is to find the connection.
    if (std::exchange(holds_place_, false)) core().release(std::move(connection_));
    complete_at_last(error, {order_.reported_to, how_far});
    // After that, so that a client that is being closed finds the connection, and whoever waits for its end is called
    // after this.
    leave();
}

void start_attempt(
    std::shared_ptr<client_core> const& core,
    std::unique_ptr<request_source> message,
    std::unique_ptr<receiver> to,
    idempotency replay,
    attempt const* reported_to)
{
    exchange_order const order{.message = message.get(), .to = to.get(), .replay = replay, .reported_to = reported_to};
    std::make_shared<exchange>(core, order, std::move(to), std::move(message))->initiate();
}

}  // namespace backbeat::http::detail
