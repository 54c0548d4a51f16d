//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_RPC_CODE_HPP
#define BACKBEAT_MEMORYSTORE_RPC_CODE_HPP

#include <backbeat/config.hpp>

#include <boost/describe/enum.hpp>
#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace backbeat::memorystore {

/// The canonical codes of Google's APIs: `google.rpc.Code`. Their names in the API are these in upper case.
enum class rpc_code : std::int32_t {
    ok = 0,
    cancelled = 1,
    unknown = 2,
    invalid_argument = 3,
    deadline_exceeded = 4,
    not_found = 5,
    already_exists = 6,
    permission_denied = 7,
    resource_exhausted = 8,
    failed_precondition = 9,
    aborted = 10,
    out_of_range = 11,
    unimplemented = 12,
    internal = 13,
    unavailable = 14,
    data_loss = 15,
    unauthenticated = 16
};

BOOST_DESCRIBE_ENUM(
    rpc_code,
    ok,
    cancelled,
    unknown,
    invalid_argument,
    deadline_exceeded,
    not_found,
    already_exists,
    permission_denied,
    resource_exhausted,
    failed_precondition,
    aborted,
    out_of_range,
    unimplemented,
    internal,
    unavailable,
    data_loss,
    unauthenticated)

/// The name in the API, such as `NOT_FOUND`; of a number that is none of the codes, its digits.
[[nodiscard]] std::string to_string(rpc_code code);

/// The code with this name, such as `NOT_FOUND`. Empty: there is none.
[[nodiscard]] std::optional<rpc_code> rpc_code_named(std::string_view name) noexcept;

/// The HTTP status that Google's APIs answer with for a code: 404 for `not_found`. 500 for what is none of the codes.
[[nodiscard]] unsigned http_status(rpc_code code) noexcept;

/**
 * \brief The code that an HTTP status stands for, where the body does not say.
 * \details
 * Several codes share a status; the usual one is returned: 400 `invalid_argument`, 409 `aborted`, 500 `internal`. A
 * status outside of the table: 2xx `ok`, 4xx `failed_precondition`, 5xx `internal`, others `unknown`, as in Google's
 * own clients.
 */
[[nodiscard]] rpc_code rpc_code_of_status(unsigned status) noexcept;

/// The category of `rpc_code`, named "google.rpc".
[[nodiscard]] boost::system::error_category const& rpc_category() noexcept;

/// Makes an error code of the value, so that `error.code() == rpc_code::not_found` can be asked.
[[nodiscard]] inline boost::system::error_code make_error_code(rpc_code value) noexcept
{
    return {static_cast<int>(value), rpc_category()};
}

}  // namespace backbeat::memorystore

template <>
struct boost::system::is_error_code_enum<backbeat::memorystore::rpc_code> : std::true_type {};

#endif
