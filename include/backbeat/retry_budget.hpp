//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_BUDGET_HPP
#define BACKBEAT_RETRY_BUDGET_HPP

#include <backbeat/budget.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/detail/last_second.hpp>
#include <backbeat/retry_budget_options.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace backbeat {

/**
 * \brief A budget for retries that success fills: the one to choose.
 * \details
 * It holds tokens, and starts full. Each attempt that the server answers for good, because it is judged done or
 * permanent, pays in a quarter of a token; a retry takes one, or half of one after an attempt that was throttled. So
 * a client whose server fails some attempts retries them all, and one whose server fails everything soon stops
 * retrying, and adds nothing to the load that keeps the server down. A token every 20 s keeps a quiet client able to
 * retry. It holds no more than a second's deposits, or 5 tokens if that is more: what was saved in good times cannot be
 * spent at once in bad ones. `retry_budget_options` has all these numbers.
 *
 * \code
 * backbeat::retry_budget budget;  // shared by all operations against one server
 * backbeat::async_retry(operation, {.budget = &budget}, token);
 * \endcode
 *
 * Use one for each server: `budget_registry` keeps them. Deposits that depend on success are the idea of Marc Brooker's
 * "Fixing retries with token buckets and circuit breakers" (https://brooker.co.za/blog/2022/02/28/retries.html).
 *
 * \par Exactness
 * The balance is an integer of millionths of a token, changed in one step. Whatever the number of threads, it is never
 * negative, and nothing that was paid in, taken or refilled is forgotten or counted twice; what exceeds the capacity is
 * cut off. Refills are computed from the time of the first call, and so do not drift. The capacity is that at the
 * beginning of a call; it counts the last second in slices of 20 ms, so that what paid in counts for 980 ms at least
 * and for 1 s at most.
 *
 * \par Object lifetimes
 * It must outlive every operation that uses it.
 *
 * \par Thread safety
 * Safe, and lock-free where 64-bit atomics are.
 */
class retry_budget final : public budget {
public:
    using options_type = retry_budget_options;

    /// Makes a budget with the default options.
    retry_budget() : retry_budget(retry_budget_options{}) {}

    /**
     * \brief Makes a budget that is full.
     * \throws boost::system::system_error with what `validate(options)` returns, if that is an error.
     */
    explicit retry_budget(retry_budget_options const& options)
        : options_(detail::checked(options)),
          deposit_(units(options.deposit)),
          cost_(static_cast<amount>(units(options.cost))),
          throttled_cost_(static_cast<amount>(units(options.throttled_cost))),
          minimum_capacity_(units(options.minimum_capacity)),
          capacity_per_success_(units(options.capacity_per_success)),
          balance_(minimum_capacity_)
    {}

    /// The options.
    [[nodiscard]] retry_budget_options const& options() const noexcept { return options_; }

    /// The number of tokens that a retry at the time `now` would find.
    [[nodiscard]] double balance(std::chrono::nanoseconds now) const noexcept
    {
        auto const most = capacity_units(now);
        auto const added = (std::min)(refill(now, refilled_.load(std::memory_order_relaxed)), most);
        return tokens((std::min)(balance_.load(std::memory_order_relaxed) + added, most));
    }

    /// The number of tokens that there can be at the time `now`.
    [[nodiscard]] double capacity(std::chrono::nanoseconds now) const noexcept { return tokens(capacity_units(now)); }

    /// How many retries were granted so far, those included that were given back.
    [[nodiscard]] std::uint64_t granted() const noexcept { return granted_.load(std::memory_order_relaxed); }

