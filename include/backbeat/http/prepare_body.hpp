//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_PREPARE_BODY_HPP
#define BACKBEAT_HTTP_PREPARE_BODY_HPP

#include <backbeat/config.hpp>

#include <type_traits>
#include <utility>

namespace backbeat::http {

namespace detail {

template <class Argument>
class prepare_body_by {
public:
    explicit prepare_body_by(Argument&& function) : function_(std::forward<Argument>(function)) {}

    std::decay_t<Argument> release() && { return std::move(function_); }

private:
    std::decay_t<Argument> function_;
};

}  // namespace detail

/**
 * \brief Tells `client` how to make the body of a response ready to be read into.
 * \details
 * For bodies that need it, such as a file, which has to be opened:
 *
 * \code
 * auto open = [](auto& body, boost::system::error_code& error) {
 *     body.open("export.rdb", boost::beast::file_mode::write, error);
 * };
 * auto response = co_await client.async_send<file_body>(message, prepare_body(open));
 * \endcode
 *
 * The function is called as `f(Body::value_type&, boost::system::error_code&)` when the header of a response is there,
 * with a body or without, and so once for each attempt that gets one; not for interim responses (1xx). The body is new
 * each time. The bodies of responses that tell of a failure are read into it, too. An error that it sets ends the
 * attempt with that error, which is judged like any other. It must not throw.
 *
 * \par Object lifetimes
 * The function is decay-copied.
 *
 * \par Thread safety
 * It is called on the client's strand.
 */
template <class Function>
[[nodiscard]] detail::prepare_body_by<Function> prepare_body(Function&& function)
{
    return detail::prepare_body_by<Function>(std::forward<Function>(function));
}

}  // namespace backbeat::http

#endif
