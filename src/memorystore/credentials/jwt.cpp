//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "jwt.hpp"

#include "base64.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <cstdint>

namespace backbeat::memorystore::detail {

namespace {

namespace json = boost::json;
using std::chrono::system_clock;

std::string text_of(json::object const& object)
{
    return json::serialize(object);
}

json::string_view view(std::string_view text)
{
    return {text.data(), text.size()};
}

json::object claims_of(service_account const& key, system_clock::time_point now)
{
    std::int64_t const issued = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
    json::object result;
    result["iss"] = view(key.email);
    result["iat"] = issued;
    result["exp"] = issued + std::int64_t{jwt_lifetime.count()};
    return result;
}

// RFC 7515, section 3.1.
std::string sign(service_account const& key, json::object const& claims)
{
    json::object header;
    header["alg"] = "RS256";
    header["typ"] = "JWT";
    if (!key.key_id.empty()) header["kid"] = view(key.key_id);
    auto const text = encode_base64url(text_of(header)) + "." + encode_base64url(text_of(claims));
    return text + "." + encode_base64url(key.key.sign(text));
}

}  // namespace

std::string self_signed_jwt(service_account const& key, std::string_view scope, system_clock::time_point now)
{
    auto claims = claims_of(key, now);
    claims["sub"] = view(key.email);
    claims["scope"] = view(scope);
    return sign(key, claims);
}

std::string assertion(
    service_account const& key, std::string_view scope, std::string_view subject, system_clock::time_point now)
{
    auto claims = claims_of(key, now);
    claims["aud"] = view(key.audience);
    claims["scope"] = view(scope);
    if (!subject.empty()) claims["sub"] = view(subject);
    return sign(key, claims);
}

}  // namespace backbeat::memorystore::detail
