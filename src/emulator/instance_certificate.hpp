//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_INSTANCE_CERTIFICATE_HPP
#define BACKBEAT_SRC_EMULATOR_INSTANCE_CERTIFICATE_HPP

#include <backbeat/memorystore/instance.hpp>

namespace backbeat::emulation {

// A certificate authority as an instance with transit encryption has one. Nobody has its key.
// Throws boost::system::system_error.
[[nodiscard]] memorystore::tls_certificate make_instance_authority();

}  // namespace backbeat::emulation

#endif
