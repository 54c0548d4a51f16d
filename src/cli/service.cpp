//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "service.hpp"

#include "exit_status.hpp"
#include "input_file.hpp"
#include "interruption.hpp"
#include "option_set.hpp"
#include "option_values.hpp"
#include "progress.hpp"
#include "text.hpp"

#include <backbeat/memorystore/errc.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/resource_name.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <utility>

namespace backbeat::cli {

namespace {

std::string token_in(std::string const& file)
{
    auto text = file_text("--access-token-file", file);
    constexpr char const* space = " \t\r\n";
    auto const begin = text.find_first_not_of(space);
    if (begin == std::string::npos) throw usage_error(fmt::format("--access-token-file '{}' holds no token", file));
    auto const end = text.find_last_not_of(space) + 1;
    text = text.substr(begin, end - begin);
    if (text.find_first_of(space) != std::string::npos)
        throw usage_error(fmt::format("--access-token-file '{}' must hold one token and nothing else", file));
    return text;
}

}  // namespace

void service::add_to(option_set& options)
{
    options.section("Service");
    options.value("--project", "ID", "The project.", "$GOOGLE_CLOUD_PROJECT", [this](std::string const& text) {
        project_ = text;
    });
    if (regions_ != region::none)
        options.value(
            "--region",
            "REGION",
            "The region, like us-central1.",
            regions_ == region::any ? "-, which stands for all regions" : "",
            [this](std::string const& text) { region_ = text; });
    add_text(options, "--endpoint", "URL", client_.endpoint, "The URL of the service.");
    add_text(
        options, "--ca-file", "FILE", client_.ca_file, "The authorities to trust, in PEM, instead of the system's.");
    options.section("Credentials");
    add_text(
        options,
        "--credentials",
        "FILE",
        credentials_file_,
        "A key file, of any type that Google's tools read. Without it, Application Default Credentials are used for "
        "*.googleapis.com, and none for other endpoints.");
    add_text(
        options,
        "--access-token-file",
        "FILE",
        access_token_file_,
        "Holds an OAuth 2.0 access token, which is used as it is.");
    options.flag("--no-credentials", no_credentials_, "Sends requests without authorization.");
    retries_.add_to(options);
    options.section("Output");
    add_output(options, format_);
    options.flag("--explain", explain_, "Prints the report of every request, attempt by attempt, on standard error.");
}

std::string service::project() const
{
    auto id = project_;
    if (id.empty()) {
        auto const* const named = std::getenv("GOOGLE_CLOUD_PROJECT");
        if (named == nullptr || *named == '\0')
            throw usage_error("the project is missing: say --project ID, or set GOOGLE_CLOUD_PROJECT");
        id = named;
    }
    try {
        return memorystore::project_name::parse("projects/" + id).to_string();
    } catch (std::invalid_argument const& error) {
        throw usage_error(error.what());
    }
}

std::string service::location() const
{
    auto const where = !region_.empty() || regions_ == region::needed ? region_ : std::string("-");
    auto const parent = project();
    if (where.empty()) throw usage_error("the region is missing: say --region REGION, like --region us-central1");
    if (where == "-" && regions_ == region::needed)
        throw usage_error("--region - stands for all regions, and this needs one: say it, like --region us-central1");
    try {
        return memorystore::location_name::parse(fmt::format("{}/locations/{}", parent, where)).to_string();
    } catch (std::invalid_argument const& error) {
        throw usage_error(error.what());
    }
}

std::string service::resource(resource_kind const& kind, std::string const& id, std::string const& parent) const
{
    auto name = id;
    if (id.find('/') == std::string::npos) {
        auto const& in = !parent.empty() ? parent : regions_ == region::none ? project() : location();
        name = fmt::format("{}/{}/{}", in, kind.segment, id);
    }
    if (id.find("/locations/-/") != std::string::npos)
        throw usage_error(fmt::format("'{}' names all regions, and this needs one, like us-central1", printable(id)));
    try {
        return kind.checked(name);
    } catch (std::invalid_argument const& error) {
        throw usage_error(error.what());
    }
}

std::optional<memorystore::credentials> service::chosen_credentials() const
{
    if (int{no_credentials_} + int{!credentials_file_.empty()} + int{!access_token_file_.empty()} > 1)
        throw usage_error(
            "--credentials, --access-token-file and --no-credentials exclude each other; say one of them");
    if (no_credentials_) return memorystore::credentials::anonymous();
    try {
        if (!access_token_file_.empty()) return memorystore::credentials::token(token_in(access_token_file_));
    } catch (std::invalid_argument const& error) {
        throw usage_error(fmt::format("--access-token-file '{}': {}", printable(access_token_file_), error.what()));
    }
    try {
        if (!credentials_file_.empty())
            return memorystore::credentials::from_json(file_text("--credentials", credentials_file_));
    } catch (memorystore::error const& error) {
        throw usage_error(fmt::format("--credentials '{}': {}", printable(credentials_file_), error.what()));
    }
    return {};
}

void service::run(
    std::string const& what,
    std::function<boost::asio::awaitable<void>(memorystore::client&)> const& calls,
    std::function<std::string()> progress)
{
    request_log requests(explain_);
    client_.retry = retries_.chosen();
    client_.retry.observer = &requests;
    client_.credentials = chosen_credentials();

    // Never destroyed: its destructor would wait for a name look-up that is still under way, be it after a Ctrl-C.
    static auto& context = *new boost::asio::io_context(1);
    std::optional<memorystore::client> client;
    try {
        client.emplace(context.get_executor(), client_);
    } catch (std::invalid_argument const& error) {
        throw usage_error(error.what());
    } catch (boost::system::system_error const& error) {
        if (client_.ca_file.empty())
            throw command_failure("the system's authorities cannot be read: " + error.code().message());
        throw usage_error(fmt::format("--ca-file '{}': {}", client_.ca_file, error.code().message()));
    }
    try {
        // Reports would be written into the line.
        std::optional<progress_line> line;
        if (progress && !explain_) line.emplace(context, std::move(progress));
        run_until_done(context, [&] { return calls(*client); });
    } catch (memorystore::error const& error) {
        if (error.code() == memorystore::errc::invalid_argument) throw field_error(error.what());
        // What the server says does not say what it was asked; the client's own sentences do.
        throw command_failure(fmt::format(
            "{}{}{}",
            error.http_status() == 0 ? "" : what + ": ",
            error.what(),
            requests.failed_at_once() ? " (after 1 attempt)" : ""));
    }
}

}  // namespace backbeat::cli
