//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_SUPPORT_NGINX_HPP
#define BACKBEAT_TEST_SUPPORT_NGINX_HPP

#include "test_certificate.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::test {

struct nginx_options {
    // What stands in `http {}`, with these placeholders:
    //   @port1@ @port2@ ...  free ports of 127.0.0.1
    //   @directory@          a folder that lives as long as this nginx, with an empty folder `www` in it
    //   @tls@                the directives with the certificate and the key
    //   @authority@          the file with the authority that signed the certificate
    std::string http;

    // A line of the access log.
    std::string log = "$status $request_method $request_uri";

    int workers = 1;
    std::optional<test_certificate> certificate;
};

// How nginx is told to stop.
enum class nginx_stop {
    quit,  // requests that it has begun are answered, connections at rest are closed
    terminate,  // connections are closed as they are
    kill,  // nobody is asked
};

// The real nginx, as a child of this process that does not outlive it, in a folder of its own. Its ports stay reserved
// while it is down: connections are refused then, and nobody else gets the port, nor does a client connect to itself.
// Not for several threads at once.
class nginx {
public:
    // Throws std::runtime_error with what nginx says, if it does not start. So do the functions that start it again.
    explicit nginx(nginx_options options);

    nginx(nginx const&) = delete;
    nginx& operator=(nginx const&) = delete;
    ~nginx();

    [[nodiscard]] std::uint16_t port(std::size_t number = 1) const;
    [[nodiscard]] std::string url(std::string_view scheme = "http", std::size_t number = 1) const;
    [[nodiscard]] std::filesystem::path const& directory() const noexcept { return directory_; }

    // Returns when new workers have started. The old ones may still be busy.
    void reload();

    // The same with something else in `http {}`. Only the placeholders of the first.
    void reload(std::string http);

    void restart(nginx_stop how = nginx_stop::quit);
    void stop(nginx_stop how = nginx_stop::quit);
    void start();

    // The lines so far. nginx writes them after the response: with a number, waits until there are that many, or until
    // patience is at its end.
    [[nodiscard]] std::vector<std::string> access_log(std::size_t at_least = 0) const;
    [[nodiscard]] std::string error_log() const;

private:
    class process;
    class reserved_port;

    [[nodiscard]] std::string filled_in(std::string text);
    void configure();
    [[nodiscard]] bool accepts(std::uint16_t port) const;
    void wait_for_workers(std::string const& log_before, char const* what);

    nginx_options options_;
    std::filesystem::path directory_;
    std::vector<std::unique_ptr<reserved_port>> ports_;
    std::unique_ptr<process> process_;
};

}  // namespace backbeat::test

#endif
