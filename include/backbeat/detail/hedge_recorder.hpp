//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_HEDGE_RECORDER_HPP
#define BACKBEAT_DETAIL_HEDGE_RECORDER_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_phase.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace backbeat::detail {

// Writes the history of one hedged operation: to the caller's report, and to the observer. As `retry_recorder`, but an
// attempt that ends need not be the last to do so when the operation is decided. So an observer without a report of the
// caller's gets one as soon as an attempt has ended.
class hedge_recorder {
public:
    hedge_recorder(retry_report* report, retry_observer* observer) noexcept : report_(report), observer_(observer)
    {
        if (report_ != nullptr) report_->clear();
    }

    hedge_recorder(hedge_recorder const&) = delete;
    hedge_recorder& operator=(hedge_recorder const&) = delete;

    [[nodiscard]] bool active() const noexcept { return report_ != nullptr || observer_ != nullptr; }

    void before_attempt(attempt const& starting) noexcept
    {
        ++unfinished_;
        tell([&](retry_observer& o) { o.before_attempt(starting); });
    }

    void after_attempt(attempt_record const& ended)
    {
        if (report_ == nullptr) {
            own_ = std::make_unique<retry_report>();
            report_ = own_.get();
        }
        report_->add_attempt(ended);
        --unfinished_;
        tell([&](retry_observer& o) { o.after_attempt(ended); });
    }

    // That attempt put the next one off.
    void before_wait(attempt_record const& ended) noexcept
    {
        report_->add_wait(ended.wait, ended.origin);
        tell([&](retry_observer& o) { o.before_wait(ended); });
    }

    // Whatever ends it, there may be attempts that observers were told of and that have not ended for them: one that
    // dropped its handler, one that was cancelled before it was made.
    void at_end(stop_reason reason, boost::system::error_code error, std::chrono::nanoseconds elapsed) const noexcept
    {
        retry_report no_attempt;
        auto& report = report_ != nullptr ? *report_ : no_attempt;
        if (unfinished_ != 0)
            report.finish(reason, error, elapsed, retry_phase::attempting, unfinished_);
        else
            report.finish(reason, error, elapsed);
        tell([&](retry_observer& o) { o.at_end(report); });
    }

private:
    template <class Call>
    void tell(Call&& call) const noexcept
    {
        if (observer_ == nullptr) return;
        try {
            call(*observer_);
        } catch (...) {
            // An observer cannot change what it observes: documented in retry_observer.
        }
    }

    retry_report* report_;
    retry_observer* observer_;
    std::unique_ptr<retry_report> own_;
    std::uint32_t unfinished_ = 0;
};

}  // namespace backbeat::detail

#endif
