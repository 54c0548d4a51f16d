//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The promise of docs/mutations.md: two actors change, delete and recreate the same instances, through a service that
// fails in every way it can. Afterwards the service's own record, of what it was asked and of what it carried out, is
// held against what the clients were told.

#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>
#include <backbeat/memorystore/client.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BACKBEAT_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BACKBEAT_SANITIZER
#endif
#endif

namespace backbeat::memorystore {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using time_point = std::chrono::system_clock::time_point;

std::string const location = "projects/p/locations/us-central1";

// An attempt is given up long before the service is done with the slowest requests.
constexpr auto attempt_timeout = 250ms;
// Far longer than those take, because a busy machine is late, too.
constexpr auto settle_time = 2s;
// With a sanitizer a service that many ask at once is later still.
#ifdef BACKBEAT_SANITIZER
constexpr int names = 6;
constexpr std::size_t round_size = 60;
#else
constexpr int names = 24;
constexpr std::size_t round_size = 150;
#endif
constexpr auto operation_time = 20ms;

// What the two actors ask for when they ask for the same.
char const* const equal_name = "the same for all";

std::vector<char const*> const every_fault{
    "refuse rate=0.02",
    "status=503 method=POST rate=0.05",
    "status=503 method=POST when=after rate=0.05",
    "status=504 method=POST rate=0.02",
    "status=504 method=POST when=after rate=0.03",
    "reset method=POST rate=0.03",
    "reset method=POST when=after rate=0.04",
    "truncate method=POST rate=0.02",
    "truncate method=POST when=after rate=0.04",
    "hang method=POST rate=0.015",
    "hang method=POST when=after rate=0.025",
    "delay=500ms method=POST rate=0.06",
    "status=429 method=POST rate=0.02",
    "status=429 retry-after=1 method=POST rate=0.01",
    "status=429 retry-after-ms=20 method=POST rate=0.01",
    "status=503 method=PATCH rate=0.04",
    "status=503 method=PATCH when=after rate=0.03",
    "status=500 method=PATCH when=after rate=0.03",
    "status=504 method=PATCH rate=0.02",
    "status=504 method=PATCH when=after rate=0.03",
    "reset method=PATCH rate=0.03",
    "reset method=PATCH when=after rate=0.04",
    "hang method=PATCH rate=0.01",
    "hang method=PATCH when=after rate=0.03",
    "delay=500ms method=PATCH rate=0.07",
    "status=429 method=PATCH rate=0.02",
    "status=429 retry-after=1 method=PATCH rate=0.01",
    "status=429 retry-after-ms=20 method=PATCH rate=0.01",
    "status=502 method=DELETE rate=0.04",
    "status=503 method=DELETE when=after rate=0.05",
    "status=504 method=DELETE rate=0.02",
    "status=504 method=DELETE when=after rate=0.02",
    "reset method=DELETE rate=0.03",
    "truncate method=DELETE when=after rate=0.04",
    "hang method=DELETE rate=0.01",
    "hang method=DELETE when=after rate=0.03",
    "delay=500ms method=DELETE rate=0.07",
    "status=429 method=DELETE rate=0.02",
    "status=429 retry-after=1 method=DELETE rate=0.01",
    "status=429 retry-after-ms=20 method=DELETE rate=0.01",
    "status=503 method=GET rate=0.02",
    "reset method=GET rate=0.01",
};

// Those that whoever does not wait is deceived by.
std::vector<char const*> const late_faults{
    "delay=500ms method=POST rate=0.3", "delay=300ms method=PATCH rate=0.3", "delay=300ms method=DELETE rate=0.3"};

// Without any that depend on the time an answer takes.
std::vector<char const*> const prompt_faults{
    "status=503 method=POST rate=0.1",
    "status=503 method=POST when=after rate=0.15",
    "reset method=POST when=after rate=0.15",
    "reset method=PATCH when=after rate=0.3",
    "truncate method=DELETE when=after rate=0.3",
};

enum class verb {
    create,
    create_equal,
    update,
    update_equal,
    label,
    remove,
    failover,
    export_data,
    import_data,
    upgrade,
    reschedule
};

// What the emulator calls it.
char const* method_of(verb what)
{
    switch (what) {
    case verb::create:
    case verb::create_equal: return "instances.create";
    case verb::update:
    case verb::update_equal:
    case verb::label: return "instances.patch";
    case verb::remove: return "instances.delete";
    case verb::failover: return "instances.failover";
    case verb::export_data: return "instances.export";
    case verb::import_data: return "instances.import";
    case verb::upgrade: return "instances.upgrade";
    case verb::reschedule: break;
    }
    return "instances.rescheduleMaintenance";
}

enum class fate { success, failure, unknown };

// A change that somebody asked for, and what they were told.
struct logical_change {
    std::string id;
    std::string actor;
    std::string name;
    verb what = verb::create;
    fate told = fate::unknown;
    // With `unknown`: what it may be.
    std::string operation;
    std::string sentence;
    time_point ended{};
    bool was_ambiguous = false;
    // The limits left no time to find out.
    bool ran_out = false;
};

struct proof_settings {
    std::uint64_t seed = 1;
    std::size_t count = round_size;
    int instances = names;
    int actors = 2;
    int threads = 1;
    std::chrono::nanoseconds limit_of_attempt = attempt_timeout;
    mutation_options mutations;
    std::vector<char const*> faults = every_fault;
    std::string snapshot;
};

// All that the judge knows.
struct evidence {
    proof_settings settings;
    std::vector<fault_rule> rules;
    std::vector<emulator_request> requests;
    std::vector<emulator_effect> effects;
    std::vector<logical_change> changes;
};

enum class wrong {
    // Carried out more than once.
    done_twice,
    // Reported as failed, and carried out.
    done_and_denied,
    // Reported as done, and neither carried out nor, where that is enough, brought about by somebody else.
    not_done,
    // Carried out on what had taken the place of what was looked at, although the client had seen that.
    wrong_incarnation,
    // Sent without a look, or with one that failed.
    not_looked,
    // The operation that was told is another.
    wrong_operation,
    // Nothing in the record makes it unknowable.
    needlessly_unknown,
    // More than the limits of the API explain.
    too_many_unknown,
    // More changes of other incarnations than the races between a look and its request explain.
    too_many_races,
    // More operations of later changes that were told than chance explains.
    too_many_misnamed
};

struct violation {
    wrong what;
    std::string text;
};

bool has(std::vector<violation> const& found, wrong what)
{
    return std::any_of(found.begin(), found.end(), [what](violation const& each) { return each.what == what; });
}

// Holds what the service has recorded against what the clients were told. It knows of each change what the client could
// have seen: its looks carry its id, so they are in the log of requests with the state that they were answered with.
class judge {
public:
    explicit judge(evidence const& all) : all_(all)
    {
        trace();
        for (auto const& each : all_.changes) try_one(each);
        if (is_careful()) check_shares();
    }

