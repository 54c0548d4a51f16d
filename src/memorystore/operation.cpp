//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/operation.hpp>

namespace backbeat::memorystore {

namespace {

// What both kinds of metadata have under the same name.
std::string text_in(std::optional<any> const& metadata, std::string_view field)
{
    if (!metadata) return {};
    if (!metadata->is<operation_metadata>() && !metadata->is<cluster_operation_metadata>()) return {};
    auto const* const value = metadata->content.if_contains(field);
    if (value == nullptr || !value->is_string()) return {};
    return {value->get_string().data(), value->get_string().size()};
}

}  // namespace

std::string operation::verb() const
{
    return text_in(metadata, "verb");
}

std::string operation::target() const
{
    return text_in(metadata, "target");
}

}  // namespace backbeat::memorystore