    /// How many retries were refused so far.
    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_.load(std::memory_order_relaxed); }

    void attempt_ended(attempt_outcome outcome, amount /*spent*/, std::chrono::nanoseconds now) noexcept override
    {
        if (outcome != attempt_outcome::success && outcome != attempt_outcome::permanent) return;
        successes_.add(now);
        change(now, deposit_, 0);
    }

    [[nodiscard]] std::optional<amount> try_withdraw(
        attempt_outcome outcome, std::chrono::nanoseconds now) noexcept override
    {
        auto const cost = outcome == attempt_outcome::throttled ? throttled_cost_ : cost_;
        if (change(now, 0, cost)) {
            granted_.fetch_add(1, std::memory_order_relaxed);
            return cost;
        }
        refused_.fetch_add(1, std::memory_order_relaxed);
        return std::nullopt;
    }

    void give_back(amount taken, std::chrono::nanoseconds now) noexcept override { change(now, taken, 0); }

private:
    static constexpr std::uint64_t units_a_token = 1'000'000;
    static constexpr auto not_begun = (std::numeric_limits<std::int64_t>::min)();

    [[nodiscard]] static std::uint64_t units(double tokens) noexcept
    {
        return static_cast<std::uint64_t>(std::llround(tokens * units_a_token));
    }

    [[nodiscard]] static double tokens(std::uint64_t units) noexcept
    {
        return static_cast<double>(units) / units_a_token;
    }

    [[nodiscard]] std::uint64_t capacity_units(std::chrono::nanoseconds now) const noexcept
    {
        return (std::max)(minimum_capacity_, capacity_per_success_ * successes_.count(now));
    }

    // What has been refilled since the first call, as far as it was not taken yet.
    [[nodiscard]] std::uint64_t refill(std::chrono::nanoseconds now, std::uint64_t taken) const noexcept
    {
        auto const interval = static_cast<std::uint64_t>(options_.refill_interval.count());
        auto const begun = begun_.load(std::memory_order_relaxed);
        if (interval == 0 || begun == not_begun || now.count() <= begun) return 0;
        auto const elapsed = static_cast<std::uint64_t>(now.count()) - static_cast<std::uint64_t>(begun);
        // Divided in two steps, because a long interval times a million does not fit.
        auto const thousandths = elapsed % interval * 1000;
        auto const millionths = thousandths % interval * 1000;
        auto const total = elapsed / interval * units_a_token + thousandths / interval * 1000 + millionths / interval;
        return total > taken ? total - taken : 0;
    }

    [[nodiscard]] std::uint64_t take_refill(std::chrono::nanoseconds now) noexcept
    {
        if (auto begun = begun_.load(std::memory_order_relaxed); begun == not_begun)
            begun_.compare_exchange_strong(begun, (std::max)(now.count(), not_begun + 1), std::memory_order_relaxed);
        auto taken = refilled_.load(std::memory_order_relaxed);
        for (;;) {
            auto const result = refill(now, taken);
            if (result == 0 || refilled_.compare_exchange_weak(taken, taken + result, std::memory_order_relaxed))
                return result;
        }
    }

    // Adds what there is room for of `in` and of the refill, then takes `out` if it is there.
    bool change(std::chrono::nanoseconds now, std::uint64_t in, std::uint64_t out) noexcept
    {
        auto const most = capacity_units(now);
        auto const added = (std::min)(take_refill(now), most) + in;
        auto before = balance_.load(std::memory_order_relaxed);
        for (;;) {
            auto const available = (std::min)(before + added, most);
            bool const enough = available >= out;
            auto const after = enough ? available - out : available;
            // Thousands that are refused at once only read: what changes nothing is not written.
            if (after == before || balance_.compare_exchange_weak(before, after, std::memory_order_relaxed))
                return enough;
        }
    }

    retry_budget_options const options_;
    std::uint64_t const deposit_;
    amount const cost_;
    amount const throttled_cost_;
    std::uint64_t const minimum_capacity_;
    std::uint64_t const capacity_per_success_;

    // No order between these matters: each is right by itself.
    std::atomic<std::uint64_t> balance_;
    std::atomic<std::int64_t> begun_{not_begun};
    std::atomic<std::uint64_t> refilled_{0};
    std::atomic<std::uint64_t> granted_{0};
    std::atomic<std::uint64_t> refused_{0};
    detail::last_second successes_;
};

}  // namespace backbeat

#endif