    [[nodiscard]] std::vector<violation> const& violations() const noexcept { return violations_; }
    [[nodiscard]] std::string summary() const;

    // How many there were of what makes the test one: without them it would prove nothing.
    [[nodiscard]] std::size_t done() const noexcept { return all_.effects.size(); }
    [[nodiscard]] std::size_t races() const noexcept { return races_; }
    [[nodiscard]] std::size_t of_another() const noexcept { return of_another_; }
    [[nodiscard]] std::size_t ambiguous() const
    {
        std::size_t result = 0;
        for (auto const& [method, count] : tallies_) result += count.ambiguous;
        return result;
    }

private:
    // An incarnation has the number of the effect that created it, from 1. Zero: there is none.
    struct act {
        emulator_effect const* effect = nullptr;
        std::size_t incarnation = 0;
    };

    // What a client asked for the sake of one change.
    struct trail {
        // At the resource, if they were answered with it or with NOT_FOUND.
        std::vector<emulator_request const*> looks;
        std::vector<emulator_request const*> lists;
        std::vector<emulator_request const*> sent;
        std::vector<act> acts;
        emulator_request const* baseline = nullptr;
        std::size_t incarnation = 0;
        // Until when the client knows anything.
        time_point looked_until{};
    };

    struct tally {
        std::size_t all = 0;
        std::size_t ambiguous = 0;
        std::size_t unknown = 0;
    };

    [[nodiscard]] bool is_careful() const { return all_.settings.mutations.mode == mutation_mode::careful; }

    void trace();
    void try_one(logical_change const& change);
    void try_incarnation(logical_change const& change, trail const& of, act const& done);
    [[nodiscard]] static emulator_request const* last_look_before(trail const& of, emulator_request const& sent);
    void try_success(logical_change const& change, trail const& of);
    void try_unknown(logical_change const& change, trail const& of);
    void check_shares();

    [[nodiscard]] emulator_request const* cause_of(trail const& of, act const& done) const;
    [[nodiscard]] bool was_brought_about(logical_change const& change, trail const& of) const;
    [[nodiscard]] bool was_deleted(logical_change const& change, trail const& of) const;
    [[nodiscard]] bool was_equal(logical_change const& change, std::size_t incarnation, time_point from) const;
    [[nodiscard]] std::string why_unknown(logical_change const& change, trail const& of) const;
    [[nodiscard]] std::string why_overlooked(logical_change const& change, trail const& of) const;
    [[nodiscard]] std::size_t incarnation_at(std::string const& name, time_point at) const;

    // What was done to a name in a time.
    [[nodiscard]] std::vector<act> between(std::string const& name, time_point from, time_point to) const
    {
        std::vector<act> result;
        auto const found = by_name_.find(name);
        if (found == by_name_.end()) return result;
        for (auto const& each : found->second)
            if (each.effect->time >= from && each.effect->time <= to) result.push_back(each);
        return result;
    }

    // Whether it may be taken for the change's. How the service calls a rescheduling is not documented, so the client
    // takes an update for one, too.
    [[nodiscard]] static bool may_be(logical_change const& change, emulator_effect const& done)
    {
        return done.resource == change.name
            && (done.method == method_of(change.what)
                || (change.what == verb::reschedule && done.method == method_of(verb::update)));
    }

    [[nodiscard]] verb verb_of(std::string const& id) const
    {
        auto const found = by_id_.find(id);
        return found == by_id_.end() ? verb::label : found->second->what;
    }

    void find(wrong what, logical_change const& change, std::string const& text)
    {
        violations_.push_back(
            {what, change.id + ", " + method_of(change.what) + " of " + change.name + ": " + text + story_of(change)});
    }

    [[nodiscard]] std::string story_of(logical_change const& change) const;

