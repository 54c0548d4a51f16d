//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_CLUSTERS_API_HPP
#define BACKBEAT_SRC_EMULATOR_CLUSTERS_API_HPP

#include "api_engine.hpp"
#include "backups_api.hpp"
#include "resource_table.hpp"
#include "uid_source.hpp"
#include "violations.hpp"

#include <backbeat/memorystore/cluster.hpp>

#include <boost/json/object.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace backbeat::emulation {

// The methods of projects.locations.clusters.
class clusters_api {
public:
    clusters_api(api_engine& engine, backups_api& backups, std::uint64_t seed);

    clusters_api(clusters_api const&) = delete;
    clusters_api& operator=(clusters_api const&) = delete;

    void clear();

    // What is saved of it: its clusters, none of which an operation is at work on, and their certificate authorities.
    struct saved_state {
        std::vector<memorystore::cluster> clusters;
        std::map<std::string, std::string> authorities;
    };

    [[nodiscard]] saved_state save() const;
    void load(saved_state loaded);

    [[nodiscard]] std::size_t count() const noexcept { return table_.entries().size(); }

private:
    using message = boost::json::object;
    using cluster = memorystore::cluster;
    using entry = resource_table<cluster>::entry;

    message list(api_call const& call);
    message get(api_call const& call);
    message get_certificate_authority(api_call const& call);
    message create(api_call const& call);
    message patch(api_call const& call);
    message remove(api_call const& call);
    message back_up(api_call const& call);
    message reschedule_maintenance(api_call const& call);

    [[nodiscard]] entry& find_idle(api_call const& call, std::string const& verb);

    // Fills a new cluster from the backup that it names.
    void take_source(cluster& made, violations& found) const;

    // The clusters that it is replicated to and from must be there.
    void find_remotes(cluster& made, violations& found) const;

    // An operation during which the cluster is in the given state, and at whose end `complete` changes it.
    message begin(
        api_call const& call,
        std::string method,
        std::string verb,
        std::string const& name,
        memorystore::cluster_state state,
        std::function<void(cluster&)> complete);

    api_engine& engine_;
    backups_api& backups_;
    resource_table<cluster> table_;

    // Of the clusters that speak TLS: their authorities, in PEM.
    std::map<std::string, std::string> authorities_;
    uid_source uids_;
};

}  // namespace backbeat::emulation

#endif
