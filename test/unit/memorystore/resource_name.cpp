//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/resource_name.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace backbeat::memorystore;

template <class Name>
std::string problem(std::string_view text)
{
    try {
        static_cast<void>(Name::parse(text));
    } catch (std::invalid_argument const& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST(ResourceName, IsTakenApart)
{
    auto const place = location_name::parse("projects/my-project/locations/us-central1");
    EXPECT_EQ(place.project, "my-project");
    EXPECT_EQ(place.location, "us-central1");
    EXPECT_EQ(place.to_string(), "projects/my-project/locations/us-central1");

    auto const instance = instance_name::parse("projects/example.com:p/locations/europe-west3/instances/a-1");
    EXPECT_EQ(instance.project, "example.com:p");
    EXPECT_EQ(instance.instance, "a-1");
    EXPECT_EQ(instance.to_string(), "projects/example.com:p/locations/europe-west3/instances/a-1");

    auto const running = operation_name::parse("projects/123/locations/us-east1/operations/operation-17-84a9_X.y");
    EXPECT_EQ(running.operation, "operation-17-84a9_X.y");
    EXPECT_EQ(running.to_string(), "projects/123/locations/us-east1/operations/operation-17-84a9_X.y");

    EXPECT_EQ(location_name::parse("projects/p/locations/-").location, "-");
}

TEST(ResourceName, SaysWhatItShouldBe)
{
    EXPECT_EQ(
        problem<instance_name>("my-instance"),
        "'my-instance' is not the name of an instance, which is "
        "projects/{project}/locations/{location}/instances/{instance}");
    EXPECT_EQ(
        problem<instance_name>("projects/p/locations/l/instances/A"),
        "'projects/p/locations/l/instances/A' is not the name of an instance, which is "
        "projects/{project}/locations/{location}/instances/{instance}; an instance id is 1 to 40 lower-case letters, "
        "digits and hyphens, starts with a letter and does not end with a hyphen");
    EXPECT_NE(problem<location_name>("projects/P/locations/l").find("a project is"), std::string::npos);
    EXPECT_NE(problem<location_name>("projects/p/locations/US").find("us-central1"), std::string::npos);
    EXPECT_NE(problem<operation_name>("projects/p/locations/l/operations/a b").find("operation id"), std::string::npos);
}

TEST(ResourceName, WhatIsNone)
{
    for (auto const* text :
         {"",
          "/",
          "projects",
          "projects/",
          "projects//locations/l/instances/i",
          "/projects/p/locations/l/instances/i",
          "projects/p/locations/l/instances/i/",
          "projects/p/locations/l/instances/",
          "projects/p/locations/l/instances/..",
          "projects/../locations/l/instances/i",
          "projects/p/locations/l/instances/i?x=1",
          "projects/p/locations/l/instances/i#",
          "projects/p/locations/l/instances/i%2e",
          "projects/p/locations/l/clusters/i",
          "projects/p/locations/l/operations/i",
          "Projects/p/locations/l/instances/i",
          "projects/p q/locations/l/instances/i",
          "projects/p/locations/l\r\n/instances/i"})
        EXPECT_NE(problem<instance_name>(text), "no error") << text;
    EXPECT_NE(problem<location_name>("projects/p/locations/l/instances/i"), "no error");
    EXPECT_NE(problem<operation_name>("projects/p/locations/l/operations/.."), "no error");
    EXPECT_NE(problem<operation_name>("projects/p/locations/l/operations/" + std::string(257, 'x')), "no error");
    // Nothing that a terminal would act upon comes back.
    EXPECT_EQ(problem<instance_name>("a\x1b[31m\n").find('\x1b'), std::string::npos);
}

TEST(ResourceName, InstanceIds)
{
    for (auto const* id : {"a", "a1", "my-instance", "a--b", "abcdefghijabcdefghijabcdefghijabcdefghij"})
        EXPECT_NO_THROW(check_instance_id(id)) << id;
    for (auto const* id : {"", "1a", "-a", "a-", "A", "a_b", "a.b", "a/b", "abcdefghijabcdefghijabcdefghijabcdefghijk"})
        EXPECT_THROW(check_instance_id(id), std::invalid_argument) << id;
}