    evidence const& all_;
    std::map<std::string, logical_change const*> by_id_;
    std::map<std::string, trail> trails_;
    std::map<std::string, std::vector<act>> by_name_;
    std::map<std::string, act> by_operation_;
    std::vector<violation> violations_;
    std::map<std::string, tally> tallies_;
    std::map<std::string, std::size_t> reasons_;
    std::map<std::string, std::size_t> needless_;
    std::size_t told_[3] = {};
    std::size_t races_ = 0;
    std::size_t of_another_ = 0;
    std::size_t equal_ = 0;
    std::size_t made_equal_ = 0;
    std::size_t misnamed_ = 0;
};

void judge::trace()
{
    for (auto const& each : all_.changes) by_id_[each.id] = &each;
    std::map<std::string, std::size_t> now;
    std::map<std::size_t, std::string> creators;
    auto const actor_of = [](std::string const& id) { return id.substr(0, id.find('-')); };
    for (std::size_t i = 0; i != all_.effects.size(); ++i) {
        auto const& effect = all_.effects[i];
        auto& incarnation = now[effect.resource];
        if (effect.method == "instances.create") {
            incarnation = i + 1;
            creators[incarnation] = actor_of(effect.logical_id);
        } else if (creators[incarnation] != actor_of(effect.logical_id)) {
            ++of_another_;
        }
        act const done{&effect, incarnation};
        trails_[effect.logical_id].acts.push_back(done);
        by_name_[effect.resource].push_back(done);
        by_operation_[effect.operation] = done;
    }
    for (auto const& each : all_.requests) {
        auto const id = each.headers.find("x-backbeat-logical-id");
        if (id == each.headers.end()) continue;
        auto& of = trails_[id->second];
        auto const change = by_id_.find(id->second);
        if (each.method != "GET") {
            of.sent.push_back(&each);
        } else if (change != by_id_.end() && each.time > change->second->ended) {
            // Its answer told nobody anything: the client had given it up, and a busy machine was late to read it.
        } else if (each.path.ends_with("/operations")) {
            of.lists.push_back(&each);
            if (each.status == 200) of.looked_until = each.time;
        } else if (each.status == 200 || each.status == 404) {
            of.looks.push_back(&each);
        }
    }
    for (auto& [id, of] : trails_) {
        auto const change = by_id_.find(id);
        if (change == by_id_.end() || of.lists.empty()) continue;
        // The last one before the operations were asked for: the client did not get the answers of those before.
        for (auto const* each : of.looks)
            if (each->n < of.lists.front()->n) of.baseline = each;
        if (of.baseline != nullptr && of.baseline->status == 200)
            of.incarnation = incarnation_at(change->second->name, of.baseline->time);
    }
}

std::size_t judge::incarnation_at(std::string const& name, time_point at) const
{
    std::size_t result = 0;
    for (auto const& each : between(name, {}, at)) result = each.incarnation;
    return result;
}

// The request that it was: a delayed one is carried out when its delay is over, any other when it arrives.
emulator_request const* judge::cause_of(trail const& of, act const& done) const
{
    // The two clocks that the emulator waits and records by are not the same.
    constexpr auto inaccuracy = 5ms;
    emulator_request const* result = nullptr;
    time_point latest{};
    for (auto const* each : of.sent) {
        auto due = each->time;
        if (each->fault) {
            auto const& rule = all_.rules.at(*each->fault);
            if (rule.when == fault_time::before) {
                if (rule.action != fault_action::none) continue;
                due += std::chrono::duration_cast<time_point::duration>(rule.delay) - inaccuracy;
            }
        }
        if (due > done.effect->time || due < latest) continue;
        latest = due;
        result = each;
    }
    return result;
}

void judge::try_one(logical_change const& change)
{
    auto const& of = trails_[change.id];
    auto& count = tallies_[method_of(change.what)];
    ++count.all;
    ++told_[static_cast<std::size_t>(change.told)];
    if (change.was_ambiguous) ++count.ambiguous;
    if (change.told == fate::unknown) ++count.unknown;

    auto const times = of.acts.size();
    if (times > 1) find(wrong::done_twice, change, "carried out " + std::to_string(times) + " times");
    if (change.told == fate::failure && times != 0)
        find(wrong::done_and_denied, change, "carried out, and reported as failed: " + change.sentence);
    if (is_careful()) {
        if (!of.sent.empty() && (of.baseline == nullptr || of.baseline->n > of.sent.front()->n))
            return find(wrong::not_looked, change, "sent without a look");
        for (auto const& each : of.acts) try_incarnation(change, of, each);
        if (change.told == fate::unknown) try_unknown(change, of);
    }
    if (change.told == fate::success) try_success(change, of);
}

// What the client had seen when it sent the request. A busy machine may read requests later than they were sent, and
// than looks that followed them. But what comes first was sent after the baseline, and a look is two requests: what
// comes between them was sent before.
emulator_request const* judge::last_look_before(trail const& of, emulator_request const& sent)
{
    if (sent.n == of.sent.front()->n) return of.baseline;
    auto const next = [&](std::vector<emulator_request const*> const& among) {
        auto const found =
            std::find_if(among.begin(), among.end(), [&](emulator_request const* each) { return each->n > sent.n; });
        return found == among.end() ? (std::numeric_limits<std::uint64_t>::max)() : (*found)->n;
    };
    emulator_request const* last = of.baseline;
    emulator_request const* last_but_one = of.baseline;
    for (auto const* each : of.looks)
        if (each->n < sent.n) last_but_one = std::exchange(last, each);
    return next(of.lists) < next(of.looks) ? last_but_one : last;
}

// Nothing but a creation may be carried out on another incarnation than the one that was there at the baseline. What
// takes its place after the client's last look, the client cannot know of: 'Between the look and the request'.
void judge::try_incarnation(logical_change const& change, trail const& of, act const& done)
{
    if (done.effect->method == "instances.create" || done.incarnation == of.incarnation) return;
    auto const* const cause = cause_of(of, done);
    if (cause == nullptr) return find(wrong::not_looked, change, "carried out, and no request asked for it");
    auto const* const look = last_look_before(of, *cause);
    auto const& born = all_.effects.at(done.incarnation - 1);
    if (born.time > look->time) {
        ++races_;
        return;
    }
    find(
        wrong::wrong_incarnation,
        change,
        "it was carried out on what " + born.logical_id + " had created, which the last look showed");
}

void judge::try_success(logical_change const& change, trail const& of)
{
    auto const named = by_operation_.find(change.operation);
    auto const is_named = named != by_operation_.end() && may_be(change, *named->second.effect);
    if (!change.operation.empty() && !is_named)
        return find(wrong::wrong_operation, change, "told '" + change.operation + "', which is another change's");
    auto const is_own = is_named && named->second.effect->logical_id == change.id;
    if (is_own) return;
    if (!is_careful()) {
        if (of.acts.empty()) find(wrong::not_done, change, "reported as done, and was not carried out");
        return;
    }
    if (was_brought_about(change, of)) {
        auto const is_equal = change.what == verb::create_equal || change.what == verb::update_equal;
        if (is_equal) ++equal_;
        if (is_equal && verb_of(named->second.effect->logical_id) != change.what) ++made_equal_;
        return;
    }
    // It was deleted, and what is named deleted its successor: the deletion that did it was under way at the baseline.
    if (change.what == verb::remove && is_named && was_deleted(change, of)) {
        ++misnamed_;
        return;
    }
    if (of.acts.empty()) return find(wrong::not_done, change, "reported as done, and was not carried out");
    // Which of several updates has set what the API does not show, so the name may be that of a later one.
    auto const is_update = std::string(method_of(change.what)) == method_of(verb::update);
    if (is_update && is_named && !all_.settings.mutations.exclusive && named->second.incarnation == of.incarnation
        && named->second.effect->time >= of.baseline->time) {
        ++misnamed_;
        return;
    }
    find(wrong::wrong_operation, change, "done, and told '" + change.operation + "', which is another's");
}

// Whether somebody else has done what was asked for, where that is enough.
bool judge::was_brought_about(logical_change const& change, trail const& of) const
{
    if (all_.settings.mutations.exclusive) return false;
    auto const is_in_time = [&](act const& each) {
        return each.incarnation == of.incarnation && each.effect->time >= of.baseline->time
            && each.effect->time <= change.ended;
    };
    auto const named = by_operation_.find(change.operation);
    switch (change.what) {
    case verb::failover:
    case verb::upgrade: return named != by_operation_.end() && is_in_time(named->second);
    case verb::remove: {
        // Without a name it has to have happened all the same, to the instance that was looked at. It may have been
        // under way at the look.
        if (named != by_operation_.end() && named->second.incarnation != of.incarnation) return false;
        return was_deleted(change, of);
    }
    case verb::create_equal:
        // 'Two who want the same': both may be told so, if somebody wanted the same. That may have been an update, too.
        return named != by_operation_.end() && named->second.effect->time >= of.baseline->time
            && was_equal(change, named->second.incarnation, of.baseline->time);
    case verb::update_equal:
        return named != by_operation_.end() && is_in_time(named->second)
            && was_equal(change, of.incarnation, of.baseline->time);
    case verb::create:
    case verb::update:
    case verb::label:
    case verb::export_data:
    case verb::import_data:
    case verb::reschedule: break;
    }
    return false;
}

bool judge::was_deleted(logical_change const& change, trail const& of) const
{
    auto const all = between(change.name, {}, change.ended);
    return of.incarnation != 0 && std::any_of(all.begin(), all.end(), [&](act const& each) {
               return each.incarnation == of.incarnation && each.effect->method == method_of(verb::remove);
           });
}

// Whether the instance had the name that all want, at any time at which the client may have looked.
bool judge::was_equal(logical_change const& change, std::size_t incarnation, time_point from) const
{
    bool is_equal = false;
    for (auto const& each : between(change.name, {}, change.ended)) {
        if (each.incarnation != incarnation) continue;
        auto const what = verb_of(each.effect->logical_id);
        auto const sets_name =
            what == verb::create || what == verb::create_equal || what == verb::update || what == verb::update_equal;
        if (!sets_name) continue;
        // It has it until the operation that changes it is done.
        if (is_equal && each.effect->time + 2 * operation_time >= from) return true;
        is_equal = what == verb::create_equal || what == verb::update_equal;
    }
    return is_equal;
}

void judge::try_unknown(logical_change const& change, trail const& of)
{
    if (!change.was_ambiguous) return find(wrong::needlessly_unknown, change, "no attempt was: " + change.sentence);
    if (!change.operation.empty()) {
        auto const named = by_operation_.find(change.operation);
        if (named == by_operation_.end() || !may_be(change, *named->second.effect)
            || named->second.effect->time < of.baseline->time)
            find(wrong::wrong_operation, change, "unknown, and told '" + change.operation + "', which it cannot be");
    }
    if (auto const why = why_unknown(change, of); !why.empty()) {
        ++reasons_[why];
    } else if (auto const what = why_overlooked(change, of); !what.empty()) {
        ++needless_[what];
    } else if (change.ran_out) {
        ++reasons_["limits"];
    } else {
        find(wrong::needlessly_unknown, change, "nothing makes it so");
    }
}

// What in the record makes it unknowable, as docs/mutations.md has it. Empty: nothing.
std::string judge::why_unknown(logical_change const& change, trail const& of) const
{
    std::size_t count = 0;
    bool is_own = false;
    bool is_replaced = false;
    bool is_changed = false;
    for (auto const& each : between(change.name, of.baseline->time, of.looked_until)) {
        auto const& method = each.effect->method;
        if (may_be(change, *each.effect)) ++count;
        if (each.effect->logical_id == change.id) is_own = true;
        if (method == "instances.create" || method == "instances.delete") is_replaced = true;
        if (method != "instances.create" && count != 0) is_changed = true;
    }
    switch (change.what) {
    case verb::create:
    case verb::create_equal:
        if (count > 1) return "several";
        return count == 1 && is_changed ? "gone or changed" : "";
    case verb::update:
    case verb::update_equal:
    case verb::label: {
        if (count > 1) return "several";
        if (count == 1 && is_replaced) return "gone or replaced";
        if (count == 1) return is_own ? "" : "another's";
        // One that ran at the baseline, and had not changed the fields yet, or that began between its two requests.
        auto const before = between(change.name, of.baseline->time - 5 * operation_time, of.lists.front()->time);
        auto const has_run =
            std::any_of(before.begin(), before.end(), [&](act const& each) { return may_be(change, *each.effect); });
        return has_run ? "changed by one that ran" : "";
    }
    case verb::remove: return count != 0 && of.incarnation == 0 ? "there was none" : "";
    case verb::failover:
    case verb::upgrade:
        if (count > 1) return "several";
        return count == 1 && is_replaced ? "gone or replaced" : "";
    case verb::export_data:
    case verb::import_data:
    case verb::reschedule: break;
    }
    if (count > 1) return "several";
    if (count == 1 && is_replaced) return "gone or replaced";
    return count == 1 && !all_.settings.mutations.exclusive ? "whose it is" : "";
}

// What could be known, and the client overlooks. It is as good as any other unknown, and may not become frequent.
std::string judge::why_overlooked(logical_change const& change, trail const& of) const
{
    // Created between the two requests of the baseline: not there, and not new. The client looks until its limits end
    // it.
    auto const is_create = std::string(method_of(change.what)) == "instances.create";
    for (auto const& each : between(change.name, of.baseline->time, of.lists.back()->time))
        if (is_create && change.ran_out && each.effect->method == "instances.create") return "created within a look";
    auto const seen = between(change.name, of.baseline->time, of.looked_until);
    auto const only =
        std::find_if(seen.begin(), seen.end(), [&](act const& each) { return may_be(change, *each.effect); });
    if (only == seen.end()) return {};
    auto const is_creation = only->effect->method == "instances.create";
    // Its operation ended between the two requests of a look: the instance is as before, and the operation done.
    if ((is_creation || change.what == verb::upgrade || only->effect->method == "instances.patch") && !of.looks.empty()
        && of.looks.back()->time <= only->effect->time + 2 * operation_time)
        return "ended within a look";
    // What was done to the one before it is taken for a change of the new one.
    if (is_creation && only != seen.begin()) return "the one before was changed";
    return {};
}

// What the service was asked for the sake of the change, and what it did to the instance meanwhile, in milliseconds
// before the change ended.
std::string judge::story_of(logical_change const& change) const
{
    auto const found = trails_.find(change.id);
    if (found == trails_.end()) return {};
    auto const& of = found->second;
    std::multimap<time_point, std::string> lines;
    auto from = change.ended;
    auto to = change.ended;
    auto const add = [&](emulator_request const& each, std::string const& what) {
        from = (std::min)(from, each.time);
        lines.emplace(
            each.time,
            what + ": " + std::to_string(each.status)
                + (each.fault ? ", " + fault_rule_text(all_.rules.at(*each.fault)) : std::string()));
    };
    for (auto const* each : of.looks) add(*each, "looks at it");
    for (auto const* each : of.lists) add(*each, "looks at the operations");
    for (auto const* each : of.sent) add(*each, "sends it");
    for (auto const& each : of.acts) to = (std::max)(to, each.effect->time);
    for (auto const& each : between(change.name, from - 10 * operation_time, to))
        lines.emplace(
            each.effect->time,
            "    the service: " + each.effect->method + " for " + each.effect->logical_id + ", "
                + each.effect->operation.substr(each.effect->operation.rfind('/') + 1));
    lines.emplace(change.ended, "is told: " + (change.sentence.empty() ? change.operation : change.sentence));
    std::string text;
    for (auto const& [at, line] : lines) {
        auto const before = std::chrono::duration_cast<std::chrono::microseconds>(at - change.ended).count();
        text += "\n    " + std::to_string(static_cast<double>(before) / 1000) + " ms " + line;
    }
    return text;
}

// Chance may add five standard deviations to a share: these bounds are there to find a client that calls everything
// unknown or a race, on a busy machine too, and not one that is a little worse.
double most(double share, std::size_t of)
{
    auto const count = static_cast<double>(of);
    return share * count + 5 * std::sqrt(share * (1 - share) * count);
}

// Of the changes of a method that had an ambiguous attempt, the share that may remain unknown. Two fifths of the faults
// come before acting; of those all can be found out, unless the other actor begins the same meanwhile or replaces the
// instance. Of the rest, too, where the API shows whose it was: of a creation as long as it is there as it was made, of
// an update as long as no other follows. A deletion is unknown only if there was nothing to delete. Of an export, an
// import and a rescheduling all are unknown that were carried out; that no others are, `why_unknown` says. So a client
// that gives up what it could find out, or all, is above these.
double most_unknown(std::string const& method)
{
    if (method == "instances.delete") return 0.2;
    if (method == "instances.failover" || method == "instances.upgrade") return 0.35;
    if (method == "instances.create" || method == "instances.patch") return 0.45;
    return 0.8;
}

void judge::check_shares()
{
    auto const check = [&](wrong what, std::size_t count, double limit, std::string const& text) {
        if (static_cast<double>(count) <= limit) return;
        violations_.push_back(
            {what, text + ": " + std::to_string(count) + ", not " + std::to_string(limit) + " at most"});
    };
    for (auto const& [method, count] : tallies_)
        check(wrong::too_many_unknown, count.unknown, most(most_unknown(method), count.ambiguous), "unknown " + method);
    std::size_t needless = 0;
    for (auto const& [reason, count] : needless_) needless += count;
    check(wrong::too_many_unknown, needless, most(0.15, ambiguous()), "needlessly unknown");
    // It takes a second operation of the kind between the request and the look.
    check(wrong::too_many_misnamed, misnamed_, most(0.04, done()), "done, and named after another operation");
    // From the look to the request it is some milliseconds, of the some hundred that an incarnation lasts. A request
    // that is late by half a second, or that waits a second after a 429, is more likely to meet another one, but rare.
    // On a busy machine the milliseconds are more.
    check(wrong::too_many_races, races_, most(0.2, done()), "on what came between the look and the request");
}

std::string judge::summary() const
{
    auto const number = [](std::size_t count, char const* what) { return std::to_string(count) + what; };
    auto text = "seed " + std::to_string(all_.settings.seed) + ": " + number(all_.changes.size(), " changes, ")
        + number(told_[0], " done, ") + number(told_[1], " not done, ") + number(told_[2], " unknown; ")
        + number(all_.requests.size(), " requests, ") + number(done(), " carried out: ")
        + number(of_another_, " on what the other had created, ") + number(races_, " on what came after the look; ")
        + number(equal_, " done by the other who wanted the same (") + number(made_equal_, " by another change), ")
        + number(misnamed_, " named after another operation");
    for (auto const& [method, count] : tallies_)
        text += "\n    " + method + ": " + number(count.all, ", ")
            + number(count.ambiguous, " had an ambiguous attempt, ") + number(count.unknown, " unknown");
    text += "\n    unknown because of";
    for (auto const& [reason, count] : reasons_) text += " '" + reason + "' " + std::to_string(count);
    text += "; needlessly:";
    for (auto const& [reason, count] : needless_) text += " '" + reason + "' " + std::to_string(count);
    return text;
}

class proof {
public:
    explicit proof(proof_settings const& settings)
        : settings_(settings), rules_(rules_of(settings)), google_(emulator_settings())
    {
        google_.set_faults(rules_);
    }

