//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_PATH_PATTERN_HPP
#define BACKBEAT_SRC_EMULATOR_PATH_PATTERN_HPP

#include <boost/regex.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace backbeat::emulation {

// The regular expression of a fault rule.
//
// Boost.Regex and not std::regex: libstdc++'s recurses once per character and takes exponential time for patterns
// like (a+)+$, so that one rule could stop the emulator. Boost's gives up with an exception instead; a pattern that
// is too complex for a path counts as not found in it.
class path_pattern {
public:
    static constexpr std::size_t maximum_pattern = 1000;
    static constexpr std::size_t maximum_path = 1024;

    // Throws boost::regex_error.
    explicit path_pattern(std::string const& pattern)
        : expression_(pattern, boost::regex::ECMAScript | boost::regex::no_mod_m | boost::regex::no_mod_s)
    {}

    [[nodiscard]] bool found_in(std::string_view path) const
    {
        if (path.size() > maximum_path) return false;
        try {
            return boost::regex_search(path.begin(), path.end(), expression_, boost::match_single_line);
        } catch (std::runtime_error const&) {
            return false;
        }
    }

private:
    boost::regex expression_;
};

}  // namespace backbeat::emulation

#endif
