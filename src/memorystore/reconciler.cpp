//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "reconciler.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace backbeat::memorystore::detail {

namespace {

using namespace std::chrono_literals;

// How long until an operation that is under way is looked at again.
constexpr std::chrono::nanoseconds longest_look_interval = 10s;

// The verbs that the service is known to use. What others stand for can only be guessed, and what is not among these may
// be called an update.
constexpr std::array<std::string_view, 7> known_verbs{
    "create", "update", "delete", "import", "export", "failover", "upgrade"};
constexpr std::string_view general_verb = "update";

// Maps of the API, which are equal or not, unlike messages, to which the service adds fields.
constexpr std::array<std::string_view, 3> maps{"labels", "redisConfigs", "tags"};

// Fields that are written and never read.
constexpr std::array<std::string_view, 2> input_only{"tags", "ondemandMaintenance"};

// The service may answer with the range that it has chosen: for "auto", or for the name of a range.
constexpr std::array<std::string_view, 2> rewritten{"reservedIpRange", "secondaryIpRange"};

// Fields of messages inside, which the service sets: they move by themselves.
constexpr std::array<std::string_view, 4> output_only{"createTime", "updateTime", "duration", "rdbNextSnapshotTime"};

// Networks may be named in full or by their last part.
constexpr std::string_view network = "authorizedNetwork";

template <class List>
bool has(List const& list, std::string_view text)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

std::string_view view_of(boost::json::string_view text)
{
    return {text.data(), text.size()};
}

// Whether everything that was wanted is there; the service may have added to it.
bool includes(std::string_view name, boost::json::value const& there, boost::json::value const& wanted)
{
    if (name == network && there.is_string() && wanted.is_string()) {
        auto const last_part = [](boost::json::string const& text) {
            auto const whole = view_of(text);
            return whole.substr(whole.rfind('/') + 1);
        };
        return last_part(there.get_string()) == last_part(wanted.get_string());
    }
    // The service adds to the messages in a list, too: its duration to a maintenance window.
    if (there.is_array() && wanted.is_array()) {
        auto const& have = there.get_array();
        auto const& want = wanted.get_array();
        return std::equal(have.begin(), have.end(), want.begin(), want.end(), [](auto const& one, auto const& other) {
            return includes({}, one, other);
        });
    }
    if (!there.is_object() || !wanted.is_object() || has(maps, name)) return there == wanted;
    for (auto const& each : wanted.get_object()) {
        if (has(output_only, view_of(each.key()))) continue;
        auto const* const found = there.get_object().if_contains(each.key());
        if (found == nullptr || !includes(view_of(each.key()), *found, each.value())) return false;
    }
    return true;
}

// Of a field that may be missing on either side, which is as good as its default.
bool holds_field(boost::json::object const& resource, boost::json::object const& wanted, std::string_view name)
{
    boost::json::string_view const key(name.data(), name.size());
    auto const* const want = wanted.if_contains(key);
    auto const* const there = resource.if_contains(key);
    if (want == nullptr) return there == nullptr;
    return there != nullptr && includes(name, *there, *want);
}

// When the last operation of a kind that has not failed began; empty, which is less than any time: there is none.
std::optional<timestamp> last_of(observation const& seen, std::string_view verb)
{
    std::optional<timestamp> result;
    for (auto const& each : seen.operations)
        if (each.verb == verb && !each.has_failed()) result = (std::max)(result, each.begun);
    return result;
}

operation ended_without_a_name()
{
    operation result;
    result.done = true;
    return result;
}

}  // namespace

// What is seen now, sorted.
class reconciler::view {
public:
    view(reconciler const& of, observation const& seen, time_point time) : now(seen), at(time)
    {
        for (auto const& each : seen.operations) {
            auto const& before = of.before_.operations;
            auto const is_known = std::any_of(
                before.begin(), before.end(), [&](auto const& old) { return old.whole.name == each.whole.name; });
            if (!is_known) (of.may_be_ours(each) ? ours : others).push_back(&each);
        }
        // Without a time: in the order in which the service lists them.
        std::stable_sort(
            ours.begin(), ours.end(), [](auto const* one, auto const* other) { return one->begun < other->begun; });
    }

    [[nodiscard]] bool some_run() const
    {
        return std::any_of(ours.begin(), ours.end(), [](auto const* each) { return !each->whole.done; });
    }

    [[nodiscard]] seen_operation const* find(std::string const& name) const
    {
        auto const& all = now.operations;
        auto const found =
            std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.whole.name == name; });
        return found == all.end() ? nullptr : &*found;
    }

    // Whether something that cannot be the change itself may have begun after this. It may, if there is no time.
    [[nodiscard]] bool has_other_since(seen_operation const& that) const
    {
        return std::any_of(others.begin(), others.end(), [&](auto const* each) {
            return !each->begun || !that.begun || *each->begun >= *that.begun;
        });
    }

    // The names of the candidates, for a sentence.
    [[nodiscard]] std::string count() const
    {
        return ours.size() == 1 ? "one operation of this kind has" : std::to_string(ours.size()) + " have";
    }

    observation const& now;
    time_point at;
    candidates ours;
    candidates others;
};