    void run();

    [[nodiscard]] evidence found() const
    {
        return {settings_, rules_, google_.requests(), google_.effects(), changes_};
    }

private:
    class actor;

    static std::vector<fault_rule> rules_of(proof_settings const& settings)
    {
        std::vector<fault_rule> result;
        for (auto const* const text : settings.faults) result.push_back(parse_fault_rule(text));
        return result;
    }

    emulator_options emulator_settings()
    {
        emulator_options result;
        result.seed = settings_.seed;
        result.operation_time = operation_time;
        result.snapshot = settings_.snapshot;
        result.log_headers = {"x-backbeat-logical-id"};
        result.log = [this](std::string_view line) {
            if (line.find(" connection refused ") != line.npos) return;
            std::lock_guard const lock(mutex_);
            ++ended_;
            has_ended_.notify_all();
        };
        return result;
    }

    void wait_for_late_requests();

    proof_settings settings_;
    std::mutex mutex_;
    std::condition_variable has_ended_;
    std::uint64_t ended_ = 0;
    std::vector<logical_change> changes_;
    std::atomic<std::size_t> begun_{0};
    std::vector<fault_rule> rules_;
    emulator google_;

    friend class actor;
};

// One of those that share the instances: it changes, deletes and recreates whatever is there, one change after the
// other of each name.
class proof::actor {
public:
    actor(proof& all, asio::io_context& context, std::string name)
        : all_(all), context_(context), name_(std::move(name)), client_(context.get_executor(), settings())
    {}

