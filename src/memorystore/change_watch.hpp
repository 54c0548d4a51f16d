//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CHANGE_WATCH_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CHANGE_WATCH_HPP

#include "change.hpp"
#include "reconciler.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/http/message.hpp>
#include <backbeat/http/reconciliation.hpp>
#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/mutation_options.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/verdict.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/system/error_code.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace backbeat::memorystore::detail {

using probe_result_handler = result_handler<http::reconciliation<>>;

// Knows of a change that is being sent what is known of its fate. It is the classifier of its attempts and the probe
// between them, and lives on the HTTP client's strand until the change has completed.
class change_watch : public std::enable_shared_from_this<change_watch> {
public:
    change_watch(
        core_pointer core, change what, mutation_options const& options, observation before, call_options const& by);
    change_watch(change_watch const&) = delete;
    change_watch& operator=(change_watch const&) = delete;

    [[nodiscard]] call const& request() const noexcept { return change_.request; }

    // Judges an attempt, and remembers if it may still be carried out.
    [[nodiscard]] verdict judge(
        attempt const& ended, boost::system::error_code const& error, http::response const& answer);

    // Looks what became of the attempts so far.
    void probe(attempt const& current, probe_result_handler handler);

    // Whether it may have been carried out, as far as is known at the end.
    [[nodiscard]] bool is_open(retry_report const& report) const;

    // Whether the last look found nothing, too early for that to prove anything.
    [[nodiscard]] bool is_settling() const noexcept { return last_.is_settling; }

    // Whether the last look failed, so that the change was not sent again.
    [[nodiscard]] bool has_failed_to_look() const noexcept
    {
        return last_.what == conclusion::kind::unknown && !last_.why.empty();
    }

    // What is known where it cannot be told: the end of a sentence, and the operation that it may be.
    [[nodiscard]] std::string const& why() const noexcept { return last_.why; }
    [[nodiscard]] std::string const& candidate() const noexcept { return last_.found.name; }

private:
    class probing;

    [[nodiscard]] http::reconciliation<> conclude(observation const& seen);

    core_pointer core_;
    change change_;
    reconciler reconciler_;
    // Of each look: the header fields of the call, and no retries.
    call_options looks_;
    std::uint32_t judged_ = 0;
    conclusion last_;
    bool is_open_ = false;
};

}  // namespace backbeat::memorystore::detail

#endif
