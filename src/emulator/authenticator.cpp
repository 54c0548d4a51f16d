//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "authenticator.hpp"

#include "error_reply.hpp"
#include "openssl_pointers.hpp"

#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

namespace backbeat::emulation {

namespace {

namespace json = boost::json;
using std::chrono::system_clock;

constexpr std::string_view own_audience = "https://redis.googleapis.com/";
constexpr std::string_view own_scope = "https://www.googleapis.com/auth/cloud-platform";

// Clocks of client and server differ a little.
constexpr auto leeway = std::chrono::seconds(30);
constexpr auto longest_token_life = std::chrono::seconds(3600);

// RFC 4648, section 5, without padding. Empty: it is none.
std::optional<std::string> decode_base64url(std::string_view text)
{
    if (text.size() % 4 == 1) return std::nullopt;
    std::string result;
    result.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    int count = 0;
    for (char const c : text) {
        std::uint32_t value = 0;
        if (c >= 'A' && c <= 'Z') {
            value = static_cast<std::uint32_t>(c - 'A');
        } else if (c >= 'a' && c <= 'z') {
            value = static_cast<std::uint32_t>(c - 'a' + 26);
        } else if (c >= '0' && c <= '9') {
            value = static_cast<std::uint32_t>(c - '0' + 52);
        } else if (c == '-') {
            value = 62;
        } else if (c == '_') {
            value = 63;
        } else {
            return std::nullopt;
        }
        bits = (bits << 6 | value) & 0xffffffU;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        result += static_cast<char>(bits >> count & 0xffU);
    }
    if ((bits & ((1U << count) - 1U)) != 0) return std::nullopt;
    return result;
}

std::optional<json::object> decode_object(std::string_view part)
{
    auto const text = decode_base64url(part);
    if (!text) return std::nullopt;
    try {
        auto value = memorystore::parse_json(*text);
        if (auto* const object = value.if_object()) return std::move(*object);
    } catch (memorystore::json_error const&) {
        // Not JSON: as good as not an object.
    }
    return std::nullopt;
}

std::string_view text_of(json::object const& object, std::string_view name)
{
    auto const* const value = object.if_contains(name);
    auto const* const text = value ? value->if_string() : nullptr;
    return text ? std::string_view(*text) : std::string_view();
}

// Seconds since 1970, which may have a fraction.
std::optional<double> time_of(json::object const& object, std::string_view name)
{
    auto const* const value = object.if_contains(name);
    if (!value || !value->is_number()) return std::nullopt;
    return value->to_number<double>();
}

bool names_audience(json::value const& audience)
{
    if (audience.is_string()) return std::string_view(audience.get_string()) == own_audience;
    if (!audience.is_array()) return false;
    for (auto const& each : audience.get_array())
        if (each.is_string() && std::string_view(each.get_string()) == own_audience) return true;
    return false;
}

bool has_scope(std::string_view scopes)
{
    while (!scopes.empty()) {
        auto const end = scopes.find(' ');
        if (scopes.substr(0, end) == own_scope) return true;
        if (end == scopes.npos) break;
        scopes.remove_prefix(end + 1);
    }
    return false;
}

std::string problem_of_claims(json::object const& claims, system_clock::time_point now)
{
    auto const issuer = text_of(claims, "iss");
    if (issuer.empty()) return "the claim iss is missing";
    if (claims.contains("sub") && text_of(claims, "sub") != issuer) return "the claims iss and sub differ";

    auto const issued = time_of(claims, "iat");
    auto const expires = time_of(claims, "exp");
    if (!issued) return "the claim iat is missing, or is not a number";
    if (!expires) return "the claim exp is missing, or is not a number";
    using seconds = std::chrono::duration<double>;
    auto const present = std::chrono::duration_cast<seconds>(now.time_since_epoch());
    if (seconds(*issued) > present + leeway) return "it was issued in the future";
    if (seconds(*expires) + leeway < present) return "it has expired";
    if (!(*expires > *issued)) return "it expires before it is issued";
    if (*expires - *issued > std::chrono::duration<double>(longest_token_life).count())
        return "it is valid for more than an hour";

    auto const* const audience = claims.if_contains("aud");
    auto const* const scope = claims.if_contains("scope");
    if (!audience && !scope) return "it has neither the claim aud nor scope";
    if (audience && !names_audience(*audience)) return "the claim aud is not " + std::string(own_audience);
    if (scope && !has_scope(text_of(claims, "scope"))) return "the claim scope lacks " + std::string(own_scope);
    return {};
}

bool same_text(std::string_view a, std::string_view b) noexcept
{
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool starts_without_case(std::string_view text, std::string_view lower_start) noexcept
{
    if (text.size() < lower_start.size()) return false;
    for (std::size_t i = 0; i != lower_start.size(); ++i) {
        auto const c = text[i];
        if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower_start[i]) return false;
    }
    return true;
}

// Google's message says nothing of what is wrong with a token; `detail` tells whoever looks closer.
http_reply unauthenticated(bool missing, std::string detail)
{
    memorystore::rpc::error_info info;
    info.reason = missing ? "CREDENTIALS_MISSING" : "ACCESS_TOKEN_INVALID";
    info.domain = "googleapis.com";
    info.metadata = {{"service", "redis.googleapis.com"}, {"emulator", std::move(detail)}};
    std::string const expected =
        " Expected OAuth 2 access token, login cookie or other valid authentication credential. See "
        "https://developers.google.com/identity/sign-in/web/devconsole-project.";
    auto result = api_error(
                      memorystore::rpc_code::unauthenticated,
                      (missing ? "Request is missing required authentication credential."
                               : "Request had invalid authentication credentials.")
                          + expected,
                      {memorystore::any::pack(info)})
                      .reply();
    std::string challenge = R"(Bearer realm="https://accounts.google.com/")";
    if (!missing) challenge += R"(, error="invalid_token")";
    result.fields.emplace_back("WWW-Authenticate", std::move(challenge));
    return result;
}

}  // namespace

class authenticator::public_key {
public:
    explicit public_key(std::string const& pem)
    {
        auto const open = [&pem] {
            auto const size = (std::min)(pem.size(), std::size_t{(std::numeric_limits<int>::max)()});
            return bio_ptr(BIO_new_mem_buf(pem.data(), static_cast<int>(size)));
        };
        if (auto const bio = open()) key_.reset(PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
        if (auto const bio = key_ ? nullptr : open()) {
            certificate_ptr const certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
            if (certificate) key_.reset(X509_get_pubkey(certificate.get()));
        }
        ERR_clear_error();
        if (!key_ || EVP_PKEY_get_base_id(key_.get()) != EVP_PKEY_RSA)
            throw std::invalid_argument(
                "emulator_options: jwt_key must be an RSA public key, or a certificate, in PEM");
    }

    // RSASSA-PKCS1-v1_5 with SHA-256.
    [[nodiscard]] bool verifies(std::string_view text, std::string_view signature) const
    {
        std::unique_ptr<EVP_MD_CTX, free_by<EVP_MD_CTX_free>> const context(EVP_MD_CTX_new());
        auto const bytes = [](std::string_view view) { return reinterpret_cast<unsigned char const*>(view.data()); };
        auto const verified = context
            && EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1
            && EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(text), text.size()) == 1;
        // What stays in the queue of errors would be taken for an error of the next TLS connection.
        ERR_clear_error();
        return verified;
    }

private:
    key_ptr key_;
};

authenticator::authenticator(std::string bearer_token, std::string const& jwt_key)
    : bearer_token_(std::move(bearer_token)), key_(jwt_key.empty() ? nullptr : std::make_unique<public_key>(jwt_key))
{}

authenticator::~authenticator() = default;

bool authenticator::required() const noexcept
{
    return key_ || !bearer_token_.empty();
}

std::optional<http_reply> authenticator::refuse(
    std::string_view authorization, std::chrono::system_clock::time_point now) const
{
    if (!required()) return std::nullopt;
    if (authorization.empty()) return unauthenticated(true, "the header Authorization is missing");
    static constexpr std::string_view scheme = "bearer ";
    if (!starts_without_case(authorization, scheme))
        return unauthenticated(false, "the header Authorization is not 'Bearer TOKEN'");
    auto token = authorization.substr(scheme.size());
    token.remove_prefix((std::min)(token.find_first_not_of(' '), token.size()));
    if (!bearer_token_.empty() && same_text(token, bearer_token_)) return std::nullopt;
    auto const problem = key_ ? problem_of_jwt(token, now) : std::string("it is not the token that is required");
    if (problem.empty()) return std::nullopt;
    return unauthenticated(false, "the token is refused: " + problem);
}

std::string authenticator::problem_of_jwt(std::string_view token, system_clock::time_point now) const
{
    auto const first = token.find('.');
    auto const second = first == token.npos ? first : token.find('.', first + 1);
    if (second == token.npos || token.find('.', second + 1) != token.npos) return "it is not a JWT";
    auto const header = decode_object(token.substr(0, first));
    auto const claims = decode_object(token.substr(first + 1, second - first - 1));
    auto const signature = decode_base64url(token.substr(second + 1));
    if (!header || !claims || !signature) return "it is not a JWT";
    // Never what the token itself would like: `none`, or HMAC with the public key as the secret.
    if (text_of(*header, "alg") != "RS256") return "its algorithm is not RS256";
    if (!key_->verifies(token.substr(0, second), *signature)) return "its signature does not verify";
    return problem_of_claims(*claims, now);
}

}  // namespace backbeat::emulation