    void start(int instance)
    {
        asio::co_spawn(context_, work(instance), [](std::exception_ptr const& failure) {
            if (failure) std::rethrow_exception(failure);
        });
    }

private:
    // One name as this actor sees it. What it does there is drawn from the seed, whatever the others do.
    struct lane {
        std::string name;
        std::mt19937_64 random;
        bool is_there = false;

        std::size_t draw(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random); }
    };

    [[nodiscard]] client_options settings() const
    {
        client_options result;
        result.endpoint = all_.google_.url();
        result.mutations = all_.settings_.mutations;
        result.retry.initial_backoff = 5ms;
        result.retry.maximum_backoff = 100ms;
        result.retry.maximum_retries = 12;
        result.retry.attempt_timeout = all_.settings_.limit_of_attempt;
        // For whom the others leave no time to find out: it has to end.
        result.retry.total_timeout = 4 * settle_time;
        result.http.maximum_connections = 1000;
        return result;
    }

    asio::awaitable<void> work(int instance)
    {
        lane where;
        where.name = location + "/instances/i" + std::to_string(instance);
        std::seed_seq of_lane{
            all_.settings_.seed, static_cast<std::uint64_t>(instance), static_cast<std::uint64_t>(name_.size())};
        where.random.seed(of_lane);
        while (true) {
            auto const index = all_.begun_++;
            if (index >= all_.settings_.count) break;
            logical_change change;
            change.id = name_ + "-" + std::to_string(index);
            change.actor = name_;
            change.name = where.name;
            change.what = choose(where);
            auto const waits = where.draw(4) != 0;
            co_await carry_out(change, where, waits);
            std::lock_guard const lock(all_.mutex_);
            all_.changes_.push_back(std::move(change));
        }
    }

