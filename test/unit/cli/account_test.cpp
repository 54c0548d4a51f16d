//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "demo/account.hpp"
#include "demo/settings.hpp"

#include <backbeat/attempt.hpp>

#include <boost/asio/error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace backbeat::cli::demo {
namespace {

using namespace std::chrono_literals;

// Two requests, of which the first needed two attempts, and the server that answered them.
class cli_demo_account : public testing::Test {
protected:
    cli_demo_account()
    {
        attempt_record busy;
        busy.number = 1;
        busy.status = 503;
        busy.judged = verdict_kind::retry;
        attempt_record done;
        done.number = 2;
        done.status = 200;
        perform({busy, done});
        done.number = 1;
        perform({done});
        for (auto const status : {503, 200, 200}) serve(status);
    }

    void perform(std::vector<attempt_record> const& records, stop_reason reason = stop_reason::success)
    {
        auto& made = requests.emplace_back();
        for (auto const& record : records) {
            counts.before_attempt(attempt(record.number));
            counts.after_attempt(record);
            made.report.add_attempt(record);
            if (&record == &records.back()) break;
            auto waits = record;
            waits.wait = 10ms;
            waits.origin = wait_origin::backoff;
            counts.before_wait(waits);
            made.report.add_wait(waits.wait, waits.origin);
        }
        made.report.finish(reason, records.back().error, 20ms);
        counts.at_end(made.report);
        made.completions = 1;
    }

    void serve(int status, std::optional<std::size_t> fault = {})
    {
        auto& entry = log.emplace_back();
        entry.status = status;
        entry.fault = fault;
    }

    [[nodiscard]] account settled() const { return settle(requests, counts, faults, fired, log); }

