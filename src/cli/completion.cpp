//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "completion.hpp"

#include "option_set.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string_view>

namespace backbeat::cli {

namespace {

// What stands before a word decides what it can be: the command, and the flag whose value it is.
constexpr std::string_view head = R"(# Completes backbeat in bash. In ~/.bashrc: source <(backbeat completion bash)
_backbeat() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} words=
    # bash makes a word of its own of the = in --flag=value.
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    case $command in
)";

constexpr std::string_view tail = R"(    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _backbeat backbeat
)";

std::string joined(std::vector<std::string> const& words)
{
    std::string text;
    for (auto const& each : words) text.append(text.empty() ? "" : " ").append(each);
    return text;
}

// The branches of a command: the values of its flags, then the flags.
std::string flags_of(command_entry const& entry)
{
    option_set options(std::string(entry.name), std::string(entry.purpose));
    auto const made = entry.make();
    made->add_options(options);
    std::map<std::string, std::string> values;  // "a|b": what is completed after them
    std::vector<std::string> flags;
    for (auto const& each : options.completions()) {
        flags.push_back(each.flag);
        if (!each.has_value) continue;
        auto const reply = each.is_file ? std::string("COMPREPLY=($(compgen -f -- \"$word\")); return")
            : each.choices.empty()      ? std::string("return")
                                        : fmt::format("words='{}'", joined(each.choices));
        auto& names = values[reply];
        names.append(names.empty() ? "" : "|").append(each.flag);
    }
    std::string text = "case $before in\n";
    for (auto const& [reply, names] : values) text += fmt::format("{}) {} ;;\n", names, reply);
    return text + fmt::format("*) words='{}' ;;\nesac\n", joined(flags));
}

}  // namespace

std::string bash_completion(std::vector<command_entry> const& commands)
{
    std::map<std::string_view, std::string> groups;
    std::map<std::string_view, std::vector<std::string>> names;
    std::vector<std::string> first;
    for (auto const& each : commands) {
        auto const& word = each.group.empty() ? each.name : each.group;
        if (!groups.contains(word)) first.emplace_back(word);
        groups[word] += each.group.empty() ? flags_of(each) : fmt::format("{})\n{};;\n", each.name, flags_of(each));
        if (!each.group.empty()) names[word].emplace_back(each.name);
    }
    first.insert(first.end(), {"--help", "--version"});

    std::string text(head);
    for (auto const& [word, branches] : groups) {
        auto const position = fmt::format("{})\nif ((COMP_CWORD > 1)); then\n", word);
        auto const inner = !names.contains(word)
            ? branches
            : fmt::format(
                "if ((COMP_CWORD == 2)); then words='{} --help'; else\ncase ${{COMP_WORDS[2]}} in\n{}esac\nfi\n",
                joined(names[word]),
                branches);
        text += position + inner + "fi ;;\n";
    }
    text += "esac\n";
    text += fmt::format("if ((COMP_CWORD == 1)); then words='{}'; fi\n", joined(first));
    return text.append(tail);
}

}  // namespace backbeat::cli
