//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CALL_OPTIONS_HPP
#define BACKBEAT_MEMORYSTORE_CALL_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/mutation_options.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_report.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backbeat::memorystore {

/**
 * \brief What one call has of its own.
 * \details
 * Can be made of what is to be said, so that it need not be named:
 * \code
 * backbeat::retry_options patient{.maximum_retries = 20};
 * client.async_get_instance(name, patient, token);
 * client.async_get_instance(name, report_to(report), token);
 * client.async_get_instance(name, {patient, report_to(report)}, token);
 * \endcode
 */
class call_options {
public:
    /// Retries as `client_options::retry` says, reports to nobody.
    call_options() = default;

    /// Retries as these options say.
    call_options(retry_options own) : retry(own) {}

    /// Fills a report; see `report_to`.
    call_options(backbeat::detail::report_target target) : report(target.report) {}

    /// Retries as these options say, and fills a report.
    call_options(retry_options own, backbeat::detail::report_target target) : retry(own), report(target.report) {}

    /// How to retry. Empty: as `client_options::retry` says.
    std::optional<retry_options> retry;

    /**
     * \brief Is filled with what became of the attempts. Null: nobody wants to know.
     * \details It must stay valid until the call has completed. Of a call that sends several requests: the last one's.
     */
    retry_report* report = nullptr;

    /**
     * \brief By which the service knows the request again, so that it is carried out once however often it is sent.
     * \details
     * A UUID other than zero. For the calls whose method has one: creating, updating and deleting clusters, and deleting
     * backups; an error for others. Default (empty): a random one for each call, the same on all its attempts. One's own
     * makes sense where a call is to be taken up again after a crash.
     */
    std::string request_id;

    /**
     * \brief Further header fields, sent with every request of the call, such as `X-Goog-Request-Reason`.
     * \details
     * A field that would break the header is `http::errc::invalid_field`. A field `Authorization` stands instead of the
     * client's credentials.
     */
    std::vector<std::pair<std::string, std::string>> headers;

    /// How a change is made safe to repeat. Empty: as `client_options::mutations` says.
    std::optional<mutation_options> mutations;
};

}  // namespace backbeat::memorystore

#endif
