//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_CREDENTIALS_TEST_KEY_HPP
#define BACKBEAT_TEST_UNIT_CREDENTIALS_TEST_KEY_HPP

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace backbeat::test {

// A key pair, in PEM.
class test_key {
public:
    std::string private_key;  // PKCS#8
    std::string rsa_private_key;  // PKCS#1; empty: it is no RSA key
    std::string locked_private_key;  // with a password
    std::string public_key;
};

// The same for all tests: making one takes a while.
[[nodiscard]] test_key const& rsa_key();
[[nodiscard]] test_key make_rsa_key(unsigned bits);
[[nodiscard]] test_key make_ec_key();

// A JWT that was taken apart, with a good signature by the key. Throws std::runtime_error if it is none.
class verified_jwt {
public:
    verified_jwt(std::string_view token, test_key const& key);

    boost::json::object header;
    boost::json::object claims;
};

}  // namespace backbeat::test

#endif
