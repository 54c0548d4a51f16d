//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_CERTIFICATE_HPP
#define BACKBEAT_SRC_EMULATOR_CERTIFICATE_HPP

#include <string>

namespace backbeat::emulation {

// What a TLS server needs, and what its clients must trust. All PEM.
struct server_identity {
    std::string authority;
    std::string chain;
    std::string private_key;
};

// Makes an authority that signs one certificate and whose key is then forgotten. The certificate is for localhost,
// 127.0.0.1, ::1 and `host`, which may be a name, an address or empty.
// Throws boost::system::system_error.
[[nodiscard]] server_identity make_server_identity(std::string const& host);

}  // namespace backbeat::emulation

#endif
