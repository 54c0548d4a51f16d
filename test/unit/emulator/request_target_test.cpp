//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "request_target.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace backbeat::emulation {

namespace {

TEST(request_target, divides_before_it_decodes)
{
    auto const target = parse_request_target("/v1/projects/p%2Fq/locations/-/instances%20x?pageSize=2&a%26b=c+d%2B");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->path, "/v1/projects/p/q/locations/-/instances x");
    EXPECT_EQ(target->segments, (std::vector<std::string>{"v1", "projects", "p/q", "locations", "-", "instances x"}));
    EXPECT_EQ(target->query, "pageSize=2&a%26b=c+d%2B");
    ASSERT_TRUE(target->parameter("a&b"));
    EXPECT_EQ(*target->parameter("a&b"), "c d+");
    EXPECT_EQ(target->parameter("missing"), nullptr);
}

TEST(request_target, takes_what_real_clients_send)
{
    EXPECT_EQ(parse_request_target("HTTP://a/v1/x?y")->path, "/v1/x");
    for (auto const* text :
         {"/v1/x",
          "/v1/x?",
          "/v1/x/",
          "/v1/x?alt=json",
          "/v1/x?$alt=json%3Benum-encoding=int",
          "/v1/x?$alt=json;enum-encoding=int",
          "http://127.0.0.1:80/v1/x",
          "/v1/x?&&=&a",
          "https://redis.googleapis.com/v1/x?a=b#c",
          "/v1/x?pretty=\"{}|\""}) {
        auto const target = parse_request_target(text);
        ASSERT_TRUE(target) << text;
        EXPECT_EQ(target->segments, (std::vector<std::string>{"v1", "x"})) << text;
    }
    EXPECT_EQ(*parse_request_target("/?$alt=json%3Benum-encoding=int")->parameter("$alt"), "json;enum-encoding=int");
    EXPECT_TRUE(parse_request_target("*"));
    EXPECT_EQ(parse_request_target("http://host")->path, "/");
    EXPECT_EQ(parse_request_target("")->path, "/");
}

TEST(request_target, refuses_what_has_no_meaning)
{
    for (auto const* text :
         {"/%",
          "/%2",
          "/%zz",
          "/?a=%",
          "/?%g0",
          "/%ff",
          "/\xff",
          "/%c0%af",
          "/%ed%a0%80",
          "/%f4%90%80%80",
          "/%e2%82",
          "/?a=%80"}) {
        EXPECT_FALSE(parse_request_target(text)) << text;
    }
    EXPECT_EQ(parse_request_target("/%e2%82%ac")->path, "/\xe2\x82\xac");
    EXPECT_EQ(parse_request_target("/%f0%9f%98%80")->path, "/\xf0\x9f\x98\x80");
}

TEST(request_target, what_is_logged_cannot_break_a_line)
{
    EXPECT_EQ(printable("a b\r\n\x80~"), "a%20b%0D%0A%80~");
}

}  // namespace

}  // namespace backbeat::emulation
