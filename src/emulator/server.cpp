//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "server.hpp"

#include "certificate.hpp"
#include "exchange.hpp"
#include "service.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/url/authority_view.hpp>

#include <openssl/ssl.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <exception>
#include <iterator>
#include <list>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace backbeat::emulation {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using clock = std::chrono::steady_clock;
using executor = asio::io_context::executor_type;
using acceptor_type = asio::basic_socket_acceptor<asio::ip::tcp, executor>;
using socket_type = asio::basic_stream_socket<asio::ip::tcp, executor>;
using tls_stream = asio::ssl::stream<socket_type>;
using timer_type = asio::basic_waitable_timer<clock, asio::wait_traits<clock>, executor>;

constexpr auto no_deadline = (clock::time_point::max)();

// Connections that wait to be accepted: a crowd of clients connects at once. The kernel may allow fewer.
constexpr int backlog = 4096;

// How long the rest of what a client sends is read, so that closing does not destroy the answer on its way (a socket
// that is closed with unread data is reset).
constexpr auto linger_time = std::chrono::seconds(2);
constexpr std::size_t linger_bytes = 16 * 1024 * 1024;

// A body for the emulator itself may be a snapshot of everything.
constexpr std::size_t control_body_limit = 64 * 1024 * 1024;

// What may be read ahead of the header or the chunk that is being gathered. Beast limits headers and bodies by itself,
// but neither the line before a chunk nor the trailers: those are held back by the size of the buffer.
constexpr std::size_t read_ahead = 16 * 1024;

// Longer answers give their memory back before the next request is waited for.
constexpr std::size_t kept_answer = 16 * 1024;

// How long `stop` waits for answers that are being written.
constexpr auto stop_time = std::chrono::milliseconds(250);

class connection {
public:
    virtual ~connection() = default;

    // The time limit has passed.
    virtual void expire() = 0;

    // The server is about to stop.
    virtual void wind_down() = 0;

    virtual void close() = 0;

    clock::time_point deadline = no_deadline;
};

using connection_list = std::list<connection*>;

std::string http_date()
{
    auto const now = std::time(nullptr);
    std::tm utc{};
#ifdef _WIN32
    gmtime_s(&utc, &now);
#else
    gmtime_r(&now, &utc);
#endif
    static constexpr char const* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr char const* months[] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    auto const two = [](int number) { return std::string{char('0' + number / 10), char('0' + number % 10)}; };
    return std::string(days[utc.tm_wday]) + ", " + two(utc.tm_mday) + " " + months[utc.tm_mon] + " "
        + std::to_string(utc.tm_year + 1900) + " " + two(utc.tm_hour) + ":" + two(utc.tm_min) + ":" + two(utc.tm_sec)
        + " GMT";
}

// Header and body in one piece, so that they leave in one segment: written apart, they cost some clients 40 ms.
std::string wire_text(http_reply const& reply, bool with_body, bool close, bool http_1_0)
{
    std::string text = "HTTP/1.1 " + std::to_string(reply.status) + " ";
    auto const add_field = [&text](std::string_view name, std::string_view value) {
        text.append(name).append(": ").append(value).append("\r\n");
    };
    text.append(http::obsolete_reason(http::int_to_status(static_cast<unsigned>(reply.status)))).append("\r\n");
    add_field("Server", "backbeat-emulator");
    add_field("Date", http_date());
    for (auto const& [name, value] : reply.fields) add_field(name, value);
    if (!reply.body.empty()) add_field("Content-Type", reply.content_type);
    add_field("Content-Length", std::to_string(reply.body.size()));
    if (close) {
        add_field("Connection", "close");
    } else if (http_1_0) {
        add_field("Connection", "keep-alive");
    }
    text += "\r\n";
    if (with_body) text += reply.body;
    return text;
}

}  // namespace

class server::impl {
public:
    impl(service& answers, server_limits const& limits)
        : answers_(answers),
          limits_(limits),
          sweep_timer_(context_.get_executor()),
          work_(asio::make_work_guard(context_))
    {}

