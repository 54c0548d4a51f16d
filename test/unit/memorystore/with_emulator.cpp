//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "emulator_fixture.hpp"

#include <backbeat/emulator.hpp>
#include <backbeat/http/error.hpp>
#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace {

using namespace backbeat::memorystore;
using namespace std::chrono_literals;
using backbeat::retry_report;
using backbeat::stop_reason;

std::string const name = "projects/p/locations/us-central1/instances/a";

}  // namespace

TEST_F(WithEmulator, TheLifeOfAnInstance)
{
    auto const created = create("a");
    EXPECT_FALSE(created.name.empty());
    auto const metadata = created.metadata->unpack<operation_metadata>();
    ASSERT_TRUE(metadata);
    EXPECT_EQ(metadata->verb, "create");
    EXPECT_EQ(metadata->target, name);

    auto const ended = wait(created);
    EXPECT_EQ(ended.name, created.name);
    auto const made = ended.response->unpack<instance>();
    ASSERT_TRUE(made);
    EXPECT_EQ(made->name, name);
    EXPECT_EQ(made->state, instance_state::ready);

    auto const found = get(name);
    EXPECT_EQ(found.memory_size_gb, 2);
    EXPECT_EQ(found.tier, tier::basic);
    EXPECT_EQ(found.labels.at("env"), "test");
    EXPECT_TRUE(found.create_time);
    EXPECT_TRUE(found.unknown_fields.empty());

    auto const again = failure_of([&] { create("a"); });
    EXPECT_EQ(again.code(), rpc_code::already_exists);
    EXPECT_EQ(again.http_status(), 409U);
    EXPECT_FALSE(again.outcome_unknown());

    EXPECT_TRUE(wait(remove(name)).response->is<empty>());
    auto const gone = failure_of([&] { get(name); });
    EXPECT_EQ(gone.code(), rpc_code::not_found);
    EXPECT_STREQ(
        gone.what(), "NOT_FOUND (HTTP 404): Resource 'projects/p/locations/us-central1/instances/a' was not found");
    EXPECT_EQ(google.total_effects(), 2U);
}

TEST_F(WithEmulator, Lists)
{
    for (auto const* id : {"a", "b", "c", "d", "e"}) create(id);
    page_request page;
    page.page_size = 2;
    std::vector<std::string> names;
    do {
        auto const part = run<list_instances_response>(
            [&](auto handler) { redis().async_list_instances("projects/p/locations/-", page, std::move(handler)); });
        EXPECT_LE(part.instances.size(), 2U);
        for (auto const& each : part.instances) names.push_back(each.name);
        page.page_token = part.next_page_token;
    } while (!page.page_token.empty());
    EXPECT_EQ(names.size(), 5U);
    auto const all = run<list_instances_response>(
        [&](auto handler) { redis().async_list_all_instances(region, std::move(handler)); });
    EXPECT_EQ(all.instances.size(), 5U);
    auto const operations =
        run<list_operations_response>([&](auto handler) { redis().async_list_operations(region, std::move(handler)); });
    EXPECT_EQ(operations.operations.size(), 5U);
}

TEST_F(WithEmulator, RefusalsNameTheField)
{
    auto const refused = failure_of([&] {
        instance wanted;
        wanted.tier = tier::basic;
        wanted.memory_size_gb = 1;
        wanted.replica_count = 2;
        run<operation>([&](auto handler) { redis().async_create_instance(region, "a", wanted, std::move(handler)); });
    });
    EXPECT_EQ(refused.code(), rpc_code::invalid_argument);
    ASSERT_TRUE(refused.detail<rpc::bad_request>());
    EXPECT_EQ(refused.detail<rpc::bad_request>()->field_violations.at(0).field, "instance.replicaCount");
    EXPECT_FALSE(refused.outcome_unknown());
    EXPECT_EQ(google.total_effects(), 0U);
}

