//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "authenticator.hpp"
#include "emulator_client.hpp"

#include <backbeat/emulator.hpp>

#include <boost/json/parse.hpp>

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace backbeat::emulation {

namespace {

using namespace std::chrono_literals;

std::string base64url(std::string_view bytes)
{
    static constexpr char const* all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string text;
    unsigned bits = 0;
    int count = 0;
    for (char const c : bytes) {
        bits = (bits << 8 | static_cast<unsigned char>(c)) & 0xffffffU;
        for (count += 8; count >= 6; count -= 6) text += all[bits >> (count - 6) & 63U];
    }
    if (count != 0) text += all[bits << (6 - count) & 63U];
    return text;
}

class key_pair {
public:
    explicit key_pair(char const* type = "RSA")
        : key_(type == std::string_view("RSA") ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256"), &EVP_PKEY_free)
    {}

    [[nodiscard]] std::string public_pem() const
    {
        std::unique_ptr<BIO, decltype(&BIO_vfree)> const bio(BIO_new(BIO_s_mem()), &BIO_vfree);
        PEM_write_bio_PUBKEY(bio.get(), key_.get());
        char* data = nullptr;
        auto const size = BIO_get_mem_data(bio.get(), &data);
        return {data, static_cast<std::size_t>(size)};
    }

    [[nodiscard]] std::string sign(std::string const& text, EVP_MD const* digest = EVP_sha256()) const
    {
        std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> const context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
        std::string signature(512, '\0');
        auto size = signature.size();
        auto* const out = reinterpret_cast<unsigned char*>(signature.data());
        auto const* const in = reinterpret_cast<unsigned char const*>(text.data());
        EXPECT_EQ(EVP_DigestSignInit(context.get(), nullptr, digest, nullptr, key_.get()), 1);
        EXPECT_EQ(EVP_DigestSign(context.get(), out, &size, in, text.size()), 1);
        signature.resize(size);
        return signature;
    }

    [[nodiscard]] std::string jwt(
        std::string const& claims, std::string const& header = R"({"alg":"RS256","typ":"JWT","kid":"k"})") const
    {
        auto const text = base64url(header) + "." + base64url(claims);
        return text + "." + base64url(sign(text));
    }

private:
    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
};

// Making a key takes a tenth of a second and more in instrumented builds.
key_pair const& own_key()
{
    static key_pair const key;
    return key;
}

constexpr std::chrono::system_clock::time_point now(1'800'000'000s);
constexpr char const* scope = R"("scope":"https://www.googleapis.com/auth/cloud-platform")";

// The claims of a token that was issued so many seconds after `now` and expires so many after it.
std::string claims(int issued, int expires, std::string const& more = scope)
{
    return R"({"iss":"a@b","sub":"a@b","iat":)" + std::to_string(1'800'000'000 + issued) + R"(,"exp":)"
        + std::to_string(1'800'000'000 + expires) + "," + more + "}";
}

// "accepted", or what is wrong with the credentials.
std::string verdict(authenticator const& guard, std::string const& authorization)
{
    auto const refused = guard.refuse(authorization, now);
    if (!refused) return "accepted";
    EXPECT_EQ(refused->status, 401);
    auto const error = boost::json::parse(refused->body).at("error");
    EXPECT_EQ(error.at("status").as_string(), "UNAUTHENTICATED");
    EXPECT_EQ(error.at("code").as_int64(), 401);
    EXPECT_EQ(refused->fields.at(0).first, "WWW-Authenticate");
    return std::string(error.at("details").at(0).at("metadata").at("emulator").as_string());
}

TEST(emulator_authenticator, asks_nobody_for_anything_unless_told_to)
{
    authenticator const open({}, {});
    EXPECT_FALSE(open.required());
    EXPECT_EQ(verdict(open, ""), "accepted");
    EXPECT_EQ(verdict(open, "Bearer whatever"), "accepted");
}

TEST(emulator_authenticator, takes_the_required_token_and_no_other)
{
    authenticator const guard("secret", {});
    EXPECT_EQ(verdict(guard, "Bearer secret"), "accepted");
    EXPECT_EQ(verdict(guard, "bearer  secret"), "accepted");
    EXPECT_EQ(verdict(guard, ""), "the header Authorization is missing");
    EXPECT_EQ(verdict(guard, "Basic secret"), "the header Authorization is not 'Bearer TOKEN'");
    for (auto const* wrong : {"Bearer secre", "Bearer secrets", "Bearer ", "Bearer a.b.c", "Bearer Secret"})
        EXPECT_EQ(verdict(guard, wrong), "the token is refused: it is not the token that is required") << wrong;
    EXPECT_EQ(guard.refuse("", now)->fields.at(0).second, R"(Bearer realm="https://accounts.google.com/")");
    EXPECT_EQ(
        guard.refuse("Bearer x", now)->fields.at(0).second,
        R"(Bearer realm="https://accounts.google.com/", error="invalid_token")");
}

TEST(emulator_authenticator, takes_the_jwts_of_service_accounts)
{
    auto const& key = own_key();
    authenticator const guard({}, key.public_pem());
    auto const ends_as = [&](std::string const& token) { return verdict(guard, "Bearer " + token); };
    std::string const refused = "the token is refused: ";
    EXPECT_EQ(ends_as(key.jwt(claims(0, 3600))), "accepted");
    EXPECT_EQ(ends_as(key.jwt(claims(-3600, 0))), "accepted");
    EXPECT_EQ(ends_as(key.jwt(claims(-3600, -29, R"("aud":"https://redis.googleapis.com/")"))), "accepted");
    EXPECT_EQ(ends_as(key.jwt(claims(29, 3600, R"("aud":["x","https://redis.googleapis.com/"])"))), "accepted");
    EXPECT_EQ(
        ends_as(key.jwt(claims(0, 60, R"("scope":"email https://www.googleapis.com/auth/cloud-platform openid")"))),
        "accepted");

    struct expected {
        std::string claims;
        char const* problem;
    } const table[] = {
        {claims(-3600, -31), "it has expired"},
        {claims(31, 3600), "it was issued in the future"},
        {claims(0, 3601), "it is valid for more than an hour"},
        {claims(0, 0), "it expires before it is issued"},
        {claims(0, 60, R"("x":1)"), "it has neither the claim aud nor scope"},
        {claims(0, 60, R"("aud":"https://redis.googleapis.com")"),
         "the claim aud is not https://redis.googleapis.com/"},
        {claims(0, 60, R"("aud":7)"), "the claim aud is not https://redis.googleapis.com/"},
        {claims(0, 60, R"("scope":"https://www.googleapis.com/auth/cloud-platform.read-only")"),
         "the claim scope lacks https://www.googleapis.com/auth/cloud-platform"},
        {claims(0, 60, std::string(scope) + R"(,"aud":"https://example.com/")"),
         "the claim aud is not https://redis.googleapis.com/"},
        {R"({"iss":"a","sub":"b","iat":1800000000,"exp":1800000060})", "the claims iss and sub differ"},
        {R"({"iat":1800000000,"exp":1800000060})", "the claim iss is missing"},
        {R"({"iss":"a","exp":1800000060})", "the claim iat is missing, or is not a number"},
        {R"({"iss":"a","iat":1800000000})", "the claim exp is missing, or is not a number"},
        {R"({"iss":"a","iat":1800000000,"exp":"1800000060"})", "the claim exp is missing, or is not a number"},
        {R"({"iss":"a","iat":-1e308,"exp":1e308})", "it is valid for more than an hour"},
        {"[]", "it is not a JWT"},
        {"{", "it is not a JWT"},
        {std::string(100'000, '['), "it is not a JWT"},
    };
    for (auto const& [text, problem] : table) EXPECT_EQ(ends_as(key.jwt(text)), refused + problem) << text;
}

TEST(emulator_authenticator, is_not_fooled_about_the_signature)
{
    auto const& key = own_key();
    authenticator const guard({}, key.public_pem());
    auto const ends_as = [&](std::string const& token) { return verdict(guard, "Bearer " + token); };
    auto const good = key.jwt(claims(0, 3600));
    ASSERT_EQ(ends_as(good), "accepted");
    std::string const broken = "the token is refused: its signature does not verify";
    std::string const none = "the token is refused: it is not a JWT";
    std::string const algorithm = "the token is refused: its algorithm is not RS256";

    EXPECT_EQ(ends_as(key_pair().jwt(claims(0, 3600))), broken) << "another key";
    auto const first = good.find('.');
    auto const second = good.rfind('.');
    EXPECT_EQ(ends_as(good.substr(0, first + 1) + base64url(claims(0, 3599)) + good.substr(second)), broken);
    EXPECT_EQ(ends_as(good.substr(0, second + 1)), broken) << "an empty signature";
    EXPECT_EQ(ends_as(good.substr(0, second)), none);
    EXPECT_EQ(ends_as(good + ".x"), none);
    EXPECT_EQ(ends_as(good + "="), none);
    EXPECT_EQ(ends_as(".."), none);
    EXPECT_EQ(ends_as(good.substr(0, second + 1) + good.substr(second + 5)), broken);
    for (auto const* header : {R"({"alg":"none"})", R"({"alg":"HS256"})", R"({"alg":"RS384"})", R"({"typ":"JWT"})"})
        EXPECT_EQ(ends_as(key.jwt(claims(0, 3600), header)), algorithm) << header;

    // The known trick: HMAC whose secret is the public key, under the name that is expected.
    auto const text = good.substr(0, second);
    auto const secret = key.public_pem();
    unsigned char mac[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    HMAC(
        EVP_sha256(),
        secret.data(),
        static_cast<int>(secret.size()),
        reinterpret_cast<unsigned char const*>(text.data()),
        text.size(),
        mac,
        &size);
    EXPECT_EQ(ends_as(text + "." + base64url({reinterpret_cast<char const*>(mac), size})), broken);
}

TEST(emulator_authenticator, takes_either_where_both_are_set_and_refuses_keys_that_are_none)
{
    authenticator const guard("secret", own_key().public_pem());
    EXPECT_EQ(verdict(guard, "Bearer secret"), "accepted");
    EXPECT_EQ(verdict(guard, "Bearer " + own_key().jwt(claims(0, 60))), "accepted");
    EXPECT_EQ(verdict(guard, "Bearer other"), "the token is refused: it is not a JWT");
    EXPECT_THROW(authenticator({}, "nonsense"), std::invalid_argument);
    EXPECT_THROW(authenticator({}, key_pair("EC").public_pem()), std::invalid_argument);
}

TEST(emulator_authentication, stands_before_everything_but_the_emulators_own_paths)
{
    emulator_options options;
    options.required_token = "secret";
    options.quota = request_quota(1, 1h);
    options.faults = {parse_fault_rule("status=418 first=1")};
    emulator google(options);
    test::emulator_client client(google.url());
    constexpr char const* list = "/v1/projects/p/locations/-/instances";
    for (int i = 0; i != 3; ++i) {
        auto const reply = client.get(list);
        EXPECT_EQ(reply.status, 401);
        EXPECT_EQ(reply.fields["WWW-Authenticate"], R"(Bearer realm="https://accounts.google.com/")");
    }
    EXPECT_EQ(client.send("GET", list, {}, "Authorization: Bearer secret\r\n").status, 418);
    EXPECT_EQ(client.send("GET", list, {}, "Authorization: Bearer secret\r\n").status, 429);
    EXPECT_EQ(google.requests().at(0).status, 401);
    EXPECT_EQ(google.requests().at(0).fault, std::nullopt);
    EXPECT_EQ(google.faults_fired(), std::vector<std::uint64_t>{1});
    auto const metrics = client.get("/emulator/v1/metrics");
    EXPECT_EQ(metrics.status, 200);
    EXPECT_NE(metrics.body.find("backbeat_emulator_unauthenticated_requests_total 3\n"), std::string::npos);
}

}  // namespace

}  // namespace backbeat::emulation