    ~impl() { stop(); }

    std::uint16_t listen(std::string const& host, std::uint16_t port, server_identity const* identity);
    void start();
    void stop() noexcept;

    std::atomic<std::size_t> open{0};
    std::atomic<std::size_t> peak{0};

private:
    template <class Stream>
    class session;

    struct listener {
        listener(executor const& ex) : acceptor(ex), pause(ex) {}

        acceptor_type acceptor;
        timer_type pause;
        std::optional<asio::ssl::context> tls;
    };

    void accept(listener& where);
    void sweep();
    void wind_down();
    connection_list::iterator enter(connection* added);
    void leave(connection_list::iterator where);

    service& answers_;
    server_limits limits_;
    asio::io_context context_{1};
    std::list<listener> listeners_;
    connection_list connections_;
    timer_type sweep_timer_;
    std::optional<timer_type> stop_timer_;
    asio::executor_work_guard<executor> work_;
    bool stopping_ = false;
    std::mutex stop_mutex_;
    std::thread thread_;
};

// One connection. Its requests are answered one after the other, in their order, whether pipelined or not.
template <class Stream>
class server::impl::session final : public connection, public std::enable_shared_from_this<session<Stream>> {
public:
    template <class... Args>
    explicit session(impl& owner, Args&&... args)
        : owner_(owner),
          stream_(std::forward<Args>(args)...),
          timer_(owner.context_.get_executor()),
          place_(owner.enter(this))
    {
        buffer_.max_size(owner.limits_.header + read_ahead);
    }

    ~session() override { owner_.leave(place_); }

    void start()
    {
        if constexpr (is_tls) {
            enter_phase(phase::handshaking, owner_.limits_.idle);
            stream_.async_handshake(asio::ssl::stream_base::server, [self = this->shared_from_this()](error_code ec) {
                if (ec) return self->close();
                self->read();
            });
        } else {
            read();
        }
    }

    void expire() override
    {
        if (phase_ != phase::reading) return close();
        // The pending read then ends as if the client had closed, and the connection is closed in the usual way.
        expired_ = true;
        deadline = clock::now() + linger_time;
        phase_ = phase::closing;
        error_code ignored;
        socket().shutdown(asio::socket_base::shutdown_receive, ignored);
    }

    void wind_down() override
    {
        last_request_ = true;
        if (phase_ == phase::reading && is_tls && !got_some()) return expire();
        if (phase_ != phase::writing && phase_ != phase::closing) close();
    }

    void close() override
    {
        phase_ = phase::closing;
        error_code ignored;
        timer_.cancel();
        socket().close(ignored);
    }

private:
    static constexpr bool is_tls = !std::is_same_v<Stream, socket_type>;

    enum class phase { handshaking, reading, waiting, writing, hanging, closing };

    socket_type& socket()
    {
        if constexpr (is_tls) {
            return stream_.next_layer();
        } else {
            return stream_;
        }
    }

    void enter_phase(phase next, std::chrono::nanoseconds limit)
    {
        phase_ = next;
        auto const now = clock::now();
        deadline = limit < no_deadline - now ? now + limit : no_deadline;
    }

    void enter_phase(phase next)
    {
        phase_ = next;
        deadline = no_deadline;
    }

    [[nodiscard]] bool got_some() const { return buffer_.size() != 0 || (parser_ && parser_->got_some()); }

    void read()
    {
        if (last_request_) return finish();
        // One limit for the whole request: a client that sends a byte now and then cannot stay for ever.
        enter_phase(phase::reading, owner_.limits_.idle);
        exchange_.reset();
        read_header();
    }

