//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "contender.hpp"

#include <backbeat/http/client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <string>
#include <utility>

namespace bench {

namespace {

namespace http = backbeat::http;

http::client_options options_for(http_target const& target, http::strand_kind strand)
{
    http::client_options options;
    options.strand = strand;
    options.ca_file = target.authority_file;
    options.maximum_connections = in_flight;
    options.user_agent = http_user_agent;
    options.retry = {
        .initial_backoff = std::chrono::nanoseconds(0),
        .maximum_backoff = std::chrono::nanoseconds(0),
        .maximum_retries = backbeat::unlimited_retries};
    return options;
}

enum class call { request, send };

template <call Call>
class client_contender final : public http_contender {
public:
    client_contender(http_target const& target, http::strand_kind strand)
        : target_(target), client_(context_.get_executor(), origin_of(target), options_for(target, strand))
    {}

    void run(std::size_t requests) override
    {
        left_ = requests;
        // On the context, as in a server: begun outside of it, they would all queue at the client's strand, and under full
        // load those that follow do, too.
        boost::asio::post(context_, [this] {
            for (std::size_t i = 0; i != in_flight; ++i) next();
        });
        context_.restart();
        context_.run();
    }

private:
    void next()
    {
        if (left_ == 0) return;
        --left_;
        auto on_end = [this](boost::system::error_code error, http::response response) {
            if (error) throw boost::system::system_error(error);
            check_response(target_, response.result_int(), response.body().size());
            next();
        };
        http::request message(http::verb::get, target_.path, 11);
        if constexpr (Call == call::request)
            client_.async_request(std::move(message), on_end);
        else
            client_.async_send(std::move(message), on_end);
    }

    http_target target_;
    boost::asio::io_context context_{1};
    http::client client_;
    std::size_t left_ = 0;
};

}  // namespace

std::unique_ptr<http_contender> make_client(http_target const& target)
{
    return std::make_unique<client_contender<call::request>>(target, http::strand_kind::explicit_strand);
}

std::unique_ptr<http_contender> make_client_on_implicit_strand(http_target const& target)
{
    return std::make_unique<client_contender<call::request>>(target, http::strand_kind::implicit_strand);
}

std::unique_ptr<http_contender> make_sending_client(http_target const& target)
{
    return std::make_unique<client_contender<call::send>>(target, http::strand_kind::explicit_strand);
}

std::unique_ptr<http_contender> make_sending_client_on_implicit_strand(http_target const& target)
{
    return std::make_unique<client_contender<call::send>>(target, http::strand_kind::implicit_strand);
}

}  // namespace bench
