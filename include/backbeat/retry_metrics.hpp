//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_METRICS_HPP
#define BACKBEAT_RETRY_METRICS_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/attempt_record.hpp>
#include <backbeat/attempt_result.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/metric_names.hpp>
#include <backbeat/detail/retry_counters.hpp>
#include <backbeat/detail/retry_metrics_text.hpp>
#include <backbeat/metrics_options.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/wait_origin.hpp>

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>

namespace backbeat {

/**
 * \brief An observer that counts, and gives its counts as metrics for Prometheus.
 * \details
 * \code
 * backbeat::retry_metrics metrics({.labels = {{"client", "memorystore"}}});
 * backbeat::http::client_options options;
 * options.retry.observer = &metrics;
 * ...
 * response.set("Content-Type", backbeat::retry_metrics::content_type);
 * response.body() = metrics.prometheus_text();
 * \endcode
 *
 * | metric | type | what |
 * | --- | --- | --- |
 * | `backbeat_operations_total{reason}` | counter | operations that ended, by `stop_reason` |
 * | `backbeat_operations_in_flight` | gauge | operations whose first attempt has started and that have not ended |
 * | `backbeat_operations_waiting` | gauge | those of them that wait for their next attempt |
 * | `backbeat_operation_retries` | histogram | attempts after the first; operations without any are not counted |
 * | `backbeat_operation_retry_delay_seconds` | histogram | time in waits; operations without any are not counted |
 * | `backbeat_attempts_total{outcome}` | counter | attempts that ended, by `attempt_outcome` or `abandoned` |
 * | `backbeat_attempt_results_total{result}` | counter | attempts that ended, by `attempt_result` |
 * | `backbeat_attempt_duration_seconds` | histogram | how long they took |
 * | `backbeat_attempts_in_flight` | gauge | attempts that have started and not ended |
 * | `backbeat_retries_total` | counter | attempts after the first of their operation, once they have ended |
 * | `backbeat_waits_total{origin}` | counter | waits that were begun, by `wait_origin` |
 * | `backbeat_hints_total` | counter | attempts at whose end the server asked for a wait |
 * | `backbeat_hints_honoured_total` | counter | those that were followed by a wait no shorter than that |
 *
 * The two histograms of operations are `grpc.client.call.retries` and `grpc.client.call.retry_delay` of gRPC's A96
 * (https://github.com/grpc/proposal/blob/master/A96-retry-otel-stats.md), and have buckets from there.
 * `backbeat_retries_total` is the number of requests that have OpenTelemetry's `http.request.resend_count`. The label
 * sets are bounded: nothing that a server says becomes a label.
 *
 * \par Exactness
 * Every count is exact, also of operations that were cancelled or abandoned. When none is under way, the gauges are
 * zero, `retries()` is the sum of `backbeat_operation_retries`, and `attempts()` is that and the number of operations
 * that made an attempt. Of an abandoned attempt neither result nor duration is known. While operations go on, each
 * count is read as it is at some time, but not all as they are at one time.
 *
 * Of operations of `async_hedge`, attempts that start beside others count as retries, as the ends of waits too: until
 * they have ended, `backbeat_operations_waiting` says too little. So give them metrics of their own. Where attempts of
 * one dropped their handlers, they are not counted if the caller cancelled it, and a first attempt that is lost counts
 * as a retry if another ended.
 *
 * Sums of time hold 584 years and then begin again at zero, which Prometheus takes for a restart.
 *
 * \par Object lifetimes
 * It must outlive every operation that it observes.
 *
 * \par Thread safety
 * Safe. Counting is lock-free, allocates nothing and throws nothing.
 */
class retry_metrics final : public retry_observer {
public:
    /// The value of `Content-Type` for `prometheus_text`: version 0.0.4 of the text format. It is not OpenMetrics.
    static constexpr char const* content_type = "text/plain; version=0.0.4; charset=utf-8";