    void read_header()
    {
        parser_.emplace();
        parser_->header_limit(static_cast<std::uint32_t>(owner_.limits_.header));
        // Which limit holds depends on the target, which the header will tell.
        parser_->body_limit(largest_body());
        http::async_read_header(
            stream_, buffer_, *parser_, [self = this->shared_from_this()](error_code ec, std::size_t) {
                // Some clients end a body with an empty line more than it has (RFC 9112, section 2.2).
                if (ec == http::error::bad_method && self->skip_empty_line()) return self->read_header();
                if (ec) return self->read_failed(ec);
                self->read_body();
            });
    }

    bool skip_empty_line()
    {
        static constexpr std::string_view empty_line = "\r\n";
        if (!buffered().starts_with(empty_line)) return false;
        buffer_.consume(empty_line.size());
        return true;
    }

    [[nodiscard]] std::uint64_t largest_body() const { return (std::max)(owner_.limits_.body, control_body_limit); }

    void read_body()
    {
        auto const& message = parser_->get();
        // Now, as trailers will stand among the fields of the header.
        take_header(message);
        // Beast would take a coding that it does not know for no body at all, and the body for the next request.
        if (auto const coding = message.find(http::field::transfer_encoding);
            coding != message.end() && !boost::beast::iequals(coding->value(), "chunked")) {
            return refuse(501, "The emulator knows no transfer coding but chunked.");
        }
        if (message.target().substr(0, 10) != "/emulator/") {
            parser_->body_limit(owner_.limits_.body);
            if (parser_->content_length().value_or(0) > owner_.limits_.body)
                return read_failed(http::error::body_limit);
        }
        if (auto const* const problem = problem_of_host(message)) return refuse(400, problem);
        if (parser_->is_done()) return begin();
        if (message.version() >= 11 && boost::beast::iequals(message[http::field::expect], "100-continue")) {
            static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
            asio::async_write(
                stream_, asio::buffer(go_on), [self = this->shared_from_this()](error_code ec, std::size_t) {
                    if (ec) return self->close();
                    self->read_rest();
                });
            return;
        }
        read_rest();
    }

    void take_header(http::request<http::string_body> const& message)
    {
        http_1_0_ = message.version() < 11;
        // The framing of a message of HTTP/1.0 that has a transfer coding is not to be trusted (RFC 9112, section 6.1).
        if (!message.keep_alive() || (http_1_0_ && message.count(http::field::transfer_encoding) != 0))
            last_request_ = true;
        request_ = {
            std::string(message.method_string()),
            std::string(message.target()),
            {},
            std::string(message["x-backbeat-logical-id"]),
            std::string(message[http::field::authorization])};
        for (auto const& name : owner_.answers_.log_headers()) {
            auto const [first, last] = message.equal_range(name);
            for (auto each = first; each != last; ++each) {
                auto& value = request_.logged_headers[name];
                if (each != first) value += ", ";
                value += each->value();
            }
        }
    }

    // RFC 9112, section 3.2. Null: there is none.
    [[nodiscard]] static char const* problem_of_host(http::request<http::string_body> const& message)
    {
        auto const [first, last] = message.equal_range(http::field::host);
        if (first == last) return message.version() < 11 ? nullptr : "The request has no Host field.";
        if (std::next(first) != last) return "The request has more than one Host field.";
        auto const host = boost::urls::parse_authority(first->value());
        if (!host || host->has_userinfo()) return "The value of the Host field is neither HOST nor HOST:PORT.";
        return nullptr;
    }

    void read_rest()
    {
        http::async_read(stream_, buffer_, *parser_, [self = this->shared_from_this()](error_code ec, std::size_t) {
            if (ec) return self->read_failed(ec);
            self->begin();
        });
    }

