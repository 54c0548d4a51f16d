//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_SERVICE_HPP
#define BACKBEAT_SRC_EMULATOR_SERVICE_HPP

#include "authenticator.hpp"
#include "bounded_log.hpp"
#include "capacity.hpp"
#include "exchange.hpp"
#include "fault_list.hpp"
#include "quota.hpp"
#include "redis_api.hpp"
#include "request_target.hpp"

#include <backbeat/emulator_log.hpp>
#include <backbeat/fault_rule.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::emulation {

struct service_options {
    std::vector<fault_rule> faults;
    std::uint64_t seed = 0;
    std::chrono::nanoseconds operation_time{};
    std::size_t log_limit = 0;
    std::vector<std::string> log_headers;
    std::vector<quota_limit> quota;
    std::uint64_t capacity = 0;
    std::uint64_t queue = 0;
    std::string required_token;
    std::string jwt_key;
    std::function<void(std::string_view)> log;
};

// Everything that the emulator does, apart from the network: who may send and how much, faults, the API, logs, control.
// The server calls begin, act and finish for each request, in this order. All members are thread-safe.
class service {
public:
    // Throws fault_error, and std::invalid_argument for a key that is none.
    explicit service(service_options options);

    // The names of the header fields that the server is to put into `http_request::logged_headers`.
    [[nodiscard]] std::vector<std::string> const& log_headers() const noexcept { return log_headers_; }

    // Whether a connection that was just accepted is to be reset, as a fault rule says.
    bool refuses_connection();

    // Counts the request, and decides what will happen to it.
    exchange begin(http_request request);

    // Carries it out, unless a fault comes before that, and returns the answer, unless there is to be none.
    http_reply act(exchange& current);

    // It is answered with `current.status`, or with nothing (0).
    void finish(exchange const& current);

    // The answer could not be sent.
    void lost(exchange const& current);

    // The answer to what is not a request.
    http_reply malformed(int status, std::string const& message);

    // The resources and operations, as JSON. Throws api_error.
    std::string snapshot();

    // Throws api_error, and leaves them as they were.
    void load_snapshot(std::string_view text);

    void set_faults(std::vector<fault_rule> rules);

    // Throws api_error, and leaves them as they were.
    void set_unreachable(std::vector<std::string> locations);

    void reset();

    [[nodiscard]] std::vector<std::uint64_t> faults_fired() const;
    [[nodiscard]] std::vector<emulator_request> requests() const;
    [[nodiscard]] std::uint64_t total_requests() const;
    [[nodiscard]] std::vector<emulator_effect> effects() const;
    [[nodiscard]] std::uint64_t total_effects() const;

    // The numbers of open connections now and at most, for the metrics. Set before the first request.
    std::function<std::pair<std::size_t, std::size_t>()> connections;

private:
    void admit(exchange& current, emulator_request& entry, std::optional<http_reply> unauthenticated);
    void write_line(std::string const& line) const;
    http_reply act_on(exchange& current);
    http_reply control(exchange const& current);
    http_reply show_faults();
    http_reply replace_faults(std::string const& body);
    http_reply show_unreachable();
    http_reply replace_unreachable(std::string const& body);
    http_reply show_snapshot();
    http_reply replace_state(std::string const& body);
    http_reply show_requests();
    http_reply show_effects();
    http_reply show_metrics();
    void append_load_metrics(std::string& text) const;
    void set_unreachable_locations(std::vector<std::string> locations);
    void forget_everything();

    std::function<void(std::string_view)> log_;
    std::vector<std::string> const log_headers_;
    mutable std::mutex mutex_;
    authenticator const authenticator_;
    fault_list faults_;
    quota quota_;
    capacity capacity_;
    redis_api api_;
    std::vector<std::string> unreachable_;
    bounded_log<emulator_request> requests_;
    bounded_log<emulator_effect> effects_;
    std::map<std::pair<std::string, int>, std::uint64_t> answers_;
    std::map<std::string, std::uint64_t> changes_;
    std::uint64_t malformed_ = 0;
    std::uint64_t unauthenticated_ = 0;
    std::uint64_t refused_connections_ = 0;
    std::uint64_t resets_ = 0;
};

}  // namespace backbeat::emulation

#endif
