//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_SERVICE_HPP
#define BACKBEAT_SRC_CLI_SERVICE_HPP

#include "output.hpp"
#include "request_log.hpp"
#include "resource_kind.hpp"
#include "retry_flags.hpp"

#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/client_options.hpp>
#include <backbeat/memorystore/credentials.hpp>
#include <backbeat/memorystore/mutation_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace backbeat::cli {

class option_set;

// What the commands that ask the service have in common: where it is, who asks, and how requests are retried.
class service {
public:
    // Whether a command needs a region, asks for those of all without one, or has nothing to do with any.
    enum class region : std::uint8_t { needed, any, none };

    explicit service(region regions = region::needed) noexcept : regions_(regions) {}

    void add_to(option_set& options);

    // "projects/p". Throws `usage_error` where it is missing.
    [[nodiscard]] std::string project() const;

    // "projects/p/locations/r". Throws `usage_error` where a part is missing.
    [[nodiscard]] std::string location() const;

    // The name of a resource from its id, or the name itself where that was given. `parent` is what it is in; empty: a
    // location, or of a location the project. Throws `usage_error`, with the rule for names, where it is none.
    [[nodiscard]] std::string resource(
        resource_kind const& kind, std::string const& id, std::string const& parent = {}) const;

    // Makes a client, and runs calls on it until they have ended or SIGINT or SIGTERM cancels them. Throws
    // `command_failure`, which says that `what` failed, and `usage_error` where an argument breaks a rule of the API.
    // `progress`, if given, is the text of a line for whoever waits at a terminal.
    void run(
        std::string const& what,
        std::function<boost::asio::awaitable<void>(memorystore::client&)> const& calls,
        std::function<std::string()> progress = {});

    // How changes are made safe to repeat.
    void set_mutations(memorystore::mutation_options const& options) { client_.mutations = options; }

    // How results are to be written.
    [[nodiscard]] output_format format() const noexcept { return format_; }

private:
    [[nodiscard]] std::optional<memorystore::credentials> chosen_credentials() const;

    region regions_;
    std::string project_;
    std::string region_;
    std::string access_token_file_;
    std::string credentials_file_;
    bool no_credentials_ = false;
    memorystore::client_options client_;
    retry_flags retries_;
    output_format format_ = output_format::table;
    bool explain_ = false;
};

}  // namespace backbeat::cli

#endif