    void read_failed(error_code ec)
    {
        if (!socket().is_open()) return;
        if (expired_) {
            if (!got_some()) return finish();
            return refuse(408, "The request did not arrive in full within the time limit of the emulator.");
        }
        if (ec == http::error::end_of_stream) return finish();
        if (ec == http::error::header_limit && request_line().size() >= owner_.limits_.header) {
            return refuse(
                414,
                "The request line is longer than the limit of " + std::to_string(owner_.limits_.header) + " bytes.");
        }
        if (ec == http::error::header_limit) {
            return refuse(
                431,
                "The header of the request is larger than the limit of " + std::to_string(owner_.limits_.header)
                    + " bytes.");
        }
        if (ec == http::error::buffer_overflow) {
            return refuse(
                431,
                "What the body of the request has besides its data is larger than the limit of "
                    + std::to_string(owner_.limits_.header) + " bytes for a header.");
        }
        if (ec == http::error::body_limit)
            return refuse(413, "The body of the request is larger than the limit of the emulator.");
        if (ec == http::error::bad_version && names_other_version())
            return refuse(505, "The emulator speaks HTTP/1.1 and HTTP/1.0.");
        if (ec.category() == http::make_error_code(http::error::bad_method).category())
            return refuse(400, "The request is not HTTP/1.1: " + ec.message() + ".");
        close();
    }

    // What has arrived of the request line, while the header is incomplete.
    [[nodiscard]] std::string_view request_line() const
    {
        auto const text = buffered();
        return parser_->get().target().empty() ? text.substr(0, text.find_first_of("\r\n")) : std::string_view();
    }

    [[nodiscard]] std::string_view buffered() const
    {
        auto const data = buffer_.cdata();
        return {static_cast<char const*>(data.data()), data.size()};
    }

    // Whether the request line ends like that of HTTP/2.0, and not in something that is no HTTP, or in a bare line feed.
    [[nodiscard]] bool names_other_version() const
    {
        auto const text = request_line();
        auto const version = text.substr((std::min)(text.rfind(' '), text.size()));
        auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
        return version.size() == 9 && version.substr(0, 6) == " HTTP/" && is_digit(version[6]) && version[7] == '.'
            && is_digit(version[8]) && version != " HTTP/1.1" && version != " HTTP/1.0";
    }

    void refuse(int status, std::string const& message)
    {
        last_request_ = true;
        // The answer to HEAD has no body, whatever it is.
        write(owner_.answers_.malformed(status, message), parser_->get().method() != http::verb::head);
    }

    void begin()
    {
        request_.body = std::move(parser_->get().body());
        parser_.reset();
        exchange_ = owner_.answers_.begin(std::exchange(request_, {}));
        wait(exchange_->delay_before, &session::act);
    }

    void wait(std::chrono::nanoseconds duration, void (session::*next)())
    {
        if (duration <= duration.zero()) return (this->*next)();
        enter_phase(phase::waiting);
        timer_.expires_after(std::chrono::duration_cast<clock::duration>(duration));
        timer_.async_wait([self = this->shared_from_this(), next](error_code ec) {
            if (!ec) (self.get()->*next)();
        });
    }

    void act()
    {
        reply_ = owner_.answers_.act(*exchange_);
        wait(exchange_->delay_after, &session::answer);
    }

    void answer()
    {
        // The socket may be closed here, when the client has gone or `stop` cut the wait short; the action stays done.
        switch (exchange_->rule.action) {
        case fault_action::reset: return reset();
        case fault_action::hang: return hang();
        case fault_action::none:
        case fault_action::refuse:
        case fault_action::status:
        case fault_action::truncate: break;
        }
        auto const truncated = exchange_->rule.action == fault_action::truncate;
        if (truncated) last_request_ = true;
        exchange_->status = reply_.status;
        owner_.answers_.finish(*exchange_);
        // The answer to HEAD has no body to cut.
        auto const with_body = exchange_->request.method != "HEAD";
        auto const reply = std::exchange(reply_, {});
        write(reply, with_body, truncated && with_body ? reply.body.size() - reply.body.size() / 2 : 0);
    }

