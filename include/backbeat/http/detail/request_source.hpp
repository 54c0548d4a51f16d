//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_DETAIL_REQUEST_SOURCE_HPP
#define BACKBEAT_HTTP_DETAIL_REQUEST_SOURCE_HPP

#include <backbeat/http/replayable_body.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace backbeat::http::detail {

// A request, whatever the type of its body: what an exchange sends, once or several times.
class request_source {
public:
    using header_type = boost::beast::http::request_header<boost::beast::http::fields>;

    request_source() = default;
    request_source(request_source const&) = delete;
    request_source& operator=(request_source const&) = delete;
    virtual ~request_source() = default;

    [[nodiscard]] virtual header_type const& header() const noexcept = 0;
    [[nodiscard]] virtual bool keep_alive() const = 0;

    // Empty: not known before it is read.
    [[nodiscard]] virtual std::optional<std::uint64_t> body_size() const = 0;

    // Whether the last error came from here, and not from a connection.
    [[nodiscard]] virtual bool has_failed() const noexcept = 0;

    // Whether `rewind` can be called.
    [[nodiscard]] virtual bool can_rewind() const noexcept = 0;

    // To the beginning of the body. To be called before each copy.
    virtual void rewind(boost::system::error_code& error) = 0;

    // The next piece of the body, valid until the next call. Empty: it ended, or there is an error.
    [[nodiscard]] virtual boost::asio::const_buffer next(boost::system::error_code& error) = 0;
};

// `Message` may be const, if the body's writer allows it.
template <class Message>
class source_of_body final : public request_source {
    using body = typename Message::body_type;
    using writer = typename body::writer;
    using buffers = typename writer::const_buffers_type;

public:
    // Its own.
    explicit source_of_body(std::remove_const_t<Message>&& message) : own_(std::move(message)), message_(&*own_) {}

    // The caller's.
    explicit source_of_body(Message* message) noexcept : message_(message) {}

    header_type const& header() const noexcept override { return message_->base(); }
    bool keep_alive() const override { return message_->keep_alive(); }

    std::optional<std::uint64_t> body_size() const override
    {
        auto const size = message_->payload_size();
        return size ? std::optional<std::uint64_t>(*size) : std::nullopt;
    }

    bool can_rewind() const noexcept override { return replayable_body<body>::value || !read_; }

    bool has_failed() const noexcept override { return failed_; }

    void rewind(boost::system::error_code& error) override
    {
        failed_ = true;
        if constexpr (requires { replayable_body<body>::rewind(message_->body(), error); }) {
            replayable_body<body>::rewind(message_->body(), error);
            if (error) return;
        }
        rest_.reset();
        more_ = true;
        writer_.emplace(message_->base(), message_->body());
        writer_->init(error);
        failed_ = error.failed();
    }

    boost::asio::const_buffer next(boost::system::error_code& error) override
    {
        read_ = true;
        for (;;) {
            if (rest_) {
                for (; rest_->at != rest_->end;) {
                    boost::asio::const_buffer const piece(*rest_->at++);
                    if (piece.size() != 0) return piece;
                }
                rest_.reset();
            }
            if (!more_) return {};
            auto pieces = writer_->get(error);
            if (error || !pieces) {
                failed_ = error.failed();
                more_ = false;
                return {};
            }
            more_ = pieces->second;
            rest_.emplace(std::move(pieces->first));
        }
    }

private:
    // What is left of what the writer gave last.
    struct remainder {
        explicit remainder(buffers&& given)
            : all(std::move(given)),
              at(boost::asio::buffer_sequence_begin(all)),
              end(boost::asio::buffer_sequence_end(all))
        {}
        remainder(remainder const&) = delete;
        remainder& operator=(remainder const&) = delete;

        buffers all;
        decltype(boost::asio::buffer_sequence_begin(std::declval<buffers const&>())) at;
        decltype(boost::asio::buffer_sequence_end(std::declval<buffers const&>())) end;
    };

    std::optional<std::remove_const_t<Message>> own_;
    Message* message_;
    std::optional<writer> writer_;
    std::optional<remainder> rest_;
    bool more_ = true;
    bool read_ = false;
    bool failed_ = false;
};

}  // namespace backbeat::http::detail

#endif
