//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "reconciler.hpp"

#include <backbeat/memorystore/json.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

namespace backbeat::memorystore::detail {

// For the messages of GoogleTest.
void PrintTo(conclusion::kind what, std::ostream* out)
{
    static constexpr char const* names[] = {"carried_out", "not_carried_out", "refused", "too_early", "unknown"};
    *out << names[static_cast<std::size_t>(what)];
}

namespace {

using namespace std::chrono_literals;
using kind = conclusion::kind;

std::string const name = "projects/p/locations/l/instances/i";

constexpr reconciler::time_point start{1h};

boost::json::object json(std::string const& text)
{
    return parse_json(text).as_object();
}

// An instance of this incarnation.
boost::json::object instance_of(int incarnation, std::string const& fields = "")
{
    auto const time = R"("createTime":"2026-11-22T00:00:0)" + std::to_string(incarnation) + R"(Z")";
    return json("{" + time + (fields.empty() ? "" : "," + fields) + "}");
}

enum class state { running, succeeded, failed };

// The number also tells when it has begun.
seen_operation op(int number, std::string const& verb, state now = state::succeeded, std::string const& target = name)
{
    operation result;
    result.name = "projects/p/locations/l/operations/" + std::to_string(number);
    result.done = now != state::running;
    if (now == state::failed) {
        result.error.emplace();
        result.error->code = 13;
    }
    operation_metadata facts;
    facts.target = target;
    facts.verb = verb;
    facts.create_time = timestamp(std::chrono::system_clock::time_point(std::chrono::seconds(number)));
    result.metadata = any::pack(facts);
    return seen_operation(std::move(result));
}

observation seen(std::optional<boost::json::object> resource, std::vector<seen_operation> operations = {})
{
    observation result;
    result.resource = std::move(resource);
    result.operations = std::move(operations);
    return result;
}

change change_to(change_kind what, std::string const& wanted = "{}", std::vector<std::string> mask = {})
{
    change result;
    result.kind = what;
    result.verb = verb_of(what);
    result.target = name;
    result.wanted = json(wanted);
    result.mask = std::move(mask);
    return result;
}

// Of instances.
constexpr change_kind every_change[] = {
    change_kind::create_instance,
    change_kind::update_instance,
    change_kind::delete_instance,
    change_kind::export_instance,
    change_kind::import_instance,
    change_kind::failover_instance,
    change_kind::upgrade_instance,
    change_kind::reschedule_maintenance};

class memorystore_reconciler : public ::testing::Test {
protected:
    // What is concluded after an answered 5xx, when nothing is on its way any more.
    conclusion conclude(change const& what, observation before, observation now)
    {
        return reconciler(what, std::move(before), options).conclude(now, start);
    }

