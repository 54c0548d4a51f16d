//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_ERROR_REPLY_HPP
#define BACKBEAT_SRC_EMULATOR_ERROR_REPLY_HPP

#include "exchange.hpp"

#include <backbeat/memorystore/any.hpp>
#include <backbeat/memorystore/rpc_code.hpp>

#include <exception>
#include <string>
#include <vector>

namespace backbeat::emulation {

// A request that is refused with one of Google's codes.
class api_error : public std::exception {
public:
    api_error(memorystore::rpc_code code, std::string message, std::vector<memorystore::any> details = {});

    // The code's own HTTP status is the usual one; requests that are not even HTTP have others.
    api_error& with_status(int status) noexcept;

    [[nodiscard]] char const* what() const noexcept override { return message_.c_str(); }
    [[nodiscard]] memorystore::rpc_code code() const noexcept { return code_; }
    [[nodiscard]] http_reply reply() const;

private:
    memorystore::rpc_code code_;
    int status_;
    std::string message_;
    std::vector<memorystore::any> details_;
};

// 400 INVALID_ARGUMENT for one field, with BadRequest.
[[nodiscard]] api_error bad_field(std::string field, std::string description);

// 404 and 409, with ResourceInfo. A type is like `redis.googleapis.com/Instance`.
[[nodiscard]] api_error not_found(std::string const& type, std::string const& name);
[[nodiscard]] api_error already_exists(std::string const& type, std::string const& name);

// 400 FAILED_PRECONDITION with PreconditionFailure.
[[nodiscard]] api_error failed_precondition(std::string kind, std::string subject, std::string description);

// What a fault rule of `fault_action::status` answers with.
[[nodiscard]] http_reply fault_reply(fault_rule const& rule);

// What is cut off in the middle when a change has not been made: it looks like the operation that would have begun.
[[nodiscard]] http_reply hollow_reply(std::string const& path);

}  // namespace backbeat::emulation

#endif
