//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CLIENT_HPP
#define BACKBEAT_MEMORYSTORE_CLIENT_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/default_token.hpp>
#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/client_options.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/page_request.hpp>
#include <backbeat/memorystore/wait_options.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>

#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

class client_core;
using core_pointer = std::shared_ptr<client_core>;

template <class Result>
using result_handler = boost::asio::any_completion_handler<void(std::exception_ptr, Result)>;

template <class Result>
using default_token = backbeat::detail::default_token_t<void(std::exception_ptr, Result)>;

[[nodiscard]] boost::asio::any_io_executor executor_of(client_core const& core) noexcept;

using instances_handler = result_handler<list_instances_response>;
using operations_handler = result_handler<list_operations_response>;
using instance_handler = result_handler<instance>;
using operation_handler = result_handler<operation>;

void list_instances(core_pointer const&, std::string parent, page_request, call_options, instances_handler);
void list_all_instances(core_pointer const&, std::string parent, call_options, instances_handler);
void get_instance(core_pointer const&, std::string name, call_options, instance_handler);
void create_instance(
    core_pointer const&, std::string parent, std::string instance_id, instance, call_options, operation_handler);
void delete_instance(core_pointer const&, std::string name, call_options, operation_handler);
void get_operation(core_pointer const&, std::string name, call_options, operation_handler);
void list_operations(core_pointer const&, std::string parent, page_request, call_options, operations_handler);
void wait_operation(core_pointer const&, operation started, wait_options, call_options, operation_handler);

// What a completion token starts a call with. It has an executor, so that adapters of tokens find it.
template <class Result, auto call>
class initiate_call {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit initiate_call(core_pointer core) noexcept : core_(std::move(core)) {}

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_of(*core_); }

    template <class Handler, class... Arguments>
    void operator()(Handler&& handler, Arguments&&... arguments) const
    {
        call(core_, std::forward<Arguments>(arguments)..., result_handler<Result>(std::forward<Handler>(handler)));
    }

private:
    core_pointer core_;
};

}  // namespace detail

/// A completion token for a call that gives a `Result`.
template <class Token, class Result>
concept result_token = boost::asio::completion_token_for<Token, void(std::exception_ptr, Result)>;

/**
 * \brief A client of the Memorystore for Redis API, `redis.googleapis.com` v1.
 * \details
 * Every function starts a call, which sends a request and repeats it as the API's documentation asks: after a 429, a
 * 5xx or a failure of the transport, with exponential backoff. Any number of calls may be in flight; one that waits
 * for its next attempt holds no connection.
 *
 * A create or delete is repeated only while it is certain that the service has not acted: nothing was sent, or the
 * answer was a 429. After a lost answer or a 5xx the call fails, and `error::outcome_unknown` says that the change may
 * or may not have been carried out.
 *
 * Names of resources are checked before anything is sent (`resource_name.hpp`).
 *
 * \par Object lifetimes
 * Calls own their arguments. Destroying the client cancels the requests that are in flight; `async_wait_operation`
 * then ends with its next poll. The execution context must outlive the client.
 *
 * \par Completion signature
 * `void(std::exception_ptr, Result)`. The exception is an `error`. The result is value-initialised then. Without a
 * token a call is `deferred`; with Boost 1.81, which cannot `co_await` such a deferred operation, an `awaitable`.
 *
 * \par Executor
 * The completion handler is called on its associated executor, by default the client's.
 *
 * \par Allocator
 * The handler and what is known of a call while it runs are kept in memory from the handler's associated allocator.
 * What `http::client` underneath needs is not.
 *
 * \par Per-operation cancellation
 * `terminal` and `partial` end a call wherever it is; `total` while nothing was sent, or in a wait. The error's code is
 * then `operation_aborted`. A change that was being sent may have been carried out: `error::outcome_unknown`.
 *
 * \par Errors
 * See `error`.
 *
 * \par Exceptions
 * `std::bad_alloc`. Whatever is wrong with an argument is an error of the call.
 *
 * \par Thread safety
 * Distinct objects: safe. Shared objects: safe, except for moving and destroying.
 *
 * \par Example
 * \code
 * backbeat::memorystore::client redis(context.get_executor(), options);
 * auto found = co_await redis.async_get_instance("projects/p/locations/us-central1/instances/a");
 * std::cout << found.host << ' ' << found.state << '\n';
 * \endcode
 */
class client {
public:
    using executor_type = boost::asio::any_io_executor;

    /**
     * \brief Makes a client; connects to nothing yet.
     * \throws std::invalid_argument The endpoint is no URL, or the options contradict themselves.
     * \throws boost::system::system_error The file of certificates cannot be read.
     */
    explicit client(executor_type executor, client_options options = {});

    client(client&&) noexcept = default;
    client& operator=(client&& other) noexcept;

    /// Closes the client.
    ~client();

    /// The executor that it was made with.
    [[nodiscard]] executor_type get_executor() const noexcept { return detail::executor_of(*core_); }

    /// Cancels the requests that are in flight, and closes all connections. Later calls fail.
    void close();

