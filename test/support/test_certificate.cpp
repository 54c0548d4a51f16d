//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "test_certificate.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>

namespace backbeat::test {

namespace {

using key_pointer = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using certificate_pointer = std::unique_ptr<X509, decltype(&X509_free)>;
using bio_pointer = std::unique_ptr<BIO, decltype(&BIO_free)>;

void check(bool good)
{
    if (!good) throw std::runtime_error("OpenSSL cannot make a certificate");
}

std::string text_of(BIO* bio)
{
    char* data = nullptr;
    auto const size = BIO_get_mem_data(bio, &data);
    return {data, static_cast<std::size_t>(size)};
}

void extend(X509* certificate, X509* issuer, int kind, std::string const& value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    auto* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    check(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1);
    X509_EXTENSION_free(extension);
}

certificate_pointer make(
    EVP_PKEY* key, char const* name, long serial, X509* issuer, EVP_PKEY* signer, std::string const& names)
{
    certificate_pointer result(X509_new(), &X509_free);
    X509_set_version(result.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(result.get()), serial);
    X509_gmtime_adj(X509_getm_notBefore(result.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(result.get()), 24 * 3600);
    X509_set_pubkey(result.get(), key);
    X509_NAME_add_entry_by_txt(
        X509_get_subject_name(result.get()),
        "CN",
        MBSTRING_ASC,
        reinterpret_cast<unsigned char const*>(name),
        -1,
        -1,
        0);
    auto* const by = issuer != nullptr ? issuer : result.get();
    X509_set_issuer_name(result.get(), X509_get_subject_name(by));
    if (issuer == nullptr) {
        extend(result.get(), by, NID_basic_constraints, "critical,CA:TRUE");
        extend(result.get(), by, NID_key_usage, "critical,keyCertSign");
    } else {
        extend(result.get(), by, NID_subject_alt_name, names);
    }
    check(X509_sign(result.get(), signer, EVP_sha256()) > 0);
    return result;
}

std::string pem_of(X509* certificate)
{
    bio_pointer bio(BIO_new(BIO_s_mem()), &BIO_free);
    check(PEM_write_bio_X509(bio.get(), certificate) == 1);
    return text_of(bio.get());
}

}  // namespace

test_certificate make_test_certificate(std::string const& names)
{
    key_pointer authority_key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    key_pointer key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    check(authority_key && key);
    auto const authority = make(authority_key.get(), "Backbeat test authority", 1, nullptr, authority_key.get(), {});
    auto const leaf = make(key.get(), "Backbeat test server", 2, authority.get(), authority_key.get(), names);
    bio_pointer bio(BIO_new(BIO_s_mem()), &BIO_free);
    check(PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
    return {pem_of(authority.get()), pem_of(leaf.get()), text_of(bio.get())};
}

}  // namespace backbeat::test
