//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "gzip_decoder.hpp"

#include <backbeat/http/error.hpp>

#include <boost/beast/http/error.hpp>
#include <boost/beast/zlib/deflate_stream.hpp>
#include <boost/beast/zlib/error.hpp>
#include <boost/crc.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::test {
namespace {

using boost::beast::http::error;
using boost::system::error_code;
using http::errc;
using http::detail::gzip_decoder;
namespace zlib = boost::beast::zlib;

struct outcome {
    error_code error{};
    std::string text{};
    std::size_t largest = 0;  // piece that came out
};

void feed(gzip_decoder& decoder, std::string_view body, outcome& result)
{
    // In memory of exactly this size, so that a sanitizer sees who reads beside it.
    auto const part = std::make_unique<char[]>(body.size());
    body.copy(part.get(), body.size());
    auto const sink = [&result](boost::asio::const_buffer piece, error_code&) {
        result.text.append(static_cast<char const*>(piece.data()), piece.size());
        result.largest = (std::max)(result.largest, piece.size());
    };
    decoder.put(boost::asio::buffer(part.get(), body.size()), sink, result.error);
}

// In pieces of `step` bytes.
outcome decode(
    std::string_view body, std::size_t step = std::string::npos, std::size_t piece_size = gzip_decoder::maximum_piece)
{
    gzip_decoder decoder(piece_size);
    outcome result;
    for (std::size_t at = 0; at < body.size() && !result.error; at += (std::min)(step, body.size() - at))
        feed(decoder, body.substr(at, step), result);
    if (!result.error) decoder.finish(result.error);
    return result;
}

std::string bytes_of(std::string_view hex)
{
    auto const digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::string result;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        result += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
    return result;
}

std::string number(std::size_t value, int size)
{
    std::string result;
    for (int i = 0; i != size; ++i) result += static_cast<char>(value >> (8 * i) & 0xff);
    return result;
}

std::string trailer_of(std::string_view text)
{
    boost::crc_32_type sum;
    sum.process_bytes(text.data(), text.size());
    return number(sum.checksum(), 4) + number(text.size(), 4);
}

std::string const plain_header = bytes_of("1f8b08000000000000ff");

std::string deflate(std::string_view text, int level, zlib::Strategy strategy)
{
    zlib::deflate_stream deflater;
    deflater.reset(level, 15, 8, strategy);
    std::string result(deflater.upper_bound(text.size()) + 64, '\0');
    zlib::z_params io;
    io.next_in = text.data();
    io.avail_in = text.size();
    io.next_out = result.data();
    io.avail_out = result.size();
    error_code ended;
    deflater.write(io, zlib::Flush::finish, ended);
    EXPECT_EQ(ended, zlib::error::end_of_stream);
    result.resize(result.size() - io.avail_out);
    return result;
}

std::string gzip(std::string_view text, int level = 9, zlib::Strategy strategy = zlib::Strategy::normal)
{
    return plain_header + deflate(text, level, strategy) + trailer_of(text);
}

std::string const hello = "hello, hello, hello\n";

// `gzip -9 -c notes.txt`: with the file's name, in a block with the fixed codes.
std::string const named = bytes_of("1f8b080800f1536502036e6f7465732e74787400cb48cdc9c9d751c840a2b800e7426e5214000000");

// `gzip -n` of nothing.
std::string const empty = bytes_of("1f8b080000000000000303000000000000000000");

// `gzip -9n` of `list_text()`: a block with codes of its own.
std::string const list =
    bytes_of("1f8b0800000000000203ab56ca4bcc4d55b252cacc2b2e49cc4b4ed53550d251ca4dcdcd2faa0cceac4a754f52b232d0512a"
             "c94c2d022a0a0e71f473710c7289f77054aae5aac6d06b88a1d710aed7c931d8d319ab2e230c5d2644e832c6d06544b43b4d"
             "f0e8c56da32959ee34c3132684dc698e272e70db6841562c58e2f11dc17837202b400d0dc9d3664489538dc90a1d4313b2a2"
             "c2d09482d83734232bc1199a9317aa16146428434b229c0a00643b00a46c040000");

// zlib with level 0: a block that is not compressed.
std::string const stored =
    bytes_of("1f8b0800000000000403011400ebff68656c6c6f2c2068656c6c6f2c2068656c6c6f0ae7426e5214000000");

// An extra field, a name, a comment and the sum of the header.
std::string const all_fields =
    bytes_of("1f8b081e0000000000ff06004142020078796e6f7465732e74787400612072656d61726b0071a0cb48cdc9c9d751c840a2b8"
             "00e7426e5214000000");

// 303 letters in codes of two bits, with codes of up to nine bits in the table and of one bit for the end of the block,
// and five letters in a second block. Beast's inflater, if its output is full after 302 letters and its input ends
// right there, takes up the next input with the byte in front of it.
std::string const read_ahead =
    bytes_of("1f8b08000000000000ff04e0819124310cc340c40acab3f79f7f025d55555555555555555555555555555555555555555555"
             "5555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555555"
             "555555952526262626020068b618ee34010000");

std::string list_text()
{
    std::string result;
    for (int i = 0; i != 20; ++i)
        result += "{\"name\":\"instance-" + std::to_string(i) + "\",\"memorySizeGb\":" + std::to_string(i * i % 7)
            + ",\"tier\":\"" + (i % 3 != 0 ? "BASIC" : "STANDARD_HA") + "\"}\n";
    return result;
}

struct sample {
    std::string body;
    std::string text;
};

std::vector<sample> samples()
{
    return {
        {named, hello},
        {empty, ""},
        {list, list_text()},
        {stored, hello},
        {all_fields, hello},
        {read_ahead, std::string(308, 'a')},
        {named + empty + all_fields, hello + hello}};
}

// Whatever comes out beside an error is of no use.
void expect_damaged(std::string const& body, error_code const& expected = errc::bad_gzip)
{
    for (std::size_t const step : {std::string::npos, std::size_t(1)}) EXPECT_EQ(decode(body, step).error, expected);
}

TEST(http_gzip, gives_what_was_compressed_however_it_is_split)
{
    for (auto const& [body, text] : samples())
        for (std::size_t const piece_size : {1u, 302u, 16384u}) {
            for (std::size_t step = 1; step <= body.size(); ++step) {
                auto const result = decode(body, step, piece_size);
                ASSERT_EQ(result.error, error_code()) << step;
                ASSERT_EQ(result.text, text) << step;
                ASSERT_LE(result.largest, piece_size);
            }
            for (std::size_t split = 0; split <= body.size(); ++split) {
                gzip_decoder decoder(piece_size);
                outcome result;
                feed(decoder, std::string_view(body).substr(0, split), result);
                feed(decoder, std::string_view(body).substr(split), result);
                decoder.finish(result.error);
                ASSERT_EQ(result.error, error_code()) << split;
                ASSERT_EQ(result.text, text) << split;
            }
        }
}

TEST(http_gzip, gives_back_what_beast_compressed)
{
    std::string noise;
    std::uint32_t state = 1;
    for (int i = 0; i != 40'000; ++i) noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    std::string repeated;  // from as far back as can be
    while (repeated.size() < 120'000) repeated += std::string_view(noise).substr(0, 32'700);
    std::vector<std::string> const texts{"", "a", hello, list_text(), noise, repeated, std::string(100'000, '\0')};
    for (auto const& text : texts)
        for (auto const strategy : {zlib::Strategy::normal, zlib::Strategy::huffman, zlib::Strategy::fixed})
            for (int const level : {1, 6, 9}) {
                auto const body = gzip(text, level, strategy);
                for (std::size_t const step : {7u, 1460u, 1u << 20}) {
                    auto const result = decode(body, step);
                    ASSERT_EQ(result.error, error_code());
                    ASSERT_TRUE(result.text == text) << text.size() << ' ' << level << ' ' << step;
                }
            }
}

TEST(http_gzip, tells_where_a_body_was_cut_off)
{
    for (auto const& body : {named, list, stored, all_fields, read_ahead})
        for (std::size_t size = 1; size != body.size(); ++size) {
            ASSERT_EQ(decode(body.substr(0, size)).error, error::partial_message) << size;
            auto const result = decode(body.substr(0, size), 1, 1);
            ASSERT_EQ(result.error, error::partial_message) << size;
            ASSERT_EQ(result.text, decode(body.substr(0, size)).text) << size;
            ASSERT_EQ(decode(named + body.substr(0, size)).error, error::partial_message) << size;
        }
}

TEST(http_gzip, takes_no_body_at_all_for_an_empty_one)
{
    EXPECT_EQ(decode("").error, error_code());
    gzip_decoder decoder;
    outcome result;
    feed(decoder, "", result);
    EXPECT_EQ(result.error, error_code());
    decoder.finish(result.error);
    EXPECT_EQ(result.error, error_code());
    EXPECT_EQ(result.text, "");
}

TEST(http_gzip, sees_every_byte_that_was_changed)
{
    for (auto const& [body, text] : samples())
        for (std::size_t at = 0; at != body.size(); ++at)
            for (int const change : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x55, 0xff}) {
                auto damaged = body;
                damaged[at] = static_cast<char>(damaged[at] ^ change);
                for (std::size_t const step : {std::string::npos, std::size_t(5)}) {
                    auto const result = decode(damaged, step);
                    if (!result.error) {
                        // Such as the time of the file, which nothing depends on.
                        ASSERT_EQ(result.text, text) << at << ' ' << change;
                    } else if (result.error != error::partial_message) {
                        ASSERT_EQ(result.error, errc::bad_gzip) << at << ' ' << change;
                    }
                }
            }
}

TEST(http_gzip, refuses_what_is_not_gzip)
{
    expect_damaged("{\"name\":\"instance-0\"}");
    expect_damaged("\x1f{}");
    expect_damaged(bytes_of("789c4bcecf2d284a2d2e4e4d0100"));  // zlib's own format
    expect_damaged(bytes_of("1f8b0700000000000003") + named.substr(10));  // a method other than deflate
    for (auto const* flags : {"20", "40", "80"})  // reserved
        expect_damaged(bytes_of("1f8b08") + bytes_of(flags) + bytes_of("000000000003") + empty.substr(10));
    expect_damaged(plain_header + bytes_of("07") + std::string(20, '\0'));  // a block of no known type
}

TEST(http_gzip, refuses_wrong_sums)
{
    auto const data = deflate(hello, 9, zlib::Strategy::normal);
    auto const trailer = trailer_of(hello);
    ASSERT_EQ(decode(plain_header + data + trailer).text, hello);
    expect_damaged(plain_header + data + trailer_of("hello, hello, hullo\n"));
    expect_damaged(plain_header + data + trailer.substr(0, 4) + number(hello.size() + 1, 4));
    expect_damaged(plain_header + data + number(0, 4) + number(hello.size(), 4));

    auto wrong_header_sum = all_fields;
    wrong_header_sum[20] ^= 0x20;  // a letter of the name
    expect_damaged(wrong_header_sum);
}

TEST(http_gzip, refuses_what_stands_behind_the_last_member)
{
    for (auto const* more : {"x", "\x8b", "hello", "\r\n"}) expect_damaged(named + more);
    expect_damaged(named + std::string(1, '\0'));
    expect_damaged(named + std::string(512, '\0'));
    // What looks like the start of one may be one.
    expect_damaged(named + "\x1f", error::partial_message);
    expect_damaged(named + "\x1f\x8c");
}

TEST(http_gzip, does_not_look_back_into_the_member_before)
{
    // A match at distance 1 as the first thing in the second member, with the fixed codes: length 3, then the end.
    expect_damaged(named + plain_header + bytes_of("030200") + trailer_of("\n\n\n"));
}

TEST(http_gzip, stays_with_its_first_error)
{
    gzip_decoder decoder;
    outcome result;
    feed(decoder, "no gzip", result);
    EXPECT_EQ(result.error, errc::bad_gzip);
    feed(decoder, named, result);
    EXPECT_EQ(result.error, errc::bad_gzip);
    EXPECT_EQ(result.text, "");
    result.error = {};
    decoder.finish(result.error);
    EXPECT_EQ(result.error, errc::bad_gzip);
}

TEST(http_gzip, skips_fields_of_any_length)
{
    auto const extra = bytes_of("1f8b08040000000000ff") + number(0xffff, 2) + std::string(0xffff, 'x');
    EXPECT_EQ(decode(extra + named.substr(20)).text, hello);
    auto const no_extra = bytes_of("1f8b08040000000000ff0000");
    EXPECT_EQ(decode(no_extra + named.substr(20), 1).text, hello);
    auto const name = bytes_of("1f8b08080000000000ff") + std::string(1'000'000, 'n') + '\0';
    EXPECT_EQ(decode(name + named.substr(20)).text, hello);
}

TEST(http_gzip, streams_a_bomb_and_stops_when_the_sink_has_had_enough)
{
    // The start of `gzip -9n` of zeros. In its codes a byte of zeros stands for four times 258 of them.
    auto const start = bytes_of("1f8b0800000000000203edc1010d000000c2a0f74f6d0f0714");
    auto const bomb = start + std::string(1 << 20, '\0');
    static_assert(sizeof(gzip_decoder) < 32 * 1024, "it has no memory of its own but the inflater's 32 KiB");

    gzip_decoder decoder;
    std::size_t total = 0;
    std::size_t largest = 0;
    error_code stopped;
    decoder.put(
        boost::asio::buffer(bomb),
        [&](boost::asio::const_buffer piece, error_code& error) {
            total += piece.size();
            largest = (std::max)(largest, piece.size());
            if (total > 4'000'000) error = error::body_limit;
        },
        stopped);
    EXPECT_EQ(stopped, error::body_limit);
    EXPECT_EQ(largest, gzip_decoder::maximum_piece);
    EXPECT_LE(total, 4'000'000 + gzip_decoder::maximum_piece);

    auto const small = decode(start + std::string(1000, '\0'));
    EXPECT_EQ(small.error, error::partial_message);
    EXPECT_GT(small.text.size(), 1'000'000u);
}

TEST(http_gzip, gives_what_it_has_before_it_asks_for_more)
{
    // A server that flushes sends what ends with an empty stored block, and then nothing for a while.
    auto const flushed = plain_header + bytes_of("ca48cdc9c9d751c840a2b800000000ffff");
    for (std::size_t const piece_size : {1u, 3u, 16384u}) {
        gzip_decoder decoder(piece_size);
        outcome result;
        feed(decoder, flushed, result);
        EXPECT_EQ(result.error, error_code());
        EXPECT_EQ(result.text, hello);
    }
}

}  // namespace
}  // namespace backbeat::test
