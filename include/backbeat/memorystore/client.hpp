//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CLIENT_HPP
#define BACKBEAT_MEMORYSTORE_CLIENT_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/backup_calls.hpp>
#include <backbeat/memorystore/client_options.hpp>
#include <backbeat/memorystore/cluster_calls.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/instance_calls.hpp>
#include <backbeat/memorystore/location_calls.hpp>
#include <backbeat/memorystore/operation_calls.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <utility>

namespace backbeat::memorystore {

/**
 * \brief A client of the Memorystore for Redis API, `redis.googleapis.com` v1.
 * \details
 * Every function starts a call, which sends a request and repeats it as the API's documentation asks: after a 429, a
 * 5xx or a failure of the transport, with exponential backoff. Any number of calls may be in flight; one that waits
 * for its next attempt holds no connection.
 *
 * A change is repeated only once it is known that it was not carried out: the client looks at the resource and its
 * operations before the first attempt, and after an answer that was lost or a 5xx. What cannot be told ends as
 * `errc::outcome_unknown`. See `mutation_options`, and docs/mutations.md. A change whose method has a request id
 * (`call_options::request_id`) needs none of that: the service carries it out once.
 *
 * Requests are authorized as `client_options::credentials` says. The token is asked for before each attempt, and once
 * more after a 401.
 *
 * What the API's documentation says for certain of arguments is checked before anything is sent: names and ids
 * (`resource_name.hpp`), masks, sizes, names of enum values.
 *
 * The calls themselves are in the classes that this one is made of, one for each kind of resource.
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
class client : public location_calls,
               public instance_calls,
               public cluster_calls,
               public backup_calls,
               public operation_calls {
public:
    using executor_type = boost::asio::any_io_executor;

    /**
     * \brief Makes a client; connects to nothing yet.
     * \throws std::invalid_argument The endpoint is no URL, or the options contradict themselves.
     * \throws boost::system::system_error The file of certificates cannot be read.
     */
    explicit client(executor_type executor, client_options options = {});

    client(client&&) noexcept = default;
    /// Closes the client that this was.
    client& operator=(client&& other) noexcept;

    /// Closes the client.
    ~client();

    /// The executor that it was made with.
    [[nodiscard]] executor_type get_executor() const noexcept { return detail::executor_of(*caller_.core()); }

    /// Cancels the requests that are in flight, and closes all connections. Later calls fail.
    void close();

private:
    explicit client(detail::core_pointer const& core);

    detail::caller caller_;
};

}  // namespace backbeat::memorystore

#endif
