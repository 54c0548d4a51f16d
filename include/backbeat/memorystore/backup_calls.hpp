//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_BACKUP_CALLS_HPP
#define BACKBEAT_MEMORYSTORE_BACKUP_CALLS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/backup.hpp>
#include <backbeat/memorystore/backup_collection.hpp>
#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/export_backup_request.hpp>
#include <backbeat/memorystore/list_backup_collections_response.hpp>
#include <backbeat/memorystore/list_backups_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/page_request.hpp>
#include <backbeat/memorystore/pager.hpp>

#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

void list_backup_collections(
    core_pointer const&,
    std::string parent,
    page_request,
    call_options const&,
    result_handler<list_backup_collections_response>);
void list_all_backup_collections(
    core_pointer const&, std::string parent, call_options const&, result_handler<list_backup_collections_response>);
void get_backup_collection(
    core_pointer const&, std::string name, call_options const&, result_handler<backup_collection>);
void list_backups(
    core_pointer const&, std::string parent, page_request, call_options const&, result_handler<list_backups_response>);
void list_all_backups(
    core_pointer const&, std::string parent, call_options const&, result_handler<list_backups_response>);
void get_backup(core_pointer const&, std::string name, call_options const&, result_handler<backup>);
void delete_backup(core_pointer const&, std::string name, call_options const&, result_handler<operation>);
void export_backup(
    core_pointer const&, std::string name, export_backup_request, call_options const&, result_handler<operation>);

}  // namespace detail

/// The calls of a `client` that are about backups of clusters. What holds for all of them is said there.
class backup_calls {
public:
    /**
     * \brief Lists a page of the backup collections of a location. There is one for each cluster that has backups.
     * \param parent `projects/{project}/locations/{location}`.
     * \param page Which page, and how long. By default the first, as long as the service likes.
     * \details The completion signature is `void(std::exception_ptr, list_backup_collections_response)`.
     */
    template <
        result_token<list_backup_collections_response> Token = detail::default_token<list_backup_collections_response>>
    auto async_list_backup_collections(std::string parent, page_request page, call_options options, Token&& token = {})
    {
        return caller_.start<list_backup_collections_response, &detail::list_backup_collections>(
            token, std::move(parent), std::move(page), std::move(options));
    }

    /// \overload
    template <
        result_token<list_backup_collections_response> Token = detail::default_token<list_backup_collections_response>>
    auto async_list_backup_collections(std::string parent, page_request page, Token&& token = {})
    {
        return caller_.start<list_backup_collections_response, &detail::list_backup_collections>(
            token, std::move(parent), std::move(page), call_options());
    }

    /// \overload
    template <
        result_token<list_backup_collections_response> Token = detail::default_token<list_backup_collections_response>>
    auto async_list_backup_collections(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_backup_collections_response, &detail::list_backup_collections>(
            token, std::move(parent), page_request(), std::move(options));
    }

    /// \overload
    template <
        result_token<list_backup_collections_response> Token = detail::default_token<list_backup_collections_response>>
    auto async_list_backup_collections(std::string parent, Token&& token = {})
    {
        return caller_.start<list_backup_collections_response, &detail::list_backup_collections>(
            token, std::move(parent), page_request(), call_options());
    }

    /**
     * \brief Lists all backup collections of a location, page after page.
     * \details
     * The completion signature is `void(std::exception_ptr, list_backup_collections_response)`. `unreachable` has
     * what any page named. Each page is a request of its own,
     * with its own retries.
     */
    template <
        result_token<list_backup_collections_response> Token = detail::default_token<list_backup_collections_response>>
    auto async_list_all_backup_collections(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_backup_collections_response, &detail::list_all_backup_collections>(
            token, std::move(parent), std::move(options));
    }

    /// \overload
    template <
        result_token<list_backup_collections_response> Token = detail::default_token<list_backup_collections_response>>
    auto async_list_all_backup_collections(std::string parent, Token&& token = {})
    {
        return caller_.start<list_backup_collections_response, &detail::list_all_backup_collections>(
            token, std::move(parent), call_options());
    }

    /// The pages of the list of backup collections, one after the other, for more than is to be held at once.
    [[nodiscard]] pager<list_backup_collections_response> backup_collection_pages(
        std::string parent, page_request page = {}, call_options options = {})
    {
        return {
            caller_.core(), &detail::list_backup_collections, std::move(parent), std::move(page), std::move(options)};
    }

