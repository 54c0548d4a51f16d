//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_EMULATOR_HPP
#define BACKBEAT_EMULATOR_HPP

#include <backbeat/config.hpp>
#include <backbeat/emulator_log.hpp>
#include <backbeat/emulator_options.hpp>
#include <backbeat/fault_rule.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat {

/**
 * \brief A local `redis.googleapis.com`: the REST API of Memorystore for Redis, with state and faults.
 * \details
 * It speaks HTTP/1.1 and runs in a thread of its own, from the constructor on:
 *
 * \code
 * backbeat::emulator google;
 * google.set_faults({backbeat::parse_fault_rule("status=503 first=2")});
 * auto client = my_client(google.url());      // http://127.0.0.1:41967
 * \endcode
 *
 * It has every method of the API's v1: of instances, clusters, backups, operations and locations. What changes one of
 * them begins an operation, which takes `emulator_options::operation_time`. What the service refuses is refused with
 * the same status and the same error body. An action goes on when the client that asked for it has gone.
 *
 * Below `/emulator/v1/` it is controlled and looked into over HTTP, as by the members of this class: `faults`,
 * `unreachable` and `snapshot` (GET, POST, PUT), `requests`, `effects` and `metrics` (GET) and `reset` (POST). That
 * needs no credentials, and is neither counted by quota nor held back by capacity.
 *
 * \par Thread safety
 * All members may be called from any thread at the same time, except the destructor.
 */
class emulator {
public:
    /**
     * \brief Starts with default options, on a free port.
     * \throws boost::system::system_error when no port can be had.
     */
    emulator();

    /**
     * \brief Starts.
     * \throws boost::system::system_error when an address cannot be listened on, for example because it is in use.
     * \throws fault_error when a fault rule cannot be used.
     * \throws std::invalid_argument when the options contradict themselves, or the snapshot, the key or a location is none.
     */
    explicit emulator(emulator_options options);

    emulator(emulator const&) = delete;
    emulator& operator=(emulator const&) = delete;

    /// Stops.
    ~emulator();

    /// Ends all connections, after the answers that are being written, and waits for that. Logs can still be read.
    void stop() noexcept;

    /// Where it listens without TLS, like `http://127.0.0.1:41967`. Empty: it does not.
    [[nodiscard]] std::string url() const;

    /// Where it listens with TLS, like `https://127.0.0.1:41968`. Empty: it does not.
    [[nodiscard]] std::string tls_url() const;

    /**
     * \brief The certificate, in PEM, that clients of `tls_url` must trust. Empty without TLS.
     * \details
     * It is made at the start, and has signed the server's own, which is for `localhost`, `127.0.0.1`, `::1` and
     * `emulator_options::host`.
     */
    [[nodiscard]] std::string ca_certificate() const;

    /**
     * \brief Replaces the fault rules.
     * \throws fault_error when a rule cannot be used. The rules then stay as they were.
     */
    void set_faults(std::vector<fault_rule> rules);

    /// How often each of the fault rules was applied, in their order.
    [[nodiscard]] std::vector<std::uint64_t> faults_fired() const;

    /**
     * \brief Replaces the locations that cannot be reached: see `emulator_options::unreachable`.
     * \throws std::invalid_argument when one is no location. They then stay as they were.
     */
    void set_unreachable(std::vector<std::string> locations);

    /// The last requests, at most `emulator_options::log_limit`.
    [[nodiscard]] std::vector<emulator_request> requests() const;

    /// The number of all requests.
    [[nodiscard]] std::uint64_t total_requests() const;

    /// The last changes that were carried out, at most `emulator_options::log_limit`.
    [[nodiscard]] std::vector<emulator_effect> effects() const;

    /// The number of all changes.
    [[nodiscard]] std::uint64_t total_effects() const;

    /// Forgets resources, operations, faults, unreachable locations, logs, and what quota and capacity have counted.
    void reset();

    /**
     * \brief The resources and operations, as JSON: what `load_snapshot` and `emulator_options::snapshot` read.
     * \throws std::runtime_error when the state cannot be saved.
     */
    [[nodiscard]] std::string snapshot();

    /**
     * \brief Replaces all resources and operations by those of a snapshot.
     * \throws std::invalid_argument when the text is not a snapshot. The state is then as it was.
     */
    void load_snapshot(std::string_view text);

    /// How many connections are open.
    [[nodiscard]] std::size_t open_connections() const noexcept;

    /// How many connections were open at once, at most.
    [[nodiscard]] std::size_t peak_connections() const noexcept;

private:
    class impl;
    std::unique_ptr<impl> impl_;
};

}  // namespace backbeat

#endif
