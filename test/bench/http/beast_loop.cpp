//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "beast_stream.hpp"
#include "contender.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/system/system_error.hpp>

#include <list>
#include <utility>

namespace bench {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

void check(error_code const& error)
{
    if (error) throw boost::system::system_error(error);
}

template <class Stream>
class beast_loop final : public http_contender {
public:
    explicit beast_loop(http_target const& target) : target_(target)
    {
        for (std::size_t i = 0; i != in_flight; ++i) connections_.emplace_back(*this);
    }

    void run(std::size_t requests) override
    {
        left_ = requests;
        for (auto& each : connections_) each.next();
        context_.restart();
        context_.run();
    }

private:
    class connection {
    public:
        explicit connection(beast_loop& owner)
            : owner_(owner),
              stream_(connect<Stream>(owner.context_, owner.tls_, owner.target_)),
              request_(make_get(owner.target_))
        {}

        void next()
        {
            if (owner_.left_ == 0) return;
            --owner_.left_;
            send();
        }

    private:
        void send()
        {
            beast::http::async_write(stream_, std::as_const(request_), [this](error_code error, std::size_t) {
                check(error);
                read();
            });
        }

        void read()
        {
            beast::http::async_read(stream_, buffer_, response_, [this](error_code error, std::size_t) {
                check(error);
                // As if somebody took it.
                auto const response = std::exchange(response_, {});
                if (is_refusal(response.result_int())) return send();
                check_response(owner_.target_, response.result_int(), response.body().size());
                next();
            });
        }

        beast_loop& owner_;
        Stream stream_;
        get_request request_;
        beast::flat_buffer buffer_;
        beast::http::response<beast::http::string_body> response_;
    };

    http_target target_;
    asio::io_context context_{1};
    asio::ssl::context tls_ = make_tls(target_);
    std::size_t left_ = 0;
    std::list<connection> connections_;
};

}  // namespace

std::unique_ptr<http_contender> make_beast_loop(http_target const& target)
{
    using asio::ip::tcp;
    if (target.tls) return std::make_unique<beast_loop<asio::ssl::stream<tcp::socket>>>(target);
    return std::make_unique<beast_loop<tcp::socket>>(target);
}

}  // namespace bench
