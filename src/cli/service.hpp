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
#include "retry_flags.hpp"

#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/client_options.hpp>
#include <backbeat/memorystore/wait_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace backbeat::cli {

class option_set;

// What the commands that ask the service have in common: where it is, who asks, and how requests are retried.
class service {
public:
    // Whether a command can do without a region: it then asks for those of all.
    enum class region : std::uint8_t { needed, any };

    explicit service(region regions = region::needed) noexcept : regions_(regions) {}

    void add_to(option_set& options);

    // "projects/p/locations/r". Throws `usage_error` where a part is missing.
    [[nodiscard]] std::string location() const;

    // The name of a resource from its id, or the name itself where that was given. `collection`: "instances".
    [[nodiscard]] std::string resource(std::string_view collection, std::string const& id) const;

    // Makes a client, and runs calls on it until they have ended or SIGINT or SIGTERM cancels them. Throws
    // `command_failure`, which says that `what` failed.
    void run(std::string const& what, std::function<boost::asio::awaitable<void>(memorystore::client&)> const& calls);

    // How results are to be written.
    [[nodiscard]] output_format format() const noexcept { return format_; }

private:
    [[nodiscard]] std::string project() const;

    region regions_;
    std::string project_;
    std::string region_;
    std::string access_token_file_;
    memorystore::client_options client_;
    retry_flags retries_;
    output_format format_ = output_format::table;
    bool explain_ = false;
};

}  // namespace backbeat::cli

#endif
