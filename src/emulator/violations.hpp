//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_VIOLATIONS_HPP
#define BACKBEAT_SRC_EMULATOR_VIOLATIONS_HPP

#include <backbeat/memorystore/error_details.hpp>

#include <cstddef>
#include <string>

namespace backbeat::emulation {

// Gathers what is wrong with a request, so that a caller learns of all of it at once, or of the first hundred.
class violations {
public:
    // Clients choose how much is wrong; the answer must not become many times their request.
    static constexpr std::size_t maximum = 100;

    // Nothing is added beyond the maximum.
    void add(std::string field, std::string description);

    // Throws api_error when something was added: 400 INVALID_ARGUMENT with BadRequest.
    void check() const;

private:
    std::string text_;
    memorystore::rpc::bad_request details_;
};

}  // namespace backbeat::emulation

#endif
