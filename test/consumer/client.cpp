//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The compiled floors as a user has them: a list of instances, over TLS, from an emulator in the process.

#include <backbeat/emulator.hpp>
#include <backbeat/http/client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/system/error_code.hpp>

#include <iostream>
#include <utility>

int main()
{
    backbeat::emulator_options encrypted;
    encrypted.tls = true;
    backbeat::emulator google(std::move(encrypted));

    boost::asio::io_context context;
    backbeat::http::client_options options;
    options.ca_certificate = google.ca_certificate();
    backbeat::http::client client(context.get_executor(), google.tls_url(), std::move(options));

    unsigned status = 0;
    client.async_get(
        "/v1/projects/p/locations/-/instances",
        [&](boost::system::error_code error, backbeat::http::response const& response) {
            if (error) std::cerr << error.message() << '\n';
            status = response.result_int();
        });
    context.run();

    std::cout << status << '\n';
    return status == 200 && google.total_requests() == 1 ? 0 : 1;
}