    void write(http_reply const& reply, bool with_body, std::size_t left_out = 0)
    {
        enter_phase(phase::writing, owner_.limits_.idle);
        out_ = wire_text(reply, with_body, last_request_, http_1_0_);
        asio::async_write(
            stream_,
            asio::buffer(out_.data(), out_.size() - left_out),
            [self = this->shared_from_this()](error_code ec, std::size_t) {
                if (ec) {
                    if (self->exchange_) self->owner_.answers_.lost(*self->exchange_);
                    return self->close();
                }
                if (self->out_.capacity() > kept_answer) std::string().swap(self->out_);
                self->read();
            });
    }

    void reset()
    {
        owner_.answers_.finish(*exchange_);
        error_code ignored;
        socket().set_option(asio::socket_base::linger(true, 0), ignored);
        close();
    }

    void hang()
    {
        owner_.answers_.finish(*exchange_);
        enter_phase(phase::hanging);
        drain([](session& self) { self.close(); });
    }

    // Ends the connection after the last answer, so that the client gets all of it.
    void finish()
    {
        enter_phase(phase::closing, linger_time);
        drained_ = 0;
        if constexpr (is_tls) {
            stream_.async_shutdown([self = this->shared_from_this()](error_code) { self->finish_transport(); });
        } else {
            finish_transport();
        }
    }

    void finish_transport()
    {
        error_code ec;
        socket().shutdown(asio::socket_base::shutdown_send, ec);
        if (ec) return close();
        drain_socket();
    }

    void drain_socket()
    {
        buffer_.clear();
        socket().async_read_some(
            buffer_.prepare(8192), [self = this->shared_from_this()](error_code ec, std::size_t count) {
                self->drained_ += count;
                if (ec || self->drained_ > linger_bytes) return self->close();
                self->drain_socket();
            });
    }

    template <class End>
    void drain(End end)
    {
        buffer_.clear();
        stream_.async_read_some(
            buffer_.prepare(8192), [self = this->shared_from_this(), end](error_code ec, std::size_t) {
                if (ec) return end(*self);
                self->drain(end);
            });
    }

    impl& owner_;
    Stream stream_;
    timer_type timer_;
    connection_list::iterator place_;
    phase phase_ = phase::handshaking;
    bool expired_ = false;
    bool last_request_ = false;
    bool http_1_0_ = false;
    std::size_t drained_ = 0;
    boost::beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    http_request request_;
    std::optional<exchange> exchange_;
    http_reply reply_;
    std::string out_;
};

std::uint16_t server::impl::listen(std::string const& host, std::uint16_t port, server_identity const* identity)
{
    auto const where = (host.find(':') == host.npos ? host : "[" + host + "]") + ":" + std::to_string(port);
    auto const check = [&where](error_code ec) {
        if (ec) throw boost::system::system_error(ec, "the emulator cannot listen on " + where);
    };
    error_code ec;
    asio::ip::tcp::resolver resolver(context_);
    auto const found = resolver.resolve(host, std::to_string(port), asio::ip::tcp::resolver::passive, ec);
    check(ec);

    auto& added = listeners_.emplace_back(context_.get_executor());
    auto& acceptor = added.acceptor;
    for (auto const& entry : found) {
        auto const endpoint = entry.endpoint();
        acceptor.close(ec);
        if (acceptor.open(endpoint.protocol(), ec)) continue;
#ifndef _WIN32
        // A port whose connections are in TIME_WAIT is free; one with a listener is not.
        acceptor.set_option(asio::socket_base::reuse_address(true), ec);
#endif
        if (acceptor.bind(endpoint, ec)) continue;
        if (!acceptor.listen(backlog, ec)) break;
    }
    check(ec);
    auto const local = acceptor.local_endpoint(ec);
    check(ec);

    if (identity) {
        auto& tls = added.tls.emplace(asio::ssl::context::tls_server);
        SSL_CTX_set_min_proto_version(tls.native_handle(), TLS1_2_VERSION);
        // An idle connection then keeps no buffers of OpenSSL's.
        SSL_CTX_set_mode(tls.native_handle(), SSL_MODE_RELEASE_BUFFERS);
        tls.use_certificate_chain(asio::buffer(identity->chain));
        tls.use_private_key(asio::buffer(identity->private_key), asio::ssl::context::pem);
    }
    return local.port();
}

