//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_FINAGLE_RETRY_BUDGET_HPP
#define BACKBEAT_FINAGLE_RETRY_BUDGET_HPP

#include <backbeat/budget.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/detail/leaky_bucket.hpp>
#include <backbeat/finagle_retry_budget_options.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace backbeat {

/**
 * \brief A budget that behaves like Finagle's `RetryBudget`
 *     (https://github.com/twitter/finagle/blob/develop/finagle-core/src/main/scala/com/twitter/finagle/service/RetryBudget.scala).
 * \details
 * Each operation that begins deposits 1000, whatever becomes of it; a retry takes 1000 / `percent_can_retry`, without
 * its fraction, if there is as much. What was put in, and what was taken out, is forgotten after `ttl`. There is a
 * reserve of `min_retries_per_second` retries for each second of `ttl`. With `percent_can_retry` zero deposits are zero
 * and a retry takes 1.
 *
 * It is for services whose clients must all behave alike. Since failures fund it too, and since every client has its
 * reserve, a crowd of clients can keep a server down with it; `retry_budget` does not.
 *
 * \par Exactness
 * For calls one after another the answers are Finagle's to the millisecond, if its budget is made at the time of the
 * first call. Finagle lets withdrawals wait for one another; here nothing waits, and a balance that is changed in one
 * step keeps them from spending the same amount. Of calls that run while another moves the windows on, once in a tenth
 * of `ttl`, a deposit or a withdrawal may be forgotten early, and a retry may be granted from what expires in that
 * moment. What is put in is taken out exactly once, so that no such error outlasts `ttl`. A retry that is given back
 * counts as a deposit; Finagle has nothing like it.
 *
 * \par Object lifetimes
 * It must outlive every operation that uses it.
 *
 * \par Thread safety
 * Safe, and lock-free where 64-bit atomics are.
 */
class finagle_retry_budget final : public budget {
public:
    using options_type = finagle_retry_budget_options;

    /// Makes a budget with the default options: 20 % of the operations, and 10 a second.
    finagle_retry_budget() : finagle_retry_budget(finagle_retry_budget_options{}) {}

    /**
     * \brief Makes a budget that has its reserve.
     * \throws boost::system::system_error with what `validate(options)` returns, if that is an error.
     */
    explicit finagle_retry_budget(finagle_retry_budget_options const& options)
        : options_(detail::checked(options)),
          cost_(cost_of(options.percent_can_retry)),
          bucket_(options.ttl, reserve_of(options, cost_))
    {}

    /// The options.
    [[nodiscard]] finagle_retry_budget_options const& options() const noexcept { return options_; }

    /**
     * \brief The number of retries that could be made at the time `now`.
     * \details Below zero, when what was taken lately was put in so long ago that it is forgotten.
     */
    [[nodiscard]] std::int64_t balance(std::chrono::nanoseconds now) const noexcept
    {
        return bucket_.count(now) / std::int64_t{cost_};
    }

    /// How many retries were granted so far, those included that were given back.
    [[nodiscard]] std::uint64_t granted() const noexcept { return granted_.load(std::memory_order_relaxed); }

    /// How many retries were refused so far.
    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_.load(std::memory_order_relaxed); }

    void operation_started(std::chrono::nanoseconds now) noexcept override
    {
        if (options_.percent_can_retry != 0) bucket_.put(scale, now);
    }

    void attempt_ended(
        attempt_outcome /*outcome*/, amount /*spent*/, std::chrono::nanoseconds /*now*/) noexcept override
    {}

    [[nodiscard]] std::optional<amount> try_withdraw(
        attempt_outcome /*outcome*/, std::chrono::nanoseconds now) noexcept override
    {
        bool const enough = bucket_.try_get(cost_, now);
        (enough ? granted_ : refused_).fetch_add(1, std::memory_order_relaxed);
        return enough ? std::optional<amount>(cost_) : std::nullopt;
    }

    void give_back(amount taken, std::chrono::nanoseconds now) noexcept override { bucket_.put(taken, now); }

private:
    static constexpr int scale = 1000;

    // As in Finagle, what does not fit in its Int becomes the greatest Int.
    [[nodiscard]] static amount cost_of(double percent_can_retry) noexcept
    {
        constexpr auto greatest = (std::numeric_limits<std::int32_t>::max)();
        if (percent_can_retry == 0) return 1;
        return static_cast<amount>((std::min)(scale / percent_can_retry, double{greatest}));
    }

    [[nodiscard]] static std::int64_t reserve_of(finagle_retry_budget_options const& options, amount cost) noexcept
    {
        auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(options.ttl).count();
        return std::int64_t{options.min_retries_per_second} * seconds * cost;
    }

    finagle_retry_budget_options const options_;
    amount const cost_;
    detail::leaky_bucket bucket_;
    std::atomic<std::uint64_t> granted_{0};
    std::atomic<std::uint64_t> refused_{0};
};

}  // namespace backbeat

#endif