    static verb choose(lane& where)
    {
        static constexpr std::array there{
            verb::create,
            verb::update,
            verb::update,
            verb::update_equal,
            verb::update_equal,
            verb::label,
            verb::remove,
            verb::remove,
            verb::remove,
            verb::failover,
            verb::failover,
            verb::export_data,
            verb::export_data,
            verb::import_data,
            verb::import_data,
            verb::upgrade,
            verb::upgrade,
            verb::reschedule,
            verb::reschedule};
        static constexpr std::array nowhere{
            verb::create,
            verb::create,
            verb::create,
            verb::create,
            verb::create_equal,
            verb::create_equal,
            verb::update,
            verb::remove,
            verb::failover};
        return where.is_there ? there[where.draw(there.size())] : nowhere[where.draw(nowhere.size())];
    }

    asio::awaitable<void> carry_out(logical_change& change, lane& where, bool waits)
    {
        retry_report report;
        operation begun;
        try {
            begun = co_await send(change, report);
            change.told = fate::success;
            change.operation = begun.name;
            if (change.what == verb::create || change.what == verb::create_equal) where.is_there = true;
            if (change.what == verb::remove) where.is_there = false;
        } catch (error const& failed) {
            change.sentence = failed.what();
            change.operation = failed.operation_name();
            change.told = failed.outcome_unknown() ? fate::unknown : fate::failure;
            if (failed.code() == rpc_code::already_exists) where.is_there = true;
            if (failed.code() == rpc_code::not_found) where.is_there = false;
        }
        change.ended = std::chrono::system_clock::now();
        change.was_ambiguous = report.worst_delivery() == delivery::ambiguous;
        auto const reason = report.reason();
        change.ran_out =
            reason == stop_reason::exhausted || reason == stop_reason::deadline || reason == stop_reason::hint_too_long;
        if (change.told == fate::success && !begun.done && waits) co_await wait(begun);
    }

    asio::awaitable<operation> send(logical_change const& change, retry_report& report)
    {
        call_options options(report_to(report));
        options.headers = {{"x-backbeat-logical-id", change.id}};
        auto const& name = change.name;
        switch (change.what) {
        case verb::create:
        case verb::create_equal: {
            instance wanted;
            wanted.tier = tier::standard_ha;
            wanted.memory_size_gb = 5;
            wanted.redis_version = "REDIS_6_X";
            wanted.display_name = change.what == verb::create ? change.id : equal_name;
            auto id = name.substr(name.rfind('/') + 1);
            co_return co_await client_.async_create_instance(
                location, std::move(id), std::move(wanted), options, asio::use_awaitable);
        }
        case verb::update:
        case verb::update_equal: {
            instance wanted;
            wanted.name = name;
            wanted.display_name = change.what == verb::update ? change.id : equal_name;
            update_mask const mask{"displayName"};
            co_return co_await client_.async_update_instance(std::move(wanted), mask, options, asio::use_awaitable);
        }
        case verb::label: {
            instance wanted;
            wanted.name = name;
            wanted.labels["by"] = change.id;
            update_mask const mask{"labels"};
            co_return co_await client_.async_update_instance(std::move(wanted), mask, options, asio::use_awaitable);
        }
        case verb::remove: co_return co_await client_.async_delete_instance(name, options, asio::use_awaitable);
        case verb::failover: {
            failover_instance_request wanted;
            co_return co_await client_.async_failover_instance(name, wanted, options, asio::use_awaitable);
        }
        case verb::export_data: {
            auto wanted = export_instance_request::to("gs://bucket/" + change.id + ".rdb");
            co_return co_await client_.async_export_instance(name, std::move(wanted), options, asio::use_awaitable);
        }
        case verb::import_data: {
            auto wanted = import_instance_request::from("gs://bucket/" + change.id + ".rdb");
            co_return co_await client_.async_import_instance(name, std::move(wanted), options, asio::use_awaitable);
        }
        case verb::upgrade: {
            upgrade_instance_request wanted;
            wanted.redis_version = "REDIS_7_2";
            co_return co_await client_.async_upgrade_instance(name, std::move(wanted), options, asio::use_awaitable);
        }
        case verb::reschedule: break;
        }
        reschedule_maintenance_request wanted;
        wanted.reschedule_type = reschedule_type::immediate;
        co_return co_await client_.async_reschedule_maintenance(name, std::move(wanted), options, asio::use_awaitable);
    }

    asio::awaitable<void> wait(operation const& begun)
    {
        wait_options pace;
        pace.initial_poll_interval = 10ms;
        pace.maximum_poll_interval = 50ms;
        try {
            auto name = begun.name;
            co_await client_.async_wait_operation(std::move(name), pace, asio::use_awaitable);
        } catch (error const&) {
            // A delete may have taken the instance from under it.
        }
    }

    proof& all_;
    asio::io_context& context_;
    std::string name_;
    client client_;
};

