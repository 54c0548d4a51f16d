//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_RESPONSE_READER_HPP
#define BACKBEAT_SRC_HTTP_RESPONSE_READER_HPP

#include "gzip_decoder.hpp"

#include <backbeat/http/detail/receiver.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/optional/optional.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

namespace backbeat::http::detail {

// Stands between Beast's parser and the caller's response: knows nothing of the type of the body, and so is compiled
// once.
class response_reader {
public:
    using header_type = response_sink::header_type;

    using parser_type = boost::beast::http::basic_parser<false>;

    // A body that is compressed is decompressed if `may_be_compressed`, and has two limits then, which are the same.
    response_reader(response_sink& to, parser_type const& parser, std::uint64_t body_limit, bool may_be_compressed)
        : to_(to), parser_(parser), body_limit_(body_limit), may_be_compressed_(may_be_compressed)
    {}
    response_reader(response_reader const&) = delete;
    response_reader& operator=(response_reader const&) = delete;

    // Of the body type that follows.
    void begin_body(header_type& header, std::optional<std::uint64_t> size, boost::system::error_code& error);
    void put(boost::asio::const_buffer bytes, boost::system::error_code& error);
    void end(header_type& header, boost::system::error_code& error);

private:
    void begin(header_type& header, boost::system::error_code& error);

    response_sink& to_;
    parser_type const& parser_;
    std::uint64_t body_limit_;
    bool may_be_compressed_;
    bool has_body_ = false;
    std::unique_ptr<gzip_decoder> decoder_;
    std::uint64_t decoded_ = 0;
};

// The body type that Beast's parser is made for. Its trailers stay behind in the parser: RFC 9110, 6.5.1, forbids to
// merge those that nobody knows into the header.
struct forwarded_body {
    using value_type = response_reader*;

    class reader {
    public:
        template <bool is_request, class Fields>
        reader(boost::beast::http::header<is_request, Fields>& header, value_type& to) : to_(to)
        {
            if constexpr (std::is_same_v<boost::beast::http::header<is_request, Fields>, response_reader::header_type>)
                header_ = &header;
        }

        void init(boost::optional<std::uint64_t> const& size, boost::system::error_code& error)
        {
            error = {};
            to_->begin_body(*header_, size ? std::optional<std::uint64_t>(*size) : std::nullopt, error);
        }

        template <class Buffers>
        std::size_t put(Buffers const& buffers, boost::system::error_code& error)
        {
            error = {};
            std::size_t count = 0;
            auto const end = boost::asio::buffer_sequence_end(buffers);
            for (auto at = boost::asio::buffer_sequence_begin(buffers); at != end && !error; ++at) {
                boost::asio::const_buffer const bytes(*at);
                to_->put(bytes, error);
                count += bytes.size();
            }
            return count;
        }

        void finish(boost::system::error_code& error)
        {
            error = {};
            to_->end(*header_, error);
        }

    private:
        response_reader::header_type* header_ = nullptr;
        value_type& to_;
    };
};

using response_parser = boost::beast::http::response_parser<forwarded_body>;

}  // namespace backbeat::http::detail

#endif
