//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "tls_error.hpp"

#include <backbeat/http/classifier.hpp>
#include <backbeat/http/error.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/errc.hpp>

namespace backbeat::http::detail {

namespace {

enum class failure_kind {
    permanent,
    not_sent,  // a transport error that only occurs before anything is sent
    transport
};

[[nodiscard]] failure_kind kind_of(boost::system::error_code const& error) noexcept
{
    namespace asio_error = boost::asio::error;
    namespace beast_error = boost::beast::http;
    namespace errc_of = boost::system::errc;
    auto const is = [&error](errc_of::errc_t value) { return error == errc_of::make_error_condition(value); };

    if (error.category() == http_category())
        return error == errc::connect_timeout || error == errc::queue_timeout ? failure_kind::not_sent
                                                                              : failure_kind::permanent;
    if (error.category() == retry_category())
        return error == retry_errc::attempt_timeout ? failure_kind::transport : failure_kind::permanent;
    if (error.category() == beast_error::make_error_code(beast_error::error::end_of_stream).category())
        return error == beast_error::error::end_of_stream || error == beast_error::error::partial_message
            ? failure_kind::transport
            : failure_kind::permanent;
    if (is_certificate_error(error) || is_permanent_tls_error(error)) return failure_kind::permanent;

    // Name servers. That a name does not exist is taken as final; that they do not answer is not.
    if (error.category() == asio_error::get_netdb_category())
        return error == asio_error::host_not_found_try_again ? failure_kind::not_sent : failure_kind::permanent;
    if (error.category() == asio_error::get_addrinfo_category()) return failure_kind::permanent;

    if (error == asio_error::operation_aborted || is(errc_of::invalid_argument) || is(errc_of::permission_denied)
        || is(errc_of::operation_not_supported) || is(errc_of::bad_file_descriptor)
        || is(errc_of::address_family_not_supported) || is(errc_of::not_enough_memory))
        return failure_kind::permanent;

    // These come from opening a socket or from connecting it, never from a connection that stands.
    if (is(errc_of::connection_refused) || is(errc_of::address_not_available) || is(errc_of::too_many_files_open)
        || is(errc_of::too_many_files_open_in_system))
        return failure_kind::not_sent;
    return failure_kind::transport;
}

[[nodiscard]] bool nothing_was_done(std::optional<delivery> how_far) noexcept
{
    return how_far == delivery::not_sent || how_far == delivery::rejected;
}

[[nodiscard]] verdict judge_failure(attempt_end const& end, std::optional<idempotency> replay) noexcept
{
    auto const kind = end.failure.has_code ? kind_of(end.failure.code) : failure_kind::permanent;
    verdict result{.kind = kind == failure_kind::permanent ? verdict_kind::permanent : verdict_kind::retry};
    if (end.reported)
        result.delivered = end.reported;
    else if (kind == failure_kind::not_sent)
        result.delivered = delivery::not_sent;
    else if (kind == failure_kind::transport)
        result.delivered = delivery::ambiguous;
    result.replayable = replay ? may_repeat(*replay) : nothing_was_done(result.delivered);
    return result;
}

[[nodiscard]] verdict judge_status(attempt_end const& end, std::optional<idempotency> replay) noexcept
{
    verdict result{.status = end.status};
    auto how_far = delivery::responded;
    if (end.status == 429) {
        result.kind = verdict_kind::throttled;
        how_far = delivery::rejected;
    } else if (end.status >= 500) {
        result.kind = verdict_kind::retry;
        how_far = delivery::ambiguous;
    } else if (end.status >= 400) {
        result.kind = verdict_kind::permanent;
    }
    if (result.kind == verdict_kind::retry || result.kind == verdict_kind::throttled) result.hint = end.hint;
    result.delivered = end.reported.value_or(how_far);
    result.replayable = !replay || may_repeat(*replay);
    return result;
}

}  // namespace

verdict judge(attempt_end const& end, std::optional<idempotency> replay) noexcept
{
    if (end.failure.failed) return judge_failure(end, replay);
    if (end.status != 0) return judge_status(end, replay);
    // No response is known, so that there is none is all that can be said.
    verdict result;
    result.delivered = end.reported;
    return result;
}

}  // namespace backbeat::http::detail
