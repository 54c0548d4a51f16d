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
#include <backbeat/fault_rule.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat {

/// How an `emulator` is set up.
class emulator_options {
public:
    emulator_options();

    /// The address to listen on: a number or a name. Default: the loopback address of IPv4.
    std::string host = "127.0.0.1";

    /// Whether HTTP is spoken without TLS, on `port`.
    bool plain = true;

    /// The port without TLS. Zero: any that is free.
    std::uint16_t port = 0;

    /// Whether HTTP is spoken over TLS, on `tls_port`. Both can be, on the same state.
    bool tls = false;

    /// The port with TLS. Zero: any that is free.
    std::uint16_t tls_port = 0;

    /// Which requests fail, and how. They can be replaced at any time: `emulator::set_faults`.
    std::vector<fault_rule> faults;

    /// What the draws of the fault rules and the names of operations are made from. The same in two runs: so are they.
    std::uint64_t seed = 0;

    /// How long an operation takes. Zero: it is done when the call that begins it is answered. Not negative.
    std::chrono::nanoseconds operation_time = std::chrono::milliseconds(500);

    /// How many requests, and how many effects, are remembered. Their numbers stay exact beyond it.
    std::size_t log_limit = 100'000;

    /// A client that takes longer for a request, idle time before it included, is disconnected. More than zero.
    std::chrono::nanoseconds idle_timeout = std::chrono::minutes(5);

    /// The largest header of a request, in bytes. A larger one is answered with 431.
    std::size_t header_limit = 16 * 1024;

    /// The largest body of a request, in bytes. A larger one is answered with 413.
    std::size_t body_limit = 1024 * 1024;

    /**
     * \brief Is called with one line of text, without a line end, for each request that has been answered.
     * \details Default: none. It is called from the emulator's own thread, and must not call the emulator.
     */
    std::function<void(std::string_view)> log;
};

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
 * Instances can be listed, read, created and deleted; creating and deleting begin operations, which take
 * `emulator_options::operation_time` and can be listed and read. What the service refuses is refused with the same
 * status and the same error body. An action goes on when the client that asked for it has gone.
 *
 * Below `/emulator/v1/` it is controlled and looked into over HTTP, as by the members of this class: `faults` (GET,
 * POST), `requests`, `effects`, `metrics` (GET) and `reset` (POST).
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
     * \throws std::invalid_argument when the options contradict themselves.
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

    /// The last requests, at most `emulator_options::log_limit`.
    [[nodiscard]] std::vector<emulator_request> requests() const;

    /// The number of all requests.
    [[nodiscard]] std::uint64_t total_requests() const;

    /// The last changes that were carried out, at most `emulator_options::log_limit`.
    [[nodiscard]] std::vector<emulator_effect> effects() const;

    /// The number of all changes.
    [[nodiscard]] std::uint64_t total_effects() const;

    /// Forgets all resources, operations, faults and logs.
    void reset();

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
