//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command.hpp"
#include "exit_status.hpp"
#include "fault_flags.hpp"
#include "interruption.hpp"
#include "option_set.hpp"
#include "option_values.hpp"
#include "output.hpp"

#include <backbeat/emulator.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <memory>
#include <string>

namespace backbeat::cli {

namespace {

class emulator_command final : public command {
public:
    void add_options(option_set& options) override
    {
        add_text(options, "--host", "ADDRESS", settings_.host, "The address to listen on.");
        add_count(
            options,
            "--port",
            port_,
            0,
            (std::numeric_limits<std::uint16_t>::max)(),
            "The port to listen on. 0: any that is free; the line that says so names it.");
        options.flag("--tls", settings_.tls, "Speaks HTTPS, with a certificate made at the start.");
        add_text(
            options,
            "--tls-ca-file",
            "FILE",
            ca_file_,
            "Where the certificate is written that clients are to trust, in PEM. Needs --tls.");
        faults_.add_to(options, "What fails, and how; `status=503 rate=0.3`, for example.", "nothing fails");
        add_duration(
            options, "--operation-time", settings_.operation_time, "How long creating and deleting an instance takes.");
        add_count(
            options,
            "--seed",
            settings_.seed,
            0,
            (std::numeric_limits<std::uint64_t>::max)(),
            "What chance is drawn from. The same seed and the same requests: the same faults.");
        add_count(
            options,
            "--log-limit",
            log_limit_,
            0,
            1'000'000'000,
            "How many requests, and how many changes, are remembered for /emulator/v1/requests and effects.");
        options.flag("--quiet", quiet_, "Prints no line for each request on standard error.");
    }

    void run() override
    {
        if (!settings_.tls && !ca_file_.empty())
            throw usage_error("--tls-ca-file needs --tls: without TLS there is no certificate to write");
        settings_.plain = !settings_.tls;
        (settings_.tls ? settings_.tls_port : settings_.port) = static_cast<std::uint16_t>(port_);
        settings_.faults = faults_.chosen();
        settings_.log_limit = static_cast<std::size_t>(log_limit_);
        if (!quiet_) settings_.log = note;

        // Before it listens: who has seen the line can send a signal.
        boost::asio::io_context context(1);
        interruption stop(context, [] {});
        auto const running = start();
        if (!ca_file_.empty()) write_ca(running->ca_certificate());
        write_result(fmt::format("listening on {}\n", settings_.tls ? running->tls_url() : running->url()));
        context.run();
    }

private:
    [[nodiscard]] std::unique_ptr<backbeat::emulator> start() const
    {
        try {
            return std::make_unique<backbeat::emulator>(settings_);
        } catch (boost::system::system_error const& error) {
            throw command_failure(fmt::format(
                "cannot listen on port {} of {}: {}{}",
                port_,
                settings_.host,
                error.code().message(),
                error.code() == boost::system::errc::address_in_use ? "; choose another --port, or 0 for a free one"
                                                                    : ""));
        }
    }

    void write_ca(std::string const& certificate) const
    {
        std::ofstream file(ca_file_);
        file << certificate << std::flush;
        if (!file) throw command_failure(fmt::format("--tls-ca-file '{}' cannot be written", ca_file_));
    }

    emulator_options settings_;
    std::uint64_t port_ = 0;
    std::uint64_t log_limit_ = settings_.log_limit;
    std::string ca_file_;
    fault_flags faults_;
    bool quiet_ = false;
};

}  // namespace

std::unique_ptr<command> make_emulator()
{
    return std::make_unique<emulator_command>();
}

}  // namespace backbeat::cli
