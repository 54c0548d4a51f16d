//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Requests to the emulator, with an empty line between them: method, target and, from the second line on, the body.

#include "require.hpp"
#include "service.hpp"

#include <backbeat/memorystore/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

using backbeat::fuzz::require;
using backbeat::fuzz::take_until;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    namespace emulation = backbeat::emulation;
    std::string logged;
    emulation::service_options options;
    options.seed = 1;
    options.operation_time = std::chrono::nanoseconds(size % 2);
    options.log_limit = 4;
    options.log = [&logged](std::string_view line) { logged = line; };
    emulation::service service(std::move(options));

    std::string_view rest(reinterpret_cast<char const*>(data), size);
    for (int count = 0; !rest.empty() && count != 64; ++count) {
        auto body = take_until(rest, "\n\n");
        auto target = take_until(body, "\n");
        auto const method = take_until(target, " ");
        // A server has no other methods, as they would not be HTTP.
        if (method.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.") != method.npos) continue;
        auto current = service.begin({std::string(method), std::string(target), std::string(body), "id"});
        auto const reply = service.act(current);
        require(reply.status >= 200 && reply.status <= 599, "every request has an answer");
        require(reply.status != 500 || current.fault, "the emulator does not fail by itself");
        for (auto const& [name, value] : reply.fields)
            require(backbeat::fuzz::is_one_line(name + value), "no answer adds fields to itself");
        if (reply.content_type.find("json") != reply.content_type.npos && !reply.body.empty())
            static_cast<void>(backbeat::memorystore::parse_json(reply.body));
        current.status = reply.status;
        service.finish(current);
        require(backbeat::fuzz::is_one_line(logged), "a request is one line of the log");
    }
    require(service.requests().size() <= 4 && service.effects().size() <= 4, "the logs are bounded");
    return 0;
}
