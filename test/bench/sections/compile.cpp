//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "../median.hpp"
#include "run_process.hpp"
#include "sections.hpp"

#include <sys/resource.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

namespace {

double seconds_of_children()
{
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    auto const seconds = [](timeval const& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct compilation {
    std::vector<double> seconds;
    double bytes = 0;
};

void compile(std::string const& source, compilation& into)
{
    using namespace std::chrono_literals;
    auto const object =
        std::filesystem::temp_directory_path() / ("backbeat_bench_" + std::to_string(::getpid()) + ".o");
    auto const before = seconds_of_children();
    // The folders of Boost are separated by semicolons, which the shell takes apart.
    auto const ended = backbeat::test::run_process(
        {"/bin/sh",
         "-c",
         "IFS=';'; for folder in " BACKBEAT_BOOST_FOLDERS "; do includes=\"$includes;-I$folder\"; done; "
         "exec \"$@\" ${includes#;}",
         "sh",
         BACKBEAT_COMPILER,
         "-std=c++20",
         "-O2",
         "-DNDEBUG",
         "-pthread",
         "-I" BACKBEAT_SOURCE_FOLDER "/include",
         "-c",
         BACKBEAT_SOURCE_FOLDER "/test/bench/compile/" + source + ".cpp",
         "-o",
         object},
        // Where the compiler's name leads to a cache, it is to compile all the same.
        {"CCACHE_DISABLE=1"},
        300s);
    if (ended.status != 0) throw std::runtime_error("compile/" + source + ".cpp does not compile: " + ended.err);
    into.seconds.push_back(seconds_of_children() - before);
    into.bytes = static_cast<double>(std::filesystem::file_size(object));
    std::filesystem::remove(object);
}

}  // namespace

void compile_section(session& s)
{
    std::map<std::string, compilation> found;
    for (int round = 0; round != s.settings().rounds(3); ++round)
        for (auto const* const source : {"asio", "include", "use"}) compile(source, found[source]);
    auto const seconds = [&](char const* source) { return median(found[source].seconds); };
    auto const bytes = [&](char const* source) { return found[source].bytes; };
    std::string const baseline = "Asio alone";
    s.add("compile/asio/seconds", seconds("asio"), "s");
    s.add("compile/asio/object", bytes("asio"), "B");
    s.add("compile/include/seconds_added", seconds("include") - seconds("asio"), "s", {baseline, seconds("asio")});
    s.add("compile/include/object_added", bytes("include") - bytes("asio"), "B", {baseline, bytes("asio")});
    s.add("compile/use/seconds_added", seconds("use") - seconds("asio"), "s", {baseline, seconds("asio")});
    s.add("compile/use/object_added", bytes("use") - bytes("asio"), "B", {baseline, bytes("asio")});
}

}  // namespace bench
