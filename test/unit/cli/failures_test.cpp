//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command_runner.hpp"
#include "scripted_server.hpp"

#include <backbeat/emulator.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backbeat::test {
namespace {

process_result list_from(std::string const& url)
{
    return run_backbeat(
        {"instances",
         "list",
         "--project",
         "p",
         "--endpoint",
         url,
         "--maximum-retries",
         "1",
         "--initial-backoff",
         "1ms"});
}

TEST(cli_failures, each_has_an_error_of_its_own)
{
    scripted_server const ssh({[](peer& client) {
        client.write("SSH-2.0-OpenSSH_9.2p1\r\n");
        client.read_request();
    }});
    scripted_server const endless({[](peer& client) {
        client.read_request();
        client.write("HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\n{");
        client.wait_for_close();
    }});
    scripted_server const torn({[](peer& client) {
        client.read_request();
        client.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"instances\":");
    }});
    scripted_server const nonsense({answering({answer(200, "<html>")})});
    backbeat::emulator const plain;
    emulator_options with_tls;
    with_tls.tls = true;
    backbeat::emulator const tls(with_tls);
    auto const mistaken = "https://" + plain.url().substr(7);

    std::vector<std::pair<std::string, std::string>> const cases{
        {"http://127.0.0.1:" + std::to_string(refused_port()), "Connection refused"},
        {tls.tls_url(), "certificate is not trusted"},
        {mistaken, "TLS"},
        {ssh.url(), "HTTP"},
        {endless.url(), "body limit"},
        {torn.url(), "partial message"},
        {nonsense.url(), "cannot be read"},
    };
    std::set<std::string> seen;
    for (auto const& [url, expected] : cases) {
        auto const ended = list_from(url);
        EXPECT_FALSE(ended.timed_out) << url;
        EXPECT_EQ(ended.status, 1) << url;
        EXPECT_EQ(ended.out, "") << url;
        EXPECT_NE(ended.err.find(expected), std::string::npos) << ended.err;
        EXPECT_EQ(ended.err.find('\n'), ended.err.size() - 1) << "one line: " << ended.err;
        seen.insert(ended.err);
    }
    EXPECT_EQ(seen.size(), cases.size());
}

}  // namespace
}  // namespace backbeat::test
