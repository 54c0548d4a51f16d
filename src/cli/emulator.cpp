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
#include "text.hpp"

#include <backbeat/detail/token.hpp>
#include <backbeat/emulator.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#ifndef _WIN32
#include <sys/resource.h>
#endif

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace backbeat::cli {

namespace {

std::string content_of(std::string_view flag, std::string const& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream || text.empty()) throw usage_error(fmt::format("{} '{}' cannot be read, or is empty", flag, file));
    return text;
}

std::string token_in(std::string_view flag, std::string const& file)
{
    auto text = content_of(flag, file);
    static constexpr char const* space = " \t\r\n";
    text.erase(text.find_last_not_of(space) + 1);
    text.erase(0, text.find_first_not_of(space));
    if (text.empty() || text.find_first_of(space) != text.npos)
        throw usage_error(fmt::format("{} '{}' must hold one token and nothing else", flag, file));
    return text;
}

request_quota quota_value(std::string_view flag, std::string const& text)
{
    auto const slash = text.find('/');
    if (slash == text.npos)
        throw usage_error(fmt::format("{} '{}': must be a number and a duration, like 60/1m", flag, printable(text)));
    request_quota result(
        count_value(flag, text.substr(0, slash), 1, 1'000'000'000), duration_value(flag, text.substr(slash + 1)));
    if (result.period == result.period.zero())
        throw usage_error(fmt::format("{} '{}': the duration must be more than zero", flag, printable(text)));
    return result;
}

std::string location_value(std::string_view flag, std::string const& text)
{
    auto const begins = !text.empty() && text.front() >= 'a' && text.front() <= 'z';
    static constexpr char const* allowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
    if (!begins || text.back() == '-' || text.size() > 63 || text.find_first_not_of(allowed) != text.npos)
        throw usage_error(fmt::format("{} '{}': must be a location, like us-central1", flag, printable(text)));
    return text;
}

std::string header_value(std::string_view flag, std::string const& text)
{
    if (!detail::is_token(text)) {
        throw usage_error(fmt::format(
            "{} '{}': must be the name of a header field, like x-goog-request-params", flag, printable(text)));
    }
    return text;
}

// A connection is a file, and the limit that a shell sets is often 1024. What cannot be had is done without: the
// emulator then accepts as many as it can.
void allow_many_files() noexcept
{
#ifndef _WIN32
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
#endif
}

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
        add_duration(options, "--operation-time", settings_.operation_time, "How long a change of a resource takes.");
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
        options.values(
            "--log-header",
            "NAME",
            "A header field of requests, like x-goog-request-params, that /emulator/v1/requests is to have.",
            "none",
            [this](std::string const& text) { settings_.log_headers.push_back(header_value("--log-header", text)); });
        options.flag("--quiet", quiet_, "Prints no line for each request on standard error.");

        options.section("Faults and load");
        faults_.add_to(
            options,
            "What fails, and how; `status=503 rate=0.3`, for example. Keys: one of status, reset, truncate, hang and "
            "refuse, or delay; when=after; method, path, rate, first; retry-after, retry-after-ms, retry-info. Over "
            "HTTP, /emulator/v1/ has faults, to replace the rules, unreachable, requests, effects, metrics, snapshot "
            "and reset. All in docs/emulator.md.",
            "nothing fails");
        options.values(
            "--unreachable",
            "LOCATION",
            "A location, like us-central1, that cannot be reached: requests to it get 503, lists of all lack it.",
            "all can be reached",
            [this](std::string const& text) {
                settings_.unreachable.push_back(location_value("--unreachable", text));
            });
        options.value(
            "--quota",
            "N/DURATION",
            "How many requests a project may send in a time, like 60/1m; those beyond it get 429.",
            "no limit",
            [this](std::string const& text) { settings_.quota = quota_value("--quota", text); });
        options.flag(
            "--service-quota",
            settings_.service_quota,
            "The service's own limits for a project and minute: of instances 30 creates and 3000 requests, of "
            "clusters 10 creates and deletes and, with their backups, 60 requests.");
        options.value(
            "--capacity",
            "N",
            "How many requests are begun in a second, at most. Those in between wait.",
            "no limit",
            [this](std::string const& text) { settings_.capacity = count_value("--capacity", text, 1, 1'000'000); });
        options.value(
            "--queue",
            "N",
            "How many requests can wait for --capacity; those beyond them get 503.",
            "as many as --capacity",
            [this](std::string const& text) { settings_.queue = count_value("--queue", text, 0, 1'000'000); });

        options.section("Credentials");
        options.value(
            "--require-token",
            "FILE",
            "Holds a token that requests must have in `Authorization: Bearer`, or get 401.",
            "no credentials are asked for",
            [this](std::string const& file) { settings_.required_token = token_in("--require-token", file); });
        options.value(
            "--jwt-key",
            "FILE",
            "Holds the RSA public key, in PEM, of JWTs that requests must have, as service accounts sign them. "
            "With --require-token: one of the two.",
            "",
            [this](std::string const& file) {
                settings_.jwt_key = content_of("--jwt-key", file);
                jwt_key_file_ = file;
            });

        options.section("State");
        add_text(
            options, "--load", "FILE", load_file_, "The resources and operations to begin with: what --save wrote.");
        add_text(options, "--save", "FILE", save_file_, "Where they are written at the end, on SIGINT or SIGTERM.");
    }

    void run() override
    {
        if (!settings_.tls && !ca_file_.empty())
            throw usage_error("--tls-ca-file needs --tls: without TLS there is no certificate to write");
        settings_.plain = !settings_.tls;
        (settings_.tls ? settings_.tls_port : settings_.port) = static_cast<std::uint16_t>(port_);
        settings_.faults = faults_.chosen();
        settings_.log_limit = static_cast<std::size_t>(log_limit_);
        if (settings_.queue && settings_.capacity == 0)
            throw usage_error("--queue needs --capacity: without it no request waits");
        if (!load_file_.empty()) settings_.snapshot = content_of("--load", load_file_);
        if (!quiet_) settings_.log = note;
        allow_many_files();

        if (!save_file_.empty()) check_can_save();

        // Before it listens: who has seen the line can send a signal.
        boost::asio::io_context context(1);
        interruption stop(context, [] {});
        auto const running = start();
        if (!ca_file_.empty()) write_ca(running->ca_certificate());
        write_result(fmt::format("listening on {}\n", settings_.tls ? running->tls_url() : running->url()));
        context.run();
        // Nothing changes any more, and who was being answered has the answer.
        running->stop();
        if (!save_file_.empty()) save(*running);
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
        } catch (std::invalid_argument const& error) {
            // What the flags themselves get wrong has been refused before; what is left came from their files.
            std::string_view problem = error.what();
            static constexpr std::string_view of_key = "emulator_options: jwt_key ";
            static constexpr std::string_view of_snapshot = "the snapshot cannot be loaded";
            if (problem.starts_with(of_key)) {
                problem.remove_prefix(of_key.size());
                throw command_failure(fmt::format("--jwt-key '{}' {}", jwt_key_file_, problem));
            }
            if (problem.starts_with(of_snapshot))
                throw command_failure(fmt::format("--load '{}': {}", load_file_, problem));
            throw command_failure(std::string(problem));
        }
    }

    // At the start: what the tests have made by the end is not to be lost to a folder that does not exist.
    void check_can_save() const
    {
        auto const beside = save_file_ + ".new";
        std::error_code unknown;
        if (std::filesystem::is_directory(save_file_, unknown) || !std::ofstream(beside, std::ios::binary))
            throw command_failure(fmt::format("--save '{}' cannot be written", save_file_));
        std::remove(beside.c_str());
    }

    // Beside the old file, and then in its place: a program that is killed meanwhile leaves the old one whole.
    void save(backbeat::emulator& stopped) const
    {
        std::string text;
        try {
            text = stopped.snapshot();
        } catch (std::runtime_error const& error) {
            throw command_failure(fmt::format("--save '{}': {}", save_file_, error.what()));
        }
        auto const beside = save_file_ + ".new";
        std::ofstream file(beside, std::ios::binary);
        file << text << '\n' << std::flush;
        file.close();
        if (!file || std::rename(beside.c_str(), save_file_.c_str()) != 0)
            throw command_failure(fmt::format("--save '{}' cannot be written", save_file_));
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
    std::string jwt_key_file_;
    std::string load_file_;
    std::string save_file_;
    fault_flags faults_;
    bool quiet_ = false;
};

}  // namespace

std::unique_ptr<command> make_emulator()
{
    return std::make_unique<emulator_command>();
}

}  // namespace backbeat::cli
