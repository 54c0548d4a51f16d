//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_OPTION_SET_HPP
#define BACKBEAT_SRC_CLI_OPTION_SET_HPP

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::cli {

// The options of one command: how they are read, and what its help says of them. Reading is CLI11's work; what it would
// say of wrong input, and of right input, is said here.
class option_set {
public:
    // Takes the text of a value; throws `usage_error` if it is none.
    using taker = std::function<void(std::string const& text)>;

    // `command` is what the user typed to get here: "backbeat instances get".
    option_set(std::string command, std::string purpose);

    // The options that follow stand under this heading in the help.
    void section(std::string title);

    // A word without a flag, which must be there.
    void argument(std::string const& placeholder, std::string& target, std::string help);
    void argument(std::string const& placeholder, taker take, std::string help);

    // A flag without a value.
    void flag(std::string name, bool& target, std::string help);

    // A flag with a value; the last one counts. `initial` is what the help says of the default: empty says nothing.
    void value(std::string name, std::string placeholder, std::string help, std::string initial, taker take);

    // A flag with a value that may be given any number of times.
    void values(std::string name, std::string placeholder, std::string help, std::string initial, taker take);

    // What the value of the last option is one of, for completion.
    void choices(std::vector<std::string> words);

    // Reads the words after the command. Returns false if help was asked for. Throws `usage_error`.
    [[nodiscard]] bool parse(std::vector<std::string> const& words) const;

    // "usage: backbeat instances get ID [FLAGS]"
    [[nodiscard]] std::string usage() const;

    [[nodiscard]] std::string help() const;

    // What can stand on the command line, for completion.
    struct completion {
        std::string flag;
        bool has_value;
        bool is_file;
        std::vector<std::string> choices;
    };
    [[nodiscard]] std::vector<completion> completions() const;

    // The names of the flags that have a value.
    [[nodiscard]] std::vector<std::string> value_flags() const;

private:
    enum class kind { argument, flag, value, values };

    struct option {
        kind is;
        std::string name;  // with its dashes
        std::string placeholder;
        std::string help;
        std::string initial;
        std::string section;
        bool* set = nullptr;
        taker take;
        std::vector<std::string> choices = {};
    };

    [[nodiscard]] option const* find(std::string_view name) const;
    void check_flags(std::vector<std::string> const& words) const;
    [[noreturn]] void refuse_flag(std::string_view name) const;

    std::string command_;
    std::string purpose_;
    std::string section_;
    std::vector<option> options_;
};

}  // namespace backbeat::cli

#endif
