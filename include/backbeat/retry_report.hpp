//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_REPORT_HPP
#define BACKBEAT_RETRY_REPORT_HPP

#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/detail/duration_text.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/verdict.hpp>
#include <backbeat/wait_origin.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <vector>

namespace backbeat {

/// What became of one attempt.
struct attempt_record {
    /// The number of the attempt, from 1.
    std::uint32_t number = 0;

    /// When it started, counted from the start of the operation.
    std::chrono::nanoseconds start{};

    /// How long it took.
    std::chrono::nanoseconds duration{};

    /// The error that it completed with. An attempt that failed by its result alone has none.
    boost::system::error_code error{};

    /// The status that the classifier gave, such as an HTTP status. Zero: none.
    int status = 0;

    /// How far its request got, if that is known.
    std::optional<backbeat::delivery> delivered{};

    /// What the classifier said.
    verdict_kind judged = verdict_kind::done;

    /// The wait that the server asked for, if it did.
    std::optional<std::chrono::nanoseconds> hint{};

    /// The wait that followed, exact: before it was rounded up to `retry_options::wait_resolution`.
    std::chrono::nanoseconds wait{};

    /// What that wait was chosen by.
    wait_origin origin = wait_origin::none;
};

/**
 * \brief The history of one operation: why it ended, and what became of each attempt.
 * \details
 * Pass one with `report_to(report)`; it is filled while the operation runs, and complete when the handler is called.
 * An observer gets it in `retry_observer::at_end`.
 *
 * Its memory is bounded: of many attempts it keeps the records of the first 4 and of the last 12. Its counts and
 * sums are exact all the same. It allocates nothing for an operation that succeeds at its first attempt.
 *
 * \par Thread safety
 * Distinct objects: safe. Shared objects: unsafe; the operation writes to it where its handlers run.
 */
class retry_report {
public:
    /// The number of attempts made.
    [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

    /// The number of attempts after the first.
    [[nodiscard]] std::uint32_t retries() const noexcept { return attempts_ == 0 ? 0 : attempts_ - 1; }

    /// The sum of all waits that were chosen, exact as in the records.
    [[nodiscard]] std::chrono::nanoseconds total_waited() const noexcept { return total_waited_; }

    /// The time from the start of the operation to its end.
    [[nodiscard]] std::chrono::nanoseconds elapsed() const noexcept { return elapsed_; }

    /// Why the operation ended. Empty: it has not ended.
    [[nodiscard]] std::optional<stop_reason> reason() const noexcept { return reason_; }

    /// The error that the operation completed with.
    [[nodiscard]] boost::system::error_code error() const noexcept { return error_; }

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
        attempts_ = 0;
        total_waited_ = elapsed_ = {};
        reason_.reset();
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
        auto const room = (std::chrono::nanoseconds::max)() - total_waited_;
        total_waited_ += wait < room ? wait : room;
    }

    /// Sets how the operation ended. For whoever runs the attempts.
    void finish(stop_reason reason, boost::system::error_code error, std::chrono::nanoseconds elapsed) noexcept
    {
        reason_ = reason;
        error_ = error;
        elapsed_ = elapsed;
    }

    /**
     * \brief Prints the report, a line an attempt, and a last line that sums it up.
     * \details
     * \code
     * attempt 1  at 0s  took 3.1ms  503  ambiguous  waited 1.42s (backoff)
     * attempt 2  at 1.424s  took 2.8ms  200  responded
     * success after 2 attempts in 1.427s, of which 1.42s waiting
     * \endcode
     */
    friend std::ostream& operator<<(std::ostream& out, retry_report const& report)
    {
        report.print(out);
        return out;
    }

private:
    static constexpr std::uint32_t unlimited = (std::numeric_limits<std::uint32_t>::max)();
    static constexpr std::size_t kept_first = 4;
    static constexpr std::size_t kept_recent = 11;  // and the last one makes twelve
    static constexpr std::size_t kept_earlier = kept_first + kept_recent;

    void keep(attempt_record const& record)
    {
        if (earlier_.empty()) earlier_.reserve(kept_earlier);
        if (earlier_.size() < kept_earlier)
            earlier_.push_back(record);
        else
            earlier_[kept_first + (attempts_ - 1 - kept_first) % kept_recent] = record;
    }

    void print(std::ostream& out) const;

    std::vector<attempt_record> earlier_;
    attempt_record last_;
    std::uint32_t attempts_ = 0;
    std::optional<stop_reason> reason_;
    std::optional<delivery> worst_delivery_;
    std::chrono::nanoseconds total_waited_{};
    std::chrono::nanoseconds elapsed_{};
    boost::system::error_code error_;
};

inline void retry_report::print(std::ostream& out) const
{
    using detail::duration_text;
    auto const kept = records();
    for (std::size_t i = 0; i != kept.size(); ++i) {
        auto const& r = kept[i];
        if (i == kept_first && omitted() != 0) out << "... " << omitted() << " attempts ...\n";
        out << "attempt " << r.number << "  at " << duration_text(r.start) << "  took " << duration_text(r.duration);
        if (r.status != 0) out << "  " << r.status;
        if (r.error) out << "  " << r.error.message();
        if (r.delivered) out << "  " << to_string(*r.delivered);
        if (r.hint) out << "  asked to wait " << duration_text(*r.hint);
        if (r.origin != wait_origin::none)
            out << "  waited " << duration_text(r.wait) << (r.origin == wait_origin::hint ? " (hint)" : " (backoff)");
        out << '\n';
    }
    out << (reason_ ? to_string(*reason_) : "running") << " after " << attempts_
        << (attempts_ == 1 ? " attempt in " : " attempts in ") << duration_text(elapsed_);
    if (total_waited_ != std::chrono::nanoseconds{}) out << ", of which " << duration_text(total_waited_) << " waiting";
    if (reason_ != stop_reason::success && error_) out << ": " << error_.message();
    out << '\n';
}

}  // namespace backbeat

#endif
