//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_HTTP_CONTENDER_HPP
#define BACKBEAT_TEST_BENCH_HTTP_CONTENDER_HPP

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

// Ways to get the same small resource again and again, on one thread, over connections that are kept.
namespace bench {

// As many requests are under way at any time, each on a connection of its own.
inline constexpr std::size_t in_flight = 64;

// A server on 127.0.0.1 that answers GET requests for this path with 200 and a body of this size, or with a 503: then
// every contender asks once more, at once, and the 200 is what counts.
struct http_target {
    bool tls = false;
    unsigned short port = 0;
    std::string path = "/";

    // With TLS: the file with the certificate by which the server is verified.
    std::string authority_file;

    std::size_t body_size = 0;
};

struct http_effort {
    int rounds = 7;
    std::size_t requests = 12'000;  // a round and contender
};

// Requests say the same whoever sends them.
inline constexpr std::string_view http_user_agent = "backbeat-bench";

// What some requests took.
struct http_cost {
    double cpu_nanoseconds = 0;
    double wall_nanoseconds = 0;
    double allocations = 0;  // not a number: nobody counts them
};

class http_contender {
public:
    http_contender() = default;
    http_contender(http_contender const&) = delete;
    http_contender& operator=(http_contender const&) = delete;
    virtual ~http_contender() = default;

    // Returns when all responses were there, and each was the right one; throws otherwise. What the first run
    // connects, the others use.
    virtual void run(std::size_t requests) = 0;

    // Runs, and says what that took: this process, unless the contender is another.
    [[nodiscard]] virtual http_cost cost_of(std::size_t requests);
};

// `http::client::async_request`, with a callback.
[[nodiscard]] std::unique_ptr<http_contender> make_client(http_target const&);

// The same, whose client is told that there is one thread.
[[nodiscard]] std::unique_ptr<http_contender> make_client_on_implicit_strand(http_target const&);

// `http::client::async_send`, with a callback. It repeats a 503 without a wait.
[[nodiscard]] std::unique_ptr<http_contender> make_sending_client(http_target const&);

// The same, whose client is told that there is one thread.
[[nodiscard]] std::unique_ptr<http_contender> make_sending_client_on_implicit_strand(http_target const&);

// The floor: `async_write` and `async_read` of Beast in turns, with callbacks on a plain socket. There is no pool, no
// time limit and no cancellation, and the request is made once.
[[nodiscard]] std::unique_ptr<http_contender> make_beast_loop(http_target const&);

// What users write today: the same in an `awaitable`, on a `tcp_stream` with a time limit for each request.
[[nodiscard]] std::unique_ptr<http_contender> make_awaitable_loop(http_target const&);

// libcurl's multi interface, with the events of its sockets from epoll. Null: libcurl was not there when this was built.
[[nodiscard]] std::unique_ptr<http_contender> make_curl(http_target const&);

// Node with undici, a process of its own. Null: `./run bench` had no Node to start it with.
[[nodiscard]] std::unique_ptr<http_contender> make_undici(http_target const&);

// Whether the server says that it will not answer now.
[[nodiscard]] constexpr bool is_refusal(unsigned status) noexcept
{
    return status == 503;
}

[[nodiscard]] std::string origin_of(http_target const&);

// Throws if this is not what the target answers.
void check_response(http_target const&, unsigned status, std::size_t body_size);

}  // namespace bench

#endif
