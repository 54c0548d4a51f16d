//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "complete_with.hpp"
#include "without_allocator.hpp"

#include <backbeat/http/client.hpp>
#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/resource_name.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associator.hpp>
#include <boost/asio/error.hpp>
#include <boost/json/serialize.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/pchars.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#define BACKBEAT_MEMORYSTORE_TEXT_OF(x) #x
#define BACKBEAT_MEMORYSTORE_TEXT(x) BACKBEAT_MEMORYSTORE_TEXT_OF(x)
#define BACKBEAT_MEMORYSTORE_VERSION                  \
    BACKBEAT_MEMORYSTORE_TEXT(BACKBEAT_VERSION_MAJOR) \
    "." BACKBEAT_MEMORYSTORE_TEXT(BACKBEAT_VERSION_MINOR) "." BACKBEAT_MEMORYSTORE_TEXT(BACKBEAT_VERSION_PATCH)

namespace backbeat::memorystore {

namespace {

using namespace std::chrono_literals;

// The deadlines that the API publishes for its methods.
constexpr std::chrono::nanoseconds list_instances_deadline = 20s;
constexpr std::chrono::nanoseconds method_deadline = 60s;

// Names this library, the language and the transport, as every client of Google's APIs does.
constexpr std::string_view api_client =
    "gl-cpp/20 gccl/" BACKBEAT_MEMORYSTORE_VERSION " rest/" BACKBEAT_MEMORYSTORE_VERSION;

client_options checked(client_options options)
{
    auto const& token = options.access_token;
    auto const printable = [](char c) { return c > 0x20 && c < 0x7f; };
    if (!std::all_of(token.begin(), token.end(), printable))
        throw std::invalid_argument(
            "client_options::access_token holds a space, a line break or another character that no token has");
    if (!options.ca_file.empty()) options.http.ca_file = options.ca_file;
    return options;
}

// "/v1/projects/p/...", every segment percent-encoded.
std::string path_of(std::string_view name)
{
    std::string result = "/v1";
    while (!name.empty()) {
        auto const end = std::min(name.find('/'), name.size());
        result += '/';
        result += boost::urls::encode(boost::core::string_view(name.data(), end), boost::urls::pchars);
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return result;
}

void add_parameter(std::string& target, std::string_view key, std::string_view value)
{
    target += target.find('?') == std::string::npos ? '?' : '&';
    target.append(key).append("=");
    target += boost::urls::encode(boost::core::string_view(value.data(), value.size()), boost::urls::unreserved_chars);
}

void add_page(std::string& target, page_request const& page)
{
    if (page.page_size < 0)
        throw std::invalid_argument(
            "page_size is " + std::to_string(page.page_size) + "; it must be zero (as the service likes) or more");
    if (page.page_size != 0) add_parameter(target, "pageSize", std::to_string(page.page_size));
    if (!page.page_token.empty()) add_parameter(target, "pageToken", page.page_token);
}

void check_one_location(std::string const& location, std::string_view name)
{
    if (location == "-")
        throw std::invalid_argument(
            "'" + std::string(name) + "' stands for all locations; only a list can be asked of all of them");
}

// A request, and what is to be known about it when it ends.
class call {
public:
    call() = default;

    http::verb method = http::verb::get;
    std::string target;
    std::string body;
    // What the server routes by: "name=projects%2Fp%2F...".
    std::string routing;
    // What is being done, for people: "getting instance 'projects/...'".
    std::string action;
    std::chrono::nanoseconds deadline = method_deadline;
};

call call_of(http::verb method, std::string_view parameter, std::string_view name, std::string action)
{
    call result;
    result.method = method;
    result.target = path_of(name);
    result.routing.append(parameter).append("=");
    result.routing +=
        boost::urls::encode(boost::core::string_view(name.data(), name.size()), boost::urls::unreserved_chars);
    result.action = std::move(action);
    return result;
}

// What is known about a call while it runs. One allocation; released before the caller's handler is called.
class running_call {
public:
    running_call(std::string what, bool is_change, retry_report* callers)
        : action(std::move(what)), change(is_change), report(callers == nullptr ? &own_report : callers)
    {}
    running_call(running_call const&) = delete;
    running_call& operator=(running_call const&) = delete;

    std::string action;
    bool change;
    retry_report own_report;
    retry_report* report;
};

// Whether the service may have acted on a change that did not succeed. A status alone tells nothing here: a 503 may
// have come from a proxy after the service had acted.
bool may_have_acted(running_call const& running)
{
    if (!running.change || running.report->attempts() == 0) return false;
    return running.report->worst_delivery().value_or(delivery::ambiguous) == delivery::ambiguous;
}

// What ended the call, where the error does not tell.
std::string limit_of(retry_report const& report)
{
    switch (report.reason().value_or(stop_reason::exhausted)) {
    case stop_reason::hint_too_long:
        return "; the server asked for a longer wait than maximum_hint or total_timeout allow";
    case stop_reason::deadline: return "; total_timeout leaves no time for another";
    case stop_reason::breaker_open: return "; the circuit breaker is open";
    case stop_reason::budget: return "; the retry budget refuses another";
    default: return {};
    }
}

std::string after_attempts(running_call const& running)
{
    auto const attempts = running.report->attempts();
    auto const limit = limit_of(*running.report);
    if (attempts == 0 || (attempts == 1 && limit.empty())) return {};
    return " (after " + std::to_string(attempts) + (attempts == 1 ? " attempt" : " attempts") + limit + ")";
}

// Empty: the response is a success.
std::optional<error> failure_of(
    running_call const& running, boost::system::error_code const& problem, http::response const& response)
{
    auto const unknown = may_have_acted(running);
    if (problem) {
        error_facts facts;
        facts.outcome_unknown = unknown;
        facts.sentence = running.action
            + (unknown ? " failed, and may or may not have been carried out: " : " failed: ") + problem.message()
            + after_attempts(running);
        return error(problem, std::move(facts));
    }
    auto const status = response.result_int();
    if (status >= 200 && status < 300) return {};
    auto const answered = error::from_response(status, response.body());
    auto facts = answered.facts();
    facts.outcome_unknown = unknown;
    if (unknown) facts.sentence += "; " + running.action + " may or may not have been carried out";
    facts.sentence += after_attempts(running);
    return error(answered.code(), std::move(facts));
}

void check(instance const&) {}
void check(list_instances_response const&) {}
void check(list_operations_response const&) {}
void check(operation const& read)
{
    if (read.name.empty()) throw json_error("name", "expected the name of an operation, got none");
}

template <class Result>
Result result_of(running_call const& running, http::response const& response)
{
    try {
        auto result = parse_json<Result>(response.body());
        check(result);
        return result;
    } catch (json_error const& problem) {
        error_facts facts;
        facts.http_status = response.result_int();
        facts.outcome_unknown = running.change;
        facts.sentence = running.action + " succeeded, but the server's answer cannot be read: " + problem.what();
        throw error(errc::malformed_response, std::move(facts));
    }
}

// What the HTTP client calls at the end: turns its response into the result that the caller waits for.
template <class Result>
class call_handler {
public:
    call_handler(std::shared_ptr<running_call> running, detail::result_handler<Result> handler)
        : handler_(std::move(handler)), running_(std::move(running))
    {}

    void operator()(boost::system::error_code problem, http::response response)
    {
        std::exception_ptr failure;
        Result result;
        try {
            if (auto const failed = failure_of(*running_, problem, response))
                failure = std::make_exception_ptr(*failed);
            else
                result = result_of<Result>(*running_, response);
        } catch (...) {
            failure = std::current_exception();
        }
        running_.reset();
        std::move(handler_)(std::move(failure), std::move(result));
    }

    [[nodiscard]] detail::result_handler<Result> const& handler() const noexcept { return handler_; }

private:
    detail::result_handler<Result> handler_;
    // After the handler, so that it is destroyed before: its memory came from the handler's allocator.
    std::shared_ptr<running_call> running_;
};

}  // namespace

}  // namespace backbeat::memorystore

template <template <class, class> class Associator, class Result, class Default>
struct boost::asio::associator<Associator, backbeat::memorystore::call_handler<Result>, Default>
    : Associator<backbeat::memorystore::detail::result_handler<Result>, Default> {
    using inner = Associator<backbeat::memorystore::detail::result_handler<Result>, Default>;
    using outer = backbeat::memorystore::call_handler<Result>;

    static auto get(outer const& handler) noexcept { return inner::get(handler.handler()); }
    static auto get(outer const& handler, Default const& fallback) noexcept
    {
        return inner::get(handler.handler(), fallback);
    }
};

namespace backbeat::memorystore {

namespace detail {

class client_core {
public:
    client_core(boost::asio::any_io_executor executor, client_options options)
        : options_(checked(std::move(options))), http_(std::move(executor), options_.endpoint, options_.http)
    {}

