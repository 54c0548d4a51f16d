//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/rpc_code.hpp>

namespace backbeat::memorystore {

namespace {

class rpc_category_type final : public boost::system::error_category {
public:
    constexpr rpc_category_type() noexcept : error_category(0x6261636b67727063) {}

    [[nodiscard]] char const* name() const noexcept override { return "google.rpc"; }
    [[nodiscard]] std::string message(int value) const override { return to_string(static_cast<rpc_code>(value)); }
};

constexpr rpc_category_type the_rpc_category;

}  // namespace

boost::system::error_category const& rpc_category() noexcept
{
    return the_rpc_category;
}

std::string to_string(rpc_code code)
{
    return open_enum<rpc_code>(code).name();
}

std::optional<rpc_code> rpc_code_named(std::string_view name) noexcept
{
    auto const number = detail::find_number(detail::enumerators<rpc_code>, name);
    if (!number) return {};
    return static_cast<rpc_code>(*number);
}

unsigned http_status(rpc_code code) noexcept
{
    switch (code) {
    case rpc_code::ok: return 200;
    case rpc_code::cancelled: return 499;
    case rpc_code::unknown: return 500;
    case rpc_code::invalid_argument: return 400;
    case rpc_code::deadline_exceeded: return 504;
    case rpc_code::not_found: return 404;
    case rpc_code::already_exists: return 409;
    case rpc_code::permission_denied: return 403;
    case rpc_code::resource_exhausted: return 429;
    case rpc_code::failed_precondition: return 400;
    case rpc_code::aborted: return 409;
    case rpc_code::out_of_range: return 400;
    case rpc_code::unimplemented: return 501;
    case rpc_code::internal: return 500;
    case rpc_code::unavailable: return 503;
    case rpc_code::data_loss: return 500;
    case rpc_code::unauthenticated: return 401;
    }
    return 500;
}

rpc_code rpc_code_of_status(unsigned status) noexcept
{
    switch (status) {
    case 400: return rpc_code::invalid_argument;
    case 401: return rpc_code::unauthenticated;
    case 403: return rpc_code::permission_denied;
    case 404: return rpc_code::not_found;
    case 409: return rpc_code::aborted;
    case 429: return rpc_code::resource_exhausted;
    case 499: return rpc_code::cancelled;
    case 501: return rpc_code::unimplemented;
    case 503: return rpc_code::unavailable;
    case 504: return rpc_code::deadline_exceeded;
    default: break;
    }
    if (status >= 200 && status < 300) return rpc_code::ok;
    if (status >= 400 && status < 500) return rpc_code::failed_precondition;
    if (status >= 500 && status < 600) return rpc_code::internal;
    return rpc_code::unknown;
}

}  // namespace backbeat::memorystore
