//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Many requests while nginx is restarted, killed, reloaded and told to limit their rate. Each has a number, which nginx
// writes into its log, so that at the end what the client was told of each is held against what nginx did.
//
// What holds of the log: a worker writes the line of a request in the same step as its answer, right after it. So a
// worker that ended by itself has written them all. One that was terminated or killed may have left out those that it
// was about to write; an answer from such a worker may have no line. No line is ever too many.

#include "nginx_fixture.hpp"

#include <backbeat/retry_observer.hpp>
#include <backbeat/stop_reason.hpp>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

namespace backbeat::test {
namespace {

using http::idempotency;
using http::verb;

std::size_t number_of_requests()
{
    if (auto const* const wanted = std::getenv("BACKBEAT_SOAK_REQUESTS")) return std::stoul(wanted);
#ifdef BACKBEAT_SHORT_SOAK
    return 1'500;
#else
    return 5'000;
#endif
}

// Of each: by `async_send` or by `async_request`.
struct kind_of_request {
    verb method;
    idempotency replay;
    bool retried;
    char const* target;
};

constexpr kind_of_request kinds[] = {
    {verb::get, idempotency::safe, true, "/answer"},
    {verb::post, idempotency::never, true, "/answer"},
    {verb::get, idempotency::safe, false, "/answer"},
    {verb::post, idempotency::never, false, "/answer"},
    {verb::put, idempotency::idempotent, true, "/answer"},
    {verb::post, idempotency::idempotent, true, "/answer"},
    {verb::get, idempotency::safe, true, "/limited"},
    {verb::post, idempotency::never, true, "/limited"},
    {verb::post, idempotency::never, false, "/limited"},
};

// Now and then: nginx carries it out, by its log, and closes the connection without an answer.
constexpr kind_of_request unanswered[] = {
    {verb::get, idempotency::safe, false, "/unanswered"},
    {verb::post, idempotency::never, true, "/unanswered"},
    {verb::put, idempotency::idempotent, false, "/unanswered"},
};

kind_of_request const& kind_of(std::size_t id)
{
    return id % 41 == 40 ? unanswered[id / 41 % std::size(unanswered)] : kinds[id % std::size(kinds)];
}

// One request: what the client told.
struct outcome {
    kind_of_request const* kind = nullptr;
    int completions = 0;
    boost::system::error_code error;
    unsigned status = 0;
    std::string worker;  // that answered
    std::optional<delivery> delivered;
    std::uint32_t attempts = 0;
};

// One request: what nginx logged.
struct logged {
    std::size_t lines = 0;
    std::size_t served = 0;  // with a 2xx
    std::size_t in_doubt = 0;  // with anything but a 2xx or a 429: 444, 503
};

enum class event { quit, reload, limit_429, unlimited, kill, limit_503, unlimited_again, terminate };

constexpr event all_events[] = {
    event::quit,
    event::limit_429,
    event::kill,
    event::unlimited,
    event::reload,
    event::terminate,
    event::limit_503,
    event::reload,
    event::unlimited_again,
};

std::string configuration(std::string const& rate, std::string const& status)
{
    // `return` alone would come before the limit.
    std::string const server = "add_header X-Worker $pid always;"
                               "location /answer { return 200 answer; }"
                               "location /unanswered { return 444; }"
                               "location /limited { limit_req zone=all nodelay; limit_req_status "
        + status
        + "; try_files /no-file @answer; }"
          "location @answer { return 200 answer; }";
    return "limit_req_log_level info; limit_req_zone all zone=all:1m rate=" + rate
        + ";\n"
          // Soon enough for connections to end by themselves, too.
          "keepalive_requests 500; keepalive_timeout 200ms;\n"
          "server { listen 127.0.0.1:@port1@; "
        + server + "}\nserver { listen 127.0.0.1:@port2@ ssl; @tls@ " + server + "}\n";
}

void do_to(nginx& server, event what)
{
    switch (what) {
    case event::quit: return server.restart(nginx_stop::quit);
    case event::terminate: return server.restart(nginx_stop::terminate);
    case event::kill: return server.restart(nginx_stop::kill);
    case event::reload: return server.reload();
    case event::limit_429: return server.reload(configuration("100r/s", "429"));
    case event::limit_503: return server.reload(configuration("100r/s", "503"));
    case event::unlimited:
    case event::unlimited_again: return server.reload(configuration("10000r/s", "429"));
    }
}

// The workers that ended by themselves, with all that they had to do, as the error log tells: "... 12#12: gracefully
// shutting down", "... 12#12: exit".
std::set<std::string> workers_that_finished(std::string const& error_log)
{
    std::set<std::string> leaving;
    std::set<std::string> result;
    std::istringstream lines(error_log);
    for (std::string line; std::getline(lines, line);) {
        auto const from = line.find("] ");
        auto const to = line.find('#');
        if (from == std::string::npos || to == std::string::npos || to < from) continue;
        auto const process = line.substr(from + 2, to - from - 2);
        auto const says = [&line](std::string_view what) { return std::string_view(line).ends_with(what); };
        if (line.find("(SIGTERM) received") != std::string::npos)
            leaving.clear();
        else if (says(": gracefully shutting down"))
            leaving.insert(process);
        else if (says(": exit") && leaving.contains(process))
            result.insert(process);
    }
    return result;
}

class nginx_soak : public nginx_fixture {
protected:
    // Runs all requests, some hundred at any time, half of them over TLS, and stops nginx.
    void run_all(nginx& server);