    mutation_options options;
};

TEST_F(memorystore_reconciler, waits_for_a_lost_answer_to_settle_before_absence_is_proof)
{
    for (auto const each : every_change) {
        SCOPED_TRACE(verb_of(each));
        auto const what = change_to(each);
        auto const is_create = is_creation(each);
        auto const same = seen(is_create ? std::nullopt : std::optional(instance_of(1)), {op(1, what.verb)});
        reconciler judge(what, same, options);
        EXPECT_EQ(judge.conclude(same, start).what, kind::not_carried_out);
        judge.lost(start);
        auto const early = judge.conclude(same, start + 10s);
        EXPECT_EQ(early.what, kind::too_early);
        EXPECT_EQ(early.again, 50s);
        EXPECT_EQ(judge.conclude(same, start + 59'999ms).what, kind::too_early);
        EXPECT_EQ(judge.conclude(same, start + 60s).what, kind::not_carried_out);
        judge.lost(start + 70s);
        judge.lost(start + 65s);
        EXPECT_EQ(judge.conclude(same, start + 100s).again, 30s);
        EXPECT_EQ(judge.conclude(same, start + 130s).what, kind::not_carried_out);
    }
}

TEST_F(memorystore_reconciler, settles_never_if_told_so_and_at_once_if_told_so)
{
    auto const what = change_to(change_kind::create_instance);
    options.settle_time = (std::chrono::nanoseconds::max)();
    reconciler never(what, seen({}), options);
    never.lost(start);
    EXPECT_EQ(never.conclude(seen({}), start + 10'000h).what, kind::too_early);
    options.settle_time = 0s;
    reconciler at_once(what, seen({}), options);
    at_once.lost(start);
    EXPECT_EQ(at_once.conclude(seen({}), start).what, kind::not_carried_out);
}

TEST_F(memorystore_reconciler, knows_its_own_creation_by_every_field)
{
    auto const what = change_to(
        change_kind::create_instance,
        R"({"tier":"BASIC","memorySizeGb":1,"labels":{"a":"b"},"authorizedNetwork":"default",
            "maintenancePolicy":{"description":"d"}})");
    auto const made = [](std::string const& labels, std::string const& size) {
        return instance_of(
            2,
            R"("tier":"BASIC","memorySizeGb":)" + size + R"(,"labels":)" + labels
                + R"(,"authorizedNetwork":"projects/p/global/networks/default","port":6379,
                  "maintenancePolicy":{"description":"d","createTime":"2026-11-22T00:00:02Z"})");
    };
    auto const ours = conclude(what, seen({}), seen(made(R"({"a":"b"})", "1"), {op(7, "create")}));
    EXPECT_EQ(ours.what, kind::carried_out);
    EXPECT_EQ(ours.found.name, op(7, "create").whole.name);
    // The operation may be under way.
    EXPECT_EQ(
        conclude(what, seen({}), seen(made(R"({"a":"b"})", "1"), {op(7, "create", state::running)})).what,
        kind::carried_out);
    // It may have replaced what was there before.
    EXPECT_EQ(
        conclude(what, seen(instance_of(1)), seen(made(R"({"a":"b"})", "1"), {op(7, "create")})).what,
        kind::carried_out);

    // Somebody else's: the service will refuse ours.
    for (auto const& other : {made(R"({"a":"b"})", "2"), made(R"({"a":"b","c":"d"})", "1"), made("{}", "1")})
        EXPECT_EQ(conclude(what, seen({}), seen(other, {op(7, "create")})).what, kind::not_carried_out);
}

TEST_F(memorystore_reconciler, takes_nothing_for_its_own_creation_that_may_be_anothers)
{
    auto const what = change_to(change_kind::create_instance, R"({"memorySizeGb":1})");
    auto const like_ours = instance_of(2, R"("memorySizeGb":1)");
    auto const other = instance_of(2, R"("memorySizeGb":5)");
    struct {
        char const* why;
        observation before, now;
        kind expected;
    } const cases[] = {
        {"created twice", seen({}), seen(like_ours, {op(7, "create"), op(9, "create")}), kind::unknown},
        {"created and changed", seen({}), seen(other, {op(7, "create"), op(8, "update")}), kind::unknown},
        {"created and gone", seen({}), seen({}, {op(7, "create"), op(8, "delete")}), kind::unknown},
        {"creation has failed", seen({}), seen({}, {op(7, "create", state::failed)}), kind::unknown},
        {"not to be seen yet", seen({}), seen({}, {op(7, "create", state::running)}), kind::too_early},
        {"operation not listed yet", seen({}), seen(like_ours), kind::too_early},
        {"it was there before", seen(like_ours), seen(like_ours), kind::not_carried_out},
        {"it was there and is gone", seen(like_ours), seen({}, {op(8, "delete")}), kind::not_carried_out},
        {"it was being made when the baseline was taken",
         seen({}, {op(7, "create", state::running)}),
         seen(like_ours, {op(7, "create")}),
         kind::not_carried_out},
        {"the one before was made, and is gone since",
         seen({}, {op(6, "create"), op(7, "delete")}),
         seen(like_ours, {op(6, "create"), op(7, "delete")}),
         kind::too_early},
        {"the one before was changed and deleted",
         seen(instance_of(1)),
         seen(like_ours, {op(4, "update"), op(5, "delete"), op(7, "create")}),
         kind::carried_out},
        {"the one before was deleted, and another made",
         seen(instance_of(1)),
         seen(other, {op(5, "delete"), op(7, "create")}),
         kind::not_carried_out},
    };
    for (auto const& each : cases) EXPECT_EQ(conclude(what, each.before, each.now).what, each.expected) << each.why;
}

TEST_F(memorystore_reconciler, does_not_guess_whose_creation_it_is_if_the_service_chose_the_range)
{
    auto const what = change_to(change_kind::create_instance, R"({"memorySizeGb":1,"reservedIpRange":"my-range"})");
    auto const found = [&](std::string const& fields) {
        return conclude(what, seen({}), seen(instance_of(2, fields), {op(7, "create")}));
    };
    EXPECT_EQ(found(R"("memorySizeGb":1,"reservedIpRange":"my-range")").what, kind::carried_out);
    auto const chosen = found(R"("memorySizeGb":1,"reservedIpRange":"10.0.0.0/29")");
    EXPECT_EQ(chosen.what, kind::unknown);
    EXPECT_EQ(chosen.found.name, op(7, "").whole.name);
    EXPECT_EQ(found(R"("memorySizeGb":2,"reservedIpRange":"10.0.0.0/29")").what, kind::not_carried_out);
}

TEST_F(memorystore_reconciler, sends_nothing_again_to_another_incarnation_although_nothing_was_lost)
{
    for (auto const each : every_change) {
        if (is_creation(each)) continue;
        SCOPED_TRACE(verb_of(each));
        auto const what = change_to(each);
        reconciler const known(what, seen(instance_of(1)), options);
        EXPECT_EQ(known.before_resending(seen(instance_of(1))).what, kind::not_carried_out);
        EXPECT_EQ(known.before_resending(seen({})).what, kind::not_carried_out) << "the service says so";
        EXPECT_EQ(known.before_resending(seen(instance_of(2))).what, kind::refused);
        EXPECT_EQ(known.before_resending(seen(instance_of(2))).code, rpc_code::aborted);
        reconciler const absent(what, seen({}), options);
        EXPECT_EQ(absent.before_resending(seen({})).what, kind::not_carried_out);
        EXPECT_EQ(absent.before_resending(seen(instance_of(2))).code, rpc_code::not_found);
    }
}

TEST_F(memorystore_reconciler, knows_its_update_by_the_fields_of_the_mask)
{
    auto const what = change_to(
        change_kind::update_instance, R"({"memorySizeGb":5,"tier":"BASIC"})", {"memorySizeGb", "displayName"});
    auto const before = seen(instance_of(1, R"("memorySizeGb":1,"displayName":"x","tier":"STANDARD_HA")"));
    auto const wanted = instance_of(1, R"("memorySizeGb":5,"tier":"STANDARD_HA")");
    auto const ours = conclude(what, before, seen(wanted, {op(7, "update")}));
    EXPECT_EQ(ours.what, kind::carried_out);
    EXPECT_EQ(ours.found.name, op(7, "").whole.name);

    struct {
        char const* why;
        observation now;
        kind expected;
    } const cases[] = {
        {"nothing has begun", before, kind::not_carried_out},
        {"nothing has begun, and somebody has exported it",
         seen(*before.resource, {op(6, "export")}),
         kind::not_carried_out},
        {"it is under way", seen(*before.resource, {op(7, "update", state::running)}), kind::too_early},
        {"another's, or ours was overwritten", seen(*before.resource, {op(7, "update")}), kind::unknown},
        {"it has failed", seen(*before.resource, {op(7, "update", state::failed)}), kind::unknown},
        {"as wanted, and somebody changes something else",
         seen(wanted, {op(7, "update"), op(8, "update", state::running)}),
         kind::carried_out},
        {"as wanted, but none has succeeded", seen(wanted, {op(7, "update", state::failed)}), kind::unknown},
        {"one field is not as wanted",
         seen(instance_of(1, R"("memorySizeGb":5,"displayName":"x")"), {op(7, "update")}),
         kind::unknown},
        {"gone since", seen({}, {op(7, "update"), op(8, "delete")}), kind::unknown},
        {"gone", seen({}, {op(8, "delete")}), kind::not_carried_out},
        {"replaced", seen(instance_of(2), {op(8, "delete"), op(9, "create")}), kind::refused},
    };
    for (auto const& each : cases) EXPECT_EQ(conclude(what, before, each.now).what, each.expected) << each.why;

    EXPECT_EQ(conclude(what, seen({}), seen(instance_of(2), {op(9, "create")})).code, rpc_code::not_found);
    EXPECT_EQ(conclude(what, before, seen(instance_of(2), {op(9, "create")})).code, rpc_code::aborted);
}

TEST_F(memorystore_reconciler, does_not_refuse_before_nothing_is_on_its_way)
{
    auto const what = change_to(change_kind::update_instance, "{}", {"displayName"});
    reconciler judge(what, seen(instance_of(1)), options);
    judge.lost(start);
    EXPECT_EQ(judge.conclude(seen(instance_of(2)), start + 1s).what, kind::too_early);
    EXPECT_EQ(judge.conclude(seen(instance_of(2)), start + 60s).what, kind::refused);
}

TEST_F(memorystore_reconciler, deletes_what_was_there_and_nothing_else)
{
    auto const what = change_to(change_kind::delete_instance);
    auto const before = seen(instance_of(1));
    auto const there = instance_of(1);
    struct {
        char const* why;
        observation before, now;
        kind expected;
        int operation;
    } const cases[] = {
        {"nothing has begun", before, before, kind::not_carried_out, 0},
        {"it is being deleted", before, seen(there, {op(7, "delete", state::running)}), kind::carried_out, 7},
        {"that has failed", before, seen(there, {op(7, "delete", state::failed)}), kind::not_carried_out, 0},
        {"it is gone", before, seen({}, {op(7, "delete")}), kind::carried_out, 7},
        {"it is gone, at the second attempt",
         before,
         seen({}, {op(7, "delete", state::failed), op(8, "delete")}),
         kind::carried_out,
         8},
        {"another has taken its place",
         before,
         seen(instance_of(2), {op(7, "delete"), op(8, "create"), op(9, "delete", state::running)}),
         kind::carried_out,
         7},
        {"it is gone, and nobody knows how", before, seen({}), kind::carried_out, 0},
        {"it was being deleted when the baseline was taken, and so was its successor since",
         seen(there, {op(5, "delete", state::running)}),
         seen({}, {op(5, "delete"), op(6, "create"), op(7, "delete")}),
         kind::carried_out,
         5},
        {"there was nothing, and is nothing", seen({}), seen({}), kind::not_carried_out, 0},
        {"there was nothing; now there is another's", seen({}), seen(there, {op(7, "create")}), kind::refused, 0},
        {"there was nothing; another's was deleted",
         seen({}),
         seen({}, {op(7, "create"), op(8, "delete")}),
         kind::unknown,
         8},
    };
    for (auto const& each : cases) {
        auto const found = conclude(what, each.before, each.now);
        EXPECT_EQ(found.what, each.expected) << each.why;
        EXPECT_EQ(found.found.name, each.operation == 0 ? "" : op(each.operation, "").whole.name) << each.why;
    }
    EXPECT_TRUE(conclude(what, before, seen({})).found.done) << "there is nothing to wait for";
}

TEST_F(memorystore_reconciler, knows_its_upgrade_by_the_version)
{
    auto const what = change_to(change_kind::upgrade_instance, R"({"redisVersion":"REDIS_7_2"})");
    auto const before = seen(instance_of(1, R"("redisVersion":"REDIS_6_X")"));
    auto const wanted = instance_of(1, R"("redisVersion":"REDIS_7_2")");
    auto const between = instance_of(1, R"("redisVersion":"REDIS_7_0")");
    EXPECT_EQ(conclude(what, before, before).what, kind::not_carried_out);
    EXPECT_EQ(conclude(what, before, seen(wanted, {op(7, "upgrade")})).what, kind::carried_out);
    EXPECT_EQ(conclude(what, before, seen(wanted, {op(7, "upgrade", state::running)})).what, kind::too_early);
    EXPECT_EQ(conclude(what, before, seen(between, {op(7, "upgrade")})).what, kind::unknown);
    EXPECT_EQ(conclude(what, before, seen(wanted, {op(7, "upgrade"), op(8, "upgrade")})).what, kind::unknown);
    EXPECT_EQ(conclude(what, before, seen({}, {op(7, "upgrade"), op(8, "delete")})).what, kind::unknown);
    EXPECT_EQ(conclude(what, before, seen(instance_of(2))).what, kind::refused);
}

TEST_F(memorystore_reconciler, takes_a_failover_for_its_own_and_an_export_only_if_nobody_else_is_there)
{
    auto const before = seen(instance_of(1), {op(1, "export"), op(2, "failover")});
    for (auto const each :
         {change_kind::failover_instance,
          change_kind::export_instance,
          change_kind::import_instance,
          change_kind::reschedule_maintenance,
          change_kind::reschedule_cluster_maintenance,
          change_kind::backup_cluster,
          change_kind::export_backup})
        for (bool const exclusive : {false, true}) {
            SCOPED_TRACE(verb_of(each));
            options.exclusive = exclusive;
            auto const what = change_to(each);
            EXPECT_EQ(conclude(what, before, before).what, kind::not_carried_out);
            auto const one = conclude(what, before, seen(instance_of(1), {op(7, what.verb)}));
            auto const is_ours = exclusive || each == change_kind::failover_instance;
            EXPECT_EQ(one.what, is_ours ? kind::carried_out : kind::unknown);
            EXPECT_EQ(one.found.name, op(7, "").whole.name) << "also where it is only a guess";
            auto const two = conclude(what, before, seen(instance_of(1), {op(7, what.verb), op(8, what.verb)}));
            EXPECT_EQ(two.what, kind::unknown);
            EXPECT_EQ(two.found.name, "");
        }
}

TEST_F(memorystore_reconciler, knows_its_creation_although_the_service_adds_to_a_list)
{
    auto const what = change_to(
        change_kind::create_instance, R"({"maintenancePolicy":{"weeklyMaintenanceWindow":[{"day":"MONDAY"}]}})");
    auto const with = [](std::string const& windows) {
        return instance_of(2, R"("maintenancePolicy":{"weeklyMaintenanceWindow":)" + windows + "}");
    };
    auto const found = [&](std::string const& windows) {
        return conclude(what, seen({}), seen(with(windows), {op(7, "create")})).what;
    };
    EXPECT_EQ(found(R"([{"day":"MONDAY","duration":"3600s"}])"), kind::carried_out);
    EXPECT_EQ(found(R"([{"day":"TUESDAY","duration":"3600s"}])"), kind::not_carried_out);
    EXPECT_EQ(found("[]"), kind::not_carried_out);
}

TEST_F(memorystore_reconciler, does_not_expect_the_times_that_the_service_sets)
{
    auto const policy = [](std::string const& time, std::string const& hour) {
        return R"("maintenancePolicy":{"createTime":"2026-11-22T00:00:01Z","updateTime":"2026-11-22T00:00:)" + time
            + R"(Z","weeklyMaintenanceWindow":[{"day":"MONDAY","startTime":{"hours":)" + hour
            + R"(},"duration":"3600s"}]})";
    };
    auto const what = change_to(change_kind::update_instance, "{" + policy("02", "5") + "}", {"maintenancePolicy"});
    auto const before = seen(instance_of(1, policy("02", "4")));
    EXPECT_EQ(
        conclude(what, before, seen(instance_of(1, policy("09", "5")), {op(7, "update")})).what, kind::carried_out);
    EXPECT_EQ(conclude(what, before, seen(instance_of(1, policy("09", "6")), {op(7, "update")})).what, kind::unknown);
    EXPECT_EQ(conclude(what, before, seen(instance_of(1, policy("09", "4")))).what, kind::not_carried_out);
    EXPECT_EQ(conclude(what, before, seen(instance_of(1, policy("02", "6")))).what, kind::unknown);
}

TEST_F(memorystore_reconciler, sends_no_update_over_fields_that_have_changed_without_a_trace)
{
    auto const what = change_to(change_kind::update_instance, R"({"memorySizeGb":5})", {"memorySizeGb"});
    auto const before = seen(instance_of(1, R"("memorySizeGb":1)"));
    EXPECT_EQ(conclude(what, before, seen(instance_of(1, R"("memorySizeGb":5)"))).what, kind::unknown);
    EXPECT_EQ(conclude(what, before, seen(instance_of(1, R"("memorySizeGb":9)"))).what, kind::unknown);
    EXPECT_EQ(
        conclude(what, before, seen(instance_of(1, R"("memorySizeGb":1,"displayName":"x")"))).what,
        kind::not_carried_out);
}

TEST_F(memorystore_reconciler, takes_nothing_that_was_done_to_another_incarnation)
{
    options.exclusive = true;
    for (auto const each : {change_kind::failover_instance, change_kind::export_instance})
        EXPECT_EQ(
            conclude(change_to(each), seen(instance_of(1)), seen(instance_of(2), {op(7, std::string(verb_of(each)))}))
                .what,
            kind::unknown);
}

TEST_F(memorystore_reconciler, takes_nothing_that_was_done_where_nothing_was)
{
    for (bool const exclusive : {false, true})
        for (auto const each :
             {change_kind::failover_instance,
              change_kind::export_instance,
              change_kind::import_instance,
              change_kind::reschedule_maintenance}) {
            options.exclusive = exclusive;
            auto const verb = std::string(verb_of(each));
            // Another's came, was failed over, and went.
            auto const now = seen({}, {op(6, "create"), op(7, verb), op(8, "delete")});
            EXPECT_EQ(conclude(change_to(each), seen({}), now).what, kind::unknown) << verb;
        }
}

TEST_F(memorystore_reconciler, takes_an_operation_that_it_cannot_read_for_one_that_may_be_its_own)
{
    auto unreadable = op(7, "");
    unreadable.whole.metadata.reset();
    EXPECT_EQ(
        conclude(change_to(change_kind::export_instance), seen(instance_of(1)), seen(instance_of(1), {unreadable}))
            .what,
        kind::unknown);
    // What the service calls a rescheduling is not documented.
    EXPECT_EQ(
        conclude(
            change_to(change_kind::reschedule_maintenance),
            seen(instance_of(1)),
            seen(instance_of(1), {op(7, "rescheduleMaintenance")}))
            .what,
        kind::unknown);
    EXPECT_EQ(
        conclude(
            change_to(change_kind::reschedule_maintenance),
            seen(instance_of(1)),
            seen(instance_of(1), {op(7, "failover")}))
            .what,
        kind::not_carried_out);
}

TEST(memorystore_observation, knows_a_resource_by_name_and_number_of_its_project)
{
    EXPECT_TRUE(is_same_resource(name, "projects/123456/locations/l/instances/i"));
    EXPECT_FALSE(is_same_resource(name, "projects/p/locations/l/instances/j"));
    EXPECT_FALSE(is_same_resource(name, "projects/p/locations/m/instances/i"));
}

TEST(memorystore_observation, reads_what_an_operation_is_about)
{
    auto const known = op(3, "create");
    EXPECT_EQ(known.target, name);
    EXPECT_EQ(known.verb, "create");
    operation strange;
    strange.metadata = any(json(R"({"@type":"type.googleapis.com/x","target":{"a":1}})"));
    EXPECT_EQ(seen_operation(strange).target, "");
    EXPECT_EQ(seen_operation(operation()).verb, "");
}

}  // namespace

}  // namespace backbeat::memorystore::detail
