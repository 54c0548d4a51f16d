//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_OBSERVER_LIST_HPP
#define BACKBEAT_OBSERVER_LIST_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/attempt_record.hpp>
#include <backbeat/config.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_report.hpp>

#include <utility>
#include <vector>

namespace backbeat {

/**
 * \brief An observer that passes what it is told to several others.
 * \details
 * \code
 * backbeat::log_observer log(std::clog);
 * backbeat::retry_metrics metrics;
 * backbeat::observer_list both({&log, &metrics});
 * auto response = co_await backbeat::async_retry(list, {.observer = &both});
 * \endcode
 *
 * They are told in the order of the list. Null pointers are left out, so that a list can be written down with what is
 * only sometimes wanted. A list may be an element of another one, but not of itself.
 *
 * \par Object lifetimes
 * The observers must outlive every operation that the list observes.
 *
 * \par Exceptions
 * An exception that leaves one observer is discarded, and the next one is told all the same. Construction: `bad_alloc`.
 *
 * \par Thread safety
 * As safe as the observers; it adds no state that changes.
 */
class observer_list final : public retry_observer {
public:
    /// Makes a list of these observers. None is fine, too.
    explicit observer_list(std::vector<retry_observer*> observers) : observers_(std::move(observers))
    {
        std::erase(observers_, nullptr);
    }

    void before_attempt(attempt const& starting) override
    {
        tell([&](retry_observer& each) { each.before_attempt(starting); });
    }

    void after_attempt(attempt_record const& ended) override
    {
        tell([&](retry_observer& each) { each.after_attempt(ended); });
    }

    void before_wait(attempt_record const& ended) override
    {
        tell([&](retry_observer& each) { each.before_wait(ended); });
    }

    void at_end(retry_report const& report) override
    {
        tell([&](retry_observer& each) { each.at_end(report); });
    }

private:
    template <class Call>
    void tell(Call const& call) const noexcept
    {
        for (auto* const each : observers_) {
            try {
                call(*each);
            } catch (...) {
                // As everywhere: an observer cannot change what it observes, nor what others see of it.
            }
        }
    }

    std::vector<retry_observer*> observers_;
};

}  // namespace backbeat

#endif