    /**
     * \brief Gets a backup collection.
     * \param name `projects/{project}/locations/{location}/backupCollections/{collection}`.
     * \details The completion signature is `void(std::exception_ptr, backup_collection)`.
     */
    template <result_token<backup_collection> Token = detail::default_token<backup_collection>>
    auto async_get_backup_collection(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<backup_collection, &detail::get_backup_collection>(
            token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<backup_collection> Token = detail::default_token<backup_collection>>
    auto async_get_backup_collection(std::string name, Token&& token = {})
    {
        return caller_.start<backup_collection, &detail::get_backup_collection>(token, std::move(name), call_options());
    }

    /**
     * \brief Lists a page of the backups in a collection.
     * \param parent `projects/{project}/locations/{location}/backupCollections/{collection}`.
     * \param page Which page, and how long. By default the first, as long as the service likes.
     * \details The completion signature is `void(std::exception_ptr, list_backups_response)`.
     */
    template <result_token<list_backups_response> Token = detail::default_token<list_backups_response>>
    auto async_list_backups(std::string parent, page_request page, call_options options, Token&& token = {})
    {
        return caller_.start<list_backups_response, &detail::list_backups>(
            token, std::move(parent), std::move(page), std::move(options));
    }

    /// \overload
    template <result_token<list_backups_response> Token = detail::default_token<list_backups_response>>
    auto async_list_backups(std::string parent, page_request page, Token&& token = {})
    {
        return caller_.start<list_backups_response, &detail::list_backups>(
            token, std::move(parent), std::move(page), call_options());
    }

    /// \overload
    template <result_token<list_backups_response> Token = detail::default_token<list_backups_response>>
    auto async_list_backups(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_backups_response, &detail::list_backups>(
            token, std::move(parent), page_request(), std::move(options));
    }

    /// \overload
    template <result_token<list_backups_response> Token = detail::default_token<list_backups_response>>
    auto async_list_backups(std::string parent, Token&& token = {})
    {
        return caller_.start<list_backups_response, &detail::list_backups>(
            token, std::move(parent), page_request(), call_options());
    }

    /**
     * \brief Lists all backups in a collection, page after page.
     * \details
     * The completion signature is `void(std::exception_ptr, list_backups_response)`. `unreachable` has
     * what any page named. Each page is a request of its own,
     * with its own retries.
     */
    template <result_token<list_backups_response> Token = detail::default_token<list_backups_response>>
    auto async_list_all_backups(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_backups_response, &detail::list_all_backups>(
            token, std::move(parent), std::move(options));
    }

    /// \overload
    template <result_token<list_backups_response> Token = detail::default_token<list_backups_response>>
    auto async_list_all_backups(std::string parent, Token&& token = {})
    {
        return caller_.start<list_backups_response, &detail::list_all_backups>(
            token, std::move(parent), call_options());
    }

    /// The pages of the list of backups, one after the other, for more than is to be held at once.
    [[nodiscard]] pager<list_backups_response> backup_pages(
        std::string parent, page_request page = {}, call_options options = {})
    {
        return {caller_.core(), &detail::list_backups, std::move(parent), std::move(page), std::move(options)};
    }

    /**
     * \brief Gets a backup.
     * \param name `projects/{project}/locations/{location}/backupCollections/{collection}/backups/{backup}`.
     * \details The completion signature is `void(std::exception_ptr, backup)`.
     */
    template <result_token<backup> Token = detail::default_token<backup>>
    auto async_get_backup(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<backup, &detail::get_backup>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<backup> Token = detail::default_token<backup>>
    auto async_get_backup(std::string name, Token&& token = {})
    {
        return caller_.start<backup, &detail::get_backup>(token, std::move(name), call_options());
    }

    /**
     * \brief Deletes a backup.
     * \param name `projects/{project}/locations/{location}/backupCollections/{collection}/backups/{backup}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun. The
     * request has an id (`call_options::request_id`), and so is repeated whatever became of it.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_delete_backup(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::delete_backup>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_delete_backup(std::string name, Token&& token = {})
    {
        return caller_.start<operation, &detail::delete_backup>(token, std::move(name), call_options());
    }

    /**
     * \brief Copies a backup to Cloud Storage.
     * \param name `projects/{project}/locations/{location}/backupCollections/{collection}/backups/{backup}`.
     * \param wanted The name of the bucket.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_export_backup(std::string name, export_backup_request wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::export_backup>(
            token, std::move(name), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_export_backup(std::string name, export_backup_request wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::export_backup>(
            token, std::move(name), std::move(wanted), call_options());
    }

protected:
    explicit backup_calls(detail::core_pointer core) noexcept : caller_(std::move(core)) {}
    backup_calls(backup_calls&&) noexcept = default;
    backup_calls& operator=(backup_calls&&) noexcept = default;
    ~backup_calls() = default;

private:
    detail::caller caller_;
};

}  // namespace backbeat::memorystore

#endif
