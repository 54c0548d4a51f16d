//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_PAGER_HPP
#define BACKBEAT_MEMORYSTORE_PAGER_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/detail/page_loop.hpp>
#include <backbeat/memorystore/page_request.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

// A call that asks for a page.
template <class Response>
using page_call =
    void (*)(core_pointer const&, std::string parent, page_request, call_options const&, result_handler<Response>);

// Where a pager is.
template <class Response>
class pager_state {
public:
    pager_state(page_call<Response> by, std::string of, page_request first, call_options with)
        : ask(by), parent(std::move(of)), next(std::move(first)), options(std::move(with))
    {}

    page_call<Response> ask;
    std::string parent;
    page_request next;
    call_options options;
    page_loop loop;
    bool ended = false;
};

// Defined for the responses of the lists that `client` has.
template <class Response>
void next_page(
    core_pointer const& core,
    std::shared_ptr<pager_state<Response>> state,
    result_handler<std::optional<Response>> handler);

}  // namespace detail

/**
 * \brief The pages of a list, one after the other.
 * \details
 * Comes from `client::instance_pages` and the like. It holds no page: what was given is the caller's.
 *
 * \code
 * auto pages = client.instance_pages("projects/p/locations/-");
 * while (auto page = co_await pages.async_next())
 *     for (auto const& each : page->instances) show(each);
 * \endcode
 *
 * \par Thread safety
 * Distinct objects: safe. Shared objects: unsafe, and a page may be asked for only when the one before has come.
 */
template <class Response>
class pager {
public:
    using executor_type = boost::asio::any_io_executor;

    // For `client`.
    pager(
        detail::core_pointer core,
        detail::page_call<Response> ask,
        std::string parent,
        page_request first,
        call_options options)
        : caller_(std::move(core)),
          state_(std::make_shared<detail::pager_state<Response>>(
              ask, std::move(parent), std::move(first), std::move(options)))
    {}

    /// The executor of the client.
    [[nodiscard]] executor_type get_executor() const noexcept { return detail::executor_of(*caller_.core()); }

    /**
     * \brief Asks for the next page.
     * \details
     * Each page is a request of its own, with its own retries. After an error the same page can be asked for again.
     *
     * \par Completion signature
     * `void(std::exception_ptr, std::optional<Response>)`. Empty, without an error: the page before was the last.
     *
     * \par Errors
     * Those of the list, and `errc::malformed_response` if the pages go round in a circle.
     *
     * The executor, the allocator and cancellation are as of all calls of `client`.
     */
    template <result_token<std::optional<Response>> Token = detail::default_token<std::optional<Response>>>
    auto async_next(Token&& token = {})
    {
        return caller_.template start<std::optional<Response>, &detail::next_page<Response>>(token, state_);
    }

private:
    detail::caller caller_;
    std::shared_ptr<detail::pager_state<Response>> state_;
};

}  // namespace backbeat::memorystore

#endif
