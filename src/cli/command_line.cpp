//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command_line.hpp"

#include "command.hpp"
#include "completion.hpp"
#include "exit_status.hpp"
#include "flag_name.hpp"
#include "nearest.hpp"
#include "option_set.hpp"
#include "output.hpp"
#include "text.hpp"

#include <backbeat/config.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace backbeat::cli {

namespace {

std::vector<command_entry> const& commands();

class completion_command final : public command {
public:
    void add_options(option_set& /*options*/) override {}
    void run() override { write_result(bash_completion(commands())); }
};

constexpr std::array own_commands{
    command_entry{"", "demo", "Sends a crowd of requests through a failing server, and accounts for each.", make_demo},
    command_entry{"", "emulator", "Runs a local redis.googleapis.com that fails on demand.", make_emulator},
    command_entry{
        "completion",
        "bash",
        "Prints a script that completes these commands in bash.",
        []() -> std::unique_ptr<command> { return std::make_unique<completion_command>(); }},
};

std::vector<command_entry> all_commands()
{
    std::vector<command_entry> result(own_commands.begin(), own_commands.end());
    for (auto const& part :
         {instance_commands(), cluster_commands(), backup_commands(), operation_commands(), location_commands()})
        result.insert(result.end(), part.begin(), part.end());
    return result;
}

std::vector<command_entry> const& commands()
{
    static auto const result = all_commands();
    return result;
}

bool is_help(std::string const& word) noexcept
{
    return word == "--help" || word == "-h";
}

// The usage of the program, or of a group of commands.
std::string usage(std::string_view group)
{
    return group.empty() ? "usage: backbeat COMMAND [FLAGS]\n"
                         : fmt::format("usage: backbeat {} COMMAND [FLAGS]\n", group);
}

std::string help(std::string_view group)
{
    auto text = usage(group) + "\n";
    if (group.empty()) text = "Retries for Google's Memorystore for Redis, tried out and put to use.\n\n" + text;
    std::size_t width = 0;
    std::vector<std::pair<std::string, std::string_view>> lines;
    for (auto const& each : commands()) {
        if (!group.empty() && each.group != group) continue;
        lines.emplace_back(
            each.group.empty() ? std::string(each.name) : fmt::format("{} {}", each.group, each.name), each.purpose);
        width = (std::max)(width, lines.back().first.size());
    }
    for (auto const& [name, purpose] : lines) text += fmt::format("  {}  {}\n", padded(name, width), purpose);
    auto const prefix = group.empty() ? std::string() : fmt::format("{} ", group);
    text += fmt::format("\nbackbeat {}COMMAND --help  explains the flags of a command.\n", prefix);
    if (group.empty()) text += "backbeat --version       prints the version.\n";
    return text;
}

// The names that can stand after these words: commands and groups, or the commands of a group.
std::vector<std::string> names_in(std::string_view group)
{
    std::vector<std::string> names;
    for (auto const& each : commands()) {
        std::string name(each.group == group ? each.name : group.empty() ? each.group : std::string_view());
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(std::move(name));
    }
    return names;
}

int refuse(std::string_view who, std::string_view problem, std::string_view usage)
{
    note(fmt::format("{}: {}\n{}Try '{} --help'.", who, problem, usage, who));
    return exit_usage;
}

int refuse_name(std::string_view group, std::string const& typed)
{
    auto const who = group.empty() ? std::string("backbeat") : fmt::format("backbeat {}", group);
    auto names = names_in(group);
    if (typed.empty() || typed.front() != '-') {
        auto const problem = fmt::format("there is no command '{}'{}", printable(typed), did_you_mean(typed, names));
        return refuse(who, problem, usage(group));
    }
    names.assign({"--help"});
    if (group.empty()) names.emplace_back("--version");
    auto const nearest = did_you_mean(typed, names);
    auto const problem = fmt::format(
        "the flag '{}' stands before the command{}",
        printable(typed),
        nearest.empty() ? "; it comes after it" : nearest);
    return refuse(who, problem, usage(group));
}

// What ended the attempts, "(after 1 attempt; total_timeout leaves no time for another)", is about the flags. The rest
// may be the server's, and stays as it is.
std::string with_flags_in_reason(std::string sentence, option_set const& options)
{
    auto const reason = sentence.rfind(" (after ");
    if (reason == std::string::npos) return sentence;
    return sentence.substr(0, reason) + naming_flags(sentence.substr(reason), options.value_flags());
}

int run_command(command_entry const& entry, std::vector<std::string> const& words)
{
    auto const who = entry.group.empty() ? fmt::format("backbeat {}", entry.name)
                                         : fmt::format("backbeat {} {}", entry.group, entry.name);
    option_set options(who, std::string(entry.purpose));
    auto const chosen = entry.make();
    chosen->add_options(options);
    try {
        if (options.parse(words))
            chosen->run();
        else
            write_result(options.help());
        return exit_success;
    } catch (field_error const& error) {
        return refuse(who, naming_flags(error.what(), options.value_flags()), options.usage() + "\n");
    } catch (usage_error const& error) {
        return refuse(who, error.what(), options.usage() + "\n");
    } catch (interrupted const& error) {
        std::string const outcome = error.what();
        note(fmt::format(
            "{}: ended by {}{}{}",
            who,
            error.signal() == SIGINT ? "SIGINT" : "SIGTERM",
            outcome.empty() ? "" : ": ",
            printable(outcome)));
        return exit_signal + error.signal();
    } catch (std::exception const& error) {
        note(fmt::format("{}: {}", who, printable(with_flags_in_reason(error.what(), options))));
        return exit_failure;
    }
}

int print(std::string const& text)
{
    try {
        write_result(text);
        return exit_success;
    } catch (command_failure const& error) {
        note(fmt::format("backbeat: {}", error.what()));
        return exit_failure;
    }
}

}  // namespace

int run(std::vector<std::string> const& words)
{
    // `help COMMAND` is `COMMAND --help`.
    if (!words.empty() && words.front() == "help") {
        std::vector<std::string> asked(words.begin() + 1, words.end());
        asked.emplace_back("--help");
        return run(asked);
    }
    std::string_view group;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (is_help(*word)) return print(help(group));
        if (group.empty() && *word == "--version")
            return print(fmt::format(
                "backbeat {}.{}.{}\n", BACKBEAT_VERSION_MAJOR, BACKBEAT_VERSION_MINOR, BACKBEAT_VERSION_PATCH));
        auto const found = std::find_if(commands().begin(), commands().end(), [&](command_entry const& each) {
            return each.group == group && each.name == *word;
        });
        if (found != commands().end()) return run_command(*found, std::vector<std::string>(word + 1, words.end()));
        auto const opened = std::find_if(
            commands().begin(), commands().end(), [&](command_entry const& each) { return each.group == *word; });
        if (!group.empty() || opened == commands().end() || word->empty()) return refuse_name(group, *word);
        group = opened->group;
    }
    note(fmt::format("backbeat{}{}: a command is missing\n\n{}", group.empty() ? "" : " ", group, help(group)));
    return exit_usage;
}

}  // namespace backbeat::cli
