//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_RECORDING_OBSERVER_HPP
#define BACKBEAT_TEST_RECORDING_OBSERVER_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/detail/duration_text.hpp>
#include <backbeat/retry_observer.hpp>

#include <functional>
#include <string>
#include <vector>

namespace backbeat::test {

// Notes what it is told as text, and can do something of its own each time.
class recording_observer : public retry_observer {
public:
    std::vector<std::string> events;
    std::function<void(std::string const&)> hook = [](std::string const&) {};

    void before_attempt(attempt const& starting) override { note("attempt " + std::to_string(starting.number())); }

    void after_attempt(attempt_record const& ended) override { note("ended " + std::to_string(ended.number)); }

    void before_wait(attempt_record const& ended) override { note("wait " + detail::duration_text(ended.wait)); }

    void at_end(retry_report const& report) override
    {
        note(std::string(to_string(*report.reason())) + " after " + std::to_string(report.attempts()));
    }

private:
    void note(std::string event)
    {
        events.push_back(event);
        hook(event);
    }
};

}  // namespace backbeat::test

#endif
