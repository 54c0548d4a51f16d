//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "signing_key.hpp"

#include <boost/asio/ssl/error.hpp>
#include <boost/system/system_error.hpp>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <cstddef>
#include <limits>
#include <stdexcept>

namespace backbeat::memorystore::detail {

namespace {

template <auto release>
struct releases {
    template <class Object>
    void operator()(Object* object) const noexcept
    {
        release(object);
    }
};

// RFC 7518, section 3.3.
constexpr int least_bits = 2048;

// OpenSSL would ask at the terminal.
int no_password(char*, int, int, void* asked) noexcept
{
    *static_cast<bool*>(asked) = true;
    return -1;
}

}  // namespace

class signing_key::native {
public:
    std::unique_ptr<EVP_PKEY, releases<EVP_PKEY_free>> key;
};

signing_key::signing_key(std::string_view pem) : native_(std::make_unique<native>())
{
    if (pem.size() > std::size_t{(std::numeric_limits<int>::max)()}) throw std::invalid_argument("is too long");
    std::unique_ptr<BIO, releases<BIO_vfree>> const bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    bool asked = false;
    if (bio) native_->key.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, &no_password, &asked));
    // What stays in the queue of errors would be taken for an error of the next TLS connection.
    ERR_clear_error();
    if (asked) throw std::invalid_argument("has a password; a key without one is needed");
    if (!native_->key)
        throw std::invalid_argument("is no private key in PEM, which starts with '-----BEGIN PRIVATE KEY-----'");
    if (EVP_PKEY_get_base_id(native_->key.get()) != EVP_PKEY_RSA)
        throw std::invalid_argument("is not an RSA key, and tokens are signed with RS256");
    if (EVP_PKEY_get_bits(native_->key.get()) < least_bits)
        throw std::invalid_argument("is too short; RS256 needs an RSA key of 2048 bits or more");
}

signing_key::signing_key(signing_key&&) noexcept = default;
signing_key& signing_key::operator=(signing_key&&) noexcept = default;
signing_key::~signing_key() = default;

std::string signing_key::sign(std::string_view text) const
{
    std::unique_ptr<EVP_MD_CTX, releases<EVP_MD_CTX_free>> const context(EVP_MD_CTX_new());
    auto const* const bytes = reinterpret_cast<unsigned char const*>(text.data());
    std::size_t size = 0;
    std::string result;
    bool good = context && EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, native_->key.get()) == 1
        && EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) == 1;
    if (good) {
        result.resize(size);
        auto* const signature = reinterpret_cast<unsigned char*>(result.data());
        good = EVP_DigestSign(context.get(), signature, &size, bytes, text.size()) == 1;
    }
    if (!good) {
        auto const code = static_cast<int>(ERR_get_error());
        ERR_clear_error();
        throw boost::system::system_error(code, boost::asio::error::get_ssl_category(), "a token cannot be signed");
    }
    result.resize(size);
    return result;
}

}  // namespace backbeat::memorystore::detail
