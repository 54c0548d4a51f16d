//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_PAGE_HANDLER_HPP
#define BACKBEAT_SRC_MEMORYSTORE_PAGE_HANDLER_HPP

#include "list_errors.hpp"

#include <backbeat/memorystore/pager.hpp>

#include <boost/asio/associator.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace backbeat::memorystore::detail {

// Takes a page that a pager has asked for, and moves on to the next.
template <class Response>
class page_handler {
public:
    using inner_handler = result_handler<std::optional<Response>>;

    page_handler(std::shared_ptr<pager_state<Response>> state, inner_handler handler)
        : state_(std::move(state)), handler_(std::move(handler))
    {}

    void operator()(std::exception_ptr failure, Response page)
    {
        auto const state = std::move(state_);
        if (!failure && page.next_page_token.empty())
            state->ended = true;
        else if (!failure && state->loop.closes_with(page.next_page_token))
            failure = pages_in_a_circle(state->parent);
        if (failure) return std::move(handler_)(std::move(failure), std::optional<Response>());
        state->next.page_token = page.next_page_token;
        std::move(handler_)(std::exception_ptr(), std::optional<Response>(std::move(page)));
    }

    [[nodiscard]] inner_handler const& handler() const noexcept { return handler_; }

private:
    std::shared_ptr<pager_state<Response>> state_;
    inner_handler handler_;
};

}  // namespace backbeat::memorystore::detail

template <template <class, class> class Associator, class Response, class Default>
struct boost::asio::associator<Associator, backbeat::memorystore::detail::page_handler<Response>, Default>
    : Associator<typename backbeat::memorystore::detail::page_handler<Response>::inner_handler, Default> {
    using outer = backbeat::memorystore::detail::page_handler<Response>;
    using inner = Associator<typename outer::inner_handler, Default>;

    static auto get(outer const& handler) noexcept { return inner::get(handler.handler()); }
    static auto get(outer const& handler, Default const& fallback) noexcept
    {
        return inner::get(handler.handler(), fallback);
    }
};

#endif