void server::impl::start()
{
    for (auto& each : listeners_) accept(each);
    sweep();
    thread_ = std::thread([this] {
        for (;;) {
            // A handler that throws (for want of memory) loses its own connection and no other.
            try {
                context_.run();
                return;
            } catch (std::exception const&) {}
        }
    });
}

void server::impl::accept(listener& where)
{
    where.acceptor.async_accept([this, &where](error_code ec, socket_type socket) {
        if (stopping_) return;
        if (ec) {
            // Mostly the limit of open files: connections that end make room.
            where.pause.expires_after(std::chrono::milliseconds(20));
            where.pause.async_wait([this, &where](error_code) {
                if (!stopping_) accept(where);
            });
            return;
        }
        try {
            if (answers_.refuses_connection()) {
                // A reset and not an end: nobody can take it for an answer, or for an idle connection that was closed.
                socket.set_option(asio::socket_base::linger(true, 0), ec);
                socket.close(ec);
                return accept(where);
            }
            socket.set_option(asio::ip::tcp::no_delay(true), ec);
            if (where.tls) {
                std::make_shared<session<tls_stream>>(*this, std::move(socket), *where.tls)->start();
            } else {
                std::make_shared<session<socket_type>>(*this, std::move(socket))->start();
            }
        } catch (std::exception const&) {
            // No memory for one more connection must not be the end of accepting.
        }
        accept(where);
    });
}

// One timer for the time limits of all connections: arming one for each request would cost more than the request.
void server::impl::sweep()
{
    using namespace std::chrono_literals;
    auto const interval = std::clamp<std::chrono::nanoseconds>(limits_.idle / 4, 5ms, 1s);
    sweep_timer_.expires_after(std::chrono::duration_cast<clock::duration>(interval));
    sweep_timer_.async_wait([this](error_code ec) {
        if (ec || stopping_) return;
        auto const now = clock::now();
        for (auto* const each : connections_)
            if (now >= each->deadline) each->expire();
        sweep();
    });
}

void server::impl::wind_down()
{
    stopping_ = true;
    error_code ignored;
    for (auto& each : listeners_) {
        each.acceptor.close(ignored);
        each.pause.cancel();
    }
    sweep_timer_.cancel();
    for (auto* const each : connections_) each->wind_down();
    work_.reset();
    if (connections_.empty()) return;
    stop_timer_.emplace(context_.get_executor());
    stop_timer_->expires_after(stop_time);
    stop_timer_->async_wait([this](error_code) {
        for (auto* const each : connections_) each->close();
    });
}

void server::impl::stop() noexcept
{
    std::lock_guard const lock(stop_mutex_);
    if (!thread_.joinable()) return;
    asio::post(context_, [this] { wind_down(); });
    thread_.join();
}

connection_list::iterator server::impl::enter(connection* added)
{
    auto const place = connections_.insert(connections_.end(), added);
    open = connections_.size();
    if (open > peak) peak = open.load();
    return place;
}

void server::impl::leave(connection_list::iterator where)
{
    connections_.erase(where);
    open = connections_.size();
    if (connections_.empty() && stop_timer_) stop_timer_->cancel();
}

server::server(service& answers, server_limits const& limits) : impl_(std::make_unique<impl>(answers, limits)) {}

server::~server() = default;

std::uint16_t server::listen(std::string const& host, std::uint16_t port, server_identity const* identity)
{
    return impl_->listen(host, port, identity);
}

void server::start()
{
    impl_->start();
}

void server::stop() noexcept
{
    impl_->stop();
}

std::size_t server::open_connections() const noexcept
{
    return impl_->open;
}

std::size_t server::peak_connections() const noexcept
{
    return impl_->peak;
}

}  // namespace backbeat::emulation
