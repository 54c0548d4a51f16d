//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_MEMORYSTORE_NAMES_HPP
#define BACKBEAT_TEST_MEMORYSTORE_NAMES_HPP

#include <string>

// Of the resources that the requests are about.

inline std::string const region = "projects/p/locations/us-central1";
inline std::string const instance_a = region + "/instances/a";
inline std::string const cluster_c = region + "/clusters/c";
inline std::string const collection_b = region + "/backupCollections/b";
inline std::string const backup_k = collection_b + "/backups/k";

#endif
