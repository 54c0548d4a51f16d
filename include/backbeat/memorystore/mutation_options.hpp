//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_MUTATION_OPTIONS_HPP
#define BACKBEAT_MEMORYSTORE_MUTATION_OPTIONS_HPP

#include <backbeat/config.hpp>

#include <chrono>
#include <cstdint>

namespace backbeat::memorystore {

/// When a request that changes something is sent again although an earlier copy may have been carried out.
enum class mutation_mode : std::uint8_t {
    /**
     * \brief Once it was found out that none was carried out.
     * \details
     * Before the first attempt the client looks at the resource and at its operations, which takes two requests or more.
     * After a lost answer or a 5xx it looks again. What cannot be told apart ends as `errc::outcome_unknown`.
     *
     * Methods to which the API gives a request id (those of clusters, and the deletion of backups) need none of this:
     * the service knows a copy by its id.
     */
    careful,

    /// Always, as the documentation of the API has it. It may be carried out twice.
    literal,

    /// Never.
    never
};

/**
 * \brief How requests that change something are made safe to repeat.
 * \details
 * The API has no request ids for instances, so a create, update, delete, failover, export, import, upgrade or
 * rescheduling whose answer was lost has to be looked for. docs/mutations.md walks through each method, and says what
 * remains unknowable.
 */
class mutation_options {
public:
    mutation_options() = default;

    /// When such a request is repeated. Default: `careful`.
    mutation_mode mode = mutation_mode::careful;

    /**
     * \brief How long after its answer was lost a request may still be carried out.
     * \details
     * Until then, that there is no trace of it proves nothing. Default: 60 s, the deadline that the API's backends have.
     * Zero: no request is carried out after its client has gone. Negative: invalid.
     */
    std::chrono::nanoseconds settle_time = std::chrono::seconds(60);

    /**
     * \brief Whether nobody else changes the resource meanwhile.
     * \details
     * Default: somebody may. Then of an export, import, rescheduling or backup it cannot be told whose it is: the
     * API shows no more of it than that there is one. With `true`, a single new operation of the right kind is taken for
     * the client's own.
     */
    bool exclusive = false;
};

}  // namespace backbeat::memorystore

#endif
