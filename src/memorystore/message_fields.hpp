//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_MESSAGE_FIELDS_HPP
#define BACKBEAT_SRC_MEMORYSTORE_MESSAGE_FIELDS_HPP

#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/update_mask.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore::detail {

// Whether only the service sets the field of this name, in lowerCamelCase.
[[nodiscard]] bool is_output_only(instance const& message, std::string_view field) noexcept;
[[nodiscard]] bool is_output_only(cluster const& message, std::string_view field) noexcept;

// The fields that an update by this mask sets, each once, in lowerCamelCase: the first parts of the mask's paths.
// \throws std::invalid_argument The mask is empty, or names what there is not, or what no update can change.
[[nodiscard]] std::vector<std::string> masked_fields(update_mask const& mask, instance const& wanted);
[[nodiscard]] std::vector<std::string> masked_fields(update_mask const& mask, cluster const& wanted);

// Of a message, the fields of these names.
[[nodiscard]] boost::json::object only(boost::json::object message, std::vector<std::string> const& fields);

}  // namespace backbeat::memorystore::detail

#endif