    /**
     * \brief Lists a page of the instances of a location.
     * \param parent `projects/{project}/locations/{location}`; `-` as the location lists those of all.
     * \param page Which page, and how long. By default the first, as long as the service likes.
     * \details The completion signature is `void(std::exception_ptr, list_instances_response)`.
     */
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_instances(std::string parent, page_request page, call_options options, Token&& token = {})
    {
        return start<list_instances_response, &detail::list_instances>(
            token, std::move(parent), std::move(page), options);
    }

    /// \overload
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_instances(std::string parent, page_request page, Token&& token = {})
    {
        return start<list_instances_response, &detail::list_instances>(
            token, std::move(parent), std::move(page), call_options());
    }

    /// \overload
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_instances(std::string parent, call_options options, Token&& token = {})
    {
        return start<list_instances_response, &detail::list_instances>(
            token, std::move(parent), page_request(), options);
    }

    /// \overload
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_instances(std::string parent, Token&& token = {})
    {
        return start<list_instances_response, &detail::list_instances>(
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
        return start<list_instances_response, &detail::list_all_instances>(token, std::move(parent), options);
    }

    /// \overload
    template <result_token<list_instances_response> Token = detail::default_token<list_instances_response>>
    auto async_list_all_instances(std::string parent, Token&& token = {})
    {
        return start<list_instances_response, &detail::list_all_instances>(token, std::move(parent), call_options());
    }

    /**
     * \brief Gets an instance.
     * \param name `projects/{project}/locations/{location}/instances/{instance}`.
     * \details The completion signature is `void(std::exception_ptr, instance)`.
     */
    template <result_token<instance> Token = detail::default_token<instance>>
    auto async_get_instance(std::string name, call_options options, Token&& token = {})
    {
        return start<instance, &detail::get_instance>(token, std::move(name), options);
    }

    /// \overload
    template <result_token<instance> Token = detail::default_token<instance>>
    auto async_get_instance(std::string name, Token&& token = {})
    {
        return start<instance, &detail::get_instance>(token, std::move(name), call_options());
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
        return start<operation, &detail::create_instance>(
            token, std::move(parent), std::move(instance_id), std::move(wanted), options);
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_create_instance(std::string parent, std::string instance_id, instance wanted, Token&& token = {})
    {
        return start<operation, &detail::create_instance>(
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
        return start<operation, &detail::delete_instance>(token, std::move(name), options);
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_delete_instance(std::string name, Token&& token = {})
    {
        return start<operation, &detail::delete_instance>(token, std::move(name), call_options());
    }

    /**
     * \brief Gets a long-running operation. One that has failed is a result here, not an error.
     * \param name `projects/{project}/locations/{location}/operations/{operation}`.
     * \details The completion signature is `void(std::exception_ptr, operation)`.
     */
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_get_operation(std::string name, call_options options, Token&& token = {})
    {
        return start<operation, &detail::get_operation>(token, std::move(name), options);
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_get_operation(std::string name, Token&& token = {})
    {
        return start<operation, &detail::get_operation>(token, std::move(name), call_options());
    }

    /**
     * \brief Lists a page of the long-running operations of a location.
     * \param parent `projects/{project}/locations/{location}`.
     * \details The completion signature is `void(std::exception_ptr, list_operations_response)`.
     */
    template <result_token<list_operations_response> Token = detail::default_token<list_operations_response>>
    auto async_list_operations(std::string parent, page_request page, call_options options, Token&& token = {})
    {
        return start<list_operations_response, &detail::list_operations>(
            token, std::move(parent), std::move(page), options);
    }

    /// \overload
    template <result_token<list_operations_response> Token = detail::default_token<list_operations_response>>
    auto async_list_operations(std::string parent, Token&& token = {})
    {
        return start<list_operations_response, &detail::list_operations>(
            token, std::move(parent), page_request(), call_options());
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
        return start<operation, &detail::wait_operation>(token, std::move(started), pace, options);
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_wait_operation(operation started, wait_options pace, Token&& token = {})
    {
        return start<operation, &detail::wait_operation>(token, std::move(started), pace, call_options());
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_wait_operation(std::string name, wait_options pace, call_options options, Token&& token = {})
    {
        operation started;
        started.name = std::move(name);
        return start<operation, &detail::wait_operation>(token, std::move(started), pace, options);
    }

    /// \overload
    template <result_token<operation> Token = detail::default_token<operation>>
    auto async_wait_operation(std::string name, wait_options pace, Token&& token = {})
    {
        return async_wait_operation(std::move(name), pace, call_options(), std::forward<Token>(token));
    }

private:
    template <class Result, auto call, class Token, class... Arguments>
    auto start(Token& token, Arguments&&... arguments)
    {
        return boost::asio::async_initiate<Token, void(std::exception_ptr, Result)>(
            detail::initiate_call<Result, call>(core_), token, std::forward<Arguments>(arguments)...);
    }

    detail::core_pointer core_;
};

}  // namespace backbeat::memorystore

#endif
