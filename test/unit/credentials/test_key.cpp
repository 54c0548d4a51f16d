//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "test_key.hpp"

#include "check.hpp"

#include <boost/json/parse.hpp>

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>

namespace backbeat::test {

namespace {

using key_pointer = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using bio_pointer = std::unique_ptr<BIO, decltype(&BIO_free)>;

template <class Write>
std::string written(Write write)
{
    bio_pointer const bio(BIO_new(BIO_s_mem()), &BIO_free);
    check(write(bio.get()) == 1, "OpenSSL cannot write a key");
    char* data = nullptr;
    auto const size = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

test_key written(EVP_PKEY* key)
{
    test_key result;
    result.private_key =
        written([&](BIO* to) { return PEM_write_bio_PKCS8PrivateKey(to, key, nullptr, nullptr, 0, nullptr, nullptr); });
    result.locked_private_key = written([&](BIO* to) {
        return PEM_write_bio_PKCS8PrivateKey(to, key, EVP_aes_128_cbc(), "secret", 6, nullptr, nullptr);
    });
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA)
        result.rsa_private_key = written([&](BIO* to) {
            return PEM_write_bio_PrivateKey_traditional(to, key, nullptr, nullptr, 0, nullptr, nullptr);
        });
    result.public_key = written([&](BIO* to) { return PEM_write_bio_PUBKEY(to, key); });
    return result;
}

std::string decode_base64url(std::string_view text)
{
    check(text.find_first_of("+/= ") == text.npos, "not base64url without padding");
    std::string padded(text);
    for (auto& c : padded) c = c == '-' ? '+' : c == '_' ? '/' : c;
    auto const padding = (4 - padded.size() % 4) % 4;
    padded.append(padding, '=');
    std::string result(padded.size() / 4 * 3, '\0');
    auto const size = EVP_DecodeBlock(
        reinterpret_cast<unsigned char*>(result.data()),
        reinterpret_cast<unsigned char const*>(padded.data()),
        static_cast<int>(padded.size()));
    check(size >= 0, "not base64url");
    result.resize(static_cast<std::size_t>(size) - padding);
    return result;
}

bool verifies(std::string_view text, std::string const& signature, std::string const& public_key)
{
    bio_pointer const bio(BIO_new_mem_buf(public_key.data(), static_cast<int>(public_key.size())), &BIO_free);
    key_pointer const key(PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> const context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    auto const bytes = [](std::string_view view) { return reinterpret_cast<unsigned char const*>(view.data()); };
    return EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1
        && EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(text), text.size()) == 1;
}

}  // namespace

test_key make_rsa_key(unsigned bits)
{
    key_pointer const key(EVP_RSA_gen(bits), &EVP_PKEY_free);
    check(key != nullptr, "OpenSSL cannot make a key");
    return written(key.get());
}

test_key make_ec_key()
{
    key_pointer const key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    check(key != nullptr, "OpenSSL cannot make a key");
    return written(key.get());
}

test_key const& rsa_key()
{
    static test_key const key = make_rsa_key(2048);
    return key;
}

verified_jwt::verified_jwt(std::string_view token, test_key const& key)
{
    auto const first = token.find('.');
    auto const second = first == token.npos ? first : token.find('.', first + 1);
    check(second != token.npos, "not a JWT");
    check(
        verifies(token.substr(0, second), decode_base64url(token.substr(second + 1)), key.public_key),
        "the signature does not verify");
    header = boost::json::parse(decode_base64url(token.substr(0, first))).as_object();
    claims = boost::json::parse(decode_base64url(token.substr(first + 1, second - first - 1))).as_object();
}

}  // namespace backbeat::test
