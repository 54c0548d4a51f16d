//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_FAILURE_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_FAILURE_HPP

#include <backbeat/detail/escaped_text.hpp>
#include <backbeat/memorystore/error.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace backbeat::memorystore::detail {

[[nodiscard]] inline error failure(
    boost::system::error_code code, std::string sentence, std::string message = {}, unsigned http_status = 0)
{
    error_facts facts;
    facts.sentence = std::move(sentence);
    facts.message = std::move(message);
    facts.http_status = http_status;
    return {code, std::move(facts)};
}

// What comes from outside, as a part of one line of text.
[[nodiscard]] inline std::string printable(std::string_view text, std::size_t limit = 200)
{
    std::string result;
    backbeat::detail::append_printable(result, text, limit);
    return result;
}

// The credentials that `where` names ("the key file '/x'") cannot be used.
[[noreturn]] inline void refuse_credentials(std::string_view where, std::string_view why)
{
    throw failure(errc::bad_credentials, std::string(where) + " cannot be used: " + std::string(why));
}

}  // namespace backbeat::memorystore::detail

#endif
