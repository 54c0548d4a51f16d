//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_ERRC_HPP
#define BACKBEAT_MEMORYSTORE_ERRC_HPP

#include <backbeat/config.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace backbeat::memorystore {

/// Errors that the client finds itself. Those of the API have an `rpc_code`, those of the transport its own codes.
enum class errc : int {
    /// An argument breaks a rule of the API. Nothing was sent.
    invalid_argument = 1,

    /// The server's answer was a success, but it cannot be read.
    malformed_response,

    /// `wait_options::total_poll_timeout` is over, and the operation has not ended. It goes on, and has not failed.
    still_running,

    /// Application Default Credentials were asked for, and there are none. The text lists the places that were looked
    /// at.
    no_credentials,

    /// Credentials are there, and cannot be used: a key file that is missing, broken or of an unknown type.
    bad_credentials,

    /// A token endpoint answered that these credentials are good for nothing: 400, 401, 403 and their like. No retry
    /// mends that; `error::message` is what the endpoint said.
    credentials_refused,

    /// What answers at the address of the metadata server is something else.
    not_a_metadata_server,

    /**
     * \brief A change may or may not have been carried out, and it cannot be told which.
     * \details
     * `error::operation_name` is the operation that it may be, if there is just one. See docs/mutations.md.
     */
    outcome_unknown
};

/// The category of `errc`, named "backbeat.memorystore".
[[nodiscard]] boost::system::error_category const& memorystore_category() noexcept;

/// Makes an error code of the value.
[[nodiscard]] inline boost::system::error_code make_error_code(errc value) noexcept
{
    return {static_cast<int>(value), memorystore_category()};
}

}  // namespace backbeat::memorystore

template <>
struct boost::system::is_error_code_enum<backbeat::memorystore::errc> : std::true_type {};

#endif
