//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_ATTEMPT_TEXT_HPP
#define BACKBEAT_DETAIL_ATTEMPT_TEXT_HPP

#include <backbeat/attempt_record.hpp>
#include <backbeat/detail/decimal_text.hpp>
#include <backbeat/detail/escaped_text.hpp>
#include <backbeat/verdict.hpp>

#include <boost/system/error_code.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace backbeat::detail {

// The message of an error. Of a category's two ways to give it, this is the one that cannot throw.
class error_message {
public:
    explicit error_message(boost::system::error_code const& error) noexcept
        : text_(error.message(buffer_, sizeof buffer_))
    {}

    error_message(error_message const&) = delete;
    error_message& operator=(error_message const&) = delete;

    [[nodiscard]] std::string_view text() const noexcept { return text_ == nullptr ? "" : text_; }

private:
    char buffer_[512];
    char const* text_;
};

// "Connection reset by peer"
inline void append_message(std::string& out, boost::system::error_code const& error, std::size_t limit = 500)
{
    append_printable(out, error_message(error).text(), limit);
}

// "system:104"
inline void append_code(std::string& out, boost::system::error_code const& error)
{
    append_printable(out, error.category().name(), 32);
    out += ':';
    append_integer(out, error.value());
}

// "503", "Connection reset by peer [system:104]", or how it was judged, if that is all that is known.
inline void append_outcome(std::string& out, attempt_record const& record)
{
    if (record.status != 0) append_integer(out, record.status);
    if (record.error) {
        if (record.status != 0) out += ' ';
        append_message(out, record.error, 200);
        out += " [";
        append_code(out, record.error);
        out += ']';
    } else if (record.status == 0) {
        out += record.judged == verdict_kind::done ? "ok" : "failed";
    }
}

// "503", "system:104"
inline void append_short_outcome(std::string& out, attempt_record const& record)
{
    if (record.status == 0 && record.error)
        append_code(out, record.error);
    else if (record.status != 0)
        append_integer(out, record.status);
    else
        out += record.judged == verdict_kind::done ? "ok" : "failed";
}

}  // namespace backbeat::detail

#endif
