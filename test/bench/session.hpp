//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_SESSION_HPP
#define BACKBEAT_TEST_BENCH_SESSION_HPP

#include "errands.hpp"
#include "row.hpp"
#include "settings.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// A row's baseline.
struct compared_with {
    std::string name;
    double value = 0;
};

// One run of the whole.
class session {
public:
    explicit session(bench::settings settings) : settings_(std::move(settings)) {}

    [[nodiscard]] bench::settings const& settings() const noexcept { return settings_; }
    [[nodiscard]] std::vector<row>& rows() noexcept { return rows_; }

    // Whether a section did.
    [[nodiscard]] bool failed() const noexcept { return failed_; }

    // Runs it, unless what it has rows for is not wanted, and prints its rows. An exception is its end, and not that of
    // the others.
    void section(
        std::string const& title, std::vector<std::string> const& prefixes, std::function<void(session&)> const& run);

    void add(std::string name, double value, std::string unit, compared_with baseline = {});

    // A contender of ours in a scenario.
    [[nodiscard]] errand own(
        std::string const& contender,
        std::string const& scenario,
        std::size_t operations,
        std::vector<std::string> const& more = {}) const;

    // Those of peers, as far as they are there.
    [[nodiscard]] std::vector<errand> peers(
        std::string const& scenario, std::size_t operations, std::vector<std::string> const& more = {});

private:
    struct peer {
        std::string contender;
        std::vector<std::string> command;
    };

    void find_peers();

    bench::settings settings_;
    std::vector<row> rows_;
    std::vector<peer> peers_;
    bool looked_for_peers_ = false;
    bool failed_ = false;
};

}  // namespace bench

#endif
