//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_RETRY_RECORDER_HPP
#define BACKBEAT_DETAIL_RETRY_RECORDER_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_phase.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace backbeat::detail {

// Writes the history of one operation: to the caller's report, and to the observer. An observer without a report of
// the caller's gets one that is made at the first failure, and, if there is none, at the end on the stack.
class retry_recorder {
public:
    retry_recorder() noexcept = default;

    retry_recorder(retry_report* report, retry_observer* observer) noexcept : report_(report), observer_(observer)
    {
        if (report_ != nullptr) report_->clear();
    }

    retry_recorder(retry_recorder const&) = delete;
    retry_recorder& operator=(retry_recorder const&) = delete;

    // For one that was made empty; once.
    void begin(retry_report* report, retry_observer* observer) noexcept
    {
        report_ = report;
        observer_ = observer;
        if (report_ != nullptr) report_->clear();
    }

    void before_attempt(attempt const& starting) noexcept
    {
        phase_ = retry_phase::attempting;
        tell([&](retry_observer& o) { o.before_attempt(starting); });
    }

    void after_attempt(attempt_record const& ended) noexcept
    {
        phase_ = retry_phase::deciding;
        tell([&](retry_observer& o) { o.after_attempt(ended); });
    }

    void before_wait(attempt_record const& ended)
    {
        if (report_ == nullptr) {
            own_ = std::make_unique<retry_report>();
            report_ = own_.get();
        }
        report_->add_attempt(ended);
        report_->add_wait(ended.wait, ended.origin);
        phase_ = retry_phase::waiting;
        tell([&](retry_observer& o) { o.before_wait(ended); });
    }

    // The attempt that ended the operation, if one did.
    void at_end(
        attempt_record const* ended,
        stop_reason reason,
        boost::system::error_code error,
        std::chrono::nanoseconds elapsed)
    {
        retry_report first_and_last;
        auto& report = report_ != nullptr ? *report_ : first_and_last;
        if (ended != nullptr) report.add_attempt(*ended);
        report.finish(reason, error, elapsed, phase_);
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

    retry_report* report_ = nullptr;
    retry_observer* observer_ = nullptr;
    std::unique_ptr<retry_report> own_;
    retry_phase phase_ = retry_phase::not_started;
};

}  // namespace backbeat::detail

#endif
