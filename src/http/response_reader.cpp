//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "response_reader.hpp"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>

#include <utility>

namespace backbeat::http::detail {

namespace {

// Only the news that the answer is yet to come.
[[nodiscard]] bool is_interim(response_reader::header_type const& header) noexcept
{
    return header.result_int() / 100 == 1 && header.result_int() != 101;
}

[[nodiscard]] bool is_gzip(response_reader::header_type const& header)
{
    using boost::beast::http::field;
    if (header.count(field::content_encoding) != 1) return false;
    auto const value = header[field::content_encoding];
    return boost::beast::iequals(value, "gzip") || boost::beast::iequals(value, "x-gzip");
}

}  // namespace

void response_reader::begin(header_type& header, boost::system::error_code& error)
{
    using boost::beast::http::field;
    // Beast takes both: the first as it is, and of the second it believes any Content-Length that follows.
    if (header.result_int() < 100)
        error = boost::beast::http::error::bad_status;
    else if (header.count(field::transfer_encoding) != 0 && !parser_.chunked())
        error = boost::beast::http::error::bad_transfer_encoding;
    else
        to_.begin(std::move(header), error);
}

void response_reader::begin_body(
    header_type& header, std::optional<std::uint64_t> size, boost::system::error_code& error)
{
    if (is_interim(header)) return;
    has_body_ = true;
    if (may_be_compressed_ && is_gzip(header)) {
        using boost::beast::http::field;
        decoder_ = std::make_unique<gzip_decoder>();
        header.erase(field::content_encoding);
        header.erase(field::content_length);
        size = std::nullopt;
    }
    begin(header, error);
    if (!error) to_.begin_body(size, error);
}

void response_reader::put(boost::asio::const_buffer bytes, boost::system::error_code& error)
{
    if (!decoder_) return to_.put(bytes, error);
    auto const pass_on = [this](boost::asio::const_buffer piece, boost::system::error_code& failure) {
        decoded_ += piece.size();
        if (decoded_ > body_limit_)
            failure = boost::beast::http::error::body_limit;
        else
            to_.put(piece, failure);
    };
    decoder_->put(bytes, pass_on, error);
}

void response_reader::end(header_type& header, boost::system::error_code& error)
{
    if (is_interim(header)) return;
    if (!has_body_) begin(header, error);
    if (!error && decoder_) decoder_->finish(error);
    if (!error) to_.end(error);
}

}  // namespace backbeat::http::detail
