//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_REPLAYABLE_BODY_HPP
#define BACKBEAT_HTTP_REPLAYABLE_BODY_HPP

#include <backbeat/config.hpp>

#include <boost/beast/http/basic_file_body.hpp>
#include <boost/beast/http/type_traits.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace backbeat::http {

/**
 * \brief Says of a Beast body type whether `client` can send a body of it again, byte for byte.
 * \details
 * True unless sending changes the body: unless its `writer` takes it by a non-const reference
 * (`boost::beast::http::is_mutable_body_writer`). Such a body is taken to be used up by being sent. Once any of it was
 * read, the request is not sent again: `client::async_send` stops with `stop_reason::not_replayable`, whatever the
 * delivery was, and there is no free replay on a fresh connection. Beast's files are such bodies, but can be wound
 * back, so they are sent again, each time the whole file.
 *
 * Specialise it for a body type of your own that can be wound back, or that cannot though its `writer` takes it by a
 * const reference:
 *
 * \code
 * template <>
 * struct backbeat::http::replayable_body<my_pipe_body> : std::false_type {};
 *
 * template <>
 * struct backbeat::http::replayable_body<my_tape_body> : std::true_type {
 *     static void rewind(my_tape_body::value_type& body, boost::system::error_code& error);
 * };
 * \endcode
 *
 * `rewind`, which may be missing, is called before each copy, the first included. An error that it sets ends the attempt,
 * and is judged like any other.
 */
template <class Body>
struct replayable_body : std::bool_constant<!boost::beast::http::is_mutable_body_writer<Body>::value> {};

/// A file is sent from its beginning, wherever it stands.
template <class File>
struct replayable_body<boost::beast::http::basic_file_body<File>> : std::true_type {
    using body = typename boost::beast::http::basic_file_body<File>::value_type;

    static void rewind(body& file, boost::system::error_code& error)
    {
        if (file.is_open())
            file.file().seek(0, error);
        else
            error = boost::system::errc::make_error_code(boost::system::errc::bad_file_descriptor);
    }
};

}  // namespace backbeat::http

#endif
