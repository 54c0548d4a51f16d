//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "gzip_decoder.hpp"

#include <backbeat/http/error.hpp>

#include <boost/beast/http/error.hpp>
#include <boost/beast/zlib/error.hpp>
#include <boost/beast/zlib/zlib.hpp>

#include <algorithm>
#include <cstring>

namespace backbeat::http::detail {

namespace {

// Bits of FLG. That a member is text (1) is a remark; the upper three are reserved, and may one day mean a field that
// whoever does not know it takes for data.
constexpr unsigned has_header_sum = 2;
constexpr unsigned has_extra = 4;
constexpr unsigned has_name = 8;
constexpr unsigned has_comment = 16;
constexpr unsigned reserved = 0xe0;

constexpr std::size_t trailer_size = 8;

}  // namespace

gzip_decoder::gzip_decoder(std::size_t largest_piece) noexcept : piece_size_((std::min)(largest_piece, maximum_piece))
{}

boost::asio::const_buffer gzip_decoder::read(boost::asio::const_buffer& in, boost::system::error_code& error)
{
    while (!error_) {
        if (at_ == end_ && !output_full_) {
            if (in.size() == 0) break;
            refill(in);
        }
        if (state_ != state::data) {
            take(input_[at_++]);
            continue;
        }
        auto const piece = inflate();
        if (error_ || piece.size() == 0) continue;
        error = {};
        return piece;
    }
    error = error_;
    return {};
}

void gzip_decoder::finish(boost::system::error_code& error) const
{
    error = error_;
    if (!error && state_ != state::nothing && state_ != state::between_members)
        error = boost::beast::http::error::partial_message;
}

void gzip_decoder::refill(boost::asio::const_buffer& in) noexcept
{
    std::memmove(input_.data(), input_.data() + end_ - kept, kept);
    auto const size = (std::min)(in.size(), input_.size() - kept);
    std::memcpy(input_.data() + kept, in.data(), size);
    in += size;
    at_ = kept;
    end_ = kept + size;
}

boost::asio::const_buffer gzip_decoder::inflate()
{
    namespace zlib = boost::beast::zlib;
    zlib::z_params io;
    io.next_in = input_.data() + at_;
    io.avail_in = end_ - at_;
    io.next_out = output_.data();
    io.avail_out = piece_size_;
    boost::system::error_code error;
    inflater_.write(io, zlib::Flush::none, error);

    auto const size = piece_size_ - io.avail_out;
    at_ = end_ - io.avail_in;
    output_full_ = !error && io.avail_out == 0;
    sum_.process_bytes(output_.data(), size);
    length_ += static_cast<std::uint32_t>(size);
    if (error == zlib::error::end_of_stream) {
        // The inflater may hold whole bytes that are behind the end of the data. Bits 0 to 5 say how many bits it has.
        at_ -= static_cast<std::size_t>(io.data_type & 63) / 8;
        enter(state::trailer);
    } else if (error && (error != zlib::error::need_buffers || at_ != end_)) {
        fail();
    }
    return {output_.data(), size};
}

void gzip_decoder::take(std::uint8_t byte)
{
    switch (state_) {
    case state::nothing:
    case state::between_members:
        sum_.reset();
        enter(state::fixed_header);
        return take_header(byte);
    case state::trailer:
        if (count_ < trailer_size) field_ |= std::uint64_t(byte) << (8 * count_);
        if (++count_ != trailer_size) return;
        if (static_cast<std::uint32_t>(field_) != sum_.checksum() || field_ >> 32 != length_) return fail();
        return enter(state::between_members);
    default: return take_header(byte);
    }
}

void gzip_decoder::take_header(std::uint8_t byte)
{
    // The header's sum is over what stands before it.
    if (state_ == state::header_sum) {
        field_ |= std::uint64_t(byte) << (8 * count_);
        if (++count_ != 2) return;
        if (field_ != (sum_.checksum() & 0xffff)) return fail();
        return after_header_field();
    }
    sum_.process_byte(byte);
    if (field_complete(byte)) after_header_field();
}

bool gzip_decoder::field_complete(std::uint8_t byte) noexcept
{
    auto const position = count_;
    switch (state_) {
    case state::fixed_header:
        ++count_;
        if ((position == 0 && byte != 0x1f) || (position == 1 && byte != 0x8b) || (position == 2 && byte != 8)
            || (position == 3 && (byte & reserved) != 0)) {
            fail();
            return false;
        }
        if (position == 3) flags_ = byte;
        return count_ == 10;
    case state::extra_length: to_skip_ |= std::uint32_t(byte) << (8 * position); return ++count_ == 2;
    case state::extra: return ++count_ == to_skip_;
    default: return byte == 0;  // name and comment
    }
}

void gzip_decoder::after_header_field()
{
    // In the order in which they stand; each case goes on to the next field that the member has.
    switch (state_) {
    case state::fixed_header:
        to_skip_ = 0;
        if ((flags_ & has_extra) != 0) return enter(state::extra_length);
        [[fallthrough]];
    case state::extra_length:
        if (to_skip_ != 0) return enter(state::extra);
        [[fallthrough]];
    case state::extra:
        if ((flags_ & has_name) != 0) return enter(state::name);
        [[fallthrough]];
    case state::name:
        if ((flags_ & has_comment) != 0) return enter(state::comment);
        [[fallthrough]];
    case state::comment:
        if ((flags_ & has_header_sum) != 0) return enter(state::header_sum);
        [[fallthrough]];
    default:
        sum_.reset();
        length_ = 0;
        inflater_.reset();
        return enter(state::data);
    }
}

void gzip_decoder::enter(state next) noexcept
{
    state_ = next;
    count_ = 0;
    field_ = 0;
}

void gzip_decoder::fail() noexcept
{
    error_ = errc::bad_gzip;
}

}  // namespace backbeat::http::detail
