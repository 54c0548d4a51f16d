//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "change_command.hpp"

#include "option_values.hpp"
#include "output.hpp"
#include "resource_output.hpp"
#include "text.hpp"

#include <backbeat/memorystore/json.hpp>

#include <boost/asio/use_awaitable.hpp>

namespace backbeat::cli {

namespace asio = boost::asio;
using memorystore::client;

void change_command::add_common_options(option_set& options)
{
    pace_.add_to(options, true);
    mutations_.add_to(options);
    if (ids_ == request_ids::yes)
        add_text(
            options,
            "--request-id",
            "UUID",
            request_id_,
            "By which the service knows the request again, to take it up after a crash. Without it, a random one.");
    service_.add_to(options);
}

void change_command::run_change(std::string const& what)
{
    auto const pace = [&] {
        auto chosen = pace_.chosen();
        chosen.observer = &progress_;
        return chosen;
    }();
    auto const waits = pace_.waits();
    service_.set_mutations(mutations_.chosen());
    memorystore::operation begun;
    auto const calls = [&](client& redis) { return begin_and_wait(redis, begun, pace); };
    std::function<std::string()> progress;
    if (waits) progress = [this] { return progress_.text(); };
    try {
        service_.run(what, calls, std::move(progress));
        write_result(shown_record(memorystore::to_json(begun), operation_kind().record, service_.format()));
    } catch (...) {
        // What was begun goes on, and can be waited for under this name.
        if (!begun.name.empty()) note(fmt::format("the operation is {}", printable(begun.name)));
        throw;
    }
}

asio::awaitable<void> change_command::begin_and_wait(
    client& redis, memorystore::operation& begun, memorystore::wait_options const& pace)
{
    auto const waits = pace_.waits();
    memorystore::call_options options;
    options.request_id = request_id_;
    begun = co_await begin(redis, std::move(options));
    if (waits) {
        auto started = begun;
        begun = co_await redis.async_wait_operation(std::move(started), pace, asio::use_awaitable);
    }
}

}  // namespace backbeat::cli