namespace {

conclusion carried_out(operation found)
{
    conclusion result;
    result.what = conclusion::kind::carried_out;
    result.found = std::move(found);
    return result;
}

conclusion refused(rpc_code code, std::string why)
{
    conclusion result;
    result.what = conclusion::kind::refused;
    result.code = code;
    result.why = std::move(why);
    return result;
}

template <class View>
conclusion unknown(View const& seen, std::string why)
{
    conclusion result;
    result.why = std::move(why);
    if (seen.ours.size() == 1) result.found = seen.ours.front()->whole;
    return result;
}

}  // namespace

reconciler::reconciler(change const& what, observation before, mutation_options const& options)
    : change_(what), before_(std::move(before)), options_(options)
{}

void reconciler::lost(time_point at)
{
    // Saturated: a settle time of centuries is for ever.
    auto const left = (time_point::max)() - at;
    settled_at_ =
        options_.settle_time >= left ? (time_point::max)() : (std::max)(settled_at_, at + options_.settle_time);
}

conclusion reconciler::conclude(observation const& now, time_point at) const
{
    view const seen(*this, now, at);
    switch (change_.kind) {
    case change_kind::create_instance:
    case change_kind::create_cluster: return of_create(seen);
    case change_kind::update_instance:
    case change_kind::update_cluster: return of_update(seen);
    case change_kind::delete_instance:
    case change_kind::delete_cluster:
    case change_kind::delete_backup: return of_delete(seen);
    case change_kind::upgrade_instance: return of_upgrade(seen);
    // Whoever asked for it, it is what was asked for.
    case change_kind::failover_instance: return of_action(seen, true);
    case change_kind::export_instance:
    case change_kind::import_instance:
    case change_kind::reschedule_maintenance:
    case change_kind::reschedule_cluster_maintenance:
    case change_kind::backup_cluster:
    case change_kind::export_backup: break;
    }
    return of_action(seen, options_.exclusive);
}

conclusion reconciler::before_resending(observation const& now) const
{
    return nothing_done_to_that(view(*this, now, (time_point::max)()));
}

conclusion reconciler::of_create(view const& seen) const
{
    auto const& resource = seen.now.resource;
    auto const is_new = resource && !is_same_incarnation(before_, seen.now);
    if (seen.ours.size() > 1)
        return unknown(seen, "it was created " + std::to_string(seen.ours.size()) + " times since, perhaps by others");
    if (!is_new) {
        if (seen.ours.empty()) return nothing_done(seen);
        if (seen.some_run()) return look_again();
        return unknown(seen, "one operation has begun to create it since, and there is nothing left of that");
    }
    if (seen.ours.empty()) {
        // It was being made when the baseline was taken, after that had found nothing: somebody else's.
        if (!before_.resource && last_of(before_, "create") > last_of(before_, "delete")) return nothing_done(seen);
        // It was made between two requests of this look, or its operation is not listed.
        return look_again();
    }
    if (matches(*resource)) return carried_out(seen.ours.front()->whole);
    if (seen.has_other_since(*seen.ours.front()))
        return unknown(seen, "it was created and changed since, perhaps by others");
    if (matches(*resource, rewritten))
        return unknown(seen, "it was created since, with another address range than the one asked for");
    // Somebody else's. The service will say so: ALREADY_EXISTS.
    return nothing_done(seen);
}

conclusion reconciler::of_update(view const& seen) const
{
    if (seen.ours.empty()) {
        auto const is_other = [&](std::string const& name) {
            auto const value = [&](observation const& of) {
                auto const* const found = of.resource->if_contains(boost::json::string_view(name.data(), name.size()));
                return found == nullptr ? boost::json::value() : *found;
            };
            auto const old = value(before_);
            auto const now = value(seen.now);
            return !includes(name, now, old) || !includes(name, old, now);
        };
        // Somebody has changed what is to be changed, and there is no trace of who: not yet, or not any more.
        if (before_.resource && seen.now.resource && is_same_incarnation(before_, seen.now)
            && std::any_of(change_.mask.begin(), change_.mask.end(), is_other))
            return unknown(seen, "the fields have changed since, and no operation tells why");
        return nothing_done_to_that(seen);
    }
    if (!seen.now.resource || !is_same_incarnation(before_, seen.now))
        return unknown(seen, seen.count() + " begun since, and the resource is gone or replaced");
    if (!holds(*seen.now.resource)) {
        if (options_.exclusive && seen.ours.size() == 1) return carried_out(seen.ours.front()->whole);
        if (seen.some_run()) return look_again();
        return unknown(seen, seen.count() + " begun since, and the fields are not as wanted");
    }
    // The last one that may have made them so.
    auto const last =
        std::find_if(seen.ours.rbegin(), seen.ours.rend(), [](auto const* each) { return each->has_succeeded(); });
    if (last != seen.ours.rend()) return carried_out((*last)->whole);
    if (seen.some_run()) return look_again();
    return unknown(seen, "the fields are as wanted, but no operation that has succeeded made them so");
}

