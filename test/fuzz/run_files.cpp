//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Runs a fuzz target on files, where there is no libFuzzer: what was once found, and what a fuzzer starts from.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace {

void run(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<char> const bytes{std::istreambuf_iterator<char>(file), {}};
    // In memory of exactly this size, so that a sanitizer sees who reads beyond its end.
    std::vector<std::uint8_t> const input(bytes.begin(), bytes.end());
    std::printf("%s: %zu bytes\n", path.c_str(), input.size());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv)
{
    std::size_t count = 0;
    for (int i = 1; i < argc; ++i) {
        if (argv[i][0] == '-') continue;  // libFuzzer's own
        if (!std::filesystem::is_directory(argv[i])) {
            run(argv[i]);
            ++count;
            continue;
        }
        for (auto const& entry : std::filesystem::directory_iterator(argv[i])) {
            run(entry.path());
            ++count;
        }
    }
    std::printf("%zu files\n", count);
    return count == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
