//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_EXCHANGE_HPP
#define BACKBEAT_SRC_HTTP_EXCHANGE_HPP

#include "client_core.hpp"
#include "dialer.hpp"
#include "operation.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/http/idempotency.hpp>
#include <backbeat/http/message.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace backbeat::http::detail {

// One attempt of a request: a state machine that runs on the client's strand.
//
//     queued -> resolving -> connecting -> handshaking -> writing -> reading -> finished
//
// Each step has one operation under way, whose handler takes the next. To stop in the middle is to close the socket and
// to let that handler end the exchange, so that the delivery is known exactly and a result that was already there
// still counts. Three steps need no waiting: a queued exchange leaves the queue, a resolver, which cannot be stopped,
// is left alone with a reference to this, and a dialer is dropped.
//
// From the start to the end a wait on the timer owns this, with a time limit or without: in the queue nothing else
// does.
class exchange final : public operation {
public:
    exchange(
        std::shared_ptr<client_core> core,
        request const& message,
        idempotency replay,
        attempt const* reported_to,
        response_handler handler);
    ~exchange() override;

    // The pool has a connection for it, or lets it make one.
    void use(std::unique_ptr<connection> kept);
    void connect();

    void cancel(boost::asio::cancellation_type type) override;

private:
    enum class step : std::uint8_t { queued, resolving, connecting, handshaking, writing, reading, finished };

    using clock = std::chrono::steady_clock;
    using parser = boost::beast::http::response_parser<boost::beast::http::string_body>;

    [[nodiscard]] boost::system::error_code serialise(request const& message);
    [[nodiscard]] std::shared_ptr<exchange> self();
    void start() override;
    // Ends it with this error, unless it ends with a result all the same.
    void stop(boost::system::error_code reason);

    void arm_timer();
    void on_timer();

    void resolve();
    void dial(endpoint_list in_order);
    void on_connect(boost::system::error_code error, boost::asio::ip::tcp::socket connected);
    void on_handshake(boost::system::error_code error);
    void write();
    void on_write(boost::system::error_code error, std::size_t count);
    void read();
    void on_read(boost::system::error_code error, std::size_t count);
    void parse();
    void on_end_of_stream(boost::system::error_code error);
    void on_message();

    void new_parser();
    [[nodiscard]] bool replay_on_fresh_connection();
    void fail(boost::system::error_code error);
    void finish(boost::system::error_code error, response message, bool keep);
    [[nodiscard]] delivery delivery_of(boost::system::error_code error, response const& message) const noexcept;

    attempt const* reported_to_;
    std::string wire_;
    boost::system::error_code malformed_;
    bool is_head_ = false;
    bool keep_alive_ = true;
    idempotency replay_;

    step step_ = step::queued;
    std::optional<client_core::queue_position> queued_at_;
    bool holds_place_ = false;  // of a connection in the pool
    std::unique_ptr<connection> connection_;
    bool reused_ = false;
    bool replayed_ = false;
    std::optional<delivery> before_replay_;
    boost::system::error_code stopped_;

    boost::asio::steady_timer timer_;
    std::optional<clock::time_point> attempt_deadline_;
    std::optional<clock::time_point> connect_deadline_;

    std::optional<boost::asio::ip::tcp::resolver> resolver_;
    std::shared_ptr<dialer> dialer_;

    std::size_t written_ = 0;
    boost::system::error_code write_error_;
    bool got_bytes_ = false;
    bool at_start_ = true;  // of a message: nothing of it was understood yet
    std::optional<parser> parser_;
};

}  // namespace backbeat::http::detail

#endif
