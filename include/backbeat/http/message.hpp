//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_MESSAGE_HPP
#define BACKBEAT_HTTP_MESSAGE_HPP

#include <backbeat/config.hpp>

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/verb.hpp>

namespace backbeat::http {

/// Boost.Beast's names of methods, statuses and header fields.
using boost::beast::http::field;
using boost::beast::http::status;
using boost::beast::http::verb;

/**
 * \brief What `client` sends: Boost.Beast's own type.
 * \details
 * The target is the path with its query, percent-encoded: `/v1/projects?pageSize=10`. `client` adds `Host` and
 * `User-Agent` where there is none. `Content-Length` and `Transfer-Encoding` follow from the body, whatever the message
 * says.
 */
using request = boost::beast::http::request<boost::beast::http::string_body>;

/**
 * \brief What `client` completes with: Boost.Beast's own type.
 * \details
 * Beside an error the response is empty, and its status is 0 and not Beast's default of 200; for the one exception see
 * `client`.
 */
using response = boost::beast::http::response<boost::beast::http::string_body>;

}  // namespace backbeat::http

#endif