TEST_F(WithEmulator, EveryMethodOfInstances)
{
    instance wanted;
    wanted.tier = tier::standard_ha;
    wanted.memory_size_gb = 5;
    wanted.auth_enabled = true;
    wanted.redis_version = "REDIS_6_X";
    auto const does = [&](std::string const& verb, auto start) {
        auto const begun = run<operation>(start);
        EXPECT_EQ(begun.verb(), verb);
        EXPECT_EQ(begun.target(), name);
        auto const ended = wait(begun);
        EXPECT_EQ(ended.verb(), verb);
        return ended;
    };
    auto const created =
        does("create", [&](auto h) { redis().async_create_instance(region, "a", wanted, std::move(h)); });
    auto const before = *created.response_as<instance>();
    EXPECT_EQ(before.state, instance_state::ready);
    EXPECT_FALSE(run<instance_auth_string>([&](auto h) {
                     redis().async_get_instance_auth_string(name, std::move(h));
                 }).auth_string.empty());

    auto after = before;
    after.display_name = "new";
    after.labels["team"] = "search";
    auto const mask = update_mask::difference(before, after);
    auto const updated = does("update", [&](auto h) { redis().async_update_instance(after, mask, std::move(h)); });
    EXPECT_EQ(updated.response_as<instance>()->labels.at("team"), "search");
    EXPECT_TRUE(update_mask::difference(after, *updated.response_as<instance>()).empty());

    does("export", [&](auto h) {
        redis().async_export_instance(name, export_instance_request::to("gs://b/o.rdb"), std::move(h));
    });
    does("import", [&](auto h) {
        redis().async_import_instance(name, import_instance_request::from("gs://b/o.rdb"), std::move(h));
    });
    does("failover", [&](auto h) { redis().async_failover_instance(name, failover_instance_request(), std::move(h)); });
    upgrade_instance_request newer;
    newer.redis_version = "REDIS_7_2";
    auto const upgraded = does("upgrade", [&](auto h) { redis().async_upgrade_instance(name, newer, std::move(h)); });
    EXPECT_EQ(upgraded.response_as<instance>()->redis_version, "REDIS_7_2");
    EXPECT_TRUE(
        does("delete", [&](auto h) { redis().async_delete_instance(name, std::move(h)); }).response_as<empty>());
    EXPECT_EQ(google.total_effects(), 7U);
}

TEST_F(WithEmulator, LocationsAndOperations)
{
    auto const all =
        run<list_locations_response>([&](auto h) { redis().async_list_all_locations("projects/p", std::move(h)); });
    EXPECT_FALSE(all.locations.empty());
    auto const found =
        run<backbeat::memorystore::location>([&](auto h) { redis().async_get_location(region, std::move(h)); });
    EXPECT_EQ(found.location_id, "us-central1");
    EXPECT_FALSE(found.metadata->unpack<location_metadata>()->available_zones.empty());

    auto const created = wait(create("a"));
    run<empty>([&](auto h) { redis().async_delete_operation(created.name, std::move(h)); });
    auto const gone =
        failure_of([&] { run<operation>([&](auto h) { redis().async_get_operation(created.name, std::move(h)); }); });
    EXPECT_EQ(gone.code(), rpc_code::not_found);
}

TEST_F(WithEmulator, ACancelledExportIsATypedError)
{
    auto slow = quick_emulator();
    slow.operation_time = 2s;
    backbeat::emulator patient(slow);
    options.endpoint = patient.url();
    wait(create("a"));
    auto const begun = run<operation>([&](auto h) {
        redis().async_export_instance(name, export_instance_request::to("gs://b/o.rdb"), std::move(h));
    });
    run<empty>([&](auto h) { redis().async_cancel_operation(begun.name, std::move(h)); });
    auto const cancelled = failure_of([&] { wait(begun); });
    EXPECT_EQ(cancelled.code(), rpc_code::cancelled);
    EXPECT_EQ(cancelled.operation_name(), begun.name);
    EXPECT_EQ(get(name).state, instance_state::ready);
}

