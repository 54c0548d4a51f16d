//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "request_writer.hpp"

#include <backbeat/http/error.hpp>

#include <array>
#include <charconv>
#include <utility>

namespace backbeat::http::detail {

namespace {

// A record of TLS.
constexpr std::size_t enough = 16 * 1024;

}  // namespace

void request_writer::start(std::string header, request_source& body, boost::system::error_code& error)
{
    auto const size = body.body_size();
    body_ = &body;
    chunked_ = !size;
    left_ = size.value_or(0);
    ended_ = false;
    ends_chunk_ = false;
    gathered_ = std::move(header);
    written_ = 0;
    direct_ = {};
    body.rewind(error);
    if (!error) gather(error);
}

boost::asio::const_buffer request_writer::data(boost::system::error_code& error)
{
    if (written_ != gathered_.size()) return {gathered_.data() + written_, gathered_.size() - written_};
    if (direct_.size() != 0) return direct_;
    gathered_.clear();
    written_ = 0;
    gather(error);
    if (error || gathered_.empty()) return direct_;
    return boost::asio::buffer(gathered_);
}

void request_writer::consume(std::size_t count)
{
    if (written_ != gathered_.size())
        written_ += count;
    else
        direct_ += count;
}

void request_writer::gather(boost::system::error_code& error)
{
    if (std::exchange(ends_chunk_, false)) gathered_ += "\r\n";
    while (!ended_ && gathered_.size() < enough) {
        auto const piece = body_->next(error);
        if (error) return;
        if (piece.size() == 0) {
            ended_ = true;
            if (chunked_)
                gathered_ += "0\r\n\r\n";
            else if (left_ != 0)
                error = errc::body_size_mismatch;
            break;
        }
        if (chunked_) {
            std::array<char, 16> digits{};
            auto const end = std::to_chars(digits.begin(), digits.end(), piece.size(), 16).ptr;
            gathered_.append(digits.begin(), end).append("\r\n");
        } else if (piece.size() > left_) {
            error = errc::body_size_mismatch;
            return;
        } else {
            left_ -= piece.size();
        }
        if (gathered_.size() + piece.size() > enough) {
            direct_ = piece;
            ends_chunk_ = chunked_;
            return;
        }
        gathered_.append(static_cast<char const*>(piece.data()), piece.size());
        if (chunked_) gathered_ += "\r\n";
    }
}

}  // namespace backbeat::http::detail
