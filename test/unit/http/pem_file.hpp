//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_PEM_FILE_HPP
#define BACKBEAT_TEST_UNIT_HTTP_PEM_FILE_HPP

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace backbeat::test {

// A file that goes with it. CTest runs tests side by side, each in a process of its own.
class pem_file {
public:
    explicit pem_file(std::string const& text)
    {
        static int made = 0;
        path_ = ::testing::TempDir() + "backbeat_" + std::to_string(::getpid()) + "_" + std::to_string(++made) + ".pem";
        std::ofstream(path_) << text;
    }

    pem_file(pem_file const&) = delete;
    pem_file& operator=(pem_file const&) = delete;
    ~pem_file() { std::remove(path_.c_str()); }

    [[nodiscard]] std::string const& path() const noexcept { return path_; }

private:
    std::string path_;
};

}  // namespace backbeat::test

#endif
