//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_OPENSSL_POINTERS_HPP
#define BACKBEAT_SRC_EMULATOR_OPENSSL_POINTERS_HPP

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>

namespace backbeat::emulation {

template <auto free_object>
struct free_by {
    template <class T>
    void operator()(T* object) const noexcept
    {
        free_object(object);
    }
};

using certificate_ptr = std::unique_ptr<X509, free_by<X509_free>>;
using key_ptr = std::unique_ptr<EVP_PKEY, free_by<EVP_PKEY_free>>;
using bio_ptr = std::unique_ptr<BIO, free_by<BIO_free_all>>;
using number_ptr = std::unique_ptr<BIGNUM, free_by<BN_free>>;

}  // namespace backbeat::emulation

#endif
