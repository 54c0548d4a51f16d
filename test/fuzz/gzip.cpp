//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Two bytes, of which the first says how the body is split and the second how large the pieces are that come out, and
// then the body.

#include "gzip_decoder.hpp"
#include "require.hpp"

#include <backbeat/http/error.hpp>

#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace {

using backbeat::fuzz::require;
using boost::system::error_code;
namespace http = backbeat::http;

constexpr std::size_t enough = 200'000;  // of a bomb

struct outcome {
    error_code error{};
    std::string text{};
};

outcome decode(std::uint8_t const* data, std::size_t size, std::size_t step, std::size_t piece_size)
{
    http::detail::gzip_decoder decoder(piece_size);
    outcome result;
    auto const sink = [&](boost::asio::const_buffer piece, error_code& error) {
        require(piece.size() != 0 && piece.size() <= piece_size, "no piece is larger than it may be");
        result.text.append(static_cast<char const*>(piece.data()), piece.size());
        if (result.text.size() > enough) error = http::errc::client_closed;
    };
    for (std::size_t at = 0; at != size && !result.error;) {
        auto const next = (std::min)(step, size - at);
        // In memory of exactly this size, so that a sanitizer sees who reads beside it.
        auto const part = std::make_unique<std::uint8_t[]>(next);
        std::copy_n(data + at, next, part.get());
        decoder.put(boost::asio::buffer(part.get(), next), sink, result.error);
        at += next;
    }
    if (!result.error) decoder.finish(result.error);
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    if (size < 2) return 0;
    std::size_t const step = data[0] + 1u;
    std::size_t const piece_size = data[1] * 4u + 1u;
    auto const whole = decode(data + 2, size - 2, size, http::detail::gzip_decoder::maximum_piece);
    require(
        !whole.error || whole.error == http::errc::bad_gzip || whole.error == http::errc::client_closed
            || whole.error == boost::beast::http::error::partial_message,
        "the error is one of ours");
    auto const split = decode(data + 2, size - 2, step, piece_size);
    // Where it stops depends on the size of the pieces.
    if (whole.error == http::errc::client_closed || split.error == http::errc::client_closed) return 0;
    require(split.error == whole.error, "the error does not depend on the split");
    // Of what is damaged, the parts that were right may come out or not.
    auto const settled = !whole.error || whole.error == boost::beast::http::error::partial_message;
    require(!settled || split.text == whole.text, "the text does not depend on the split");
    return 0;
}
