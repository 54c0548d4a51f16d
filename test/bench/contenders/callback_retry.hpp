//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_CALLBACK_RETRY_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_CALLBACK_RETRY_HPP

#include "cancellation_signals.hpp"
#include "failing_operation.hpp"
#include "pool.hpp"
#include "retry_settings.hpp"
#include "stage.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_budget.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

// A budget for all threads, which does not refuse a million retries.
[[nodiscard]] inline backbeat::retry_budget& common_budget()
{
    static backbeat::retry_budget result({.minimum_capacity = 1e6});
    return result;
}

// `async_retry` with a callback.
template <retry_settings settings>
class callback_retry {
    using operation_type = std::
        conditional_t<settings.operation_by_reference, std::reference_wrapper<failing_operation>, failing_operation>;

    template <class Done>
    static auto handler_of(callback_retry& self, std::size_t index, Done handler)
    {
        if constexpr (settings.pooled)
            return boost::asio::bind_allocator(pool_allocator<>(*self.pool_), std::move(handler));
        else if constexpr (settings.slot)
            return boost::asio::bind_cancellation_slot(self.signals_->slot(index), std::move(handler));
        else
            return handler;
    }

    template <class Done>
    using handler_type = decltype(handler_of(std::declval<callback_retry&>(), 0, std::declval<Done>()));

public:
    template <class Done>
    static constexpr std::size_t given = sizeof(handler_type<Done>) + sizeof(operation_type)
        + sizeof(boost::system::error_code);

    callback_retry(stage& on, std::size_t operations) : stage_(&on), options_(options_for(on.task.law, settings))
    {
        if constexpr (settings.budget) options_.budget = &common_budget();
        if constexpr (settings.operation_by_reference) operations_.assign(operations, failing_operation(on));
        if constexpr (settings.pooled) pool_.emplace((operations + 1'000) * 1'024);
        if constexpr (settings.slot) signals_.emplace(operations);
        if constexpr (settings.report) reports_.reset(new backbeat::retry_report[operations]);
    }

    template <class Done>
    void start(std::size_t index, Done done_handler)
    {
        auto handler = handler_of(*this, index, std::move(done_handler));
        if constexpr (settings.operation_by_reference) {
            operations_[index] = failing_operation(*stage_);
            backbeat::async_retry(std::ref(operations_[index]), std::cref(options_), std::move(handler));
        } else if constexpr (settings.options_by_value) {
            backbeat::async_retry(failing_operation(*stage_), options_, std::move(handler));
        } else if constexpr (settings.any_executor) {
            boost::asio::any_io_executor const executor = stage_->context.get_executor();
            backbeat::async_retry(executor, failing_operation(*stage_), std::cref(options_), std::move(handler));
        } else if constexpr (settings.report) {
            backbeat::async_retry(
                failing_operation(*stage_),
                std::cref(options_),
                backbeat::report_to(reports_[index]),
                std::move(handler));
        } else {
            backbeat::async_retry(failing_operation(*stage_), std::cref(options_), std::move(handler));
        }
    }

    void cancel(std::size_t index) requires(settings.slot) { signals_->cancel(index); }

private:
    stage* stage_;
    backbeat::retry_options options_;
    std::vector<failing_operation> operations_;
    std::optional<pool> pool_;
    std::optional<cancellation_signals> signals_;
    std::unique_ptr<backbeat::retry_report[]> reports_;
};

}  // namespace bench

#endif
