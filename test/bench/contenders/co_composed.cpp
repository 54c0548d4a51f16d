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

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/co_composed.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace bench {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// A loop in Asio's own coroutine for composed operations.
template <class Token>
auto async_composed(stage& on, Token&& token)
{
    return asio::async_initiate<Token, void(error_code)>(
        asio::experimental::co_composed<void(error_code)>(
            [](auto state, stage* where) -> void {
                state.throw_if_cancelled(false);
                failing_operation operation(*where);
                context_timer timer(where->context);
                for (std::uint32_t retry = 0;; ++retry) {
                    auto [error] = co_await operation(asio::as_tuple(asio::deferred));
                    if (!error || retry == maximum_retries) co_return {error};
                    timer.expires_after(backoff(where->task.law, retry));
                    auto [waited] = co_await timer.async_wait(asio::as_tuple(asio::deferred));
                    if (waited) co_return {waited};
                }
            },
            on.context.get_executor()),
        token,
        &on);
}

template <bool slot>
class composed_contender {
public:
    template <class Done>
    static constexpr std::size_t given = sizeof(Done) + sizeof(failing_operation);

    composed_contender(stage& on, std::size_t operations) : stage_(&on)
    {
        if constexpr (slot) signals_.emplace(operations);
    }

    template <class Done>
    void start([[maybe_unused]] std::size_t index, Done handler)
    {
        if constexpr (slot)
            async_composed(*stage_, asio::bind_cancellation_slot(signals_->slot(index), std::move(handler)));
        else
            async_composed(*stage_, std::move(handler));
    }

    void cancel(std::size_t index) requires slot { signals_->cancel(index); }

private:
    stage* stage_;
    std::optional<cancellation_signals> signals_;
};

}  // namespace

std::vector<registration> composed_contenders()
{
    return {entry<composed_contender<false>>("co-composed"), entry<composed_contender<true>>("co-composed-slot")};
}

}  // namespace bench
