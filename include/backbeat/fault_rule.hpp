//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_FAULT_RULE_HPP
#define BACKBEAT_FAULT_RULE_HPP

#include <backbeat/config.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat {

/// What a fault does to a request, apart from delaying it.
enum class fault_action : std::uint8_t {
    /// Nothing: the request is carried out and answered, later than it would have been.
    none,

    /// The answer is an error with the status of the rule.
    status,

    /// The connection is reset (RST) once the request was read.
    reset,

    /// The answer announces its full length, and the connection is closed in the middle of the body.
    truncate,

    /// Nothing is ever answered; the connection stays open until the client closes it.
    hang,

    /// The connection is reset as soon as it is accepted: no request of it is read.
    refuse
};

/// When a fault happens, seen from the request's own effect.
enum class fault_time : std::uint8_t {
    /// Instead of it: the server does not act.
    before,

    /// After it: the server acts, and then the answer is lost, replaced or late.
    after
};

/**
 * \brief One rule by which the emulator fails requests.
 * \details
 * Rules are tried in order. The first one that matches a request and whose draw succeeds is applied, and no other.
 * Requests below `/emulator/` are never failed. Rules with `refuse` are tried for connections, all others for requests;
 * what a refused connection would have asked for nobody knows, so it may have been one of those below `/emulator/`.
 *
 * The text form, which `backbeat emulator --fault` takes, is a list of `KEY=VALUE` separated by spaces; a value that
 * contains spaces stands in single or double quotes, and twice such a quote in there for one:
 *
 * \code
 * status=503 retry-after=2 rate=0.3
 * reset method=POST path=/instances$ when=after first=3
 * delay=250ms path='/operations/'
 * \endcode
 *
 * The JSON form, which `POST /emulator/v1/faults` takes, has the same keys:
 *
 * \code
 * {"faults":[{"status":503,"retry-after":2,"rate":0.3},{"reset":true,"method":"POST","when":"after","first":3}]}
 * \endcode
 *
 * | key | value | meaning |
 * | --- | --- | --- |
 * | `status` | 400 to 599 | the answer's status; its body is an error of Google's form |
 * | `reset`, `truncate`, `hang` | | what happens instead of an answer |
 * | `refuse` | | the connection is reset when it is accepted; with `rate` and `first` only |
 * | `delay` | a duration | before the action, or alone; not with `hang` and `refuse` |
 * | `when` | `before`, `after` | default `before`; not `after` with `status=429` and `refuse` |
 * | `method` | `GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE` | default: any |
 * | `path` | a regular expression | searched in the decoded path, without the query; default: any |
 * | `rate` | 0 to 1 | the share of the matching requests, or of the connections, that fail; default 1 |
 * | `first` | 1 or more | the rule fires this many times at most |
 * | `retry-after` | seconds | with `status`: the header of that name |
 * | `retry-after-ms` | milliseconds | with `status`: the header of that name |
 * | `retry-info` | a duration | with `status`: `google.rpc.RetryInfo` in the error's body |
 */
class fault_rule {
public:
    fault_rule();

    /// What happens.
    fault_action action = fault_action::none;

    /// The status of `fault_action::status`: 400 to 599.
    int status = 0;

    /// Passes before the action. Zero: none. With `fault_action::none`, required.
    std::chrono::nanoseconds delay{};

    /// Whether the server acts before the fault happens. 429 means that it did not act, so it is never `after`.
    fault_time when = fault_time::before;

    /// The request's method: GET, HEAD, POST, PUT, PATCH or DELETE. Empty: any.
    std::string method;

    /// An ECMAScript regular expression that is searched in the request's decoded path. Empty: any path.
    std::string path;

    /// The share of the matching requests to which the rule is applied: 0 to 1.
    double rate = 1;

    /// How many times the rule is applied at most. Empty: without limit. Failed draws of `rate` do not count.
    std::optional<std::uint64_t> first;

    /// With `fault_action::status`: the header `Retry-After`, in seconds.
    std::optional<std::uint32_t> retry_after;

    /// With `fault_action::status`: the header `retry-after-ms`, in milliseconds.
    std::optional<std::uint32_t> retry_after_ms;

    /// With `fault_action::status`: the delay of `google.rpc.RetryInfo` in the body. Not negative.
    std::optional<std::chrono::nanoseconds> retry_info;

    friend bool operator==(fault_rule const&, fault_rule const&) = default;
};

/// A fault rule that cannot be used. `what()` is a sentence that says what is wrong and what would be right.
class fault_error : public std::invalid_argument {
public:
    fault_error(std::string key, std::string const& message);

    /// The key to blame, like `rate` or, of a rule in a JSON list, `faults[2].rate`. Empty: the rule as a whole.
    [[nodiscard]] std::string const& key() const noexcept { return key_; }

private:
    std::string key_;
};

/**
 * \brief Says whether a rule can be used.
 * \throws fault_error when it contradicts itself, or has a value out of range or a malformed regular expression.
 */
void validate(fault_rule const& rule);

/**
 * \brief Reads the text form of one rule.
 * \throws fault_error on an unknown key (naming the nearest known one), a bad value, or whatever `validate` refuses.
 */
[[nodiscard]] fault_rule parse_fault_rule(std::string_view text);

/**
 * \brief Reads the JSON form of a list of rules: `{"faults":[{...},...]}`.
 * \throws fault_error like `parse_fault_rule`.
 */
[[nodiscard]] std::vector<fault_rule> parse_fault_rules(boost::json::value const& document);

/// Writes the JSON form of a rule. Keys that have their default value are left out.
[[nodiscard]] boost::json::object fault_rule_json(fault_rule const& rule);

/// Writes the text form of a rule: what `parse_fault_rule` reads.
[[nodiscard]] std::string fault_rule_text(fault_rule const& rule);

}  // namespace backbeat

#endif
