//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "retry_scenario.hpp"

#include <backbeat/async_retry.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

namespace backbeat::test {

struct retry_scenario::handler {
    retry_scenario* scenario;

    void operator()(boost::system::error_code ec, int value) const
    {
        ++scenario->calls;
        scenario->error = ec;
        scenario->result = value;
        if (scenario->in_initiation_) scenario->called_in_initiation_ = true;
    }
};

void retry_scenario::start()
{
    in_initiation_ = true;
    async_retry<manual_clock>(
        context->get_executor(),
        std::ref(*operation),
        options,
        backbeat::classify(std::ref(classifier)),
        report_to(report),
        boost::asio::bind_cancellation_slot(signal.slot(), handler{this}));
    in_initiation_ = false;
}

void retry_scenario::start_unwatched()
{
    options.observer = nullptr;
    in_initiation_ = true;
    async_retry<manual_clock>(
        context->get_executor(),
        std::ref(*operation),
        options,
        backbeat::classify(std::ref(classifier)),
        boost::asio::bind_cancellation_slot(signal.slot(), handler{this}));
    in_initiation_ = false;
}

}  // namespace backbeat::test
