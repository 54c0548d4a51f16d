//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_RECORDING_SERVER_HPP
#define BACKBEAT_TEST_UNIT_HTTP_RECORDING_SERVER_HPP

#include "scripted_server.hpp"
#include "test_certificate.hpp"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct ssl_ctx_st;

namespace backbeat::test {

// Answers every request, and keeps all that it read of any. On 127.0.0.1, a thread for each connection.
class recording_server {
public:
    // A request, or as much of it as came.
    struct copy {
        std::string text;
        bool complete = false;
    };

    using responder = std::string (*)(std::string const& request);

    // The connection is closed after a response that says so. `tls`: the only version of it that it speaks; 0: plain TCP.
    recording_server(responder respond, int tls, test_certificate const& certificate);
    recording_server(recording_server const&) = delete;
    recording_server& operator=(recording_server const&) = delete;
    ~recording_server();

    [[nodiscard]] std::string url(std::string_view host) const;

    // Waits until it is through with all connections, which the clients must have closed. False: patience ran out.
    [[nodiscard]] bool wait_for_end_of_all();

    // What came since it was last asked.
    std::vector<copy> take_copies();

    // The connections that came since it was last asked.
    int take_accepted();

private:
    void accept_all();
    void serve(peer& client);

    responder respond_;
    std::shared_ptr<ssl_ctx_st> tls_;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::mutex mutex_;
    bool stopping_ = false;
    std::vector<copy> copies_;
    std::vector<std::shared_ptr<peer>> peers_;
    std::vector<std::thread> threads_;
    std::uint16_t last_port_ = 0;  // of the connection that `wait_for_end_of_all` waits for
    int accepted_ = 0;
    int accepted_before_ = 0;
    int closed_ = 0;
    std::condition_variable one_closed_;
    std::thread acceptor_;
};

}  // namespace backbeat::test

#endif
