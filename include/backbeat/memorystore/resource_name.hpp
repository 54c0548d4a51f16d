//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_RESOURCE_NAME_HPP
#define BACKBEAT_MEMORYSTORE_RESOURCE_NAME_HPP

#include <backbeat/config.hpp>

#include <string>
#include <string_view>

namespace backbeat::memorystore {

/// The name of a project: `projects/{project}`, with its id or its number.
class project_name {
public:
    project_name() = default;

    /// Takes it apart. \throws std::invalid_argument It is none; the text says what it should be.
    [[nodiscard]] static project_name parse(std::string_view text);

    [[nodiscard]] std::string to_string() const;

    std::string project;
};

/**
 * \brief The name of a location: `projects/{project}/locations/{location}`.
 * \details The location is a region; `-` stands for all of them, where the API allows that.
 */
class location_name {
public:
    location_name() = default;

    /// Takes it apart. \throws std::invalid_argument It is none; the text says what it should be.
    [[nodiscard]] static location_name parse(std::string_view text);

    [[nodiscard]] std::string to_string() const;

    std::string project;
    std::string location;
};

/// The name of an instance: `projects/{project}/locations/{location}/instances/{instance}`.
class instance_name {
public:
    instance_name() = default;

    /// Takes it apart. \throws std::invalid_argument It is none; the text says what it should be.
    [[nodiscard]] static instance_name parse(std::string_view text);

    [[nodiscard]] std::string to_string() const;

    std::string project;
    std::string location;
    std::string instance;
};

/// The name of a cluster: `projects/{project}/locations/{location}/clusters/{cluster}`.
class cluster_name {
public:
    cluster_name() = default;

    /// Takes it apart. \throws std::invalid_argument It is none; the text says what it should be.
    [[nodiscard]] static cluster_name parse(std::string_view text);

    [[nodiscard]] std::string to_string() const;

    std::string project;
    std::string location;
    std::string cluster;
};

/// The name of a backup collection: `projects/{project}/locations/{location}/backupCollections/{collection}`.
class backup_collection_name {
public:
    backup_collection_name() = default;

    /// Takes it apart. \throws std::invalid_argument It is none; the text says what it should be.
    [[nodiscard]] static backup_collection_name parse(std::string_view text);

    [[nodiscard]] std::string to_string() const;

    std::string project;
    std::string location;
    std::string collection;
};

/// The name of a backup: `projects/{project}/locations/{location}/backupCollections/{collection}/backups/{backup}`.
class backup_name {
public:
    backup_name() = default;

    /// Takes it apart. \throws std::invalid_argument It is none; the text says what it should be.
    [[nodiscard]] static backup_name parse(std::string_view text);

    [[nodiscard]] std::string to_string() const;

    std::string project;
    std::string location;
    std::string collection;
    std::string backup;
};

/// The name of a long-running operation: `projects/{project}/locations/{location}/operations/{operation}`.
class operation_name {
public:
    operation_name() = default;

    /// Takes it apart. \throws std::invalid_argument It is none; the text says what it should be.
    [[nodiscard]] static operation_name parse(std::string_view text);

    [[nodiscard]] std::string to_string() const;

    std::string project;
    std::string location;
    std::string operation;
};

/**
 * \brief Checks the id of an instance by the API's rule.
 * \details 1 to 40 lower-case letters, digits and hyphens; the first is a letter, the last no hyphen.
 * \throws std::invalid_argument It breaks the rule; the text quotes it.
 */
void check_instance_id(std::string_view id);

/**
 * \brief Checks the id of a cluster by the API's rule.
 * \details 1 to 63 lower-case letters, digits and hyphens; the first is a letter, the last no hyphen.
 * \throws std::invalid_argument It breaks the rule; the text quotes it.
 */
void check_cluster_id(std::string_view id);

/**
 * \brief Checks that the id of a backup can stand in a URL; the API publishes no stricter rule.
 * \details 1 to 256 letters, digits, hyphens, underscores and dots; the first is no dot.
 * \throws std::invalid_argument It cannot; the text quotes it.
 */
void check_backup_id(std::string_view id);

}  // namespace backbeat::memorystore

#endif
