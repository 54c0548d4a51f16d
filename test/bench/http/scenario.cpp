//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "scenario.hpp"

#include "backoff_memory.hpp"
#include "compare.hpp"
#include "contender.hpp"
#include "nginx.hpp"
#include "test_certificate.hpp"

#include <cstdio>
#include <filesystem>
#include <string>

#ifndef BACKBEAT_NGINX
#define BACKBEAT_NGINX "/usr/sbin/nginx"
#endif

namespace bench {

namespace {

constexpr std::size_t body_size = 200;

// Of the requests on a connection, every tenth is refused at /one-in-ten: whoever asks once more, gets an answer.
std::string configuration()
{
    auto const body = std::string(body_size, 'x');
    return "map $connection_requests $every_tenth {\n"
           "    default '';\n"
           "    '~0$' yes;\n"
           "}\n"
           "server {\n"
           "    listen 127.0.0.1:@port1@;\n"
           "    listen 127.0.0.1:@port2@ ssl;\n"
           "    @tls@\n"
           "    access_log off;\n"
           "    keepalive_requests 1000000000;\n"
           "    keepalive_timeout 1h;\n"
           "    default_type text/plain;\n"
           "    location / { return 200 '"
        + body
        + "'; }\n"
          "    location = /one-in-ten {\n"
          "        if ($every_tenth) { return 503 '"
        + body
        + "'; }\n"
          "        return 200 '"
        + body
        + "';\n"
          "    }\n"
          "    location = /down { return 503 '"
        + body
        + "'; }\n"
          "}\n";
}

}  // namespace

void http_requests(std::vector<row>& rows, http_effort const& effort)
{
    if (!std::filesystem::exists(BACKBEAT_NGINX)) {
        std::printf("HTTP is not measured: there is no " BACKBEAT_NGINX ".\n");
        return;
    }
    backbeat::test::nginx const server(
        {.http = configuration(), .certificate = backbeat::test::make_test_certificate("IP:127.0.0.1")});
    http_target const plain{.port = server.port(1), .authority_file = {}, .body_size = body_size};
    auto refusing = plain;
    refusing.path = "/one-in-ten";
    auto down = plain;
    down.path = "/down";
    http_target const tls{
        .tls = true,
        .port = server.port(2),
        .authority_file = server.directory() / "authority.pem",
        .body_size = body_size};
    if (!make_curl(plain)) std::printf("libcurl is not measured: it was not there when this was built.\n");
    if (!make_undici(plain)) std::printf("undici is not measured: ./run bench found no Node for it.\n");
    requests_in_backoff(rows, down, "http/backoff/");
    compare(rows, plain, effort, "http/");
    compare(rows, refusing, effort, "http/503/", true);
    compare(rows, tls, {effort.rounds, effort.requests * 2 / 3}, "https/");
}

}  // namespace bench
