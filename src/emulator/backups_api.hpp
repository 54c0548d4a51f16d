//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_BACKUPS_API_HPP
#define BACKBEAT_SRC_EMULATOR_BACKUPS_API_HPP

#include "api_engine.hpp"
#include "resource_table.hpp"
#include "uid_source.hpp"

#include <backbeat/memorystore/backup.hpp>
#include <backbeat/memorystore/backup_cluster_request.hpp>
#include <backbeat/memorystore/backup_collection.hpp>
#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/json/object.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backbeat::emulation {

// The methods of projects.locations.backupCollections and of their backups. Clusters take the backups.
class backups_api {
public:
    backups_api(api_engine& engine, std::uint64_t seed);

    backups_api(backups_api const&) = delete;
    backups_api& operator=(backups_api const&) = delete;

    // Throws api_error for a request that is none for this cluster, or that names a backup that there is.
    void check_request(memorystore::cluster const& source, memorystore::backup_cluster_request const& request) const;

    // A backup of the cluster that is being taken, in a collection that is made for the first. Returns its name.
    std::string begin_backup(memorystore::cluster const& source, memorystore::backup_cluster_request const& request);

    // The backup is there.
    void end_backup(std::string const& name);

    // The collection of a cluster's backups, whether it is there already or not.
    [[nodiscard]] static std::string collection_of(memorystore::cluster const& source);

    // The backup that a new cluster can be filled from, or null.
    [[nodiscard]] memorystore::backup const* find_source(std::string const& name) const;

    // Its cluster is gone: a collection without backups goes too, others when they have lost the last.
    void abandon(std::string const& collection);

    // Removes the backups whose time has come.
    void settle();

    void clear();

    // What is saved of it: none has an operation at work on it.
    struct saved_state {
        std::vector<memorystore::backup_collection> collections;
        std::vector<memorystore::backup> backups;
    };

    [[nodiscard]] saved_state save() const;

    // `in_use` are the names of the collections whose clusters are there.
    void load(saved_state loaded, std::set<std::string> const& in_use);

    [[nodiscard]] std::size_t count() const noexcept { return backups_.entries().size(); }

private:
    using message = boost::json::object;
    using backup = memorystore::backup;
    using backup_collection = memorystore::backup_collection;

    message list_collections(api_call const& call);
    message get_collection(api_call const& call);
    message list(api_call const& call);
    message get(api_call const& call);
    message remove(api_call const& call);
    message export_data(api_call const& call);

    [[nodiscard]] std::string new_name(memorystore::cluster const& source, memorystore::timestamp time) const;
    void insert(backup made);
    void erase(std::string const& name);
    [[nodiscard]] bool has_backups(std::string const& collection) const;

    api_engine& engine_;
    resource_table<backup_collection> collections_;
    resource_table<backup> backups_;

    // The collections whose clusters are gone.
    std::set<std::string> abandoned_;

    // Backups by when they expire.
    std::set<std::pair<memorystore::timestamp, std::string>> expiring_;
    uid_source uids_;
};

}  // namespace backbeat::emulation

#endif
