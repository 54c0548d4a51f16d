//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_TARGET_HPP
#define BACKBEAT_SRC_CLI_TARGET_HPP

#include "resource_kind.hpp"

#include <string>

namespace backbeat::cli {

class option_set;
class service;

// The resource that a command is about, by its id or its name; or what it is in.
class target {
public:
    explicit target(resource_kind const& kind) noexcept : kind_(&kind) {}

    // The argument, and of backups the flag for their collection.
    void add_to(option_set& options);

    // Only the flag for the collection, for a list of backups.
    void add_parent_to(option_set& options);

    [[nodiscard]] resource_kind const& kind() const noexcept { return *kind_; }

    // The name. Throws `usage_error`.
    [[nodiscard]] std::string name(service const& where) const;

    // Of what a list of such resources is asked: a collection, a location, or the project. Throws `usage_error`.
    [[nodiscard]] std::string parent(service const& where) const;

private:
    resource_kind const* kind_;
    std::string id_;
    std::string collection_;
};

}  // namespace backbeat::cli

#endif
