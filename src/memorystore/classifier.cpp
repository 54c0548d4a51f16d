//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/delivery.hpp>
#include <backbeat/memorystore/classifier.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/retry_info.hpp>

#include <algorithm>
#include <string>

namespace backbeat::memorystore {

namespace {

std::optional<std::chrono::nanoseconds> delay_in(error const& read)
{
    auto const info = read.detail<rpc::retry_info>();
    if (!info || !info->retry_delay || *info->retry_delay < duration()) return {};
    return info->retry_delay->span();
}

std::string reason_in(error const& read)
{
    auto const info = read.detail<rpc::error_info>();
    return info ? info->reason : std::string();
}

std::string lower(std::string_view text)
{
    std::string result(text);
    for (auto& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

// A quota that is full again within a minute. Those of a day, and those on what there may be, are not.
bool is_quota_per_minute(error const& read)
{
    if (reason_in(read) == "RATE_LIMIT_EXCEEDED") return true;
    auto const message = lower(read.message());
    auto const start = message.find("quota exceeded");
    return start != std::string::npos && message.find("per minute", start) != std::string::npos;
}

bool is_operation_in_progress(error const& read, std::string_view body)
{
    auto const reason = lower(reason_in(read));
    if (reason == "operationinprogress" || reason == "operation_in_progress") return true;
    // Said by the body: a 409 without one may be either.
    return read.canonical_code() == rpc_code::aborted && body.find("ABORTED") != std::string_view::npos;
}

void correct(verdict& said, std::optional<std::chrono::nanoseconds> status_hint, std::string_view body)
{
    auto const read = error::from_response(static_cast<unsigned>(said.status), body);
    auto kind = said.kind;
    if (said.status == 403 && is_quota_per_minute(read)) kind = verdict_kind::throttled;
    if (said.status == 409 && is_operation_in_progress(read, body)) kind = verdict_kind::retry;
    if (kind != said.kind) {
        said.kind = kind;
        // A refusal, like that of a 429.
        said.delivered = delivery::rejected;
        said.hint = status_hint;
    }
    if (kind == verdict_kind::retry || kind == verdict_kind::throttled)
        said.hint = (std::max)(said.hint, delay_in(read));
}

}  // namespace

namespace detail {

void look_into(verdict& said, std::optional<std::chrono::nanoseconds> status_hint, std::string_view body) noexcept
{
    if (body.size() > maximum_error_body) return;
    auto corrected = said;
    try {
        correct(corrected, status_hint, body);
        said = corrected;
    } catch (...) {
        // Without memory to read the body, the status decides.
        return;
    }
}

}  // namespace detail

std::optional<std::chrono::nanoseconds> retry_info(std::string_view body) noexcept
{
    if (body.size() > detail::maximum_error_body) return {};
    try {
        return delay_in(error::from_response(0, body));
    } catch (...) {
        return {};
    }
}

}  // namespace backbeat::memorystore