    [[nodiscard]] boost::asio::any_io_executor executor() const noexcept { return http_.get_executor(); }

    void close() { http_.close(); }

    // Sends a request, and again as the documentation asks. The one place where the rules of this API meet the
    // client that knows HTTP only.
    template <class Result>
    void start(call what, call_options const& options, result_handler<Result> handler)
    {
        bool const change = what.method != http::verb::get;
        auto retry = options.retry.value_or(options_.retry);
        if (retry.attempt_timeout == std::chrono::nanoseconds{}) retry.attempt_timeout = what.deadline;

        auto running = std::allocate_shared<running_call>(
            boost::asio::get_associated_allocator(handler), std::move(what.action), change, options.report);
        auto const report = report_to(*running->report);
        auto request = request_of(std::move(what));
        // DELETE too: what is deleted the second time may be what somebody else has created in between.
        auto const replay = change ? http::idempotency::never : http::idempotency::safe;
        http_.async_send(
            std::move(request),
            replay,
            retry,
            report,
            without_allocator(call_handler<Result>(std::move(running), std::move(handler))));
    }

private:
    [[nodiscard]] http::request request_of(call what) const
    {
        http::request result(what.method, what.target, 11);
        result.set(http::field::accept, "application/json");
        result.set("x-goog-api-client", boost::beast::string_view(api_client.data(), api_client.size()));
        result.set("x-goog-request-params", what.routing);
        if (!options_.access_token.empty()) result.set(http::field::authorization, "Bearer " + options_.access_token);
        if (!what.body.empty()) {
            result.set(http::field::content_type, "application/json");
            result.body() = std::move(what.body);
        }
        result.prepare_payload();
        return result;
    }

