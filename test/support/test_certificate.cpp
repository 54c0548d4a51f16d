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

// Who signs: without a certificate, the one that is made.
struct signer {
    EVP_PKEY* key;
    X509* certificate = nullptr;
};

certificate_pointer make(EVP_PKEY* key, long serial, bool authority, signer by, certificate_options const& options)
{
    certificate_pointer result(X509_new(), &X509_free);
    auto* const made = result.get();
    X509_set_version(made, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made), serial);
    X509_gmtime_adj(X509_getm_notBefore(made), static_cast<long>(options.valid_from.count()));
    X509_gmtime_adj(X509_getm_notAfter(made), static_cast<long>(options.valid_until.count()));
    X509_set_pubkey(made, key);
    X509_NAME_add_entry_by_txt(
        X509_get_subject_name(made),
        "CN",
        MBSTRING_ASC,
        reinterpret_cast<unsigned char const*>(options.common_name.c_str()),
        -1,
        -1,
        0);
    auto* const issuer = by.certificate != nullptr ? by.certificate : made;
    X509_set_issuer_name(made, X509_get_subject_name(issuer));
    if (authority) {
        extend(made, issuer, NID_basic_constraints, "critical,CA:TRUE");
        extend(made, issuer, NID_key_usage, "critical,keyCertSign");
    } else if (!options.names.empty()) {
        extend(made, issuer, NID_subject_alt_name, options.names);
    }
    check(X509_sign(made, by.key, EVP_sha256()) > 0);
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
    return make_test_certificate(certificate_options{.names = names});
}

test_certificate make_test_certificate(certificate_options const& options)
{
    key_pointer authority_key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    key_pointer between_key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    key_pointer key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    check(authority_key && between_key && key);
    auto const authority =
        make(authority_key.get(), 1, true, {authority_key.get()}, {.common_name = options.authority_name});
    certificate_pointer between(nullptr, &X509_free);
    if (options.intermediate)
        between = make(
            between_key.get(),
            3,
            true,
            {authority_key.get(), authority.get()},
            {.common_name = "Backbeat test intermediate"});
    auto const by = between ? signer{between_key.get(), between.get()} : signer{authority_key.get(), authority.get()};
    auto const leaf = make(key.get(), 2, false, by, options);
    bio_pointer bio(BIO_new(BIO_s_mem()), &BIO_free);
    check(PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
    return {
        pem_of(authority.get()),
        pem_of(leaf.get()),
        text_of(bio.get()),
        between ? pem_of(between.get()) : std::string()};
}

}  // namespace backbeat::test
