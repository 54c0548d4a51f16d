//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_RECONCILER_HPP
#define BACKBEAT_SRC_MEMORYSTORE_RECONCILER_HPP

#include "change.hpp"
#include "observation.hpp"

#include <backbeat/memorystore/mutation_options.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/rpc_code.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore::detail {

// What was concluded about a change.
class conclusion {
public:
    enum class kind : std::uint8_t { carried_out, not_carried_out, refused, too_early, unknown };

    conclusion() = default;

    kind what = kind::unknown;

    // If it was carried out, its operation. If that is unknown, the only one that it may be; without a name: there is
    // none.
    operation found;

    // If it is too early to tell, when to look again.
    std::chrono::nanoseconds again{};
    // And whether that is when nothing is on its way any more.
    bool is_settling = false;

    // If it was refused. That is what to fail with.
    rpc_code code = rpc_code::aborted;

    // Why it is unknown or refused, as the end of a sentence.
    std::string why;
};

// Finds out what became of a change whose end was ambiguous: a pure function of what was seen before it and what is seen
// now. Other actors work on the same resources, so nothing is concluded that one of them could also have brought about,
// except as the documentation says (docs/mutations.md).
class reconciler {
public:
    using time_point = std::chrono::steady_clock::time_point;

    // `what` must stay valid.
    reconciler(change const& what, observation before, mutation_options const& options);

    // An attempt was abandoned: it may still be carried out.
    void lost(time_point at);

    [[nodiscard]] conclusion conclude(observation const& now, time_point at) const;

    // Whether it is to be sent again after attempts that were refused or never sent: what is to be changed must not be
    // another one now.
    [[nodiscard]] conclusion before_resending(observation const& now) const;

private:
    using candidates = std::vector<seen_operation const*>;

    class view;

    [[nodiscard]] conclusion of_create(view const& seen) const;
    [[nodiscard]] conclusion of_update(view const& seen) const;
    [[nodiscard]] conclusion of_delete(view const& seen) const;
    [[nodiscard]] conclusion of_upgrade(view const& seen) const;
    [[nodiscard]] conclusion of_action(view const& seen, bool is_enough) const;

    [[nodiscard]] conclusion nothing_done(view const& seen) const;
    [[nodiscard]] conclusion nothing_done_to_that(view const& seen) const;
    [[nodiscard]] conclusion look_again() const;

    [[nodiscard]] bool may_be_ours(seen_operation const& seen) const;
    [[nodiscard]] bool holds(boost::json::object const& resource) const;
    // Whether every field that was sent is there as it was sent, but for these.
    [[nodiscard]] bool matches(boost::json::object const& resource, std::span<std::string_view const> but = {}) const;

    change const& change_;
    observation before_;
    mutation_options options_;
    time_point settled_at_ = (time_point::min)();
};

}  // namespace backbeat::memorystore::detail

#endif
