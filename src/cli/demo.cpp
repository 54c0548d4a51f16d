//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command.hpp"
#include "demo/account.hpp"
#include "demo/output.hpp"
#include "demo/result.hpp"
#include "demo/settings.hpp"
#include "demo/traffic.hpp"
#include "exit_status.hpp"
#include "fault_flags.hpp"
#include "option_set.hpp"
#include "option_values.hpp"
#include "output.hpp"

#include <backbeat/emulator.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace backbeat::cli {

namespace {

class demo_command final : public command {
public:
    void add_options(option_set& options) override
    {
        add_count(options, "--requests", chosen_.requests, 1, 1'000'000, "How many requests are sent.");
        add_count(options, "--concurrency", chosen_.concurrency, 1, 100'000, "How many of them are in flight at once.");
        std::string mix;
        for (auto const& rule : chosen_.faults) mix += (mix.empty() ? "" : "; ") + fault_rule_text(rule);
        faults_.add_to(
            options, "What fails, and how, instead of the default mix. Its times are scaled like all others.", mix);
        add_count(
            options,
            "--seed",
            chosen_.seed,
            0,
            (std::numeric_limits<std::uint64_t>::max)(),
            "What chance is drawn from.");
        add_number(
            options,
            "--time-scale",
            chosen_.time_scale,
            "By what every wait of the clients, and every delay and hint of the emulator, is multiplied.");
        add_output(options, format_);
    }

    void run() override
    {
        if (!(chosen_.time_scale >= 1e-6 && chosen_.time_scale <= 1000))
            throw usage_error(fmt::format(
                "--time-scale '{}': must be a number from 0.000001 to 1000; 1 is the time that retries really take",
                chosen_.time_scale));
        if (!faults_.chosen().empty()) chosen_.faults = faults_.chosen();

        auto const faults = demo::scaled_faults(chosen_.faults, chosen_.time_scale);
        emulator_options options;
        options.tls = true;
        options.seed = chosen_.seed;
        options.operation_time = {};
        options.log_limit = static_cast<std::size_t>(chosen_.requests) * 20 + 1000;
        backbeat::emulator server(options);
        demo::fill(server);
        auto const filled = server.total_requests();
        server.set_faults(faults);

        demo::traffic traffic(chosen_, server);
        if (format_ == output_format::table) write_result(demo::introduction(chosen_, faults));
        traffic.run();
        // From here on the log says what became of every request.
        server.stop();

        auto log = server.requests();
        log.erase(
            log.begin(), std::find_if(log.begin(), log.end(), [&](auto const& entry) { return entry.n > filled; }));
        auto settled = demo::settle(traffic.requests(), traffic.counts(), faults, server.faults_fired(), log);
        demo::result const happened{
            chosen_,
            faults,
            server.faults_fired(),
            traffic.requests(),
            traffic.counts(),
            std::move(settled),
            server.peak_connections(),
            traffic.most_threads(),
            traffic.elapsed()};
        write_result(demo::shown(happened, format_));
        if (!happened.settled.problems.empty())
            throw command_failure(
                fmt::format("not every request is accounted for: {}", happened.settled.problems.front()));
    }

private:
    demo::settings chosen_;
    fault_flags faults_;
    output_format format_ = output_format::table;
};

}  // namespace

std::unique_ptr<command> make_demo()
{
    return std::make_unique<demo_command>();
}

}  // namespace backbeat::cli
