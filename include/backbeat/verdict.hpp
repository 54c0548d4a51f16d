//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_VERDICT_HPP
#define BACKBEAT_VERDICT_HPP

#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace backbeat {

/// What the end of an attempt means for the operation.
enum class verdict_kind : std::uint8_t {
    /// The operation has what it came for.
    done,

    /// It failed, and would fail again: no retry.
    permanent,

    /// It failed, and a later attempt may succeed.
    retry,

    /// It was refused because too much was asked: retried, from `retry_options::throttled_backoff`.
    throttled,

    /// Whether it was carried out cannot be found out: no retry. The reason is `stop_reason::outcome_unknown`.
    unknown
};

/**
 * \brief What a classifier says of an attempt's completion.
 * \details
 * A value of few words, cheap to make. The named constructors cover what most classifiers say:
 *
 * \code
 * auto by_status = [](error_code ec, reply const& r) {
 *     if (ec) return backbeat::verdict::retry();
 *     return r.busy ? backbeat::verdict::throttled(r.come_back_in) : backbeat::verdict::done();
 * };
 * \endcode
 *
 * It is an aggregate, so that the less common things can be said with designated initialisers:
 * `{.kind = verdict_kind::retry, .delivered = delivery::ambiguous, .replayable = false}`.
 */
struct verdict {
    /// Whether to go on.
    verdict_kind kind = verdict_kind::done;

    /// The earliest time, counted from now, at which the server wants to be asked again. Empty: it did not say.
    std::optional<std::chrono::nanoseconds> hint{};

    /// How far the attempt got. Empty: what the operation reported by `attempt::report`, if anything.
    std::optional<delivery> delivered{};

    /**
     * \brief Whether the request may be repeated even though an earlier copy may have been carried out.
     * \details
     * False stops a retry with `stop_reason::not_replayable` as soon as the delivery of one attempt was ambiguous.
     */
    bool replayable = true;

    /**
     * \brief Whether there is nothing left to send, as after a request whose body could be read only once.
     * \details True stops a retry with `stop_reason::not_replayable`, whatever the deliveries were.
     */
    bool spent = false;

    /// A status that the report shows beside the error, such as an HTTP status. Zero: none.
    int status = 0;

    /// The operation has what it came for.
    [[nodiscard]] static constexpr verdict done() noexcept { return {}; }

    /// It failed, and would fail again.
    [[nodiscard]] static constexpr verdict permanent() noexcept { return {.kind = verdict_kind::permanent}; }

    /// It failed, and a later attempt may succeed; the next one comes no earlier than `hint` from now, if given.
    [[nodiscard]] static constexpr verdict retry(std::optional<std::chrono::nanoseconds> hint = {}) noexcept
    {
        return {.kind = verdict_kind::retry, .hint = hint};
    }

    /// It was refused because too much was asked; the next attempt comes no earlier than `hint` from now, if given.
    [[nodiscard]] static constexpr verdict throttled(std::optional<std::chrono::nanoseconds> hint = {}) noexcept
    {
        return {.kind = verdict_kind::throttled, .hint = hint};
    }

    friend bool operator==(verdict const&, verdict const&) = default;
};

}  // namespace backbeat

#endif
