//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_AWS_RETRY_QUOTA_HPP
#define BACKBEAT_AWS_RETRY_QUOTA_HPP

#include <backbeat/aws_retry_quota_options.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace backbeat {

/**
 * \brief A budget that behaves like the retry quota of the AWS SDKs' standard mode
 *     (https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html).
 * \details
 * It holds 500 tokens. A retry takes 14 of them, or 5 after an attempt that was throttled. When a retry succeeds it
 * pays back what it cost; when a first attempt succeeds it pays in one. Nothing else pays in: what a retry that failed
 * has cost stays spent, whether it was retried or its failure was permanent.
 *
 * It is for services whose clients must all behave alike. Five hundred tokens are 35 retries for free for each client,
 * so a crowd of clients prolongs an outage more than with `retry_budget`.
 *
 * For the whole of the standard mode add to it `jitter::full`, `initial_backoff` 50 ms, `throttled_backoff` 1 s,
 * `maximum_backoff` 20 s and `maximum_retries` 2. A server's hint is then still obeyed as Backbeat does it: AWS clamps
 * it to between the backoff and 5 s more.
 *
 * \par Exactness
 * The balance is an integer, changed in one step: it is never negative, never above the capacity, and no token is lost
 * or counted twice, whatever the number of threads.
 *
 * \par Object lifetimes
 * It must outlive every operation that uses it.
 *
 * \par Thread safety
 * Safe, and lock-free where 64-bit atomics are.
 */
class aws_retry_quota final : public budget {
public:
    using options_type = aws_retry_quota_options;

    /// Makes a quota with the rules of standard mode 2.1.
    aws_retry_quota() : aws_retry_quota(aws_retry_quota_options{}) {}

    /**
     * \brief Makes a quota.
     * \throws boost::system::system_error with what `validate(options)` returns, if that is an error.
     */
    explicit aws_retry_quota(aws_retry_quota_options const& options)
        : options_(detail::checked(options)), tokens_(options.initial_tokens.value_or(options.capacity))
    {}

    /// The options.
    [[nodiscard]] aws_retry_quota_options const& options() const noexcept { return options_; }

    /// The number of tokens.
    [[nodiscard]] std::uint32_t tokens() const noexcept { return tokens_.load(std::memory_order_relaxed); }

    /// How many retries were granted so far, those included that were given back.
    [[nodiscard]] std::uint64_t granted() const noexcept { return granted_.load(std::memory_order_relaxed); }

    /// How many retries were refused so far.
    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_.load(std::memory_order_relaxed); }

    void attempt_ended(attempt_outcome outcome, amount spent, std::chrono::nanoseconds /*now*/) noexcept override
    {
        if (outcome != attempt_outcome::success) return;
        add(spent != 0 ? spent : options_.no_retry_increment);
    }

    [[nodiscard]] std::optional<amount> try_withdraw(
        attempt_outcome outcome, std::chrono::nanoseconds /*now*/) noexcept override
    {
        auto const cost = outcome == attempt_outcome::throttled ? options_.throttled_cost
            : outcome == attempt_outcome::timed_out             ? options_.timeout_cost
                                                                : options_.transient_cost;
        auto before = tokens_.load(std::memory_order_relaxed);
        while (before >= cost) {
            if (!tokens_.compare_exchange_weak(before, before - cost, std::memory_order_relaxed)) continue;
            granted_.fetch_add(1, std::memory_order_relaxed);
            return cost;
        }
        refused_.fetch_add(1, std::memory_order_relaxed);
        return std::nullopt;
    }

    void give_back(amount taken, std::chrono::nanoseconds /*now*/) noexcept override { add(taken); }

private:
    void add(std::uint32_t tokens) noexcept
    {
        auto before = tokens_.load(std::memory_order_relaxed);
        for (;;) {
            auto const after = before + (std::min)(tokens, options_.capacity - before);
            if (after == before || tokens_.compare_exchange_weak(before, after, std::memory_order_relaxed)) return;
        }
    }

    aws_retry_quota_options const options_;
    std::atomic<std::uint32_t> tokens_;
    std::atomic<std::uint64_t> granted_{0};
    std::atomic<std::uint64_t> refused_{0};
};

}  // namespace backbeat

#endif
