//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A digit that stands for what is read, and its text: a key file, an answer with a token, a subject token, a URL.

#include "credentials/endpoint.hpp"
#include "credentials/key_content.hpp"
#include "credentials/token_answer.hpp"
#include "require.hpp"

#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using backbeat::fuzz::require;
namespace ms = backbeat::memorystore;
namespace detail = backbeat::memorystore::detail;

constexpr std::string_view mark = "GOCSPX-";

// Whether the mark is in one secret of a key file, and nowhere else.
bool has_marked_secret(std::string_view text)
{
    try {
        auto const document = ms::parse_json(text);
        auto const* const object = document.if_object();
        if (object == nullptr) return false;
        auto const all = boost::json::serialize(document);
        if (all.find(mark) == all.npos || all.find(mark) != all.rfind(mark)) return false;
        for (auto const* const field : {"private_key", "client_secret", "refresh_token"}) {
            auto const* const value = object->if_contains(field);
            if (value != nullptr && boost::json::serialize(*value).find(mark) != std::string::npos) return true;
        }
    } catch (ms::json_error const&) {}
    return false;
}

template <class Read>
void check(Read read, bool has_secret)
{
    try {
        read();
    } catch (ms::error const& problem) {
        std::string_view const text = problem.what();
        require(problem.code().failed(), "an error is one");
        require(!text.empty() && backbeat::fuzz::is_one_line(text), "an error is a line of text");
        require(text.size() < 2000, "an error is short");
        require(!has_secret || text.find(mark) == text.npos, "no secret is told");
    }
}

void read_key(std::string_view text)
{
    check(
        [text] {
            std::string copy(text);
            auto const key = detail::parse_key(copy, "the key");
            require(copy.empty(), "the text is overwritten");
            auto const description = describe(*key);
            require(backbeat::fuzz::is_one_line(description), "a description is a line of text");
        },
        has_marked_secret(text));
}

void read_endpoint(std::string_view text)
{
    try {
        auto const found = detail::parse_endpoint(text);
        require(found.target[0] == '/', "a target starts with a slash");
        auto const again = detail::parse_endpoint(found.origin + found.target);
        require(again.origin == found.origin && again.target == found.target, "a URL is what it was taken apart into");
    } catch (std::invalid_argument const& problem) {
        require(backbeat::fuzz::is_one_line(problem.what()), "an error is a line of text");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    if (size == 0) return 0;
    std::string_view const text(reinterpret_cast<char const*>(data) + 1, size - 1);
    auto const is_good = [](ms::access_token const& token) { return detail::is_token(token.value); };
    switch (data[0] % 10) {
    case 0: read_key(text); break;
    case 1:
        check(
            [&] {
                auto const now = std::chrono::system_clock::now();
                auto const token = detail::read_token_answer(text, "getting a token", now);
                require(is_good(token), "a token fits into a header");
                require(!token.expires || *token.expires >= now, "a lifetime is not negative");
            },
            false);
        break;
    case 2:
        check(
            [&] { require(is_good(detail::read_impersonation_answer(text, "impersonating")), "a token fits"); }, false);
        break;
    case 3:
        for (auto const* const field : {"", "id_token"})
            check(
                [&] { require(detail::is_token(detail::read_subject_token(text, field, "the file")), "a token fits"); },
                false);
        break;
    default: read_endpoint(text);
    }
    return 0;
}
