//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "error_reply.hpp"

#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/status.hpp>

#include <boost/json/serialize.hpp>

#include <utility>

namespace backbeat::emulation {

using memorystore::rpc_code;

namespace {

api_error about_resource(rpc_code code, std::string const& type, std::string const& name, std::string const& what)
{
    memorystore::rpc::resource_info info;
    info.resource_type = type;
    info.resource_name = name;
    info.description = "Resource '" + name + "' " + what;
    return {code, info.description, {memorystore::any::pack(info)}};
}

}  // namespace

api_error::api_error(rpc_code code, std::string message, std::vector<memorystore::any> details)
    : code_(code),
      status_(static_cast<int>(memorystore::http_status(code))),
      message_(std::move(message)),
      details_(std::move(details))
{}

api_error& api_error::with_status(int status) noexcept
{
    status_ = status;
    return *this;
}

http_reply api_error::reply() const
{
    memorystore::error_body error;
    error.code = status_;
    error.message = message_;
    error.status = memorystore::to_string(code_);
    error.details = details_;
    memorystore::error_envelope envelope;
    envelope.error = std::move(error);

    http_reply result;
    result.status = status_;
    result.body = boost::json::serialize(memorystore::to_json(envelope));
    return result;
}

api_error bad_field(std::string field, std::string description)
{
    memorystore::rpc::field_violation violation;
    violation.field = std::move(field);
    violation.description = description;
    memorystore::rpc::bad_request details;
    details.field_violations.push_back(std::move(violation));
    return {rpc_code::invalid_argument, std::move(description), {memorystore::any::pack(details)}};
}

api_error not_found(std::string const& type, std::string const& name)
{
    return about_resource(rpc_code::not_found, type, name, "was not found");
}

api_error already_exists(std::string const& type, std::string const& name)
{
    return about_resource(rpc_code::already_exists, type, name, "already exists");
}

api_error failed_precondition(std::string kind, std::string subject, std::string description)
{
    memorystore::rpc::precondition_violation violation;
    violation.type = std::move(kind);
    violation.subject = std::move(subject);
    violation.description = description;
    memorystore::rpc::precondition_failure details;
    details.violations.push_back(std::move(violation));
    return {rpc_code::failed_precondition, std::move(description), {memorystore::any::pack(details)}};
}

http_reply fault_reply(fault_rule const& rule)
{
    auto const message = [&rule]() -> std::string {
        switch (rule.status) {
        case 401: return "Request had invalid authentication credentials.";
        case 403: return "The caller does not have permission.";
        case 404: return "Requested entity was not found.";
        case 429:
            return "Quota exceeded for quota metric 'API requests' and limit 'API requests per minute' of "
                   "service 'redis.googleapis.com'.";
        case 500: return "Internal error encountered.";
        case 503: return "The service is currently unavailable.";
        case 504: return "Deadline expired before operation could complete.";
        default: return "The emulator was told to answer with status " + std::to_string(rule.status) + ".";
        }
    }();
    auto result = api_error(memorystore::rpc_code_of_status(static_cast<unsigned>(rule.status)), message)
                      .with_status(rule.status)
                      .reply();
    if (rule.retry_after) result.fields.emplace_back("Retry-After", std::to_string(*rule.retry_after));
    if (rule.retry_after_ms) result.fields.emplace_back("retry-after-ms", std::to_string(*rule.retry_after_ms));
    return result;
}

http_reply hollow_reply(std::string const& path)
{
    memorystore::operation operation;
    operation.name = path;
    http_reply result;
    result.body = boost::json::serialize(memorystore::to_json(operation));
    return result;
}

}  // namespace backbeat::emulation
