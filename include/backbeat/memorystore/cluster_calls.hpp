//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CLUSTER_CALLS_HPP
#define BACKBEAT_MEMORYSTORE_CLUSTER_CALLS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/backup_cluster_request.hpp>
#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/certificate_authority.hpp>
#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/list_clusters_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/page_request.hpp>
#include <backbeat/memorystore/pager.hpp>
#include <backbeat/memorystore/reschedule_cluster_maintenance_request.hpp>
#include <backbeat/memorystore/update_mask.hpp>

#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

void list_clusters(
    core_pointer const&, std::string parent, page_request, call_options const&, result_handler<list_clusters_response>);
void list_all_clusters(
    core_pointer const&, std::string parent, call_options const&, result_handler<list_clusters_response>);
void get_cluster(core_pointer const&, std::string name, call_options const&, result_handler<cluster>);
void get_cluster_certificate_authority(
    core_pointer const&, std::string name, call_options const&, result_handler<certificate_authority>);
void create_cluster(
    core_pointer const&,
    std::string parent,
    std::string cluster_id,
    cluster,
    call_options const&,
    result_handler<operation>);
void update_cluster(core_pointer const&, cluster, update_mask, call_options const&, result_handler<operation>);
void delete_cluster(core_pointer const&, std::string name, call_options const&, result_handler<operation>);
void reschedule_cluster_maintenance(
    core_pointer const&,
    std::string name,
    reschedule_cluster_maintenance_request,
    call_options const&,
    result_handler<operation>);
void backup_cluster(
    core_pointer const&, std::string name, backup_cluster_request, call_options const&, result_handler<operation>);

}  // namespace detail

/// The calls of a `client` that are about clusters. What holds for all of them is said there.
class cluster_calls {
public:
    /**
     * \brief Lists a page of the clusters of a location.
     * \param parent `projects/{project}/locations/{location}`; `-` as the location lists those of all.
     * \param page Which page, and how long. By default the first, as long as the service likes.
     * \details The completion signature is `void(std::exception_ptr, list_clusters_response)`.
     */
    template <result_token<list_clusters_response> Token = detail::default_token<list_clusters_response>>
    auto async_list_clusters(std::string parent, page_request page, call_options options, Token&& token = {})
    {
        return caller_.start<list_clusters_response, &detail::list_clusters>(
            token, std::move(parent), std::move(page), std::move(options));
    }

    /// \overload
    template <result_token<list_clusters_response> Token = detail::default_token<list_clusters_response>>
    auto async_list_clusters(std::string parent, page_request page, Token&& token = {})
    {
        return caller_.start<list_clusters_response, &detail::list_clusters>(
            token, std::move(parent), std::move(page), call_options());
    }

    /// \overload
    template <result_token<list_clusters_response> Token = detail::default_token<list_clusters_response>>
    auto async_list_clusters(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_clusters_response, &detail::list_clusters>(
            token, std::move(parent), page_request(), std::move(options));
    }

    /// \overload
    template <result_token<list_clusters_response> Token = detail::default_token<list_clusters_response>>
    auto async_list_clusters(std::string parent, Token&& token = {})
    {
        return caller_.start<list_clusters_response, &detail::list_clusters>(
            token, std::move(parent), page_request(), call_options());
    }

    /**
     * \brief Lists all clusters of a location, page after page.
     * \details
     * The completion signature is `void(std::exception_ptr, list_clusters_response)`. `unreachable` has the locations
     * that any page named. Each page is a request of its own,
     * with its own retries.
     */
    template <result_token<list_clusters_response> Token = detail::default_token<list_clusters_response>>
    auto async_list_all_clusters(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_clusters_response, &detail::list_all_clusters>(
            token, std::move(parent), std::move(options));
    }

    /// \overload
    template <result_token<list_clusters_response> Token = detail::default_token<list_clusters_response>>
    auto async_list_all_clusters(std::string parent, Token&& token = {})
    {
        return caller_.start<list_clusters_response, &detail::list_all_clusters>(
            token, std::move(parent), call_options());
    }

    /// The pages of the list of clusters, one after the other, for more than is to be held at once.
    [[nodiscard]] pager<list_clusters_response> cluster_pages(
        std::string parent, page_request page = {}, call_options options = {})
    {
        return {caller_.core(), &detail::list_clusters, std::move(parent), std::move(page), std::move(options)};
    }