    client_options options_;
    http::client http_;
};

boost::asio::any_io_executor executor_of(client_core const& core) noexcept
{
    return core.executor();
}

namespace {

// Makes the call, unless an argument breaks a rule: that is how the call then ends.
template <class Result, class Make>
void start(core_pointer const& core, call_options const& options, result_handler<Result> handler, Make&& make)
{
    // Made before the handler is moved anywhere: function arguments have no order.
    call what;
    try {
        what = make();
    } catch (std::invalid_argument const& problem) {
        return complete_with(core->executor(), std::move(handler), invalid_argument(problem.what()), Result());
    }
    core->start<Result>(std::move(what), options, std::move(handler));
}

}  // namespace

void list_instances(
    core_pointer const& core, std::string parent, page_request page, call_options options, instances_handler handler)
{
    start(core, options, std::move(handler), [&] {
        static_cast<void>(location_name::parse(parent));
        auto result = call_of(http::verb::get, "parent", parent, "listing the instances of '" + parent + "'");
        result.target += "/instances";
        add_page(result.target, page);
        result.deadline = list_instances_deadline;
        return result;
    });
}

void get_instance(core_pointer const& core, std::string name, call_options options, instance_handler handler)
{
    start(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return call_of(http::verb::get, "name", name, "getting instance '" + name + "'");
    });
}

void create_instance(
    core_pointer const& core,
    std::string parent,
    std::string instance_id,
    instance wanted,
    call_options options,
    operation_handler handler)
{
    start(core, options, std::move(handler), [&] {
        check_one_location(location_name::parse(parent).location, parent);
        check_instance_id(instance_id);
        auto result = call_of(
            http::verb::post, "parent", parent, "creating instance '" + parent + "/instances/" + instance_id + "'");
        result.target += "/instances";
        add_parameter(result.target, "instanceId", instance_id);
        result.body = boost::json::serialize(to_json(wanted));
        return result;
    });
}

void delete_instance(core_pointer const& core, std::string name, call_options options, operation_handler handler)
{
    start(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return call_of(http::verb::delete_, "name", name, "deleting instance '" + name + "'");
    });
}

void get_operation(core_pointer const& core, std::string name, call_options options, operation_handler handler)
{
    start(core, options, std::move(handler), [&] {
        check_one_location(operation_name::parse(name).location, name);
        return call_of(http::verb::get, "name", name, "getting operation '" + name + "'");
    });
}

void list_operations(
    core_pointer const& core, std::string parent, page_request page, call_options options, operations_handler handler)
{
    start(core, options, std::move(handler), [&] {
        static_cast<void>(location_name::parse(parent));
        auto result = call_of(http::verb::get, "name", parent, "listing the operations of '" + parent + "'");
        result.target += "/operations";
        add_page(result.target, page);
        return result;
    });
}

}  // namespace detail

client_options::client_options()
{
    http.attempt_timeout = {};
}

client::client(executor_type executor, client_options options)
    : core_(std::make_shared<detail::client_core>(std::move(executor), std::move(options)))
{}

client& client::operator=(client&& other) noexcept
{
    if (core_ && core_ != other.core_) core_->close();
    core_ = std::move(other.core_);
    return *this;
}

client::~client()
{
    if (core_) core_->close();
}

void client::close()
{
    core_->close();
}

}  // namespace backbeat::memorystore
