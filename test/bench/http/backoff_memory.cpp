//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "backoff_memory.hpp"

#include "beast_stream.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/random_source.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>

namespace bench {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

constexpr std::size_t waiting_requests = 10'000;

// One number is drawn for each wait. An observer would cost each request a report.
class wait_counter final : public backbeat::random_source {
public:
    std::uint64_t next() noexcept override
    {
        ++count;
        return count * 0x9e37'79b9'7f4a'7c15;
    }

    std::uint64_t count = 0;
};

backbeat::retry_options an_hour(wait_counter& waits)
{
    return {.initial_backoff = std::chrono::hours(1), .maximum_backoff = std::chrono::hours(2), .random = &waits};
}

std::size_t open_sockets()
{
    std::size_t result = 0;
    for (auto const& each : std::filesystem::directory_iterator("/proc/self/fd")) {
        // The descriptor that this reads the folder with is gone by now.
        std::error_code gone;
        auto const name = std::filesystem::read_symlink(each.path(), gone).string();
        if (name.starts_with("socket:")) ++result;
    }
    return result;
}

struct footprint {
    double resident = 0;
    double allocated = 0;  // what malloc's blocks take, its own bookkeeping included
    double sockets = 0;

    // What was freed does not count: it is given back first.
    [[nodiscard]] static footprint now()
    {
        ::malloc_trim(0);
        auto const blocks = ::mallinfo2();
        std::size_t ignored = 0;
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> ignored >> pages;
        return {
            static_cast<double>(pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
            static_cast<double>(blocks.uordblks + blocks.hblkhd),
            static_cast<double>(open_sockets())};
    }

    [[nodiscard]] footprint operator-(footprint const& other) const
    {
        return {resident - other.resident, allocated - other.allocated, sockets - other.sockets};
    }
};

// A request that was not refused, or not repeated, has ended.
void must_not_end(bool ended)
{
    if (ended) throw std::runtime_error("a request ended that was to wait for an hour");
}

// All at once: they queue for the connections of the client.
footprint of_client(http_target const& target)
{
    wait_counter waits;
    asio::io_context context(1);
    backbeat::http::client_options options;
    options.maximum_connections = in_flight;
    options.retry = an_hour(waits);
    backbeat::http::client client(context.get_executor(), origin_of(target), options);
    bool ended = false;
    auto const before = footprint::now();
    for (std::size_t i = 0; i != waiting_requests; ++i) {
        backbeat::http::request message(backbeat::http::verb::get, target.path, 11);
        client.async_send(std::move(message), [&ended](auto const&...) { ended = true; });
    }
    while (waits.count != waiting_requests) {
        context.run_one();
        must_not_end(ended);
    }
    // What the last attempts still have to tidy up.
    context.poll();
    return footprint::now() - before;
}

asio::awaitable<backbeat::http::response> get(http_target const& target)
{
    beast::tcp_stream stream(co_await asio::this_coro::executor);
    stream.expires_after(std::chrono::seconds(60));
    co_await stream.async_connect({asio::ip::address_v4::loopback(), target.port}, asio::use_awaitable);
    auto const request = make_get(target);
    co_await beast::http::async_write(stream, request, asio::use_awaitable);
    beast::flat_buffer buffer;
    backbeat::http::response response;
    co_await beast::http::async_read(stream, buffer, response, asio::use_awaitable);
    co_return response;
}

// There is no pool that they could queue for, so no more are begun at a time than the client has connections.
footprint of_drop_in(http_target const& target)
{
    wait_counter waits;
    asio::io_context context(1);
    auto const options = an_hour(waits);
    auto const operation = [&target] { return get(target); };
    bool ended = false;
    auto const before = footprint::now();
    for (std::size_t begun = 0; waits.count != waiting_requests;) {
        for (; begun != waiting_requests && begun - waits.count != in_flight; ++begun) {
            backbeat::async_retry(
                context.get_executor(), operation, std::cref(options), [&ended](auto const&...) { ended = true; });
        }
        context.run_one();
        must_not_end(ended);
    }
    context.poll();
    return footprint::now() - before;
}

}  // namespace

void requests_in_backoff(std::vector<row>& rows, http_target const& target, std::string const& prefix)
{
    auto const add = [&](std::string const& of, footprint const& all) {
        auto const count = static_cast<double>(waiting_requests);
        rows.push_back({prefix + of + "bytes_per_request", all.resident / count, "bytes", "", 0});
        rows.push_back({prefix + of + "malloc_bytes_per_request", all.allocated / count, "bytes", "", 0});
        rows.push_back({prefix + of + "connections", all.sockets, "connections", "", 0});
    };
    // Once before it counts: what Asio and OpenSSL make for the first time, and keep, is no request's.
    of_drop_in(target);
    add("drop_in_", of_drop_in(target));
    of_client(target);
    add("", of_client(target));
}

}  // namespace bench
