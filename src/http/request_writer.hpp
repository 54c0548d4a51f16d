//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_REQUEST_WRITER_HPP
#define BACKBEAT_SRC_HTTP_REQUEST_WRITER_HPP

#include <backbeat/http/detail/request_source.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace backbeat::http::detail {

// The bytes of a request, piece by piece. Small pieces are gathered, so that a small request is one write; large ones
// are not copied.
class request_writer {
public:
    // `header` ends with the empty line. If there is an error, nothing is to be written.
    void start(std::string header, request_source& body, boost::system::error_code& error);

    // What is to be written next. Empty: nothing is left, or there is an error.
    [[nodiscard]] boost::asio::const_buffer data(boost::system::error_code& error);

    // Nothing comes after it, so that the body is not asked any more.
    [[nodiscard]] bool is_last() const noexcept { return ended_ && direct_.size() == 0; }

    // So much of it was written.
    void consume(std::size_t count);

private:
    void gather(boost::system::error_code& error);

    request_source* body_ = nullptr;
    bool chunked_ = false;
    std::uint64_t left_ = 0;  // of the body, unless it is chunked
    bool ended_ = false;
    bool ends_chunk_ = false;  // after `direct_`
    std::string gathered_;
    std::size_t written_ = 0;  // of `gathered_`
    boost::asio::const_buffer direct_;  // the source's, and comes after `gathered_`
};

}  // namespace backbeat::http::detail

#endif
