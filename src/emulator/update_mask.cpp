//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "update_mask.hpp"

#include "error_reply.hpp"
#include "resource_rules.hpp"
#include "violations.hpp"

#include <algorithm>

namespace backbeat::emulation {

update_mask::update_mask(request_target const& target, std::vector<alias> const& names)
{
    auto const* const text = target.field("updateMask");
    std::string_view rest = text == nullptr ? std::string_view() : std::string_view(*text);
    violations found;
    while (!rest.empty()) {
        auto const comma = rest.find(',');
        auto path = rest.substr(0, comma);
        rest.remove_prefix(comma == rest.npos ? rest.size() : comma + 1);
        while (path.starts_with(' ')) path.remove_prefix(1);
        while (path.ends_with(' ')) path.remove_suffix(1);
        if (path.empty()) continue;
        auto const field = path.substr(0, path.find('.'));
        auto const known =
            std::find_if(names.begin(), names.end(), [field](alias const& each) { return each.name == field; });
        if (known == names.end()) {
            found.add("updateMask", "The update mask names the field " + in_quotes(path) + ": there is none.");
        } else {
            fields_.insert(known->field);
        }
    }
    found.check();
    if (fields_.empty()) throw bad_field("updateMask", "An update mask with the fields to change must be given.");
}

}  // namespace backbeat::emulation
