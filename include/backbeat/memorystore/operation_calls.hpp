//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_OPERATION_CALLS_HPP
#define BACKBEAT_MEMORYSTORE_OPERATION_CALLS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/page_request.hpp>
#include <backbeat/memorystore/pager.hpp>
#include <backbeat/memorystore/wait_options.hpp>

#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

void list_operations(
    core_pointer const&,
    std::string parent,
    page_request,
    call_options const&,
    result_handler<list_operations_response>);
void list_all_operations(
    core_pointer const&, std::string parent, call_options const&, result_handler<list_operations_response>);
void get_operation(core_pointer const&, std::string name, call_options const&, result_handler<operation>);
void cancel_operation(core_pointer const&, std::string name, call_options const&, result_handler<empty>);
void delete_operation(core_pointer const&, std::string name, call_options const&, result_handler<empty>);
void wait_operation(
    core_pointer const&, operation started, wait_options, call_options const&, result_handler<operation>);

}  // namespace detail

/// The calls of a `client` that are about long-running operations. What holds for all of them is said there.
class operation_calls {
public:
    /**
     * \brief Lists a page of the long-running operations of a location.
     * \param parent `projects/{project}/locations/{location}`.
     * \param page Which page, and how long. By default the first, as long as the service likes.
     * \details The completion signature is `void(std::exception_ptr, list_operations_response)`.
     */
    template <result_token<list_operations_response> Token = detail::default_token<list_operations_response>>
    auto async_list_operations(std::string parent, page_request page, call_options options, Token&& token = {})
    {
        return caller_.start<list_operations_response, &detail::list_operations>(
            token, std::move(parent), std::move(page), std::move(options));
    }

    /// \overload
    template <result_token<list_operations_response> Token = detail::default_token<list_operations_response>>
    auto async_list_operations(std::string parent, page_request page, Token&& token = {})
    {
        return caller_.start<list_operations_response, &detail::list_operations>(
            token, std::move(parent), std::move(page), call_options());
    }

    /// \overload
    template <result_token<list_operations_response> Token = detail::default_token<list_operations_response>>
    auto async_list_operations(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_operations_response, &detail::list_operations>(
            token, std::move(parent), page_request(), std::move(options));
    }

    /// \overload
    template <result_token<list_operations_response> Token = detail::default_token<list_operations_response>>
    auto async_list_operations(std::string parent, Token&& token = {})
    {
        return caller_.start<list_operations_response, &detail::list_operations>(
            token, std::move(parent), page_request(), call_options());
    }

    /**
     * \brief Lists all long-running operations of a location, page after page.
     * \details
     * The completion signature is `void(std::exception_ptr, list_operations_response)`. Each page is a request of its own,
     * with its own retries.
     */
    template <result_token<list_operations_response> Token = detail::default_token<list_operations_response>>
    auto async_list_all_operations(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_operations_response, &detail::list_all_operations>(
            token, std::move(parent), std::move(options));
    }

    /// \overload
    template <result_token<list_operations_response> Token = detail::default_token<list_operations_response>>
    auto async_list_all_operations(std::string parent, Token&& token = {})
    {
        return caller_.start<list_operations_response, &detail::list_all_operations>(
            token, std::move(parent), call_options());
    }

    /// The pages of the list of operations, one after the other, for more than is to be held at once.
    [[nodiscard]] pager<list_operations_response> operation_pages(
        std::string parent, page_request page = {}, call_options options = {})
    {
        return {caller_.core(), &detail::list_operations, std::move(parent), std::move(page), std::move(options)};
    }

    /**
     * \brief Gets a long-running operation. One that has failed is a result here, not an error.
     * \param name `projects/{project}/locations/{location}/operations/{operation}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_get_operation(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::get_operation>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_get_operation(std::string name, Token&& token = {})
    {
        return caller_.start<operation, &detail::get_operation>(token, std::move(name), call_options());
    }

    /**
     * \brief Asks for the end of a long-running operation.
     * \param name `projects/{project}/locations/{location}/operations/{operation}`.
     * \details
     * The service may go on nevertheless: only imports and exports can be cancelled. Whether it was, tells waiting for it:
     * it then fails with `rpc_code::cancelled`. A cancelled import leaves the instance empty.
     *
     * The completion signature is `void(std::exception_ptr, empty)`.
     */
    template <result_token<empty> Token = detail::default_token<empty>>
    auto async_cancel_operation(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<empty, &detail::cancel_operation>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<empty> Token = detail::default_token<empty>>
    auto async_cancel_operation(std::string name, Token&& token = {})
    {
        return caller_.start<empty, &detail::cancel_operation>(token, std::move(name), call_options());
    }

    /**
     * \brief Lets the service forget a long-running operation that has ended. It does not cancel it.
     * \param name `projects/{project}/locations/{location}/operations/{operation}`.
     * \details
     * An error `rpc_code::not_found` with `error::outcome_unknown` may mean that this very call has deleted it, and the
     * answer was lost.
     *
     * The completion signature is `void(std::exception_ptr, empty)`.
     */
    template <result_token<empty> Token = detail::default_token<empty>>
    auto async_delete_operation(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<empty, &detail::delete_operation>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<empty> Token = detail::default_token<empty>>
    auto async_delete_operation(std::string name, Token&& token = {})
    {
        return caller_.start<empty, &detail::delete_operation>(token, std::move(name), call_options());
    }

    /**
     * \brief Waits until a long-running operation has ended.
     * \details
     * Polls it: at once, and then at growing intervals (`wait_options`). Each poll is retried on its own. The operation
     * does not need anybody to wait for it: waiting can be cancelled, and taken up again by its name.
     *
     * The completion signature is `void(std::exception_ptr, operation)`. The operation has ended, and not failed.
     *
     * \par Errors
     * - An `rpc_code`, with `error::operation_name`: the operation has failed, or could not be asked for.
     * - `errc::still_running`: the time to wait is over. It has not failed.
     *
     * \param started What a create or delete gave; if it has ended already, nothing is sent.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_wait_operation(operation started, wait_options pace, call_options options, Token&& token = {})
    {
        return caller_.start<operation, &detail::wait_operation>(token, std::move(started), pace, std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_wait_operation(operation started, wait_options pace, Token&& token = {})
    {
        return caller_.start<operation, &detail::wait_operation>(token, std::move(started), pace, call_options());
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_wait_operation(std::string name, wait_options pace, call_options options, Token&& token = {})
    {
        operation started;
        started.name = std::move(name);
        return caller_.start<operation, &detail::wait_operation>(token, std::move(started), pace, std::move(options));
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_wait_operation(std::string name, wait_options pace, Token&& token = {})
    {
        return async_wait_operation(std::move(name), pace, call_options(), std::forward<Token>(token));
    }

protected:
    explicit operation_calls(detail::core_pointer core) noexcept : caller_(std::move(core)) {}
    operation_calls(operation_calls&&) noexcept = default;
    operation_calls& operator=(operation_calls&&) noexcept = default;
    ~operation_calls() = default;

private:
    detail::caller caller_;
};

}  // namespace backbeat::memorystore

#endif
