//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_GRPC_RETRY_THROTTLE_HPP
#define BACKBEAT_GRPC_RETRY_THROTTLE_HPP

#include <backbeat/budget.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/grpc_retry_throttle_options.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>

namespace backbeat {

/**
 * \brief A budget that behaves like gRPC's `retryThrottling`
 *     (https://github.com/grpc/proposal/blob/master/A6-client-retries.md, "Throttling Retry Attempts").
 * \details
 * It starts with `max_tokens`. An attempt that failed in a way that could be retried takes one token, as far as there
 * is one; a success pays in `token_ratio`, as far as there is room; a permanent failure changes nothing. Retries are
 * refused while there are `max_tokens / 2` or less. They cost nothing themselves, so there is nothing to give back.
 *
 * It is for services whose clients must all behave alike. It stops masking failures earlier than `retry_budget`: with
 * the default numbers it refuses every retry once 9.1 % of the attempts fail for long, that is
 * `token_ratio / (1 + token_ratio)`.
 *
 * gRPC also takes a token when the server's pushback forbids a retry, and none for its transparent retries. Neither
 * exists here.
 *
 * \par Exactness
 * Tokens are integers of a thousandth. Whatever the number of threads, none is lost or counted twice. Operations that
 * fail at the same time take their tokens first and ask afterwards, so that all of them may be refused where gRPC would
 * let the first of them pass.
 *
 * \par Object lifetimes
 * It must outlive every operation that uses it.
 *
 * \par Thread safety
 * Safe, and lock-free where 64-bit atomics are.
 */
class grpc_retry_throttle final : public budget {
public:
    using options_type = grpc_retry_throttle_options;

    /// Makes a throttle with the default options.
    grpc_retry_throttle() : grpc_retry_throttle(grpc_retry_throttle_options{}) {}

    /**
     * \brief Makes a throttle that has all its tokens.
     * \throws boost::system::system_error with what `validate(options)` returns, if that is an error.
     */
    explicit grpc_retry_throttle(grpc_retry_throttle_options const& options) : grpc_retry_throttle(options, 1, 1) {}

    /**
     * \brief Makes a throttle that takes the place of another, as when a new service config arrives.
     * \details
     * It starts with the same share of its tokens as the other has now, so that a client that is being throttled
     * still is. Operations that have begun with the other go on with it.
     * \throws boost::system::system_error with what `validate(options)` returns, if that is an error.
     */
    grpc_retry_throttle(grpc_retry_throttle_options const& options, grpc_retry_throttle const& replaced)
        : grpc_retry_throttle(options, replaced.tokens_.load(std::memory_order_relaxed), replaced.most_)
    {}

    /// The options.
    [[nodiscard]] grpc_retry_throttle_options const& options() const noexcept { return options_; }

    /// The number of tokens.
    [[nodiscard]] double tokens() const noexcept
    {
        return static_cast<double>(tokens_.load(std::memory_order_relaxed)) / thousand;
    }

    /// How many retries were granted so far, those included that were given back.
    [[nodiscard]] std::uint64_t granted() const noexcept { return granted_.load(std::memory_order_relaxed); }

    /// How many retries were refused so far.
    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_.load(std::memory_order_relaxed); }

    void attempt_ended(attempt_outcome outcome, amount /*spent*/, std::chrono::nanoseconds /*now*/) noexcept override
    {
        switch (outcome) {
        case attempt_outcome::success: add(ratio_); break;
        case attempt_outcome::permanent: break;
        case attempt_outcome::transient:
        case attempt_outcome::throttled:
        case attempt_outcome::timed_out: add(-thousand); break;
        }
    }

    [[nodiscard]] std::optional<amount> try_withdraw(
        attempt_outcome /*outcome*/, std::chrono::nanoseconds /*now*/) noexcept override
    {
        bool const enough = tokens_.load(std::memory_order_relaxed) > most_ / 2;
        (enough ? granted_ : refused_).fetch_add(1, std::memory_order_relaxed);
        return enough ? std::optional<amount>(0) : std::nullopt;
    }

    void give_back(amount /*taken*/, std::chrono::nanoseconds /*now*/) noexcept override {}

private:
    static constexpr std::int64_t thousand = 1000;

    grpc_retry_throttle(grpc_retry_throttle_options const& options, std::int64_t share, std::int64_t whole)
        : options_(detail::checked(options)),
          most_(options.max_tokens * thousand),
          ratio_(thousandths(options.token_ratio, most_)),
          tokens_(most_ * share / whole)
    {}

    // With the decimal places beyond the third cut off. A ratio of 0.57 may be a little less than that as a number, and
    // must not become 0.569 for it. What is more than all the tokens comes to the same as all of them.
    [[nodiscard]] static std::int64_t thousandths(double ratio, std::int64_t most) noexcept
    {
        if (ratio * thousand >= static_cast<double>(most)) return most;
        auto const nearest = std::llround(ratio * thousand);
        bool const written_so = static_cast<double>(nearest) / thousand == ratio;
        return written_so ? nearest : static_cast<std::int64_t>(ratio * thousand);
    }

    void add(std::int64_t difference) noexcept
    {
        auto before = tokens_.load(std::memory_order_relaxed);
        for (;;) {
            auto const after = std::clamp<std::int64_t>(before + difference, 0, most_);
            if (after == before || tokens_.compare_exchange_weak(before, after, std::memory_order_relaxed)) return;
        }
    }

    grpc_retry_throttle_options const options_;
    std::int64_t const most_;
    std::int64_t const ratio_;
    std::atomic<std::int64_t> tokens_;
    std::atomic<std::uint64_t> granted_{0};
    std::atomic<std::uint64_t> refused_{0};
};

}  // namespace backbeat

#endif