    /**
     * \brief Gets a cluster.
     * \param name `projects/{project}/locations/{location}/clusters/{cluster}`.
     * \details The completion signature is `void(std::exception_ptr, cluster)`.
     */
    template <result_token<cluster> Token = detail::default_token<cluster>>
    auto async_get_cluster(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<cluster, &detail::get_cluster>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<cluster> Token = detail::default_token<cluster>>
    auto async_get_cluster(std::string name, Token&& token = {})
    {
        return caller_.start<cluster, &detail::get_cluster>(token, std::move(name), call_options());
    }

    /**
     * \brief Gets the certificates that the servers of a cluster are to be verified with.
     * \param name `projects/{project}/locations/{location}/clusters/{cluster}`.
     * \details The completion signature is `void(std::exception_ptr, certificate_authority)`.
     */
    template <result_token<certificate_authority> Token = detail::default_token<certificate_authority>>
    auto async_get_cluster_certificate_authority(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<certificate_authority, &detail::get_cluster_certificate_authority>(
            token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<certificate_authority> Token = detail::default_token<certificate_authority>>
    auto async_get_cluster_certificate_authority(std::string name, Token&& token = {})
    {
        return caller_.start<certificate_authority, &detail::get_cluster_certificate_authority>(
            token, std::move(name), call_options());
    }

    /**
     * \brief Creates a cluster.
     * \param parent `projects/{project}/locations/{location}`.
     * \param cluster_id 1 to 63 lower-case letters, digits and hyphens; starts with a letter, ends with no hyphen.
     * \param wanted What it is to be.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun. The
     * request has an id (`call_options::request_id`), and so is repeated whatever became of it.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_create_cluster(
        std::string parent, std::string cluster_id, cluster wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::create_cluster>(
            token, std::move(parent), std::move(cluster_id), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_create_cluster(std::string parent, std::string cluster_id, cluster wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::create_cluster>(
            token, std::move(parent), std::move(cluster_id), std::move(wanted), call_options());
    }

    /**
     * \brief Changes fields of a cluster.
     * \param wanted The cluster, with its `name`, and the new values.
     * \param mask Which fields are changed; no others are sent.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun. The
     * request has an id (`call_options::request_id`), and so is repeated whatever became of it.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_update_cluster(cluster wanted, update_mask mask, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::update_cluster>(
            token, std::move(wanted), std::move(mask), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_update_cluster(cluster wanted, update_mask mask, Token&& token = {})
    {
        return caller_.start<operation, &detail::update_cluster>(
            token, std::move(wanted), std::move(mask), call_options());
    }

    /**
     * \brief Deletes a cluster.
     * \param name `projects/{project}/locations/{location}/clusters/{cluster}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun. The
     * request has an id (`call_options::request_id`), and so is repeated whatever became of it.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_delete_cluster(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::delete_cluster>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_delete_cluster(std::string name, Token&& token = {})
    {
        return caller_.start<operation, &detail::delete_cluster>(token, std::move(name), call_options());
    }

    /**
     * \brief Moves the maintenance of a cluster.
     * \param name `projects/{project}/locations/{location}/clusters/{cluster}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_reschedule_cluster_maintenance(
        std::string name, reschedule_cluster_maintenance_request wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::reschedule_cluster_maintenance>(
            token, std::move(name), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_reschedule_cluster_maintenance(
        std::string name, reschedule_cluster_maintenance_request wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::reschedule_cluster_maintenance>(
            token, std::move(name), std::move(wanted), call_options());
    }

    /**
     * \brief Takes a backup of a cluster.
     * \param name `projects/{project}/locations/{location}/clusters/{cluster}`.
     * \param wanted How it is to be called, and how long it is kept. A missing `backup_id` is generated here, so that a backup
     *     that is asked for twice is not taken twice.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_backup_cluster(std::string name, backup_cluster_request wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::backup_cluster>(
            token, std::move(name), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_backup_cluster(std::string name, backup_cluster_request wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::backup_cluster>(
            token, std::move(name), std::move(wanted), call_options());
    }

protected:
    explicit cluster_calls(detail::core_pointer core) noexcept : caller_(std::move(core)) {}
    cluster_calls(cluster_calls&&) noexcept = default;
    cluster_calls& operator=(cluster_calls&&) noexcept = default;
    ~cluster_calls() = default;

private:
    detail::caller caller_;
};

}  // namespace backbeat::memorystore

#endif
