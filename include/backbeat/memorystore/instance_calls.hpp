//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_INSTANCE_CALLS_HPP
#define BACKBEAT_MEMORYSTORE_INSTANCE_CALLS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/export_instance_request.hpp>
#include <backbeat/memorystore/failover_instance_request.hpp>
#include <backbeat/memorystore/import_instance_request.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/instance_auth_string.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/page_request.hpp>
#include <backbeat/memorystore/pager.hpp>
#include <backbeat/memorystore/reschedule_maintenance_request.hpp>
#include <backbeat/memorystore/update_mask.hpp>
#include <backbeat/memorystore/upgrade_instance_request.hpp>

#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

void list_instances(
    core_pointer const&,
    std::string parent,
    page_request,
    call_options const&,
    result_handler<list_instances_response>);
void list_all_instances(
    core_pointer const&, std::string parent, call_options const&, result_handler<list_instances_response>);
void get_instance(core_pointer const&, std::string name, call_options const&, result_handler<instance>);
void get_instance_auth_string(
    core_pointer const&, std::string name, call_options const&, result_handler<instance_auth_string>);
void create_instance(
    core_pointer const&,
    std::string parent,
    std::string instance_id,
    instance,
    call_options const&,
    result_handler<operation>);
void update_instance(core_pointer const&, instance, update_mask, call_options const&, result_handler<operation>);
void delete_instance(core_pointer const&, std::string name, call_options const&, result_handler<operation>);
void export_instance(
    core_pointer const&, std::string name, export_instance_request, call_options const&, result_handler<operation>);
void import_instance(
    core_pointer const&, std::string name, import_instance_request, call_options const&, result_handler<operation>);
void failover_instance(
    core_pointer const&, std::string name, failover_instance_request, call_options const&, result_handler<operation>);
void upgrade_instance(
    core_pointer const&, std::string name, upgrade_instance_request, call_options const&, result_handler<operation>);
void reschedule_maintenance(
    core_pointer const&,
    std::string name,
    reschedule_maintenance_request,
    call_options const&,
    result_handler<operation>);

}  // namespace detail

/// The calls of a `client` that are about instances. What holds for all of them is said there.
class instance_calls {
public:
    /**
     * \brief Lists a page of the instances of a location.
     * \param parent `projects/{project}/locations/{location}`; `-` as the location lists those of all.
     * \param page Which page, and how long. By default the first, as long as the service likes.
     * \details The completion signature is `void(std::exception_ptr, list_instances_response)`.
     */
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_instances(std::string parent, page_request page, call_options options, Token&& token = {})
    {
        return caller_.start<list_instances_response, &detail::list_instances>(
            token, std::move(parent), std::move(page), std::move(options));
    }

    /// \overload
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_instances(std::string parent, page_request page, Token&& token = {})
    {
        return caller_.start<list_instances_response, &detail::list_instances>(
            token, std::move(parent), std::move(page), call_options());
    }

    /// \overload
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_instances(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_instances_response, &detail::list_instances>(
            token, std::move(parent), page_request(), std::move(options));
    }

    /// \overload
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_instances(std::string parent, Token&& token = {})
    {
        return caller_.start<list_instances_response, &detail::list_instances>(
            token, std::move(parent), page_request(), call_options());
    }

    /**
     * \brief Lists all instances of a location, page after page.
     * \details
     * The completion signature is `void(std::exception_ptr, list_instances_response)`. `unreachable` has the locations
     * that any page named. Each page is a request of its own,
     * with its own retries.
     */
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_all_instances(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_instances_response, &detail::list_all_instances>(
            token, std::move(parent), std::move(options));
    }

    /// \overload
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_all_instances(std::string parent, Token&& token = {})
    {
        return caller_.start<list_instances_response, &detail::list_all_instances>(
            token, std::move(parent), call_options());
    }

    /// The pages of the list of instances, one after the other, for more than is to be held at once.
    [[nodiscard]] pager<list_instances_response> instance_pages(
        std::string parent, page_request page = {}, call_options options = {})
    {
        return {caller_.core(), &detail::list_instances, std::move(parent), std::move(page), std::move(options)};
    }