    /**
     * \brief Makes metrics with these names and labels, which are copied.
     * \throws std::invalid_argument if Prometheus could not read them; it says what is wrong and what would be right.
     */
    explicit retry_metrics(metrics_options const& options = {})
        : prefix_(detail::checked_prefix(options.prefix)), labels_(detail::checked_labels(options.labels))
    {}

    retry_metrics(retry_metrics const&) = delete;
    retry_metrics& operator=(retry_metrics const&) = delete;

    /// The number of operations that ended.
    [[nodiscard]] std::uint64_t operations() const noexcept { return counters_.reasons.total(); }

    /// The number of operations that ended for this reason.
    [[nodiscard]] std::uint64_t operations(stop_reason reason) const noexcept { return counters_.reasons.of(reason); }

    /// The number of attempts that ended or were abandoned.
    [[nodiscard]] std::uint64_t attempts() const noexcept { return counters_.outcomes.total() + abandoned_attempts(); }

    /// The number of attempts that ended like this.
    [[nodiscard]] std::uint64_t attempts(attempt_outcome outcome) const noexcept
    {
        return counters_.outcomes.of(outcome);
    }

    /// The number of attempts that ended with this.
    [[nodiscard]] std::uint64_t attempts(attempt_result result) const noexcept { return counters_.results.of(result); }

    /// The number of attempts that were under way when their operation was abandoned.
    [[nodiscard]] std::uint64_t abandoned_attempts() const noexcept { return counters_.abandoned_attempts.value(); }

    /// The number of attempts after the first of their operation that ended or were abandoned.
    [[nodiscard]] std::uint64_t retries() const noexcept { return counters_.retries.value(); }

    /// The number of waits that were begun, of this origin.
    [[nodiscard]] std::uint64_t waits(wait_origin origin) const noexcept { return counters_.waits.of(origin); }

    /// The number of attempts at whose end the server asked for a wait.
    [[nodiscard]] std::uint64_t hints() const noexcept { return counters_.hints.value(); }

    /// The number of those that were followed by a wait no shorter than asked for.
    [[nodiscard]] std::uint64_t honoured_hints() const noexcept { return counters_.honoured_hints.value(); }

    /// The number of operations whose first attempt has started and that have not ended.
    [[nodiscard]] std::int64_t operations_in_flight() const noexcept { return counters_.operations_in_flight.value(); }

    /// The number of operations that wait for their next attempt.
    [[nodiscard]] std::int64_t operations_waiting() const noexcept { return counters_.operations_waiting.value(); }

    /// The number of attempts that have started and not ended.
    [[nodiscard]] std::int64_t attempts_in_flight() const noexcept { return counters_.attempts_in_flight.value(); }

    /// The time that operations that ended had spent in waits.
    [[nodiscard]] std::chrono::nanoseconds total_retry_delay() const noexcept
    {
        return detail::duration_of(counters_.operation_retry_delay.sum());
    }

    /// The time that attempts took that ended.
    [[nodiscard]] std::chrono::nanoseconds total_attempt_duration() const noexcept
    {
        return detail::duration_of(counters_.attempt_duration.sum());
    }

    /// Returns all metrics in the text format of Prometheus.
    [[nodiscard]] std::string prometheus_text() const
    {
        std::string out;
        detail::append_metrics(out, counters_, prefix_, labels_);
        return out;
    }

    /// Prints what `prometheus_text` returns, as a string is printed.
    friend std::ostream& operator<<(std::ostream& out, retry_metrics const& metrics)
    {
        return out << metrics.prometheus_text();
    }

    void before_attempt(attempt const& starting) noexcept override { counters_.before_attempt(starting); }
    void after_attempt(attempt_record const& ended) noexcept override { counters_.after_attempt(ended); }
    void before_wait(attempt_record const& ended) noexcept override { counters_.before_wait(ended); }
    void at_end(retry_report const& report) noexcept override { counters_.at_end(report); }

private:
    detail::retry_counters counters_;
    std::string prefix_;
    std::string labels_;
};

}  // namespace backbeat

#endif
