//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "scenario.hpp"

#include "contender.hpp"
#include "nginx.hpp"
#include "test_certificate.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#ifndef BACKBEAT_NGINX
#define BACKBEAT_NGINX "/usr/sbin/nginx"
#endif

namespace bench {

namespace {

constexpr std::size_t body_size = 200;

std::string configuration()
{
    return "server {\n"
           "    listen 127.0.0.1:@port1@;\n"
           "    listen 127.0.0.1:@port2@ ssl;\n"
           "    @tls@\n"
           "    access_log off;\n"
           "    keepalive_requests 1000000000;\n"
           "    keepalive_timeout 1h;\n"
           "    default_type text/plain;\n"
           "    location / { return 200 '"
        + std::string(body_size, 'x')
        + "'; }\n"
          "}\n";
}

void compare(std::vector<row>& rows, http_target const& target, std::size_t requests, std::string const& prefix)
{
    auto const client = make_client(target);
    auto const sending = make_sending_client(target);
    auto const beast = make_beast_loop(target);
    auto const awaitable = make_awaitable_loop(target);
    std::vector<contender> contenders{
        {"client", [&] { client->run(requests); }},
        {"sending client", [&] { sending->run(requests); }},
        {"beast loop", [&] { beast->run(requests); }},
        {"awaitable loop", [&] { awaitable->run(requests); }}};
    auto const curl = make_curl(target);
    if (curl) contenders.push_back({"libcurl", [&] { curl->run(requests); }});
    auto const result = measure(contenders, static_cast<double>(requests), 7);

    auto const per_second = [&](std::size_t i) { return 1e9 / result[i].wall_nanoseconds; };
    auto const cpu = [&](std::size_t i) { return result[i].nanoseconds; };
    auto const allocations = [&](std::size_t i) { return result[i].allocations; };
    rows.push_back(
        {prefix + "requests_per_second", per_second(0), "requests/s", "beast loop", per_second(0) / per_second(2)});
    rows.push_back({prefix + "requests_per_cpu_second", 1e9 / cpu(0), "requests/s", "beast loop", cpu(2) / cpu(0)});
    rows.push_back({prefix + "cpu_per_request", cpu(0), "ns", "beast loop", cpu(0) / cpu(2)});
    rows.push_back(
        {prefix + "cpu_ratio_to_awaitable_loop", cpu(0) / cpu(3), "ratio", "awaitable loop", cpu(0) / cpu(3)});
    rows.push_back(
        {prefix + "allocations", allocations(0), "per request", "beast loop", allocations(0) / allocations(2)});
    rows.push_back({prefix + "send_cpu_per_request", cpu(1), "ns", "beast loop", cpu(1) / cpu(2)});
    rows.push_back(
        {prefix + "send_allocations", allocations(1), "per request", "beast loop", allocations(1) / allocations(2)});
    if (!curl) return;
    rows.push_back({prefix + "cpu_ratio_to_curl", cpu(0) / cpu(4), "ratio", "libcurl multi", cpu(0) / cpu(4)});
    rows.push_back(
        {prefix + "requests_per_second_to_curl",
         per_second(0) / per_second(4),
         "ratio",
         "libcurl multi",
         per_second(0) / per_second(4)});
}

}  // namespace

void check_response(http_target const& target, unsigned status, std::size_t size)
{
    if (status == 200 && size == target.body_size) return;
    throw std::runtime_error(
        "a response of status " + std::to_string(status) + " with " + std::to_string(size)
        + " bytes, and not the one that was asked for");
}

void http_requests(std::vector<row>& rows)
{
    if (!std::filesystem::exists(BACKBEAT_NGINX)) {
        std::printf("HTTP is not measured: there is no " BACKBEAT_NGINX ".\n");
        return;
    }
    backbeat::test::nginx const server(
        {.http = configuration(), .certificate = backbeat::test::make_test_certificate("IP:127.0.0.1")});
    http_target const plain{.tls = false, .port = server.port(1), .authority_file = {}, .body_size = body_size};
    http_target const tls{
        .tls = true,
        .port = server.port(2),
        .authority_file = server.directory() / "authority.pem",
        .body_size = body_size};
    if (!make_curl(plain)) std::printf("libcurl is not measured: it was not there when this was built.\n");
    compare(rows, plain, 12'000, "http/");
    compare(rows, tls, 8'000, "https/");
}

}  // namespace bench