    /**
     * \brief Gets an instance.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \details The completion signature is `void(std::exception_ptr, instance)`.
     */
    template <result_token<instance> Token = detail::default_token<instance>>
    auto async_get_instance(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<instance, &detail::get_instance>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<instance> Token = detail::default_token<instance>>
    auto async_get_instance(std::string name, Token&& token = {})
    {
        return caller_.start<instance, &detail::get_instance>(token, std::move(name), call_options());
    }

    /**
     * \brief Gets the password of an instance. It is empty if `auth_enabled` is false.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \details The completion signature is `void(std::exception_ptr, instance_auth_string)`.
     */
    template <result_token<instance_auth_string> Token = detail::default_token<instance_auth_string>>
    auto async_get_instance_auth_string(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<instance_auth_string, &detail::get_instance_auth_string>(
            token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<instance_auth_string> Token = detail::default_token<instance_auth_string>>
    auto async_get_instance_auth_string(std::string name, Token&& token = {})
    {
        return caller_.start<instance_auth_string, &detail::get_instance_auth_string>(
            token, std::move(name), call_options());
    }

    /**
     * \brief Creates an instance.
     * \param parent `projects/{project}/locations/{location}`.
     * \param instance_id 1 to 40 lower-case letters, digits and hyphens; starts with a letter, ends with no hyphen.
     * \param wanted What it is to be; at least `tier` and `memory_size_gb`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_create_instance(
        std::string parent, std::string instance_id, instance wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::create_instance>(
            token, std::move(parent), std::move(instance_id), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_create_instance(std::string parent, std::string instance_id, instance wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::create_instance>(
            token, std::move(parent), std::move(instance_id), std::move(wanted), call_options());
    }

    /**
     * \brief Changes fields of an instance.
     * \param wanted The instance, with its `name`, and the new values.
     * \param mask Which fields are changed; no others are sent.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_update_instance(instance wanted, update_mask mask, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::update_instance>(
            token, std::move(wanted), std::move(mask), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_update_instance(instance wanted, update_mask mask, Token&& token = {})
    {
        return caller_.start<operation, &detail::update_instance>(
            token, std::move(wanted), std::move(mask), call_options());
    }

    /**
     * \brief Deletes an instance.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_delete_instance(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::delete_instance>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_delete_instance(std::string name, Token&& token = {})
    {
        return caller_.start<operation, &detail::delete_instance>(token, std::move(name), call_options());
    }

    /**
     * \brief Copies the data of an instance to Cloud Storage.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \param wanted Where to: `export_instance_request::to("gs://bucket/object.rdb")`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_export_instance(
        std::string name, export_instance_request wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::export_instance>(
            token, std::move(name), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_export_instance(std::string name, export_instance_request wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::export_instance>(
            token, std::move(name), std::move(wanted), call_options());
    }

    /**
     * \brief Replaces the data of an instance by what is in Cloud Storage.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \param wanted Where from: `import_instance_request::from("gs://bucket/object.rdb")`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_import_instance(
        std::string name, import_instance_request wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::import_instance>(
            token, std::move(name), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_import_instance(std::string name, import_instance_request wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::import_instance>(
            token, std::move(name), std::move(wanted), call_options());
    }

    /**
     * \brief Makes the replica of an instance of the standard tier the primary.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_failover_instance(
        std::string name, failover_instance_request wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::failover_instance>(
            token, std::move(name), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_failover_instance(std::string name, failover_instance_request wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::failover_instance>(
            token, std::move(name), std::move(wanted), call_options());
    }

    /**
     * \brief Gives an instance a newer version of Redis.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_upgrade_instance(
        std::string name, upgrade_instance_request wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::upgrade_instance>(
            token, std::move(name), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_upgrade_instance(std::string name, upgrade_instance_request wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::upgrade_instance>(
            token, std::move(name), std::move(wanted), call_options());
    }

    /**
     * \brief Moves the maintenance of an instance.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_reschedule_maintenance(
        std::string name, reschedule_maintenance_request wanted, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::reschedule_maintenance>(
            token, std::move(name), std::move(wanted), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_reschedule_maintenance(std::string name, reschedule_maintenance_request wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::reschedule_maintenance>(
            token, std::move(name), std::move(wanted), call_options());
    }

protected:
    explicit instance_calls(detail::core_pointer core) noexcept : caller_(std::move(core)) {}
    instance_calls(instance_calls&&) noexcept = default;
    instance_calls& operator=(instance_calls&&) noexcept = default;
    ~instance_calls() = default;

private:
    detail::caller caller_;
};

}  // namespace backbeat::memorystore

#endif
