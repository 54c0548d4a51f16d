//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "service.hpp"

#include "exit_status.hpp"
#include "interruption.hpp"
#include "option_set.hpp"
#include "option_values.hpp"
#include "text.hpp"

#include <backbeat/memorystore/resource_name.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

namespace backbeat::cli {

namespace {

std::string token_in(std::string const& file)
{
    std::ifstream stream(file);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) throw usage_error(fmt::format("--access-token-file '{}' cannot be read", file));
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
    options.value(
        "--region",
        "REGION",
        "The region, like us-central1.",
        regions_ == region::any ? "-, which stands for all regions" : "",
        [this](std::string const& text) { region_ = text; });
    add_text(options, "--endpoint", "URL", client_.endpoint, "The URL of the service.");
    add_text(
        options, "--ca-file", "FILE", client_.ca_file, "The authorities to trust, in PEM, instead of the system's.");
    add_text(
        options,
        "--access-token-file",
        "FILE",
        access_token_file_,
        "Holds an OAuth 2.0 access token. Without it, Application Default Credentials are used for *.googleapis.com, and "
        "none for other endpoints.");
    retries_.add_to(options);
    options.section("Output");
    add_output(options, format_);
    options.flag("--explain", explain_, "Prints the report of every request, attempt by attempt, on standard error.");
}

std::string service::project() const
{
    if (!project_.empty()) return project_;
    auto const* const named = std::getenv("GOOGLE_CLOUD_PROJECT");
    if (named == nullptr || *named == '\0')
        throw usage_error("the project is missing: say --project ID, or set GOOGLE_CLOUD_PROJECT");
    return named;
}

std::string service::location() const
{
    auto const where = !region_.empty() || regions_ == region::needed ? region_ : std::string("-");
    if (where.empty()) throw usage_error("the region is missing: say --region REGION, like --region us-central1");
    if (where == "-" && regions_ == region::needed)
        throw usage_error("--region - stands for all regions, and this needs one: say it, like --region us-central1");
    auto const name = fmt::format("projects/{}/locations/{}", project(), where);
    try {
        return memorystore::location_name::parse(name).to_string();
    } catch (std::invalid_argument const& error) {
        throw usage_error(error.what());
    }
}

std::string service::resource(std::string_view collection, std::string const& id) const
{
    auto const name = id.find('/') != std::string::npos ? id : fmt::format("{}/{}/{}", location(), collection, id);
    if (id.find("/locations/-/") != std::string::npos)
        throw usage_error(fmt::format("'{}' names all regions, and this needs one, like us-central1", id));
    try {
        if (collection == "instances") return memorystore::instance_name::parse(name).to_string();
        return memorystore::operation_name::parse(name).to_string();
    } catch (std::invalid_argument const& error) {
        throw usage_error(error.what());
    }
}

void service::run(
    std::string const& what, std::function<boost::asio::awaitable<void>(memorystore::client&)> const& calls)
{
    request_log requests(explain_);
    client_.retry = retries_.chosen();
    client_.retry.observer = &requests;
    if (!access_token_file_.empty()) {
        try {
            client_.credentials = memorystore::credentials::token(token_in(access_token_file_));
        } catch (std::invalid_argument const& error) {
            throw usage_error(fmt::format("--access-token-file '{}': {}", access_token_file_, error.what()));
        }
    }

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
        run_until_done(context, [&] { return calls(*client); });
    } catch (memorystore::error const& error) {
        // What the server says does not say what it was asked; the client's own sentences do.
        throw command_failure(fmt::format(
            "{}{}{}",
            error.http_status() == 0 ? "" : what + ": ",
            error.what(),
            requests.failed_at_once() ? " (after 1 attempt)" : ""));
    }
}

}  // namespace backbeat::cli
