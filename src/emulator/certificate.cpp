//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "certificate.hpp"

#include "openssl_pointers.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/system/system_error.hpp>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <type_traits>

namespace backbeat::emulation {

namespace {

using extension_ptr = std::unique_ptr<X509_EXTENSION, free_by<X509_EXTENSION_free>>;

[[noreturn]] void throw_openssl_error()
{
    throw boost::system::system_error(
        static_cast<int>(ERR_get_error()),
        boost::asio::error::get_ssl_category(),
        "a certificate for the emulator cannot be made");
}

// OpenSSL returns null pointers, and numbers below 1, on failure.
template <class Result>
Result checked(Result result)
{
    if constexpr (std::is_pointer_v<Result>) {
        if (!result) throw_openssl_error();
    } else {
        if (result < 1) throw_openssl_error();
    }
    return result;
}

struct subject_and_key {
    certificate_ptr certificate;
    key_ptr key;
};

void set_random_serial(X509* certificate)
{
    number_ptr const number(checked(BN_new()));
    // 127 bits: positive in DER whatever they are.
    checked(BN_rand(number.get(), 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY));
    checked(BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)));
}

subject_and_key make_subject(char const* common_name)
{
    subject_and_key made{certificate_ptr(checked(X509_new())), key_ptr(checked(EVP_EC_gen("P-256")))};
    auto* const certificate = made.certificate.get();
    checked(X509_set_version(certificate, X509_VERSION_3));
    set_random_serial(certificate);
    // From yesterday, for clients whose clock is behind.
    checked(X509_gmtime_adj(X509_getm_notBefore(certificate), -24L * 3600));
    checked(X509_gmtime_adj(X509_getm_notAfter(certificate), 365L * 24 * 3600));
    checked(X509_set_pubkey(certificate, made.key.get()));
    auto* const name = X509_get_subject_name(certificate);
    auto const add = [name](char const* field, char const* text) {
        checked(X509_NAME_add_entry_by_txt(
            name, field, MBSTRING_UTF8, reinterpret_cast<unsigned char const*>(text), -1, -1, 0));
    };
    add("O", "Backbeat emulator");
    add("CN", common_name);
    return made;
}

void add_extension(X509* certificate, X509* issuer, int kind, std::string const& value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    extension_ptr const extension(checked(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str())));
    checked(X509_add_ext(certificate, extension.get(), -1));
}

void sign(X509* certificate, subject_and_key const& issuer)
{
    checked(X509_set_issuer_name(certificate, X509_get_subject_name(issuer.certificate.get())));
    checked(X509_sign(certificate, issuer.key.get(), EVP_sha256()));
}

template <class Write>
std::string to_pem(Write write)
{
    bio_ptr const memory(checked(BIO_new(BIO_s_mem())));
    checked(write(memory.get()));
    char* data = nullptr;
    auto const size = checked(BIO_get_mem_data(memory.get(), &data));
    return {data, static_cast<std::size_t>(size)};
}

std::string certificate_pem(X509* certificate)
{
    return to_pem([certificate](BIO* memory) { return PEM_write_bio_X509(memory, certificate); });
}

std::string alternative_names(std::string const& host)
{
    std::string names = "DNS:localhost,IP:127.0.0.1,IP:::1";
    boost::system::error_code ec;
    auto const address = boost::asio::ip::make_address(host, ec);
    if (!ec) {
        if (!address.is_unspecified()) names += ",IP:" + address.to_string();
    } else if (
        !host.empty()
        && host.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789.-")
            == host.npos) {
        names += ",DNS:" + host;
    }
    return names;
}

}  // namespace

server_identity make_server_identity(std::string const& host)
{
    auto const authority = make_subject("Backbeat emulator authority");
    auto* const root = authority.certificate.get();
    add_extension(root, root, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
    add_extension(root, root, NID_key_usage, "critical,keyCertSign,cRLSign");
    add_extension(root, root, NID_subject_key_identifier, "hash");
    sign(root, authority);

    auto const server = make_subject("localhost");
    auto* const leaf = server.certificate.get();
    add_extension(leaf, root, NID_basic_constraints, "critical,CA:FALSE");
    add_extension(leaf, root, NID_key_usage, "critical,digitalSignature");
    add_extension(leaf, root, NID_ext_key_usage, "serverAuth");
    add_extension(leaf, root, NID_subject_key_identifier, "hash");
    add_extension(leaf, root, NID_authority_key_identifier, "keyid:always");
    add_extension(leaf, root, NID_subject_alt_name, alternative_names(host));
    sign(leaf, authority);

    return {certificate_pem(root), certificate_pem(leaf), to_pem([&server](BIO* memory) {
                return PEM_write_bio_PrivateKey(memory, server.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
            })};
}

}  // namespace backbeat::emulation
