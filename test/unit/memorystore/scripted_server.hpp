//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_MEMORYSTORE_SCRIPTED_SERVER_HPP
#define BACKBEAT_TEST_UNIT_MEMORYSTORE_SCRIPTED_SERVER_HPP

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// A server that answers the requests that it gets, whatever they are, with what it was told to answer, one after the
// other. It knows just enough of HTTP to find the end of a request.
class scripted_server {
public:
    explicit scripted_server(boost::asio::io_context& context)
        : acceptor_(context, {boost::asio::ip::make_address("127.0.0.1"), 0})
    {
        accept();
    }

    std::string url() const { return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }

    void answer(unsigned status, std::string_view body, std::string_view fields = "")
    {
        script_.push_back(
            {"HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " + std::to_string(body.size()) + "\r\n"
                 + std::string(fields) + "\r\n" + std::string(body),
             false});
    }

    // The connection breaks instead of an answer.
    void lose() { script_.push_back({"", true}); }

    // There is no answer, and the connection stays.
    void hang() { script_.push_back({"", false}); }

    // The next answer is for a request that does not come.
    void skip() { script_.pop_front(); }

    // Every request, header and body.
    std::vector<std::string> requests;

    void close() { acceptor_.close(); }

private:
    struct step {
        std::string text;
        bool reset;
    };

    struct session {
        explicit session(boost::asio::ip::tcp::socket from) : socket(std::move(from)) {}
        boost::asio::ip::tcp::socket socket;
        std::string input;
        std::string output;
    };

    void accept()
    {
        acceptor_.async_accept([this](boost::system::error_code ec, boost::asio::ip::tcp::socket socket) {
            if (ec) return;
            read(std::make_shared<session>(std::move(socket)));
            accept();
        });
    }

    void read(std::shared_ptr<session> const& s)
    {
        boost::asio::async_read_until(
            s->socket,
            boost::asio::dynamic_buffer(s->input),
            "\r\n\r\n",
            [this, s](boost::system::error_code ec, std::size_t header) {
                if (ec) return;
                std::size_t body = 0;
                if (auto const at = s->input.find("Content-Length: "); at < header)
                    body = std::stoul(s->input.substr(at + 16));
                auto const missing = header + body > s->input.size() ? header + body - s->input.size() : 0;
                boost::asio::async_read(
                    s->socket,
                    boost::asio::dynamic_buffer(s->input),
                    boost::asio::transfer_exactly(missing),
                    [this, s, size = header + body](boost::system::error_code problem, std::size_t) {
                        if (problem) return;
                        requests.push_back(s->input.substr(0, size));
                        s->input.erase(0, size);
                        reply(s);
                    });
            });
    }

    void reply(std::shared_ptr<session> const& s)
    {
        if (script_.empty()) answer(500, "the script is over");
        auto const next = script_.front();
        script_.pop_front();
        if (next.reset) {
            s->socket.set_option(boost::asio::socket_base::linger(true, 0));
            s->socket.close();
            return;
        }
        if (next.text.empty()) {
            hanging_.push_back(s);
            return;
        }
        s->output = next.text;
        boost::asio::async_write(
            s->socket, boost::asio::buffer(s->output), [this, s](boost::system::error_code ec, std::size_t) {
                if (!ec) read(s);
            });
    }

    boost::asio::ip::tcp::acceptor acceptor_;
    std::deque<step> script_;
    std::vector<std::shared_ptr<session>> hanging_;
};

#endif
