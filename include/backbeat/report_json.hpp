//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_REPORT_JSON_HPP
#define BACKBEAT_REPORT_JSON_HPP

#include <backbeat/attempt_record.hpp>
#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/detail/attempt_text.hpp>
#include <backbeat/detail/decimal_text.hpp>
#include <backbeat/detail/escaped_text.hpp>
#include <backbeat/retry_phase.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/verdict.hpp>
#include <backbeat/wait_origin.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace backbeat {

namespace detail {

[[nodiscard]] constexpr char const* name_of(verdict_kind value) noexcept
{
    switch (value) {
    case verdict_kind::done: return "done";
    case verdict_kind::permanent: return "permanent";
    case verdict_kind::retry: return "retry";
    case verdict_kind::throttled: return "throttled";
    case verdict_kind::unknown: return "unknown";
    }
    return "unknown";
}

[[nodiscard]] constexpr char const* name_of(wait_origin value) noexcept
{
    switch (value) {
    case wait_origin::none: return "none";
    case wait_origin::backoff: return "backoff";
    case wait_origin::hint: return "hint";
    }
    return "unknown";
}

// Writes one object, member by member. The names of members need no escapes.
class json_object {
public:
    explicit json_object(std::string& out) : out_(out) { out_ += '{'; }
    json_object(json_object const&) = delete;
    json_object& operator=(json_object const&) = delete;

    void close() { out_ += '}'; }

    std::string& member(std::string_view name)
    {
        if (out_.back() != '{') out_ += ',';
        out_.append("\"").append(name).append("\":");
        return out_;
    }

    void add(std::string_view name, char const* value) { append_json_string(member(name), value); }
    void add(std::string_view name, std::integral auto value) { append_integer(member(name), value); }
    void add(std::string_view name, std::chrono::nanoseconds value) { append_seconds(member(name), value); }

    template <class T>
    void add(std::string_view name, std::optional<T> const& value)
    {
        if (value)
            add(name, *value);
        else
            member(name) += "null";
    }

    void add(std::string_view name, boost::system::error_code const& error)
    {
        if (!error) {
            member(name) += "null";
            return;
        }
        json_object inner(member(name));
        inner.add("category", error.category().name());
        inner.add("value", error.value());
        append_json_string(inner.member("message"), error_message(error).text());
        inner.close();
    }

private:
    std::string& out_;
};

template <class T>
[[nodiscard]] std::optional<char const*> name_of(std::optional<T> const& value) noexcept
{
    return value ? std::optional(to_string(*value)) : std::nullopt;
}

inline void append_json(std::string& out, attempt_record const& record)
{
    bool const waits = record.origin != wait_origin::none;
    json_object object(out);
    object.add("number", record.number);
    object.add("start_seconds", record.start);
    object.add("duration_seconds", record.duration);
    object.add("status", record.status == 0 ? std::nullopt : std::optional(record.status));
    object.add("error", record.error);
    object.add("delivery", name_of(record.delivered));
    object.add("verdict", name_of(record.judged));
    object.add("hint_seconds", record.hint);
    object.add("wait_seconds", waits ? std::optional(record.wait) : std::nullopt);
    object.add("wait_origin", waits ? std::optional(name_of(record.origin)) : std::nullopt);
    object.close();
}

}  // namespace detail

/**
 * \brief Returns the report as a JSON object (RFC 8259), on one line.
 * \details
 * All members are always there, in this order:
 *
 * | member | value |
 * | --- | --- |
 * | `reason` | the `stop_reason`; null: the operation has not ended |
 * | `phase` | the `retry_phase` in which it ended; null: it has not |
 * | `attempts`, `retries` | exact numbers, whatever was omitted |
 * | `unfinished` | attempts that were under way at the end |
 * | `elapsed_seconds`, `waited_seconds` | how long it took; how much of that was waiting (`time_waited`) |
 * | `worst_delivery` | the worst `delivery` of all attempts, or null |
 * | `error` | what the operation completed with, or null |
 * | `omitted` | how many attempts have no record; they stood after the fourth |
 * | `records` | an array of the others |
 *
 * A record has `number`, `start_seconds`, `duration_seconds`, `status` (or null), `error` (or null), `delivery` (or
 * null), `verdict` (`done`, `permanent`, `retry` or `throttled`), `hint_seconds` (or null), `wait_seconds` and
 * `wait_origin` (`backoff` or `hint`; both null if no wait followed).
 *
 * Enumerators are spelled as in C++. An error is `{"category":"system","value":104,"message":"..."}`. Seconds are
 * decimal numbers with all their digits, down to the nanosecond, without exponent. The messages of errors are text from
 * anywhere: they are escaped, what is not UTF-8 is replaced by U+FFFD, and they are cut off after 511 bytes.
 *
 * \par Exceptions
 * `std::bad_alloc`. What an error category throws is caught: Boost.System has a text for that.
 */
[[nodiscard]] inline std::string report_json(retry_report const& report)
{
    std::string out;
    detail::json_object object(out);
    object.add("reason", detail::name_of(report.reason()));
    object.add("phase", report.reason() ? std::optional(to_string(report.phase())) : std::nullopt);
    object.add("attempts", report.attempts());
    object.add("retries", report.retries());
    object.add("unfinished", report.unfinished());
    object.add("elapsed_seconds", report.elapsed());
    object.add("waited_seconds", report.time_waited());
    object.add("worst_delivery", detail::name_of(report.worst_delivery()));
    object.add("error", report.error());
    object.add("omitted", report.omitted());
    char separator = '[';
    object.member("records");
    for (auto const& record : report.records()) {
        out += separator;
        detail::append_json(out, record);
        separator = ',';
    }
    out += separator == '[' ? "[]" : "]";
    object.close();
    return out;
}

}  // namespace backbeat

#endif
