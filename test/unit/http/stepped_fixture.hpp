//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_STEPPED_FIXTURE_HPP
#define BACKBEAT_TEST_UNIT_HTTP_STEPPED_FIXTURE_HPP

#include "client_fixture.hpp"
#include "peer_calls.hpp"
#include "stepped_server.hpp"

#include <backbeat/http/client.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::test {

// A client and a server in one thread, which take turns: what the server sends next is sent when the client has read
// what was sent before, so that no two parts are ever read as one.
class stepped_fixture : public client_fixture {
protected:
    using peer_pointer = std::shared_ptr<stepped_peer>;

    explicit stepped_fixture(bool tls) : is_tls(tls)
    {
        if (tls)
            server.emplace(certificate());
        else
            server.emplace();
    }

    static test_certificate const& certificate()
    {
        static auto const made = make_test_certificate("IP:127.0.0.1");
        return made;
    }

    http::client make(http::client_options options = tested_client_options())
    {
        options.ca_certificate = certificate().authority;
        return {context.get_executor(), server->url(), std::move(options)};
    }

    // The next connection, whether a request comes on it or not.
    peer_pointer next_connection()
    {
        peer_pointer result;
        need(run_until([&] {
            if (!result) result = server->accept();
            if (result) result->read();
            return result && result->is_ready();
        }));
        return result;
    }

    // The connection on which the next request came, whole, be it a new one or not.
    peer_pointer next_request()
    {
        peer_pointer result;
        need(run_until([&] {
            while (auto fresh = server->accept()) peers_.push_back(std::move(fresh));
            for (auto const& each : peers_) {
                each->read();
                if (each->take_request()) result = each;
            }
            peers_.erase(
                std::remove_if(peers_.begin(), peers_.end(), [](auto const& each) { return each->is_ended(); }),
                peers_.end());
            return result != nullptr;
        }));
        return result;
    }

    // Sends it, and runs the client until it has read it, or has ended the call.
    void say(stepped_peer& by, std::string_view bytes, call const& to) { transport(by, by.on_the_wire(bytes), to); }

    // As it is, with TLS or without.
    void transport(stepped_peer& by, std::string_view wire, call const& to)
    {
        auto const before = bytes_received();
        auto const sent = by.send_some(wire);
        need(sent == wire.size());
        need(run_until([&] { return bytes_received() - before >= sent || to.done(); }));
        settle();
    }

    // Answers the next request of this client, which is a new one, as it should be.
    void expect_usable(http::client& client, char const* body = "usable")
    {
        call sent(make_request(http::verb::post, "/", "next"));
        sent.start(client);
        auto const peer = next_request();
        peer->send(answer(200, body));
        run(sent);
        EXPECT_EQ(sent.error, boost::system::error_code()) << sent.error.message();
        EXPECT_EQ(sent.response.body(), body);
        EXPECT_EQ(sent.delivered(), delivery::responded);
    }

    bool is_tls;
    std::optional<stepped_server> server;

private:
    static void need(bool good)
    {
        if (!good) throw std::runtime_error("the client and the server wait for each other");
    }

    std::vector<peer_pointer> peers_;
};

}  // namespace backbeat::test

#endif
