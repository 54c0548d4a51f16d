//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A digit that stands for a status, and the body of the response that has it.

#include "require.hpp"

#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/retry_info.hpp>
#include <backbeat/memorystore/status.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using backbeat::fuzz::require;
namespace ms = backbeat::memorystore;

template <class Message>
void read_as(boost::json::value const& input)
{
    Message message;
    try {
        ms::from_json(input, message);
    } catch (ms::json_error const& error) {
        require(error.what()[0] != '\0', "an error says what is wrong");
        return;
    }
    Message again;
    ms::from_json(boost::json::value(ms::to_json(message)), again);
    require(again == message, "a message is written as it is read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    static constexpr unsigned statuses[] = {400, 401, 403, 404, 409, 429, 500, 503, 504, 599};
    if (size == 0) return 0;
    std::string_view const body(reinterpret_cast<char const*>(data) + 1, size - 1);
    auto const error = ms::error::from_response(statuses[data[0] % 10], body);
    require(error.code().failed(), "an error is one");
    require(error.what()[0] != '\0' && backbeat::fuzz::is_one_line(error.what()), "an error is a line of text");
    if (auto const info = error.detail<ms::rpc::retry_info>()) static_cast<void>(info->retry_delay);
    static_cast<void>(error.detail<ms::rpc::error_info>());
    static_cast<void>(error.detail<ms::rpc::bad_request>());
    static_cast<void>(error.detail<ms::rpc::quota_failure>());
    if (auto const delay = ms::retry_info(body)) require(delay->count() >= 0, "nobody waits until yesterday");

    boost::json::value document;
    try {
        document = ms::parse_json(body);
    } catch (ms::json_error const&) {
        return 0;
    }
    read_as<ms::error_envelope>(document);
    read_as<ms::instance>(document);
    read_as<ms::operation>(document);
    read_as<ms::list_instances_response>(document);
    read_as<ms::list_operations_response>(document);
    return 0;
}
