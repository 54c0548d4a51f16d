//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_GZIP_DECODER_HPP
#define BACKBEAT_SRC_HTTP_GZIP_DECODER_HPP

#include <boost/asio/buffer.hpp>
#include <boost/beast/zlib/inflate_stream.hpp>
#include <boost/crc.hpp>
#include <boost/system/error_code.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace backbeat::http::detail {

// Takes a body of `Content-Encoding: gzip` in pieces as they come and gives what is in it (RFC 1952): any number of
// members one after another, each with its length and its CRC-32 checked.
//
// It needs about 60 KiB, whatever comes in. How much comes out is for the caller to limit, and so is how much goes in:
// the name in a header, and blocks and members with nothing in them, go on for as long as the server likes.
//
// What is given out before an error is not to be relied on: the sums stand at the end of a member.
class gzip_decoder {
public:
    static constexpr std::size_t maximum_piece = 16 * 1024;

    // Gives pieces of at most `largest_piece`, which may not be zero.
    explicit gzip_decoder(std::size_t largest_piece = maximum_piece) noexcept;

    gzip_decoder(gzip_decoder const&) = delete;
    gzip_decoder& operator=(gzip_decoder const&) = delete;

    // Takes bytes from the front of `in` and returns the next piece, which is valid until the next call. Once it is
    // empty, either all of `in` was taken or `error` is set.
    [[nodiscard]] boost::asio::const_buffer read(boost::asio::const_buffer& in, boost::system::error_code& error);

    // Takes all of `in`, unless `sink`, a `void(const_buffer, error_code&)` that is given each piece, has had enough:
    // its error is then passed on, and nothing more is to be asked of this decoder.
    template <class Sink>
    void put(boost::asio::const_buffer in, Sink&& sink, boost::system::error_code& error)
    {
        for (;;) {
            auto const piece = read(in, error);
            if (error || piece.size() == 0) return;
            sink(piece, error);
            if (error) return;
        }
    }

    // To be called where the body ends, which may only be after a member. No body at all is right too: a response to
    // HEAD and a 304 say how they would have been encoded.
    void finish(boost::system::error_code& error) const;

private:
    enum class state : std::uint8_t {
        nothing,  // before the first byte
        fixed_header,
        extra_length,
        extra,
        name,
        comment,
        header_sum,
        data,
        trailer,
        between_members
    };

    void refill(boost::asio::const_buffer& in) noexcept;
    [[nodiscard]] boost::asio::const_buffer inflate();
    void take(std::uint8_t byte);
    [[nodiscard]] bool field_complete(std::uint8_t byte) noexcept;
    void take_header(std::uint8_t byte);
    void after_header_field();
    void enter(state next) noexcept;
    void fail() noexcept;

    // Bytes that were taken stay before those that are next, since the inflater reads ahead and goes back. Beast's, unlike
    // zlib's, does so even to before what it was given last: if its output was full just when its input was used up, it
    // reads the byte in front of the next input. That it is asked for the rest first prevents this as well, but only by
    // an argument about each of its states.
    static constexpr std::size_t kept = 8;

    state state_ = state::nothing;
    std::uint8_t flags_ = 0;  // FLG of the member's header
    bool output_full_ = false;  // the inflater may have more without being given more
    std::uint32_t count_ = 0;  // bytes of the present field so far
    std::uint64_t field_ = 0;  // their value, if it is a number
    std::uint32_t to_skip_ = 0;  // of the extra field
    std::uint32_t length_ = 0;  // of the member's data, modulo 2^32
    std::size_t piece_size_;
    std::size_t at_ = kept;  // the next byte in input_
    std::size_t end_ = kept;
    boost::crc_32_type sum_;
    boost::system::error_code error_;
    boost::beast::zlib::inflate_stream inflater_;
    std::array<std::uint8_t, kept + 2048> input_{};
    std::array<std::uint8_t, maximum_piece> output_{};
};

}  // namespace backbeat::http::detail

#endif
