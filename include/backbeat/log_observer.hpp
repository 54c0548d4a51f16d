//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_LOG_OBSERVER_HPP
#define BACKBEAT_LOG_OBSERVER_HPP

#include <backbeat/attempt_record.hpp>
#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/detail/attempt_text.hpp>
#include <backbeat/detail/decimal_text.hpp>
#include <backbeat/detail/duration_text.hpp>
#include <backbeat/detail/escaped_text.hpp>
#include <backbeat/report_line.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/wait_origin.hpp>

#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat {

/// What a line of a `log_observer` is about, from the most important to the least.
enum class log_level : std::uint8_t {
    /// An operation gave up.
    failures,

    /// An operation succeeded after a retry, was cancelled or was abandoned.
    endings,

    /// An attempt failed and will be followed by another.
    retries
};

/// What a `log_observer` writes.
struct log_options {
    /// Stands in front of every line, followed by a colon and a space. Default: empty, then nothing does.
    std::string_view name{};

    /// What is written: lines of this level and of those before it. Default: operations that gave up.
    log_level level = log_level::failures;
};

/**
 * \brief An observer that writes a readable line when an operation gives up, and on request also when it goes on.
 * \details
 * \code
 * backbeat::log_observer log(std::clog, {.name = "memorystore", .level = backbeat::log_level::retries});
 * \endcode
 * \code
 * memorystore: attempt 1 failed: 503, ambiguous; retry in 1.42s (hint)
 * memorystore: gave up (exhausted) after 6 attempts in 36.2s, 36.1s waiting, worst delivery ambiguous: 503; trail: ...
 * \endcode
 *
 * The second is `report_line`. An operation that succeeds at its first attempt is never written of. No line holds a
 * line break or a control character, and none is longer than 1.5 KiB beside the name.
 *
 * To have the lines elsewhere than in a stream, pass a function for them, which also gets the level of each:
 *
 * \code
 * backbeat::log_observer log([](backbeat::log_level level, std::string_view line) {
 *     spdlog::log(level == backbeat::log_level::failures ? spdlog::level::err : spdlog::level::info, line);
 * });
 * \endcode
 *
 * \par Object lifetimes
 * It must outlive every operation that it observes, and the stream must outlive it.
 *
 * \par Thread safety
 * Safe. Lines are written whole, one after the other: the stream or function is used under a mutex of the observer.
 * Others that use the same stream at the same time are not kept out by it. The function must not make an operation go
 * on that has this observer.
 *
 * \par Exceptions
 * What the stream or the function throws leaves the observer's functions, and is discarded like everything that an
 * observer throws. To a stream that has failed nothing is written.
 */
class log_observer final : public retry_observer {
public:
    /// What is called with the level of a line and the line, which has no line break at its end.
    using sink = std::function<void(log_level, std::string_view)>;

    /// Writes to a stream, each line with one call of `write`. It is not flushed.
    explicit log_observer(std::ostream& out, log_options const& options = {})
        : log_observer(
            [&out](log_level, std::string_view line) {
                auto const text = std::string(line) += '\n';
                out.write(text.data(), static_cast<std::streamsize>(text.size()));
            },
            options)
    {}

    /**
     * \brief Passes the lines to a function.
     * \throws std::invalid_argument if it is empty.
     */
    explicit log_observer(sink write, log_options const& options = {}) : write_(std::move(write)), level_(options.level)
    {
        if (!write_) throw std::invalid_argument("the sink of a log_observer is empty; pass a function or a stream");
        detail::append_printable(name_, options.name, 200);
        if (!name_.empty()) name_ += ": ";
    }

    void before_wait(attempt_record const& ended) override
    {
        if (level_ < log_level::retries) return;
        std::string line = name_ + "attempt ";
        detail::append_integer(line, ended.number);
        line += " failed: ";
        detail::append_outcome(line, ended);
        if (ended.delivered) line.append(", ").append(to_string(*ended.delivered));
        line += "; retry in " + detail::duration_text(ended.wait);
        if (ended.origin == wait_origin::hint) line += " (hint)";
        write(log_level::retries, line);
    }

    void at_end(retry_report const& report) override
    {
        auto const level = level_of(report);
        bool const is_plain_success = report.reason() == stop_reason::success && report.retries() == 0;
        if (level_ >= level && !is_plain_success) write(level, name_ + report_line(report));
    }

private:
    [[nodiscard]] static log_level level_of(retry_report const& report) noexcept
    {
        switch (report.reason().value_or(stop_reason::abandoned)) {
        case stop_reason::success:
        case stop_reason::cancelled:
        case stop_reason::abandoned: return log_level::endings;
        default: return log_level::failures;
        }
    }

    void write(log_level level, std::string const& line)
    {
        std::lock_guard const lock(mutex_);
        write_(level, line);
    }

    std::mutex mutex_;
    sink write_;
    std::string name_;
    log_level level_;
};

}  // namespace backbeat

#endif
