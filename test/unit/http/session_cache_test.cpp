//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "session_cache.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace backbeat::test {
namespace {

using http::detail::session_cache;
using http::detail::session_pointer;

session_pointer make_session(unsigned char id)
{
    session_pointer result(::SSL_SESSION_new());
    ::SSL_SESSION_set1_id(result.get(), &id, 1);
    return result;
}

int id_of(session_pointer const& session)
{
    unsigned size = 0;
    return session ? *::SSL_SESSION_get_id(session.get(), &size) : 0;
}

TEST(http_session_cache, gives_each_session_once_and_the_newest_first)
{
    session_cache cache(8);
    EXPECT_EQ(cache.take(), nullptr);
    for (unsigned char id = 1; id != 4; ++id) cache.put(make_session(id));
    for (int id = 3; id != 0; --id) EXPECT_EQ(id_of(cache.take()), id);
    EXPECT_EQ(cache.take(), nullptr);
}

TEST(http_session_cache, forgets_the_oldest)
{
    session_cache cache(2);
    for (unsigned char id = 1; id != 10; ++id) cache.put(make_session(id));
    EXPECT_EQ(id_of(cache.take()), 9);
    EXPECT_EQ(id_of(cache.take()), 8);
    EXPECT_EQ(cache.take(), nullptr);
}

TEST(http_session_cache, passes_over_what_cannot_be_resumed)
{
    session_cache cache(4);
    cache.put(make_session(1));
    cache.put(session_pointer(::SSL_SESSION_new()));  // without an id or a ticket
    cache.put(nullptr);
    EXPECT_EQ(id_of(cache.take()), 1);
    EXPECT_EQ(cache.take(), nullptr);
}

TEST(http_session_cache, may_have_no_room)
{
    session_cache cache(0);
    cache.put(make_session(1));
    EXPECT_EQ(cache.take(), nullptr);
}

}  // namespace
}  // namespace backbeat::test
