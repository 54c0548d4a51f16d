//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_REPORT_HPP
#define BACKBEAT_RETRY_REPORT_HPP

#include <backbeat/attempt_record.hpp>
#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/retry_phase.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/wait_origin.hpp>

#include <boost/system/error_code.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace backbeat {

/**
 * \brief The history of one operation: why it ended, and what became of each attempt.
 * \details
 * Pass one with `report_to(report)`; it is filled while the operation runs, and complete when the handler is called.
 * An observer gets it in `retry_observer::at_end`.
 *
 * Its memory is bounded: of many attempts it keeps the records of the first 4 and of the last 12. Its counts and
 * sums are exact all the same. It allocates nothing for an operation that succeeds at its first attempt.
 *
 * It can be had as text in three forms: `report_lines`, which `<<` prints, a line an attempt; `report_line`, all on one
 * line for a log; and `report_json`, for programs.
 *
 * \par Thread safety
 * Distinct objects: safe. Shared objects: unsafe; the operation writes to it where its handlers run.
 */
class retry_report {
public:
    /// How many records of the first attempts it keeps.
    static constexpr std::size_t kept_first = 4;

    /// How many records of the last attempts it keeps.
    static constexpr std::size_t kept_last = 12;

    /// The number of attempts made.
    [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

    /// The number of attempts after the first.
    [[nodiscard]] std::uint32_t retries() const noexcept { return attempts_ == 0 ? 0 : attempts_ - 1; }

    /// The number of waits that were begun.
    [[nodiscard]] std::uint32_t waits() const noexcept { return waits_; }

    /// The sum of all waits that were chosen, exact as in the records.
    [[nodiscard]] std::chrono::nanoseconds total_waited() const noexcept { return total_waited_; }

    /// The time spent in waits: as `total_waited`, but of a wait that the operation's end cut short only what passed.
    [[nodiscard]] std::chrono::nanoseconds time_waited() const noexcept
    {
        return total_waited_ - last_.wait + last_wait_passed();
    }

    /// What passed of the wait after the last record: all of it, unless the operation ended in it.
    [[nodiscard]] std::chrono::nanoseconds last_wait_passed() const noexcept
    {
        if (phase_ != retry_phase::waiting) return last_.wait;
        auto const since_start = elapsed_ - last_.start;
        if (since_start <= last_.duration) return {};
        return (std::min)(since_start - last_.duration, last_.wait);
    }

    /// The time from the start of the operation to its end.
    [[nodiscard]] std::chrono::nanoseconds elapsed() const noexcept { return elapsed_; }

    /// Why the operation ended. Empty: it has not ended.
    [[nodiscard]] std::optional<stop_reason> reason() const noexcept { return reason_; }

    /// The error that the operation completed with.
    [[nodiscard]] boost::system::error_code error() const noexcept { return error_; }

    /// What the operation was doing when it ended. Of no meaning before.
    [[nodiscard]] retry_phase phase() const noexcept { return phase_; }

    /// The number of attempts that were under way at the end, of which there are no records. `attempts` has not them.
    [[nodiscard]] std::uint32_t unfinished() const noexcept { return unfinished_; }

    /// The worst delivery of all attempts, if one was known.
    [[nodiscard]] std::optional<delivery> worst_delivery() const noexcept { return worst_delivery_; }

    /// The records that were kept, in order.
    [[nodiscard]] std::vector<attempt_record> records() const
    {
        std::vector<attempt_record> result;
        if (attempts_ == 0) return result;
        result.reserve(earlier_.size() + 1);
        auto const overwritten = earlier_.size() < kept_earlier ? 0 : (attempts_ - 1 - kept_first) % kept_recent;
        for (std::size_t i = 0; i != earlier_.size(); ++i)
            result.push_back(earlier_[i < kept_first ? i : kept_first + (i - kept_first + overwritten) % kept_recent]);
        result.push_back(last_);
        return result;
    }

    /// The number of attempts whose records were not kept; they stood between the fourth and the last twelve.
    [[nodiscard]] std::uint32_t omitted() const noexcept
    {
        auto const kept = static_cast<std::uint32_t>(kept_earlier + 1);
        return attempts_ <= kept ? 0 : attempts_ - kept;
    }

    /// Makes it empty again. `async_retry` does so at its start.
    void clear() noexcept
    {
        earlier_.clear();
        last_ = {};
        attempts_ = waits_ = unfinished_ = 0;
        total_waited_ = elapsed_ = {};
        reason_.reset();
        phase_ = retry_phase::not_started;
        error_ = {};
        worst_delivery_.reset();
    }

    /// Adds the record of an attempt that has just ended. For whoever runs the attempts.
    void add_attempt(attempt_record const& ended)
    {
        if (attempts_ != 0) keep(last_);
        last_ = ended;
        if (attempts_ != unlimited) ++attempts_;
        if (ended.delivered)
            worst_delivery_ = worst_delivery_ ? worse(*worst_delivery_, *ended.delivered) : *ended.delivered;
    }

    /// Adds the wait that follows the last attempt to its record. For whoever runs the attempts.
    void add_wait(std::chrono::nanoseconds wait, wait_origin origin) noexcept
    {
        last_.wait = wait;
        last_.origin = origin;
        if (waits_ != unlimited) ++waits_;
        auto const room = (std::chrono::nanoseconds::max)() - total_waited_;
        total_waited_ += wait < room ? wait : room;
    }

    /**
     * \brief Sets how the operation ended. For whoever runs the attempts.
     * \param reason Why.
     * \param error What it completed with.
     * \param elapsed How long it took.
     * \param during What it was doing. Empty: taken from the records, which do not tell of an unfinished attempt.
     * \param unfinished How many attempts were under way, if it was `attempting`.
     */
    void finish(
        stop_reason reason,
        boost::system::error_code error,
        std::chrono::nanoseconds elapsed,
        std::optional<retry_phase> during = {},
        std::uint32_t unfinished = 1) noexcept
    {
        reason_ = reason;
        error_ = error;
        elapsed_ = elapsed;
        phase_ = during ? *during : phase_by_records();
        unfinished_ = phase_ == retry_phase::attempting ? unfinished : 0;
    }

private:
    static constexpr std::uint32_t unlimited = (std::numeric_limits<std::uint32_t>::max)();
    static constexpr std::size_t kept_recent = kept_last - 1;  // beside `last_`
    static constexpr std::size_t kept_earlier = kept_first + kept_recent;

    void keep(attempt_record const& record)
    {
        if (earlier_.empty()) earlier_.reserve(kept_earlier);
        if (earlier_.size() < kept_earlier)
            earlier_.push_back(record);
        else
            earlier_[kept_first + (attempts_ - 1 - kept_first) % kept_recent] = record;
    }

    [[nodiscard]] retry_phase phase_by_records() const noexcept
    {
        if (attempts_ == 0) return retry_phase::not_started;
        return last_.origin == wait_origin::none ? retry_phase::deciding : retry_phase::waiting;
    }

    std::vector<attempt_record> earlier_;
    attempt_record last_;
    std::uint32_t attempts_ = 0;
    std::uint32_t waits_ = 0;
    std::uint32_t unfinished_ = 0;
    retry_phase phase_ = retry_phase::not_started;
    std::optional<stop_reason> reason_;
    std::optional<delivery> worst_delivery_;
    std::chrono::nanoseconds total_waited_{};
    std::chrono::nanoseconds elapsed_{};
    boost::system::error_code error_;
};

}  // namespace backbeat

// It prints itself wherever it is known.
#include <backbeat/report_lines.hpp>

#endif