    std::vector<request> requests;
    tally counts;
    std::vector<fault_rule> faults{
        parse_fault_rule("reset rate=0.1"), parse_fault_rule("truncate rate=0.1"), parse_fault_rule("refuse")};
    std::vector<std::uint64_t> fired{0, 0, 0};
    std::vector<emulator_request> log;
};

TEST_F(cli_demo_account, what_fits_together_is_accounted_for)
{
    auto const result = settled();
    EXPECT_TRUE(result.problems.empty());
    EXPECT_EQ(result.accounted, 2U);
    EXPECT_EQ(result.seen, 3U);
}

TEST_F(cli_demo_account, counts_what_the_clients_see)
{
    EXPECT_EQ(counts.attempts, 3U);
    EXPECT_EQ(counts.retried, 1U);
    EXPECT_EQ(counts.succeeded, 2U);
    EXPECT_EQ(counts.waited, 10ms);
    EXPECT_EQ(counts.longest_wait, 10ms);
    EXPECT_EQ(counts.most_in_flight, 1U);
    EXPECT_EQ(counts.most_waiting, 1U);
    EXPECT_EQ(counts.waiting, 0U);
}

TEST_F(cli_demo_account, a_reset_is_one_attempt)
{
    attempt_record reset;
    reset.number = 1;
    reset.error = boost::asio::error::connection_reset;
    reset.delivered = delivery::ambiguous;
    perform({reset}, stop_reason::exhausted);
    serve(0, 0);
    EXPECT_TRUE(settled().problems.empty());
    serve(0, 0);
    EXPECT_EQ(settled().problems.size(), 1U) << "the server has read a copy that no attempt accounts for";
    EXPECT_EQ(counts.failures.begin()->first, "exhausted, the last attempt: Connection reset by peer");
}

TEST_F(cli_demo_account, an_attempt_that_never_left_is_not_looked_for_in_the_log)
{
    attempt_record refused;
    refused.number = 1;
    refused.error = boost::asio::error::connection_refused;
    refused.delivered = delivery::not_sent;
    perform({refused}, stop_reason::exhausted);
    EXPECT_TRUE(settled().problems.empty());
}

TEST_F(cli_demo_account, a_refused_connection_explains_one_attempt_that_the_log_does_not_know)
{
    attempt_record refused;
    refused.number = 1;
    refused.error = boost::asio::error::connection_reset;
    refused.delivered = delivery::ambiguous;
    perform({refused}, stop_reason::exhausted);
    EXPECT_EQ(
        settled().problems, std::vector<std::string>{"1 attempts were sent and not answered, the server knows of 0"});
    fired[2] = 1;
    EXPECT_TRUE(settled().problems.empty());
    perform({refused}, stop_reason::exhausted);
    EXPECT_EQ(
        settled().problems, std::vector<std::string>{"2 attempts were sent and not answered, the server knows of 1"});
}

TEST_F(cli_demo_account, a_truncated_answer_is_none)
{
    attempt_record torn;
    torn.number = 1;
    torn.error = boost::asio::error::eof;
    torn.delivered = delivery::ambiguous;
    perform({torn}, stop_reason::exhausted);
    serve(200, 1);
    EXPECT_TRUE(settled().problems.empty());
    // It cannot be the cause of a second copy.
    serve(200, 1);
    EXPECT_FALSE(settled().problems.empty());
}

TEST_F(cli_demo_account, an_attempt_that_was_given_up_may_have_been_answered)
{
    attempt_record late;
    late.number = 1;
    late.error = retry_errc::attempt_timeout;
    late.delivered = delivery::ambiguous;
    perform({late}, stop_reason::exhausted);
    EXPECT_TRUE(settled().problems.empty()) << "the server never read it";
    serve(200);
    EXPECT_TRUE(settled().problems.empty());
    serve(200);
    EXPECT_FALSE(settled().problems.empty());
}

TEST_F(cli_demo_account, a_request_that_is_lost_or_doubled_is_found)
{
    requests[0].completions = 0;
    EXPECT_EQ(settled().problems, std::vector<std::string>{"request 1 was lost: it never ended"});
    EXPECT_EQ(settled().accounted, 1U);
    requests[0].completions = 2;
    EXPECT_EQ(settled().problems, std::vector<std::string>{"request 1 ended 2 times"});
}

TEST_F(cli_demo_account, a_request_that_the_server_answered_twice_is_found)
{
    serve(200);
    EXPECT_EQ(
        settled().problems, std::vector<std::string>{"the clients got 2 answers with status 200, the server gave 3"});
}

TEST_F(cli_demo_account, an_answer_that_the_server_never_gave_is_found)
{
    log.pop_back();
    EXPECT_EQ(
        settled().problems, std::vector<std::string>{"the clients got 2 answers with status 200, the server gave 1"});
}

TEST_F(cli_demo_account, a_wrong_result_is_found)
{
    requests[1].problem = "lists 4 instances";
    EXPECT_EQ(settled().problems, std::vector<std::string>{"request 2 has a wrong result: lists 4 instances"});
}

TEST(cli_demo_settings, every_time_is_scaled)
{
    auto const policy = scaled_policy(0.2);
    EXPECT_EQ(policy.initial_backoff, 200ms);
    EXPECT_EQ(policy.maximum_backoff, 12800ms);
    EXPECT_FALSE(validate(policy));
    auto const faults =
        scaled_faults({parse_fault_rule("status=429 retry-after=2"), parse_fault_rule("delay=500ms rate=0.5")}, 0.2);
    EXPECT_EQ(fault_rule_text(faults[0]), "status=429 retry-after-ms=400");
    EXPECT_EQ(fault_rule_text(faults[1]), "delay=100ms rate=0.5");
}

TEST(cli_demo_settings, the_default_mix_fails_three_requests_in_ten)
{
    auto spared = 1.0;
    for (auto const& rule : default_faults()) spared *= 1 - rule.rate;
    EXPECT_NEAR(1 - spared, 0.3, 0.001);
}

}  // namespace
}  // namespace backbeat::cli::demo
