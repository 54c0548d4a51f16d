//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "failure.hpp"
#include "token_fetcher.hpp"

#include <backbeat/memorystore/duration.hpp>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <variant>

namespace backbeat::memorystore::detail {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds default_probe_timeout = 3s;

// The file of `gcloud auth application-default login`; empty: there is no place for it.
std::string well_known_file(token_provider_options const& options)
{
    std::filesystem::path folder = variable(options, "CLOUDSDK_CONFIG");
    if (folder.empty()) {
#ifdef _WIN32
        auto const home = variable(options, "APPDATA");
        if (!home.empty()) folder = std::filesystem::path(home) / "gcloud";
#else
        auto const home = variable(options, "HOME");
        if (!home.empty()) folder = std::filesystem::path(home) / ".config" / "gcloud";
#endif
    }
    return folder.empty() ? std::string() : (folder / "application_default_credentials.json").string();
}

// Seconds, as a decimal number.
std::chrono::nanoseconds probe_timeout(std::string const& text)
{
    if (text.empty()) return default_probe_timeout;
    auto const read = duration::parse(text + "s");
    if (!read || read->span() <= 0s || read->span() > 1h)
        throw failure(
            errc::invalid_argument,
            "the environment variable GCE_METADATA_TIMEOUT is '" + printable(text, 50)
                + "'; it must be a number of seconds up to 3600, such as 3");
    return read->span();
}

// "host" or "host:port".
endpoint metadata_endpoint(std::string const& host, std::string const& named_by, std::string const& target)
{
    try {
        auto result = parse_endpoint("http://" + host, clear_text::anywhere);
        if (result.target != "/") throw std::invalid_argument("has a path");
        result.target = target;
        return result;
    } catch (std::invalid_argument const& problem) {
        throw failure(
            errc::invalid_argument,
            "the environment variable " + named_by + " is '" + printable(host, 100) + "', which " + problem.what()
                + "; it must be a host, such as metadata.google.internal or localhost:8080");
    }
}

std::string list_of(std::vector<std::string> const& places)
{
    std::string result;
    for (auto const& each : places) result += (result.empty() ? "" : "; ") + each;
    return result;
}

}  // namespace

std::string variable(token_provider_options const& options, std::string const& name)
{
    return options.environment(name).value_or("");
}

token_fetcher::found token_fetcher::read_key_file(std::string const& path, std::string const& by) const
{
    auto place = "key file '" + printable(path, 1000) + "'" + by;
    auto text = read_small_file(path, "key file");
    found result;
    result.key = parse_key(text, "the " + place);
    result.place = std::move(place);
    return result;
}

std::string token_fetcher::metadata_origin() const
{
    for (auto const* const name : {"GCE_METADATA_HOST", "GCE_METADATA_ROOT"})
        if (auto const host = variable(options_, name); !host.empty()) return metadata_endpoint(host, name, "/").origin;
    return "http://metadata.google.internal";
}

asio::awaitable<token_fetcher::found> token_fetcher::find()
{
    found result;
    if (auto const* const file = std::get_if<key_file>(&who_->kind)) result = read_key_file(file->path, "");
    if (auto const* const text = std::get_if<key_text>(&who_->kind)) result.key = text->content;
    if (std::holds_alternative<from_environment>(who_->kind)) {
        auto looked_for = co_await find_default();
        result = std::move(looked_for);
    }
    co_return result;
}

asio::awaitable<token_fetcher::found> token_fetcher::find_default()
{
    std::vector<std::string> places;
    if (auto const path = variable(options_, "GOOGLE_APPLICATION_CREDENTIALS"); !path.empty())
        co_return read_key_file(path, ", named by GOOGLE_APPLICATION_CREDENTIALS");
    places.emplace_back("the environment variable GOOGLE_APPLICATION_CREDENTIALS is not set");

    auto const path = well_known_file(options_);
    std::error_code problem;
    if (!path.empty() && std::filesystem::exists(std::filesystem::status(path, problem)))
        co_return read_key_file(path, ", made by gcloud");
    places.push_back(
        path.empty() ? "there is no home directory with a file of gcloud"
                     : "there is no file '" + printable(path, 1000) + "'");

    auto missing = co_await probe_metadata_server();
    if (missing.empty()) {
        found result;
        result.place = "metadata server";
        co_return result;
    }
    places.push_back(std::move(missing));
    throw failure(
        errc::no_credentials,
        "there are no credentials: " + list_of(places)
            + ". Name a key file by GOOGLE_APPLICATION_CREDENTIALS, or run 'gcloud auth application-default login'");
}

// Empty: there is one. Else why there is none.
asio::awaitable<std::string> token_fetcher::probe_metadata_server()
{
    std::string result;
    auto const detection = variable(options_, "METADATA_SERVER_DETECTION");
    if (detection == "none") {
        result = "METADATA_SERVER_DETECTION=none says that there is no metadata server";
        co_return result;
    }
    if (detection == "assume-present") co_return result;
    if (!detection.empty() && detection != "ping-only" && detection != "bios-only")
        throw failure(
            errc::invalid_argument,
            "the environment variable METADATA_SERVER_DETECTION is '" + printable(detection, 50)
                + "'; it must be none, assume-present, ping-only or bios-only");
    if (variable(options_, "NO_GCE_CHECK") == "true") {
        result = "NO_GCE_CHECK=true says that there is no metadata server";
        co_return result;
    }

    endpoint to;
    to.origin = "http://169.254.169.254";
    to.target = "/";
    for (auto const* const name : {"GCE_METADATA_ROOT", "GCE_METADATA_HOST", "GCE_METADATA_IP"})
        if (auto const host = variable(options_, name); !host.empty()) to = metadata_endpoint(host, name, "/");
    auto ping = request_for("looking for a metadata server", to);
    ping.to_metadata_server = true;
    ping.fields.emplace_back("Metadata-Flavor", "Google");
    auto const limit = probe_timeout(variable(options_, "GCE_METADATA_TIMEOUT"));
    retry_options const twice_more{.initial_backoff = 100ms, .maximum_retries = 2};
    ping.retry = options_.retry.value_or(twice_more);
    ping.retry.attempt_timeout = limit;
    ping.retry.total_timeout = limit;
    try {
        auto const answer = co_await send(std::move(ping));
        static_cast<void>(answer);
    } catch (error const& problem) {
        if (problem.code() == errc::not_a_metadata_server) throw;
        if (problem.code() == asio::error::operation_aborted) throw;
        // An answer with its mark is a metadata server's, whatever it says; without one, `send` has refused it.
        if (problem.code() != errc::credentials_refused)
            result = "no metadata server answers at " + to.origin + " (" + problem.what() + ")";
    }
    co_return result;
}

}  // namespace backbeat::memorystore::detail
