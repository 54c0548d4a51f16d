//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_SUPPORT_TEST_CERTIFICATE_HPP
#define BACKBEAT_TEST_SUPPORT_TEST_CERTIFICATE_HPP

#include <chrono>
#include <string>

namespace backbeat::test {

// A certificate with its key, both in PEM, and the authority that signed it.
struct test_certificate {
    std::string authority;
    std::string certificate;
    std::string key;
    std::string intermediate{};  // if another authority, by the first, signed it
};

struct certificate_options {
    std::string names{};  // as OpenSSL writes them: "DNS:localhost,IP:127.0.0.1"; empty: none but the common name
    std::string common_name = "Backbeat test server";
    std::chrono::seconds valid_from = -std::chrono::hours(1);  // from now on
    std::chrono::seconds valid_until = std::chrono::hours(24);
    std::string authority_name = "Backbeat test authority";
    bool intermediate = false;  // between the authority and the certificate
};

// Makes an authority, and a certificate by it for these names, as OpenSSL writes them: "DNS:localhost,IP:127.0.0.1".
[[nodiscard]] test_certificate make_test_certificate(std::string const& names);
[[nodiscard]] test_certificate make_test_certificate(certificate_options const& options);

}  // namespace backbeat::test

#endif
