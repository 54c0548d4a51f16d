//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_RESOURCE_KIND_HPP
#define BACKBEAT_SRC_CLI_RESOURCE_KIND_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace backbeat::cli {

// A part of a message of the API as a cell of a table.
struct column {
    // What of the field is shown.
    enum class part : std::uint8_t {
        all,
        last,  // of a name: its last part
        region,  // of a name: its location
        failure,  // of a status: as a sentence
        keys,  // of an object: the names of its members
        flag  // true or false; also where the API leaves it out
    };

    std::string_view title;
    std::string_view path = {};  // in the JSON, "metadata.verb"; empty: the title, in the API's lowerCamelCase
    part shown = part::all;
};

// A kind of the API's resources: how they are named, and what is shown of them.
struct resource_kind {
    std::string_view plural;  // "backup collections"
    std::string_view segment;  // "backupCollections": in names, and in lists the member that has them
    std::string_view placeholder;
    std::string_view id_help;
    std::string (*checked)(std::string const& name);  // throws std::invalid_argument if it is no name of this kind
    std::span<column const> list;
    std::span<column const> record;
};

[[nodiscard]] resource_kind const& instance_kind();
[[nodiscard]] resource_kind const& cluster_kind();
[[nodiscard]] resource_kind const& backup_collection_kind();
[[nodiscard]] resource_kind const& backup_kind();
[[nodiscard]] resource_kind const& operation_kind();
[[nodiscard]] resource_kind const& location_kind();

}  // namespace backbeat::cli

#endif
