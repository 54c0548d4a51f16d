//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_TOKEN_PROVIDER_HPP
#define BACKBEAT_MEMORYSTORE_TOKEN_PROVIDER_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/default_token.hpp>
#include <backbeat/memorystore/access_token.hpp>
#include <backbeat/memorystore/credentials.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/token_provider_options.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

class token_cache;
using token_cache_pointer = std::shared_ptr<token_cache>;
using token_handler = boost::asio::any_completion_handler<void(std::exception_ptr, access_token)>;

[[nodiscard]] boost::asio::any_io_executor executor_of(token_cache const& cache) noexcept;
void get_token(token_cache_pointer const&, token_handler);
void refresh_token(token_cache_pointer const&, access_token const& rejected, token_handler);

// What a completion token starts an operation with. It has an executor, so that adapters of tokens find it.
template <auto operation>
class initiate_token {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit initiate_token(token_cache_pointer cache) noexcept : cache_(std::move(cache)) {}

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_of(*cache_); }

    template <class Handler, class... Arguments>
    void operator()(Handler&& handler, Arguments&&... arguments) const
    {
        operation(cache_, std::forward<Arguments>(arguments)..., token_handler(std::forward<Handler>(handler)));
    }

private:
    token_cache_pointer cache_;
};

}  // namespace detail

/**
 * \brief Has a good access token for any number of requests.
 * \details
 * A handle: copies share their token. It fetches a token when the first is asked for, keeps it, and fetches the next one
 * before it expires. However many wait, there is one refresh at a time. While the old token is still good, it is given
 * at once, whether a refresh runs, or failed; a failed one is tried again after 10 s at the earliest. Refreshes are made
 * because somebody asks: an unused provider does nothing, and holds no work.
 *
 * The last refresh goes on even though all who waited for it were cancelled: the next request needs its token. Its time
 * is limited, unless by a `token_source`.
 *
 * A server that rejects a token although it has not expired, with a 401, gives reason to get another one:
 * `async_refresh_token`.
 *
 * \par Object lifetimes
 * Operations do not keep the provider alive. When the last copy is destroyed, a refresh is cancelled, and those that
 * wait for it complete with `operation_aborted`. The execution context must outlive the provider.
 *
 * \par Completion signature
 * `void(std::exception_ptr, access_token)`. The token is empty beside an exception, and for `credentials::anonymous`.
 * Without a completion token an operation is `deferred`; with Boost 1.81, which cannot `co_await` such a deferred
 * operation, an `awaitable`.
 *
 * \par Executor and immediate completion
 * The completion handler is called on its associated executor, by default the provider's, and never from inside the
 * initiating function: a token that is there is given through the associated immediate executor where Boost has those
 * (1.82), else by a post. Refreshes run on a strand of the provider's executor.
 *
 * \par Allocator
 * The handler is kept in memory from its associated allocator while it waits. What a refresh needs is not.
 *
 * \par Per-operation cancellation
 * `terminal`, `partial` and `total` alike end the wait, and nothing else. The error's code is then `operation_aborted`.
 *
 * \par Errors
 * An `error`, or what a `token_source` throws.
 * - `errc::no_credentials`, `errc::bad_credentials`, `errc::credentials_refused`, `errc::not_a_metadata_server`,
 *   `errc::malformed_response`, `errc::invalid_argument`: somebody has to look after it.
 * - An `rpc_code`, such as `unavailable`, and the transport's errors: a token endpoint failed, more often than it was
 *   retried. It may work later.
 * - `boost::asio::error::operation_aborted`: the operation was cancelled, or the provider destroyed.
 *
 * \par Exceptions
 * `std::bad_alloc`.
 *
 * \par Thread safety
 * Distinct objects: safe, copies of one another included. Shared objects: safe, except for assigning and destroying.
 *
 * \par Example
 * \code
 * backbeat::memorystore::token_provider tokens(context.get_executor(), credentials::application_default());
 * auto token = co_await tokens.async_get_token();
 * request.set(field::authorization, "Bearer " + token.value);
 * auto answer = co_await client.async_request(request);
 * if (answer.result() == status::unauthorized) token = co_await tokens.async_refresh_token(token);
 * \endcode
 */
class token_provider {
public:
    using executor_type = boost::asio::any_io_executor;

    /**
     * \brief Makes a provider. Nothing is read or sent yet.
     * \throws std::invalid_argument The options contradict themselves.
     */
    explicit token_provider(executor_type executor, credentials const& who, token_provider_options options = {});

    /// The executor that it was made with.
    [[nodiscard]] executor_type get_executor() const noexcept { return detail::executor_of(*cache_); }

    /**
     * \brief Gives a token that is good now, as far as is known.
     * \details The completion signature is `void(std::exception_ptr, access_token)`.
     */
    template <
        boost::asio::completion_token_for<void(std::exception_ptr, access_token)> Token =
            backbeat::detail::default_token_t<void(std::exception_ptr, access_token)>>
    auto async_get_token(Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(std::exception_ptr, access_token)>(
            detail::initiate_token<&detail::get_token>(cache_), token);
    }

    /**
     * \brief Gives another token than one that a server has rejected.
     * \details
     * If the provider has another one by now, that is given, so that a thousand requests that were rejected together
     * cause one refresh. Else there is a refresh. It may give the same token again, as the metadata server does: that is
     * no error here, and within the next 10 s no reason to ask again. A given token, and none, stay as they are.
     *
     * The completion signature is `void(std::exception_ptr, access_token)`.
     *
     * \param rejected What `async_get_token` gave.
     */
    template <
        boost::asio::completion_token_for<void(std::exception_ptr, access_token)> Token =
            backbeat::detail::default_token_t<void(std::exception_ptr, access_token)>>
    auto async_refresh_token(access_token rejected, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(std::exception_ptr, access_token)>(
            detail::initiate_token<&detail::refresh_token>(cache_), token, std::move(rejected));
    }

    /**
     * \brief The token, if there is a good one already: what `async_get_token` would give without waiting.
     * \details Starts a refresh if it is time. Empty: there is none, and nothing was started.
     */
    [[nodiscard]] std::optional<access_token> cached_token();

    /**
     * \brief The project that requests are to be counted against: the value of `X-Goog-User-Project`. Empty: none.
     * \details What the key file says is known once there was a token.
     */
    [[nodiscard]] std::string quota_project() const;

    /**
     * \brief Says whose the tokens are, without any secret.
     * \details
     * As `credentials::describe`, and what was found out with the first token:
     * \code
     * service account a@p.iam.gserviceaccount.com (key file '/etc/key.json', named by GOOGLE_APPLICATION_CREDENTIALS),
     * self-signed JWT
     * \endcode
     */
    [[nodiscard]] std::string describe() const;

private:
    detail::token_cache_pointer cache_;
};

}  // namespace backbeat::memorystore

#endif
