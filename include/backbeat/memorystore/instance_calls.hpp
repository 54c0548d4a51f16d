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
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/page_request.hpp>

#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

using instances_handler = result_handler<list_instances_response>;
using instance_handler = result_handler<instance>;
using operation_handler = result_handler<operation>;

void list_instances(core_pointer const&, std::string parent, page_request, call_options, instances_handler);
void list_all_instances(core_pointer const&, std::string parent, call_options, instances_handler);
void get_instance(core_pointer const&, std::string name, call_options, instance_handler);
void create_instance(
    core_pointer const&, std::string parent, std::string instance_id, instance, call_options, operation_handler);
void delete_instance(core_pointer const&, std::string name, call_options, operation_handler);

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
            token, std::move(parent), std::move(page), options);
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
            token, std::move(parent), page_request(), options);
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
     * that any page named. Each page is a request of its own, with its own retries.
     */
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_all_instances(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_instances_response, &detail::list_all_instances>(token, std::move(parent), options);
    }

    /// \overload
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_all_instances(std::string parent, Token&& token = {})
    {
        return caller_.start<list_instances_response, &detail::list_all_instances>(
            token, std::move(parent), call_options());
    }

    /**
     * \brief Gets an instance.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \details The completion signature is `void(std::exception_ptr, instance)`.
     */
    template <result_token<instance> Token = detail::default_token<instance>>
    auto async_get_instance(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<instance, &detail::get_instance>(token, std::move(name), options);
    }

    /// \overload
    template <result_token<instance> Token = detail::default_token<instance>>
    auto async_get_instance(std::string name, Token&& token = {})
    {
        return caller_.start<instance, &detail::get_instance>(token, std::move(name), call_options());
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
            token, std::move(parent), std::move(instance_id), std::move(wanted), options);
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_create_instance(std::string parent, std::string instance_id, instance wanted, Token&& token = {})
    {
        return caller_.start<operation, &detail::create_instance>(
            token, std::move(parent), std::move(instance_id), std::move(wanted), call_options());
    }

    /**
     * \brief Deletes an instance.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`. The operation has just begun.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_delete_instance(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::delete_instance>(token, std::move(name), options);
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_delete_instance(std::string name, Token&& token = {})
    {
        return caller_.start<operation, &detail::delete_instance>(token, std::move(name), call_options());
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