TEST_F(WithEmulator, ThePagesOfAList)
{
    for (auto const* id : {"a", "b", "c", "d", "e"}) create(id);
    page_request page;
    page.page_size = 2;
    auto pages = redis().instance_pages("projects/p/locations/-", page);
    std::vector<std::size_t> sizes;
    while (true) {
        auto const part = run<std::optional<list_instances_response>>([&](auto h) { pages.async_next(std::move(h)); });
        if (!part) break;
        sizes.push_back(part->instances.size());
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 2, 1}));
}

TEST_F(WithEmulator, ReadsSurviveFaults)
{
    wait(create("a"));
    faults(
        {"reset method=GET first=1",
         "status=503 method=GET first=2",
         "status=429 retry-after-ms=2 method=GET first=1"});
    // So that the lost connection is a fresh one, which is not replayed for free.
    client fresh(context.get_executor(), options);
    retry_report report;
    auto const found =
        run<instance>([&](auto handler) { fresh.async_get_instance(name, report_to(report), std::move(handler)); });
    EXPECT_EQ(found.name, name);
    EXPECT_EQ(report.attempts(), 5U);
    EXPECT_EQ(report.reason(), stop_reason::success);
}

TEST_F(WithEmulator, AThrottledCreateIsCarriedOutOnce)
{
    faults({"status=429 retry-after-ms=1 method=POST first=3"});
    retry_report report;
    create("a", report_to(report));
    EXPECT_EQ(report.attempts(), 4U);
    // Before them, a look at what there is: the instance, and its operations.
    EXPECT_EQ(google.total_requests(), 2U + 4U);
    EXPECT_EQ(google.total_effects(), 1U);
}

TEST_F(WithEmulator, AnAmbiguousCreateIsCarriedOutOnce)
{
    options.mutations.settle_time = 20ms;
    std::size_t made = 0;
    for (char const* const fault :
         {"status=503 method=POST first=1",
          "status=503 method=POST first=1 when=after",
          "status=504 method=POST first=1 when=after",
          "reset method=POST first=1",
          "reset method=POST first=1 when=after",
          "truncate method=POST first=1 when=after"}) {
        faults({fault});
        retry_report report;
        auto const begun = create("a" + std::to_string(made), report_to(report));
        EXPECT_EQ(google.total_effects(), ++made) << fault;
        EXPECT_EQ(begun.name, google.effects().back().operation) << fault;
        EXPECT_EQ(report.worst_delivery(), backbeat::delivery::ambiguous) << fault;
        EXPECT_EQ(report.reason(), stop_reason::success) << fault;
    }
}

TEST_F(WithEmulator, ACreateThatCannotBeFoundOutIsUnknown)
{
    // No attempt is left when it has settled, and a hint of an hour is too long.
    options.mutations.settle_time = 1h;
    faults({"reset method=POST"});
    retry_report report;
    auto const problem = failure_of([&] { create("a", report_to(report)); });
    EXPECT_EQ(problem.code(), errc::outcome_unknown);
    EXPECT_TRUE(problem.outcome_unknown());
    EXPECT_NE(std::string(problem.what()).find("may or may not have been carried out"), std::string::npos)
        << problem.what();
    EXPECT_EQ(google.total_requests(), 2U + 1U + 2U);
}

TEST_F(WithEmulator, WhatCannotBeToldApartIsUnknownAndNamesItsOperation)
{
    wait(create("a"));
    faults({"reset method=POST when=after"});
    auto const begin = [&](call_options const& how) {
        return run<operation>([&](auto handler) {
            redis().async_export_instance(name, export_instance_request::to("gs://b/o.rdb"), how, std::move(handler));
        });
    };
    auto const problem = failure_of([&] { begin({}); });
    EXPECT_EQ(problem.code(), errc::outcome_unknown);
    EXPECT_EQ(problem.operation_name(), google.effects().back().operation);

    faults({});
    operation unsure;
    unsure.name = problem.operation_name();
    wait(unsure);
    faults({"reset method=POST when=after"});
    call_options alone;
    alone.mutations.emplace();
    alone.mutations->exclusive = true;
    auto const begun = begin(alone);
    EXPECT_EQ(begun.name, google.effects().back().operation);
}

