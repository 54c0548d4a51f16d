//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "operation.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/http/classifier.hpp>
#include <backbeat/report_to.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <functional>
#include <memory>
#include <utility>

namespace backbeat::http::detail {

namespace {

namespace asio = boost::asio;

// Attempts until one is enough. The retrying runs on the client's strand, not on the handler's executor: so it is safe
// whatever threads that one has.
class sending final : public operation {
public:
    sending(
        std::shared_ptr<client_core> core,
        request message,
        idempotency replay,
        retry_options const& options,
        retry_report* report,
        response_handler handler)
        : operation(std::move(core), std::move(handler)),
          message_(std::move(message)),
          replay_(replay),
          options_(options),
          report_(report)
    {}

    void cancel(asio::cancellation_type type) override { signal_.emit(type); }

private:
    // `sending` outlives the attempts, since their last handler owns it.
    struct one_attempt {
        sending* owner;

        template <class Token>
        auto operator()(attempt const& current, Token&& token) const
        {
            return asio::async_initiate<Token, void(boost::system::error_code, response)>(
                initiate_attempt(owner->shared_core()),
                token,
                &current,
                std::addressof(std::as_const(owner->message_)),
                owner->replay_);
        }
    };

    void start() override
    {
        enter();
        asio::any_io_executor const serial = core().serial();
        auto at_end = [self = std::static_pointer_cast<sending>(shared_from_this())](
                          boost::system::error_code error, response message) {
            self->leave();
            // Before any attempt there was no response: Beast's own default would look like a success.
            if (error && message.result() == status::ok) message = no_response();
            self->complete(error, std::move(message));
        };
        one_attempt each{this};
        classifier const decide{.replay = replay_};
        async_retry(
            serial,
            each,
            std::cref(options_),
            classify(decide),
            backbeat::detail::report_target{report_},
            asio::bind_cancellation_slot(signal_.slot(), asio::bind_executor(serial, std::move(at_end))));
    }

    request message_;
    idempotency replay_;
    retry_options options_;
    retry_report* report_;
    asio::cancellation_signal signal_;
};

}  // namespace

void start_send(
    std::shared_ptr<client_core> const& core,
    request message,
    idempotency replay,
    retry_options const* options,
    retry_report* report,
    response_handler handler)
{
    auto const& chosen = options != nullptr ? *options : core->settings().retry;
    std::make_shared<sending>(core, std::move(message), replay, chosen, report, std::move(handler))->initiate();
}

}  // namespace backbeat::http::detail