    void start_next();
    void ended(std::size_t id, boost::system::error_code error, http::response const& response);

    std::vector<outcome> outcomes_{number_of_requests()};
    std::atomic<std::size_t> completed_ = 0;
    std::size_t started_ = 0;

private:
    struct running {
        attempt current{1};
        http::request message;
        retry_report report;
    };

    retry_options options_;
    std::vector<http::client> clients_;
    std::map<std::size_t, running> running_;
};

void nginx_soak::start_next()
{
    if (started_ == outcomes_.size()) return;
    auto const id = started_++;
    auto& result = outcomes_[id];
    result.kind = &kind_of(id);
    auto& mine = running_[id];
    mine.message = make_request(result.kind->method, result.kind->target);
    mine.message.set("X-Id", std::to_string(id));
    if (result.kind->method != verb::get) mine.message.body() = std::string(id % 400, 'x');
    auto& client = clients_[id % clients_.size()];
    auto at_end = [this, id](boost::system::error_code error, http::response const& response) {
        ended(id, error, response);
    };
    if (result.kind->retried)
        client.async_send(mine.message, result.kind->replay, options_, report_to(mine.report), std::move(at_end));
    else
        client.async_request(mine.current, mine.message, result.kind->replay, std::move(at_end));
}

void nginx_soak::ended(std::size_t id, boost::system::error_code error, http::response const& response)
{
    auto& result = outcomes_[id];
    ++result.completions;
    result.error = error;
    result.status = response.result_int();
    result.worker = field_of(response, "X-Worker");
    if (auto const found = running_.find(id); found != running_.end()) {
        auto const& mine = found->second;
        result.attempts = result.kind->retried ? mine.report.attempts() : 1;
        result.delivered = result.kind->retried ? mine.report.worst_delivery() : mine.current.delivered();
        running_.erase(found);
    }
    ++completed_;
    start_next();
}

void nginx_soak::run_all(nginx& server)
{
    constexpr std::size_t at_once = 256;
    constexpr std::size_t connections = 64;
    options_ = eager(500);
    auto settings = trusting();
    settings.maximum_connections = connections / 2;
    clients_.emplace_back(context.get_executor(), server.url("http", 1), settings);
    clients_.emplace_back(context.get_executor(), server.url("https", 2), settings);
    for (std::size_t i = 0; i != at_once; ++i) start_next();

    // Not on this thread: a graceful stop waits for what this thread sends and receives.
    std::size_t events = 0;
    std::exception_ptr failure;
    std::atomic<bool> given_up = false;
    std::thread upheaval([&] {
        try {
            auto const count = (std::max)(std::size(all_events) + 1, outcomes_.size() / 1000);
            for (; events + 1 < count; ++events) {
                auto const due = (events + 1) * outcomes_.size() / count;
                while (completed_ < due && !given_up) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                if (given_up) return;
                do_to(server, all_events[events % std::size(all_events)]);
            }
        } catch (...) {
            failure = std::current_exception();
            given_up = true;
        }
    });
    auto const all_ended = [this] { return completed_ == outcomes_.size(); };
    while (!all_ended() && !given_up) {
        auto const before = completed_.load();
        if (!run_until([&] { return completed_ != before || given_up; })) given_up = true;
    }
    if (given_up) {
        for (auto& client : clients_) client.close();
        run_until(all_ended);
    }
    upheaval.join();
    if (failure) std::rethrow_exception(failure);
    ASSERT_FALSE(given_up) << "no request ended for " << patience.count() << " s";
    EXPECT_GE(events, std::size(all_events));
    server.stop();
    for (auto const& client : clients_) expect_no_leftovers(client);
}

TEST_F(nginx_soak, what_the_client_says_of_each_request_is_true)
{
    auto options = options_of(configuration("10000r/s", "429"));
    options.log = "$http_x_id $status";
    options.workers = 2;
    nginx server(options);
    auto const start = std::chrono::steady_clock::now();
    ASSERT_NO_FATAL_FAILURE(run_all(server));
    auto const took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    std::vector<logged> log(outcomes_.size());
    for (auto const& line : server.access_log()) {
        std::istringstream words(line);
        std::size_t id = 0;
        int status = 0;
        if (!(words >> id >> status) || id >= log.size()) {
            ADD_FAILURE() << "not from here: " << line;
            continue;
        }
        ++log[id].lines;
        if (status / 100 == 2)
            ++log[id].served;
        else if (status != 429)
            ++log[id].in_doubt;
    }
    auto const finished = workers_that_finished(server.error_log());
    EXPECT_GE(finished.size(), 4u);

    std::size_t answered = 0;
    std::map<std::optional<delivery>, std::size_t> deliveries;
    std::map<std::string, std::size_t> errors;
    std::map<std::string, std::size_t> without_line;
    for (std::size_t id = 0; id != outcomes_.size(); ++id) {
        auto const& told = outcomes_[id];
        auto const& done = log[id];
        SCOPED_TRACE(
            std::to_string(id) + ": " + std::string(to_string(told.kind->method)) + ' ' + told.kind->target + ", "
            + std::to_string(told.attempts) + " attempts, " + std::to_string(told.status) + ' ' + told.error.message()
            + ", " + (told.delivered ? to_string(*told.delivered) : "nothing reported") + ", "
            + std::to_string(done.lines) + " lines, " + std::to_string(done.served) + " served");
        EXPECT_EQ(told.completions, 1);
        EXPECT_NE(told.error.failed(), told.status != 0);
        ASSERT_TRUE(told.delivered);
        ++deliveries[told.delivered];
        if (told.error) ++errors[told.error.message()];
        auto const success = told.status == 200;
        answered += success;
        // Nothing but these is ever answered.
        EXPECT_TRUE(told.error || success || told.status == 429 || told.status == 503);

        if (told.delivered == delivery::not_sent) {
            EXPECT_TRUE(told.error);
            EXPECT_EQ(done.lines, 0u);
        }
        if (told.delivered == delivery::rejected) {
            EXPECT_EQ(told.status, 429u);
            EXPECT_EQ(done.served + done.in_doubt, 0u);
        }
        if (told.delivered == delivery::responded) {
            EXPECT_TRUE(success);
        }
        if (told.kind->replay == idempotency::never) {
            EXPECT_LE(done.served + done.in_doubt, 1u);
            EXPECT_LE(done.lines, told.attempts);
        } else {
            // Each attempt may have had a second go on a fresh connection.
            EXPECT_LE(done.lines, 2u * told.attempts);
        }
        if (success && done.served == 0) {
            EXPECT_FALSE(finished.contains(told.worker)) << "worker " << told.worker;
            ++without_line[told.worker];
        }
    }
    // A worker does one thing at a time, so that one line is all it can lose, but for bodies that it was yet to read.
    for (auto const& [worker, lost] : without_line) EXPECT_LE(lost, 64u) << worker;
    // Or it would have tested little.
    EXPECT_GT(answered, outcomes_.size() / 2);
    EXPECT_GT(deliveries[delivery::rejected], 0u);
    EXPECT_GT(deliveries[delivery::ambiguous], 0u);

    std::cout << "soak: " << outcomes_.size() << " requests in " << took << " s; " << answered << " answered with 200;";
    for (auto const& [delivered, count] : deliveries) std::cout << ' ' << to_string(*delivered) << ' ' << count << ',';
    std::cout << " without a line " << without_line.size();
    for (auto const& [message, count] : errors) std::cout << "\nsoak: " << count << " times: " << message;
    std::cout << std::endl;
}

}  // namespace
}  // namespace backbeat::test