TEST_F(WithEmulator, AnAmbiguousDeleteIsCarriedOutOnce)
{
    options.mutations.settle_time = 20ms;
    for (char const* const fault :
         {"reset method=DELETE first=1 when=after", "status=500 method=DELETE first=1", "hang method=DELETE first=1"}) {
        faults({});
        wait(create("a"));
        auto const before = google.total_effects();
        faults({fault});
        call_options quick(backbeat::retry_options{
            .initial_backoff = 1ms, .maximum_backoff = 10ms, .maximum_retries = 9, .attempt_timeout = 200ms});
        auto const begun = remove(name, quick);
        EXPECT_EQ(google.total_effects(), before + 1) << fault;
        faults({});
        wait(begun);
    }
}

TEST_F(WithEmulator, NothingIsLookedAtInTheOtherModes)
{
    options.mutations.mode = mutation_mode::literal;
    faults({"status=503 method=POST first=1 when=after"});
    EXPECT_EQ(failure_of([&] { create("a"); }).code(), rpc_code::already_exists) << "as the documentation has it";
    EXPECT_EQ(google.total_requests(), 2U);
}

TEST_F(WithEmulator, AnAmbiguousCreateStops)
{
    options.mutations.mode = mutation_mode::never;
    std::size_t sent = 0;
    std::size_t carried_out = 0;
    for (auto const& [fault, acts] :
         {std::pair("status=503 method=POST", false),
          {"status=503 method=POST when=after", true},
          {"reset method=POST", false},
          {"reset method=POST when=after", true},
          {"truncate method=POST when=after", true}}) {
        faults({fault});
        retry_report report;
        auto const id = "a" + std::to_string(sent);
        auto const problem = failure_of([&] { create(id, report_to(report)); });
        EXPECT_TRUE(problem.outcome_unknown()) << fault;
        EXPECT_NE(std::string(problem.what()).find("may or may not have been carried out"), std::string::npos);
        EXPECT_EQ(report.reason(), stop_reason::not_replayable) << fault;
        EXPECT_EQ(report.attempts(), 1U) << fault;
        EXPECT_EQ(google.total_requests(), ++sent) << fault;
        carried_out += acts ? 1 : 0;
        EXPECT_EQ(google.total_effects(), carried_out) << fault;
    }
}

TEST_F(WithEmulator, AnAmbiguousDeleteStops)
{
    options.mutations.mode = mutation_mode::never;
    wait(create("a"));
    faults({"reset method=DELETE when=after"});
    retry_report report;
    EXPECT_TRUE(failure_of([&] { remove(name, report_to(report)); }).outcome_unknown());
    EXPECT_EQ(report.reason(), stop_reason::not_replayable);
    EXPECT_EQ(google.total_effects(), 2U);
}

TEST_F(WithEmulator, PollsAreRetriedOnTheirOwn)
{
    faults({"status=503 path=/operations/ first=3"});
    EXPECT_TRUE(wait(create("a")).done);
}

TEST_F(WithEmulator, Tls)
{
    options.endpoint = google.tls_url();
    options.http.ca_certificate = google.ca_certificate();
    EXPECT_EQ(failure_of([&] { get(name); }).code(), rpc_code::not_found);

    client_options trusting_the_system;
    trusting_the_system.endpoint = google.tls_url();
    client stranger(context.get_executor(), trusting_the_system);
    auto const refused = failure_of(
        [&] { run<instance>([&](auto handler) { stranger.async_get_instance(name, std::move(handler)); }); });
    EXPECT_TRUE(backbeat::http::is_certificate_error(refused.code())) << refused.what();
}
