//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "instance_certificate.hpp"

#include "certificate.hpp"
#include "openssl_pointers.hpp"

#include <backbeat/memorystore/timestamp.hpp>

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <chrono>
#include <ctime>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

namespace backbeat::emulation {

namespace {

struct free_text {
    void operator()(char* text) const noexcept { OPENSSL_free(text); }
};

std::optional<memorystore::timestamp> timestamp_of(ASN1_TIME const* time)
{
    std::tm parts{};
    if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
    auto const date = std::chrono::year(parts.tm_year + 1900) / (parts.tm_mon + 1) / parts.tm_mday;
    auto const of_day =
        std::chrono::hours(parts.tm_hour) + std::chrono::minutes(parts.tm_min) + std::chrono::seconds(parts.tm_sec);
    return memorystore::timestamp(std::chrono::sys_days(date) + of_day);
}

}  // namespace

memorystore::tls_certificate make_instance_authority()
{
    memorystore::tls_certificate result;
    result.cert = make_server_identity("localhost").authority;
    bio_ptr const memory(BIO_new_mem_buf(result.cert.data(), static_cast<int>(result.cert.size())));
    certificate_ptr const certificate(memory ? PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr) : nullptr);
    if (!certificate) throw std::bad_alloc();

    number_ptr const serial(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate.get()), nullptr));
    std::unique_ptr<char, free_text> const digits(serial ? BN_bn2dec(serial.get()) : nullptr);
    if (digits) result.serial_number = digits.get();
    result.create_time = timestamp_of(X509_get0_notBefore(certificate.get()));
    result.expire_time = timestamp_of(X509_get0_notAfter(certificate.get()));

    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    X509_digest(certificate.get(), EVP_sha1(), digest.data(), &size);
    static constexpr std::string_view hex = "0123456789abcdef";
    for (unsigned i = 0; i != size; ++i) {
        if (i != 0) result.sha1_fingerprint += ':';
        result.sha1_fingerprint += hex[digest[i] >> 4];
        result.sha1_fingerprint += hex[digest[i] & 15U];
    }
    return result;
}

}  // namespace backbeat::emulation
