//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_BASE64_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_BASE64_HPP

#include <string>
#include <string_view>

namespace backbeat::memorystore::detail {

// RFC 4648: section 4, with padding.
[[nodiscard]] std::string encode_base64(std::string_view bytes);

// Section 5, for URLs and file names, without padding.
[[nodiscard]] std::string encode_base64url(std::string_view bytes);

}  // namespace backbeat::memorystore::detail

#endif
