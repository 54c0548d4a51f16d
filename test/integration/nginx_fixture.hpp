//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_INTEGRATION_NGINX_FIXTURE_HPP
#define BACKBEAT_TEST_INTEGRATION_NGINX_FIXTURE_HPP

#include "client_fixture.hpp"
#include "nginx.hpp"

#include <backbeat/http/client.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/beast/http/field.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::test {

[[nodiscard]] inline test_certificate const& nginx_certificate()
{
    static auto const made = make_test_certificate("DNS:localhost,IP:127.0.0.1");
    return made;
}

// The ports of `over_each_transport`.
enum class transport : std::size_t { tcp = 1, tls_1_2 = 2, tls_1_3 = 3 };

inline std::ostream& operator<<(std::ostream& out, transport value)
{
    return out << (value == transport::tcp ? "tcp" : value == transport::tls_1_2 ? "tls_1_2" : "tls_1_3");
}

[[nodiscard]] inline std::string name_of_transport(::testing::TestParamInfo<transport> const& tested)
{
    return ::testing::PrintToString(tested.param);
}

// The same server on three ports.
[[nodiscard]] inline std::string over_each_transport(std::string const& server)
{
    return "server { listen 127.0.0.1:@port1@; " + server
        + "}\n"
          "server { listen 127.0.0.1:@port2@ ssl; @tls@ ssl_protocols TLSv1.2; "
        + server
        + "}\n"
          "server { listen 127.0.0.1:@port3@ ssl; @tls@ ssl_protocols TLSv1.3; "
        + server + "}\n";
}

[[nodiscard]] inline std::string url_of(nginx const& server, transport over)
{
    return server.url(over == transport::tcp ? "http" : "https", static_cast<std::size_t>(over));
}

[[nodiscard]] inline std::string field_of(http::response const& response, std::string_view name)
{
    auto const value = response[boost::beast::string_view(name.data(), name.size())];
    return {value.data(), value.size()};
}

inline void write_to(std::filesystem::path const& file, std::string_view content)
{
    std::ofstream(file, std::ios::binary) << content;
}

// One `async_send`, and what came of it.
struct sending_call {
    explicit sending_call(http::request to_send) : message(std::move(to_send)) {}

    void start(http::client& client, retry_options const& options)
    {
        client.async_send(
            message, options, report_to(report), [this](boost::system::error_code e, http::response received) {
                ++completions;
                error = e;
                response = std::move(received);
            });
    }

    [[nodiscard]] bool done() const { return completions != 0; }
    [[nodiscard]] unsigned status() const { return response.result_int(); }

    http::request message;
    retry_report report;
    int completions = 0;
    boost::system::error_code error;
    http::response response;
};

class nginx_fixture : public client_fixture {
protected:
    // With the lines of the log that these tests look at.
    [[nodiscard]] static nginx_options options_of(std::string http)
    {
        nginx_options result;
        result.http = std::move(http);
        result.log = "$status $request_method $request_uri";
        result.certificate = nginx_certificate();
        return result;
    }

    [[nodiscard]] static http::client_options trusting()
    {
        http::client_options result;
        result.ca_certificate = nginx_certificate().authority;
        return result;
    }

    [[nodiscard]] http::client make(std::string const& url) { return {context.get_executor(), url, trusting()}; }

    // Retries soon, and often.
    [[nodiscard]] static retry_options eager(std::uint32_t maximum_retries)
    {
        retry_options result;
        result.initial_backoff = std::chrono::milliseconds(2);
        result.maximum_backoff = std::chrono::milliseconds(20);
        result.maximum_retries = maximum_retries;
        return result;
    }

    [[nodiscard]] static std::size_t count(std::vector<std::string> const& lines, std::string_view line)
    {
        return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), line));
    }
};

class nginx_over : public nginx_fixture, public ::testing::WithParamInterface<transport> {};

}  // namespace backbeat::test

#define BACKBEAT_OVER_EACH_TRANSPORT(suite)        \
    INSTANTIATE_TEST_SUITE_P(                      \
        ,                                          \
        suite,                                     \
        ::testing::Values(                         \
            ::backbeat::test::transport::tcp,      \
            ::backbeat::test::transport::tls_1_2,  \
            ::backbeat::test::transport::tls_1_3), \
        &::backbeat::test::name_of_transport)

#endif
