//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "origin.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/scheme.hpp>
#include <boost/url/url_view.hpp>

#include <charconv>
#include <stdexcept>
#include <string>
#include <system_error>

namespace backbeat::http::detail {

namespace {

[[noreturn]] void refuse(std::string_view url, std::string_view why)
{
    throw std::invalid_argument(
        "the URL '" + std::string(url) + "' " + std::string(why) + "; write it like https://host or http://host:8080");
}

}  // namespace

origin parse_origin(std::string_view url)
{
    namespace urls = boost::urls;
    if (url.empty()) throw std::invalid_argument("the URL is empty; write it like https://host or http://host:8080");
    auto const parsed = urls::parse_uri({url.data(), url.size()});
    if (!parsed) {
        if (url.find("://") == std::string_view::npos) refuse(url, "has no scheme");
        refuse(url, "is malformed");
    }
    auto const& view = *parsed;
    if (view.scheme_id() != urls::scheme::http && view.scheme_id() != urls::scheme::https)
        refuse(url, "has the scheme '" + std::string(view.scheme()) + "', and only http and https are spoken");
    if (!view.has_authority() || view.host_type() == urls::host_type::none || view.encoded_host().empty())
        refuse(url, "has no host");
    if (view.has_userinfo()) refuse(url, "has a user name, which belongs into a header field");
    // Boost.URL 1.81 takes the rest of a malformed port for a path.
    if (!view.encoded_path().empty() && !view.encoded_path().starts_with('/')) refuse(url, "is malformed");
    if (!view.encoded_path().empty() && view.encoded_path() != "/")
        refuse(url, "has a path, which belongs into the target of each request");
    if (view.has_query()) refuse(url, "has a query, which belongs into the target of each request");
    if (view.has_fragment()) refuse(url, "has a fragment, which a server never sees");
    if (view.host_type() == urls::host_type::ipvfuture) refuse(url, "has an address of an unknown kind");

    // Decoded, an encoded host could smuggle anything into the header field.
    std::string const encoded(view.encoded_host());
    if (view.host_type() == urls::host_type::name
        && encoded.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "abcdefghijklmnopqrstuvwxyz"
                                     "0123456789-._")
            != std::string::npos)
        refuse(url, "has a host name with characters other than letters, digits, '-', '.' and '_'");

    origin result;
    result.tls = view.scheme_id() == urls::scheme::https;
    result.is_address = view.host_type() != urls::host_type::name;
    result.host = std::string(view.host_address());
    auto const default_port = static_cast<std::uint16_t>(result.tls ? 443 : 80);
    result.port = default_port;
    if (view.has_port() && !view.port().empty()) {
        // Not Boost.URL's own number, which 1.81 takes modulo 65536.
        std::string const digits(view.port());
        auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), result.port);
        if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || result.port == 0)
            refuse(url, "has a port that is not between 1 and 65535");
    }
    result.host_field = encoded;
    if (result.port != default_port) result.host_field += ':' + std::to_string(result.port);
    return result;
}

}  // namespace backbeat::http::detail
