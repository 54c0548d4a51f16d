//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "http/scenario.hpp"
#include "row.hpp"
#include "sections/sections.hpp"
#include "session.hpp"
#include "settings.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using namespace bench;

// Whether to leave out what takes too long for a quick run, unless it is asked for.
bool left_out(session const& s, char const* prefix)
{
    if (!s.settings().quick || !s.settings().only.empty()) return false;
    std::printf("Not measured: --quick leaves this out. --quick --only %s has it.\n", prefix);
    return true;
}

void http_section(session& s)
{
    if (!left_out(s, "http")) http_requests(s.rows());
}

void compilation_section(session& s)
{
    if (!left_out(s, "compile")) compile_section(s);
}

void run_all(session& s)
{
    s.section("Calls that succeed at once, over the attempt alone", {"happy/", "wheel/happy/"}, happy_section);
    s.section(
        "100,000 operations that fail three times, all at once",
        {"waits/", "wheel/waits/", "further_attempts/"},
        waits_section);
    s.section("The same by number of operations in flight", {"scale/"}, scale_section);
    s.section("Waits sixteen times as long, on a grid of 1 ms", {"grid/"}, grid_section);
    s.section(
        "Operations that all wait",
        {"suspended/", "suspended_1000000/", "wheel/suspended/", "wheel/suspended_1000000/"},
        suspended_section);
    s.section("Cancelling operations that wait", {"cancel/", "wheel/cancel/"}, cancel_section);
    s.section("Two threads", {"threads/"}, threads_section);
    s.section("Decisions", {"budget/", "schedule/"}, decisions_section);
    s.section("Peers", {"peers/"}, peers_section);
    s.section("Instructions", {"instructions/"}, instructions_section);
    s.section("HTTP, 64 connections to nginx on loopback", {"http/", "https/"}, http_section);
    s.section("Compilation", {"compile/"}, compilation_section);
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        auto const start = std::chrono::steady_clock::now();
        session s(parse_settings(argv[0], std::vector<std::string>(argv + 1, argv + argc)));
        run_all(s);
        if (s.rows().empty() && !s.failed())
            throw settings_error("nothing was measured: no row's name begins with '" + s.settings().only + "'");
        write_json(s.rows(), s.settings().json_file);
        std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
        std::printf("\n%zu rows in %.0f s: %s\n", s.rows().size(), passed.count(), s.settings().json_file.c_str());
        return s.failed() ? 1 : 0;
    } catch (settings_error const& e) {
        std::fprintf(
            stderr,
            "backbeat_bench: %s\nusage: backbeat_bench FILE.json [--quick] [--instructions] [--only PREFIX]\n",
            e.what());
        return 2;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "backbeat_bench: %s\n", e.what());
        return 1;
    }
}
