//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_OPENSSL_SERVER_HPP
#define BACKBEAT_TEST_UNIT_HTTP_OPENSSL_SERVER_HPP

#include "pem_file.hpp"
#include "run_process.hpp"
#include "test_certificate.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::test {

// `openssl s_server` in a process of its own, on a port of 127.0.0.1 that the system chose.
class openssl_server {
public:
    // `options` are those of the command. Without an intermediate certificate, the chain that is sent is incomplete
    // where there should be one. Files are served from the directory.
    openssl_server(
        test_certificate const& certificate,
        std::vector<std::string> const& options,
        bool sends_intermediate = true,
        std::string const& directory = ::testing::TempDir())
        : certificate_(certificate.certificate),
          key_(certificate.key),
          chain_(certificate.intermediate),
          process_(command(options, sends_intermediate && !certificate.intermediate.empty(), directory))
    {
        auto const line = process_.read_line();
        constexpr std::string_view start = "ACCEPT 127.0.0.1:";
        if (line.rfind(start, 0) != 0) throw std::runtime_error("openssl s_server does not start: " + line);
        port_ = line.substr(start.size());
    }

    [[nodiscard]] std::string url(std::string const& host = "127.0.0.1") const
    {
        return "https://" + host + ":" + port_;
    }

private:
    std::vector<std::string> command(
        std::vector<std::string> const& options, bool sends_intermediate, std::string const& directory) const
    {
        // Ends with the test, however that ends. It would chat about the parameters of a key exchange.
        std::vector<std::string> result{
            "/usr/bin/env",
            "-C",
            directory,
            "setpriv",
            "--pdeathsig",
            "KILL",
            "openssl",
            "s_server",
            "-accept",
            "127.0.0.1:0",
            "-no_dhe",
            "-cert",
            certificate_.path(),
            "-key",
            key_.path()};
        if (sends_intermediate) result.insert(result.end(), {"-cert_chain", chain_.path()});
        result.insert(result.end(), options.begin(), options.end());
        return result;
    }

    pem_file certificate_;
    pem_file key_;
    pem_file chain_;
    running_process process_;
    std::string port_;
};

}  // namespace backbeat::test

#endif
