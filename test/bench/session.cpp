//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "session.hpp"

#include "run_process.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace bench {

namespace {

void append(errand& to, std::string const& scenario, std::size_t operations, std::vector<std::string> const& more)
{
    to.command.insert(to.command.end(), {to.contender, scenario, "--operations", std::to_string(operations)});
    to.command.insert(to.command.end(), more.begin(), more.end());
}

}  // namespace

void session::section(
    std::string const& title, std::vector<std::string> const& prefixes, std::function<void(session&)> const& run)
{
    auto const& only = settings_.only;
    bool const wanted = std::any_of(prefixes.begin(), prefixes.end(), [&](std::string const& prefix) {
        return prefix.starts_with(only) || only.starts_with(prefix);
    });
    if (!wanted) return;
    auto const from = rows_.size();
    print_heading(title);
    try {
        run(*this);
    } catch (std::exception const& e) {
        // What the others say is worth the time that they take.
        failed_ = true;
        std::printf("Failed: %s\n", e.what());
    }
    print_rows(rows_, from);
}

void session::add(std::string name, double value, std::string unit, compared_with baseline)
{
    // Nothing can be compared with nothing.
    if (baseline.value == 0) baseline.name.clear();
    auto const ratio = baseline.name.empty() ? 0 : value / baseline.value;
    rows_.push_back({std::move(name), value, std::move(unit), std::move(baseline.name), ratio});
}

errand session::own(
    std::string const& contender,
    std::string const& scenario,
    std::size_t operations,
    std::vector<std::string> const& more) const
{
    errand result{.contender = contender, .command = {settings_.programs + "/backbeat_bench_contenders"}};
    append(result, scenario, operations, more);
    return result;
}

std::vector<errand> session::peers(
    std::string const& scenario, std::size_t operations, std::vector<std::string> const& more)
{
    find_peers();
    std::vector<errand> result;
    bool const calls = scenario.starts_with('C');
    for (auto const& each : peers_) {
        // The attempt alone, without a wait.
        if (!calls && each.contender.ends_with("-bare")) continue;
        // Most take long, and what is compared with them is far from them.
        errand one{.contender = each.contender, .command = each.command, .rounds = 3, .may_fail = true};
        append(one, scenario, operations, more);
        result.push_back(std::move(one));
    }
    return result;
}

void session::find_peers()
{
    if (looked_for_peers_) return;
    looked_for_peers_ = true;
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_directory(settings_.peers)) {
        for (auto const& file : std::filesystem::directory_iterator(settings_.peers))
            if (file.path().extension() == ".command") files.push_back(file.path());
    }
    std::sort(files.begin(), files.end());
    for (auto const& file : files) {
        std::string line;
        std::ifstream in(file);
        std::getline(in, line);
        std::vector<std::string> command{"/bin/sh", "-c", line + " \"$@\"", "sh"};
        auto list = command;
        list.emplace_back("--list");
        auto const listed = backbeat::test::run_process(list);
        if (listed.status != 0) std::printf("Left out: %s does not run.\n", file.filename().c_str());
        std::istringstream names(listed.out);
        for (std::string name; std::getline(names, name);)
            if (listed.status == 0 && !name.empty()) peers_.push_back({name, command});
    }
    if (peers_.empty()) std::printf("Peers are not measured: there is no %s/*.command.\n", settings_.peers.c_str());
}

}  // namespace bench