void proof::run()
{
    {
        asio::io_context context;
        actor one(*this, context, "one");
        actor other(*this, context, "other");
        for (int i = 0; i != settings_.instances; ++i) {
            one.start(i);
            if (settings_.actors == 2) other.start(i);
        }
        std::vector<std::thread> helpers;
        for (int i = 1; i < settings_.threads; ++i) helpers.emplace_back([&context] { context.run(); });
        context.run();
        for (auto& each : helpers) each.join();
    }
    wait_for_late_requests();
}

// What clients gave up on may be on its way still. The emulator writes a line when it is done with a request, be the
// client there or not.
void proof::wait_for_late_requests()
{
    // A new connection is served after those before it, so that nothing of theirs is unread.
    google_.set_faults({});
    asio::io_context context;
    client_options options;
    options.endpoint = google_.url();
    client last(context.get_executor(), options);
    last.async_get_instance(location + "/instances/last", [](std::exception_ptr const&, instance const&) {});
    context.run();
    std::unique_lock lock(mutex_);
    auto const is_over = has_ended_.wait_for(lock, 30s, [this] { return ended_ == google_.total_requests(); });
    EXPECT_TRUE(is_over) << "requests that never end";
}

std::uint64_t number_of(char const* variable, std::uint64_t otherwise)
{
    auto const* const text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

proof_settings careful_settings()
{
    proof_settings result;
    result.seed = number_of("BACKBEAT_PROOF_SEED", result.seed);
    result.mutations.settle_time = settle_time;
    return result;
}

evidence run(proof_settings const& settings)
{
    proof round(settings);
    round.run();
    return round.found();
}

void expect_no_violation(judge const& verdict)
{
    std::cout << verdict.summary() << std::endl;
    for (auto const& each : verdict.violations()) ADD_FAILURE() << each.text;
}

// A history that is written by hand, a step a millisecond.
class history {
public:
    history()
    {
        all_.settings.mutations.settle_time = settle_time;
        all_.settings.faults.clear();
    }

    history& look(std::string const& id, int status = 200)
    {
        return look_at_resource(id, status).look_at_operations(id);
    }

    history& look_at_resource(std::string const& id, int status = 200)
    {
        return ask(id, "GET", "/instances/i", status);
    }

    history& look_at_operations(std::string const& id) { return ask(id, "GET", "/operations", 200); }

    history& send(std::string const& id) { return ask(id, "POST", "/instances/i", 0); }

    history& act(std::string const& id, verb what)
    {
        emulator_effect effect;
        effect.time = step();
        effect.method = method_of(what);
        effect.resource = name;
        effect.operation = "operation-of-" + id;
        effect.logical_id = id;
        all_.effects.push_back(std::move(effect));
        return *this;
    }

    history& tell(std::string const& id, verb what, fate told, std::string const& operation = {})
    {
        logical_change change;
        change.id = id;
        change.name = name;
        change.what = what;
        change.told = told;
        change.operation = operation;
        change.ended = step();
        change.was_ambiguous = told == fate::unknown;
        all_.changes.push_back(std::move(change));
        return *this;
    }

    // Carried out at once, and told so.
    history& done(std::string const& id, verb what, int status = 200)
    {
        return look(id, status).send(id).act(id, what).tell(id, what, fate::success, "operation-of-" + id);
    }

    [[nodiscard]] std::vector<violation> violations() const { return judge(all_).violations(); }
    [[nodiscard]] std::size_t races() const { return judge(all_).races(); }

private:
    static constexpr char const* name = "i";

    time_point step() { return now_ += 1ms; }

    history& ask(std::string const& id, char const* method, char const* path, int status)
    {
        emulator_request request;
        request.n = all_.requests.size() + 1;
        request.time = step();
        request.method = method;
        request.path = path;
        request.status = status;
        request.headers["x-backbeat-logical-id"] = id;
        all_.requests.push_back(std::move(request));
        return *this;
    }

    evidence all_;
    time_point now_{};
};

history created_by_one()
{
    return history().done("one-1", verb::create, 404);
}

TEST(the_judge_of_mutations, finds_what_was_done_to_another_incarnation)
{
    auto seen = created_by_one();
    seen.look("one-2").send("one-2").done("other-1", verb::remove).done("other-2", verb::create, 404);
    seen.look("one-2").send("one-2");
    seen.act("one-2", verb::remove).tell("one-2", verb::remove, fate::success, "operation-of-one-2");
    EXPECT_TRUE(has(seen.violations(), wrong::wrong_incarnation));

    // Not seen, it cannot be known.
    auto unseen = created_by_one();
    unseen.look("one-2").done("other-1", verb::remove).done("other-2", verb::create, 404).send("one-2");
    unseen.act("one-2", verb::import_data).tell("one-2", verb::import_data, fate::success, "operation-of-one-2");
    EXPECT_TRUE(unseen.violations().empty());
    EXPECT_EQ(unseen.races(), 1U);

    // Nor was it when a request was sent that arrives within the look, or that is the first to arrive.
    auto late = created_by_one();
    late.look("one-2").send("one-2").done("other-1", verb::remove).done("other-2", verb::create, 404);
    late.look_at_resource("one-2").send("one-2").act("one-2", verb::import_data).look_at_operations("one-2");
    late.tell("one-2", verb::import_data, fate::success, "operation-of-one-2");
    EXPECT_TRUE(late.violations().empty());
    EXPECT_EQ(late.races(), 1U);

    auto later = created_by_one();
    later.look("one-2").done("other-1", verb::remove).done("other-2", verb::create, 404).look("one-2").send("one-2");
    later.act("one-2", verb::import_data).tell("one-2", verb::import_data, fate::success, "operation-of-one-2");
    EXPECT_TRUE(later.violations().empty());
    EXPECT_EQ(later.races(), 1U);

    auto in_time = created_by_one();
    in_time.look("one-2").send("one-2").done("other-1", verb::remove).done("other-2", verb::create, 404);
    in_time.look_at_resource("one-2").send("one-2").act("one-2", verb::import_data).look("one-2");
    in_time.tell("one-2", verb::import_data, fate::success, "operation-of-one-2");
    EXPECT_TRUE(has(in_time.violations(), wrong::wrong_incarnation));

    auto blind = created_by_one();
    blind.send("one-2").act("one-2", verb::remove);
    blind.tell("one-2", verb::remove, fate::success, "operation-of-one-2");
    EXPECT_TRUE(has(blind.violations(), wrong::not_looked));
}

TEST(the_judge_of_mutations, wants_a_deletion_for_every_one_that_was_told)
{
    auto none = created_by_one();
    none.look("one-2").send("one-2").tell("one-2", verb::remove, fate::success);
    EXPECT_TRUE(has(none.violations(), wrong::not_done));

    auto of_the_next = created_by_one();
    of_the_next.done("other-1", verb::remove).done("other-2", verb::create, 404).look("one-2").send("one-2");
    of_the_next.tell("one-2", verb::remove, fate::success);
    EXPECT_TRUE(has(of_the_next.violations(), wrong::not_done));

    auto by_the_other = created_by_one();
    by_the_other.look("one-2").send("one-2").done("other-1", verb::remove).look("one-2", 404);
    by_the_other.tell("one-2", verb::remove, fate::success);
    EXPECT_TRUE(by_the_other.violations().empty());
}

TEST(the_judge_of_mutations, lets_only_those_share_who_want_the_same)
{
    auto const told = [](verb of_one, verb of_other) {
        history result;
        result.look("one-1", 404).send("one-1").done("other-1", of_other, 404).look("one-1");
        return result.tell("one-1", of_one, fate::success, "operation-of-other-1").violations();
    };
    EXPECT_TRUE(told(verb::create_equal, verb::create_equal).empty());
    EXPECT_TRUE(has(told(verb::create_equal, verb::create), wrong::not_done));
    EXPECT_TRUE(has(told(verb::create, verb::create_equal), wrong::not_done));
    EXPECT_TRUE(has(told(verb::create, verb::export_data), wrong::wrong_operation));
}

TEST(the_judge_of_mutations, wants_a_reason_for_what_is_unknown)
{
    auto none = created_by_one();
    none.look("one-2").send("one-2").look("one-2").tell("one-2", verb::export_data, fate::unknown);
    EXPECT_TRUE(has(none.violations(), wrong::needlessly_unknown));

    auto one_export = created_by_one();
    one_export.look("one-2").send("one-2").act("one-2", verb::export_data).look("one-2");
    one_export.tell("one-2", verb::export_data, fate::unknown, "operation-of-one-2");
    EXPECT_TRUE(one_export.violations().empty());

    // Each of them has one, but that is not what happens.
    auto all = created_by_one();
    for (int number = 2; number != 60; ++number) {
        auto const id = "one-" + std::to_string(number);
        auto const other = "other-" + id;
        all.look(id).send(id).act(id, verb::update).done(other, verb::update).look(id);
        all.tell(id, verb::update, fate::unknown);
    }
    EXPECT_TRUE(has(all.violations(), wrong::too_many_unknown));
}

// BACKBEAT_PROOF_COUNT=5000 BACKBEAT_PROOF_SEED=7 makes it a long one.
TEST(mutations, are_never_done_twice_nor_reported_wrong)
{
    auto settings = careful_settings();
    // Each round has a service of its own: a look at the operations of one that has been busy for hours takes its time.
    for (auto left = number_of("BACKBEAT_PROOF_COUNT", 2 * round_size); left != 0; ++settings.seed) {
        settings.count = (std::min)(left, std::uint64_t(round_size));
        left -= settings.count;
        auto const all = run(settings);
        judge const verdict(all);
        expect_no_violation(verdict);
        // Of less it would prove nothing.
        if (settings.count < round_size) continue;
        EXPECT_GT(verdict.done(), settings.count / 6);
        EXPECT_GT(verdict.ambiguous(), settings.count / 20);
        EXPECT_GT(verdict.of_another(), 0U);
        // The clients run on one thread, and then on two.
        settings.threads = 3 - settings.threads;
    }
}

// Of whoever says that he is alone, the client finds out everything.
TEST(mutations, of_a_single_actor_are_known)
{
    auto settings = careful_settings();
    settings.actors = 1;
    settings.count = round_size / 2;
    settings.mutations.exclusive = true;
    auto const all = run(settings);
    judge const verdict(all);
    expect_no_violation(verdict);
    EXPECT_GT(verdict.ambiguous(), settings.count / 20);
}

// New operations are on the second page of the list: the first one is full of those that came before.
TEST(mutations, are_found_on_any_page)
{
    auto settings = careful_settings();
    settings.instances = 3;
    settings.count = 36;
    settings.limit_of_attempt = 5s;
    settings.faults = prompt_faults;
    settings.snapshot = R"({"version":1,"state":{"operations":[)";
    for (int i = 1000; i != 2000; ++i) {
        if (i != 1000) settings.snapshot += ",";
        settings.snapshot += R"({"done":true,"name":")" + location + "/operations/before-" + std::to_string(i)
            + R"(","metadata":{"@type":"type.googleapis.com/google.cloud.redis.v1.OperationMetadata","target":")"
            + location + R"(/instances/old","verb":"create"}})";
    }
    settings.snapshot += "]}}";
    auto const all = run(settings);
    judge const verdict(all);
    expect_no_violation(verdict);
    auto const is_second_page = [](emulator_request const& each) {
        return each.query.find("pageToken") != each.query.npos;
    };
    EXPECT_TRUE(std::any_of(all.requests.begin(), all.requests.end(), is_second_page));
}

// Whether the judge finds something carried out twice. That is a matter of chance, so there are several rounds.
bool finds_one_done_twice(proof_settings settings)
{
    settings.count = round_size / 2;
    for (auto const last = settings.seed + 60; settings.seed != last; ++settings.seed) {
        auto const all = run(settings);
        judge const verdict(all);
        std::cout << verdict.summary() << std::endl;
        if (has(verdict.violations(), wrong::done_twice)) return true;
    }
    return false;
}

// Whoever does not wait until nothing is on its way any more does some things twice. If the judge does not find that,
// the tests above prove nothing.
TEST(mutations, are_done_twice_if_absence_is_taken_for_proof_at_once)
{
    auto settings = careful_settings();
    settings.mutations.settle_time = 0s;
    settings.faults = late_faults;
    EXPECT_TRUE(finds_one_done_twice(settings));
}

// So does whoever follows the documentation to the letter.
TEST(mutations, are_done_twice_if_all_are_sent_again)
{
    auto settings = careful_settings();
    settings.mutations.mode = mutation_mode::literal;
    EXPECT_TRUE(finds_one_done_twice(settings));
}

}  // namespace

}  // namespace backbeat::memorystore