conclusion reconciler::of_delete(view const& seen) const
{
    if (!before_.resource) {
        if (!seen.ours.empty()) return unknown(seen, seen.count() + " begun since, and there was nothing to delete");
        if (!seen.now.resource) return nothing_done(seen);
        return nothing_done_to_that(seen);
    }
    auto const not_failed =
        std::count_if(seen.ours.begin(), seen.ours.end(), [](auto const* each) { return !each->has_failed(); });
    if (is_same_incarnation(before_, seen.now)) {
        // One that has failed has changed nothing.
        if (not_failed == 0) return nothing_done(seen);
        if (not_failed > 1) return look_again();
        for (auto const* each : seen.ours)
            if (!each->has_failed()) return carried_out(each->whole);
    }
    // The first one: later ones are about what came after it. It may have begun before the baseline was taken.
    for (auto const& each : before_.operations)
        if (each.verb == "delete" && !each.whole.done)
            if (auto const* const known = seen.find(each.whole.name); known != nullptr && !known->has_failed())
                return carried_out(known->whole);
    for (auto const* each : seen.ours)
        if (!each->has_failed()) return carried_out(each->whole);
    return carried_out(ended_without_a_name());
}

conclusion reconciler::of_upgrade(view const& seen) const
{
    if (seen.ours.empty()) return nothing_done_to_that(seen);
    if (!seen.now.resource || !is_same_incarnation(before_, seen.now))
        return unknown(seen, seen.count() + " begun since, and the instance is gone or replaced");
    if (seen.ours.size() > 1) return unknown(seen, seen.count() + " begun since");
    auto const& only = *seen.ours.front();
    if (options_.exclusive) return carried_out(only.whole);
    if (!only.whole.done) return look_again();
    if (only.has_succeeded() && holds_field(*seen.now.resource, change_.wanted, "redisVersion"))
        return carried_out(only.whole);
    return unknown(seen, "one upgrade has begun since, and the version is not the one wanted");
}

conclusion reconciler::of_action(view const& seen, bool is_enough) const
{
    if (seen.ours.empty()) return nothing_done_to_that(seen);
    // What was done to another incarnation was not asked for. Where there was none, another may have come and gone.
    if (!before_.resource || !is_same_incarnation(before_, seen.now))
        return unknown(seen, seen.count() + " begun since, and the resource is gone or replaced");
    if (seen.ours.size() > 1) return unknown(seen, seen.count() + " begun since");
    if (is_enough) return carried_out(seen.ours.front()->whole);
    return unknown(seen, "one operation of this kind has begun since, and nothing tells whose it is");
}

// It may be sent (again), unless a copy of it is still on its way.
conclusion reconciler::nothing_done(view const& seen) const
{
    conclusion result;
    if (seen.at >= settled_at_) {
        result.what = conclusion::kind::not_carried_out;
    } else {
        result.what = conclusion::kind::too_early;
        result.is_settling = true;
        result.again = settled_at_ - seen.at;
    }
    return result;
}

// The same, of a change of what was there before. Sent again, it would change something else.
conclusion reconciler::nothing_done_to_that(view const& seen) const
{
    auto result = nothing_done(seen);
    if (result.what != conclusion::kind::not_carried_out) return result;
    if (!seen.now.resource || is_same_incarnation(before_, seen.now)) return result;
    return before_.resource ? refused(rpc_code::aborted, "another one has taken its place since")
                            : refused(rpc_code::not_found, "it did not exist then; the one there now is another's");
}

conclusion reconciler::look_again() const
{
    conclusion result;
    result.what = conclusion::kind::too_early;
    result.again = (std::min)(longest_look_interval, options_.settle_time);
    return result;
}

bool reconciler::may_be_ours(seen_operation const& seen) const
{
    return seen.verb == change_.verb || seen.verb.empty()
        || (!has(known_verbs, change_.verb) && (seen.verb == general_verb || !has(known_verbs, seen.verb)));
}

bool reconciler::holds(boost::json::object const& resource) const
{
    return std::all_of(change_.mask.begin(), change_.mask.end(), [&](std::string const& name) {
        return has(input_only, name) || holds_field(resource, change_.wanted, name);
    });
}

bool reconciler::matches(boost::json::object const& resource, std::span<std::string_view const> but) const
{
    return std::all_of(change_.wanted.begin(), change_.wanted.end(), [&](auto const& each) {
        auto const name = view_of(each.key());
        return has(input_only, name) || has(but, name) || holds_field(resource, change_.wanted, name);
    });
}

}  // namespace backbeat::memorystore::detail
