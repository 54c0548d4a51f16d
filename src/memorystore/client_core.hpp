//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CLIENT_CORE_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CLIENT_CORE_HPP

#include "call.hpp"
#include "call_handler.hpp"
#include "change_watch.hpp"
#include "complete_with.hpp"
#include "request_id.hpp"
#include "running_call.hpp"
#include "without_allocator.hpp"

#include <backbeat/http/client.hpp>
#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/client_options.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/mutation_options.hpp>
#include <backbeat/memorystore/token_provider.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace backbeat::memorystore::detail {

using response_handler = boost::asio::any_completion_handler<void(boost::system::error_code, http::response)>;

// What the parts of a client share. The one place where the rules of this API meet the client that knows HTTP only.
class client_core : public std::enable_shared_from_this<client_core> {
public:
    client_core(boost::asio::any_io_executor executor, client_options options);

    [[nodiscard]] boost::asio::any_io_executor executor() const noexcept { return http_.get_executor(); }

    void close() { http_.close(); }

    // How a change is made safe to repeat. \throws std::invalid_argument
    [[nodiscard]] mutation_options mutations(call_options const& options) const;

    // Zero: none.
    [[nodiscard]] std::chrono::nanoseconds total_timeout(call_options const& options) const noexcept;

    // The same options, with what is left of the total time-out of something that began then.
    [[nodiscard]] call_options with_time_left(
        call_options const& options, std::chrono::steady_clock::time_point begun) const;

    // Sends a request, and again as the documentation asks; fills the report. What is known of the call must stay valid.
    void send(call what, call_options const& options, running_call& running, response_handler handler);

    // Sends a change in the same way, while its fate is watched. `spent`: of the total time.
    void send(
        std::shared_ptr<change_watch> const& watch,
        call_options const& options,
        std::chrono::nanoseconds spent,
        running_call& running,
        response_handler handler);

private:
    class outgoing;

    void authorize(outgoing what, response_handler handler);
    void start(outgoing what, response_handler handler);
    [[nodiscard]] retry_options retries(call_options const& options, std::chrono::nanoseconds deadline) const;
    [[nodiscard]] http::request request_of(call what, call_options const& options) const;

    client_options options_;
    http::client http_;
    // Empty: requests are sent by nobody.
    std::optional<token_provider> tokens_;
};

// Sends a call to its end: until there is a result, or an error that is final.
template <class Result>
void start(core_pointer const& core, call what, call_options const& options, result_handler<Result> handler)
{
    auto running = std::allocate_shared<running_call>(
        boost::asio::get_associated_allocator(handler),
        what.action,
        what.replay != http::idempotency::safe,
        options.report);
    auto& known = *running;
    core->send(
        std::move(what),
        options,
        known,
        response_handler(without_allocator(call_handler<Result>(std::move(running), std::move(handler)))));
}

// Makes something of the arguments. Nothing: one of them breaks a rule, and that is how the call has ended.
template <class Result, class Make>
[[nodiscard]] auto made(core_pointer const& core, result_handler<Result>& handler, Make const& make)
    -> std::optional<decltype(make())>
{
    try {
        return make();
    } catch (std::invalid_argument const& problem) {
        complete_with(core->executor(), std::move(handler), invalid_argument(problem.what()), Result());
        return {};
    }
}

// Makes a call that changes nothing, or nothing that matters when it is done twice, and sends it.
template <class Result, class Make>
void start_call(core_pointer const& core, call_options const& options, result_handler<Result> handler, Make const& make)
{
    auto what = made(core, handler, [&] {
        check_no_request_id(options);
        return make();
    });
    if (what) start(core, std::move(*what), options, std::move(handler));
}

}  // namespace backbeat::memorystore::detail

#endif
