//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "target.hpp"

#include "exit_status.hpp"
#include "option_set.hpp"
#include "option_values.hpp"
#include "service.hpp"

namespace backbeat::cli {

void target::add_to(option_set& options)
{
    options.argument(std::string(kind_->placeholder), id_, std::string(kind_->id_help));
    add_parent_to(options);
}

void target::add_parent_to(option_set& options)
{
    if (kind_ != &backup_kind()) return;
    options.section("Backup");
    add_text(
        options,
        "--backup-collection",
        "ID",
        collection_,
        "What the backups of a cluster are in: its id, or its whole name. backup-collections list shows them.");
}

std::string target::name(service const& where) const
{
    auto const is_whole = id_.find('/') != std::string::npos;
    if (kind_ != &backup_kind() || is_whole) return where.resource(*kind_, id_);
    return where.resource(*kind_, id_, parent(where));
}

std::string target::parent(service const& where) const
{
    if (kind_ == &location_kind()) return where.project();
    if (kind_ != &backup_kind()) return where.location();
    if (collection_.empty())
        throw usage_error(
            "the backup collection is missing: say --backup-collection ID; backup-collections list shows them");
    return where.resource(backup_collection_kind(), collection_);
}

}  // namespace backbeat::cli
