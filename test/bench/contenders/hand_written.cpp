//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "cancellation_signals.hpp"
#include "failing_operation.hpp"
#include "registration.hpp"
#include "stage.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bench {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// The attempt without anything around it.
class bare_call {
public:
    bare_call(stage& on, std::size_t) noexcept : stage_(&on) {}

    template <class Done>
    void start(std::size_t, Done handler)
    {
        failing_operation operation(*stage_);
        operation(std::move(handler));
    }

private:
    stage* stage_;
};

// The floor: a state machine of callbacks on a timer, written for this very work, without abstraction, time limits or
// a report.
template <class Done>
class state_machine {
public:
    state_machine(stage& on, Done handler)
        : timer_(on.context), operation_(on), law_(&on.task.law), done_(std::move(handler))
    {}

    void attempt()
    {
        operation_([this](error_code error) { ended(error); });
    }

private:
    void ended(error_code error)
    {
        if (error && retry_ != maximum_retries) {
            timer_.expires_after(backoff(*law_, retry_++));
            timer_.async_wait([this](error_code) { attempt(); });
            return;
        }
        auto handler = std::move(done_);
        delete this;
        handler(error);
    }

    context_timer timer_;
    failing_operation operation_;
    wait_law const* law_;
    Done done_;
    std::uint32_t retry_ = 0;
};

// The same with a cancellation slot.
template <class Done>
class cancellable_state_machine {
public:
    cancellable_state_machine(stage& on, asio::cancellation_slot slot, Done handler)
        : timer_(on.context), operation_(on), law_(&on.task.law), slot_(slot), done_(std::move(handler))
    {
        slot_.assign([this](asio::cancellation_type) {
            cancelled_ = true;
            timer_.cancel();
        });
    }

    void attempt()
    {
        operation_([this](error_code error) { ended(error); });
    }

private:
    void ended(error_code error)
    {
        if (!error || retry_ == maximum_retries || cancelled_) {
            finish(error);
            return;
        }
        timer_.expires_after(backoff(*law_, retry_++));
        timer_.async_wait([this](error_code) {
            if (cancelled_)
                finish(asio::error::operation_aborted);
            else
                attempt();
        });
    }

    void finish(error_code error)
    {
        slot_.clear();
        auto handler = std::move(done_);
        delete this;
        handler(error);
    }

    context_timer timer_;
    failing_operation operation_;
    wait_law const* law_;
    asio::cancellation_slot slot_;
    Done done_;
    std::uint32_t retry_ = 0;
    bool cancelled_ = false;
};

class floor_contender {
public:
    template <class Done>
    static constexpr std::size_t given = sizeof(Done) + sizeof(failing_operation);

    floor_contender(stage& on, std::size_t) noexcept : stage_(&on) {}

    template <class Done>
    void start(std::size_t, Done handler)
    {
        auto* const machine = new state_machine<Done>(*stage_, std::move(handler));
        machine->attempt();
    }

private:
    stage* stage_;
};

class floor_with_slot {
public:
    template <class Done>
    static constexpr std::size_t given = sizeof(Done) + sizeof(failing_operation) + sizeof(asio::cancellation_slot);

    floor_with_slot(stage& on, std::size_t operations) : stage_(&on), signals_(operations) {}

    template <class Done>
    void start(std::size_t index, Done handler)
    {
        auto* const machine = new cancellable_state_machine<Done>(*stage_, signals_.slot(index), std::move(handler));
        machine->attempt();
    }

    void cancel(std::size_t index) { signals_.cancel(index); }

private:
    stage* stage_;
    cancellation_signals signals_;
};

}  // namespace

std::vector<registration> hand_written_contenders()
{
    return {entry<bare_call>("bare"), entry<floor_contender>("floor"), entry<floor_with_slot>("floor-slot")};
}

}  // namespace bench
