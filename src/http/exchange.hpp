//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_EXCHANGE_HPP
#define BACKBEAT_SRC_HTTP_EXCHANGE_HPP

#include "client_core.hpp"
#include "deadline_set.hpp"
#include "dialer.hpp"
#include "operation.hpp"
#include "request_writer.hpp"
#include "response_reader.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/http/detail/receiver.hpp>
#include <backbeat/http/detail/request_source.hpp>
#include <backbeat/http/idempotency.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace backbeat::http::detail {

// What an exchange is to do. What it points to must stay valid until it has completed.
struct exchange_order {
    request_source* message = nullptr;  // null: only to make a connection for the pool
    response_sink* to = nullptr;
    idempotency replay = idempotency::never;
    attempt const* reported_to = nullptr;
    std::string_view idempotency_key{};
    std::string_view authorization{};
    bool is_part = false;  // of an operation that was started before
    std::chrono::nanoseconds already_spent{};  // of the attempt's time, on what came before the request
};

// One attempt of a request: a state machine that runs on the client's strand.
//
//     queued -> resolving -> connecting -> handshaking -> writing -> reading -> finished
//
// Each step has one operation under way, whose handler takes the next. While a long request is written, its answer is read
// already: it may come early, and then be all that the server does. To stop in the middle is to close the socket and
// to let that handler end the exchange, so that the delivery is known exactly and a result that was already there
// still counts. Three steps need no waiting: a queued exchange leaves the queue, a resolver, which cannot be stopped,
// is left alone with a reference to this, and a dialer is dropped.
//
// From the start to the end the client's deadlines own this, with a time limit or without: in the queue nothing else
// does.
class exchange final : public operation, private deadline_entry {
public:
    // `own` is the message of the order, if it belongs to the exchange.
    exchange(
        std::shared_ptr<client_core> core,
        exchange_order const& order,
        std::unique_ptr<completion_target> target,
        std::unique_ptr<request_source> own = nullptr);
    ~exchange() override;

    // The pool has a connection for it, or lets it make one.
    void use(std::unique_ptr<connection> kept);
    void connect();

    void cancel(boost::asio::cancellation_type type) override;

private:
    enum class step : std::uint8_t { queued, resolving, connecting, handshaking, writing, reading, finished };

    using clock = std::chrono::steady_clock;

    [[nodiscard]] boost::system::error_code make_head();
    [[nodiscard]] std::string header();
    [[nodiscard]] std::shared_ptr<exchange> self();
    void start() override;
    void take_place(clock::time_point now);
    void end_later(boost::system::error_code error, bool keep);
    // Ends it with this error, unless it ends with a result all the same.
    void stop(boost::system::error_code reason);

    [[nodiscard]] clock::time_point next_deadline() const noexcept;
    void on_deadline() override;

    void resolve();
    void dial(endpoint_list in_order);
    void on_connect(boost::system::error_code error, boost::asio::ip::tcp::socket connected);
    void on_handshake(boost::system::error_code error);
    void on_connected();
    template <class Function>
    void guard(Function function, boost::system::error_code& error);
    // Ends with what is thrown.
    template <class Function>
    void guarded(Function function);
    void write_at_once();
    void write();
    void on_write(boost::system::error_code error, std::size_t count);
    void receive();
    void read();
    static void on_end_of_read(std::shared_ptr<exchange> self, boost::system::error_code error, std::size_t count);
    void on_read(boost::system::error_code error, std::size_t count);
    void parse();
    void on_end_of_stream(boost::system::error_code error);
    void on_message();
    [[nodiscard]] bool may_keep() const;

    void new_parser();
    [[nodiscard]] bool replay_on_fresh_connection();
    void fail(boost::system::error_code error);
    // As soon as nothing runs on the connection any more.
    void end(boost::system::error_code error, unsigned status, bool keep);
    void finish_if_quiet();
    void finish(boost::system::error_code error, unsigned status, bool keep);
    [[nodiscard]] delivery delivery_of(boost::system::error_code error, unsigned status) const noexcept;
    [[nodiscard]] bool refused_handshake(boost::system::error_code error) const noexcept;

    exchange_order order_;
    std::unique_ptr<request_source> own_;
    std::string head_;  // the header, without what is known only when it is sent; empty: it was sent
    bool is_head_ = false;
    bool keep_alive_ = true;
    bool asks_for_gzip_ = false;

    step step_ = step::queued;
    std::optional<client_core::queue_position> queued_at_;
    bool holds_place_ = false;  // of a connection in the pool
    std::unique_ptr<connection> connection_;
    bool reused_ = false;
    bool replayed_ = false;
    std::optional<delivery> before_replay_;
    boost::system::error_code stopped_;

    std::optional<clock::time_point> attempt_deadline_;
    std::optional<clock::time_point> connect_deadline_;
    std::optional<clock::time_point> queue_deadline_;
    std::optional<clock::time_point> answer_deadline_;  // what the server is told

    std::unique_ptr<boost::asio::ip::tcp::resolver> resolver_;  // large, and mostly not needed
    std::shared_ptr<dialer> dialer_;

    request_writer writer_;
    std::size_t written_ = 0;
    bool writing_ = false;
    bool reading_ = false;
    struct ending {
        boost::system::error_code error;
        unsigned status = 0;
    };
    std::optional<ending> end_;
    std::optional<unsigned> early_answer_;  // a success, which came while there was more to write
    boost::system::error_code write_error_;
    std::optional<boost::system::error_code> read_error_;  // which came while there was more to write
    bool got_bytes_ = false;
    bool at_start_ = true;  // of a message: nothing of it was understood yet
    unsigned interim_responses_ = 0;
    std::optional<response_reader> reader_;
    std::optional<response_parser> parser_;
};

}  // namespace backbeat::http::detail

#endif
