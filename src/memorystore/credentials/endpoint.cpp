//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "endpoint.hpp"

#include "failure.hpp"

#include <boost/url/host_type.hpp>
#include <boost/url/ipv4_address.hpp>
#include <boost/url/ipv6_address.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/scheme.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace backbeat::memorystore::detail {

namespace {

namespace urls = boost::urls;

std::string lower(std::string text)
{
    for (auto& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool is_this_machine(urls::url_view const& url)
{
    switch (url.host_type()) {
    case urls::host_type::ipv4: return url.host_ipv4_address().is_loopback();
    case urls::host_type::ipv6: return url.host_ipv6_address().is_loopback();
    case urls::host_type::name: return lower(std::string(url.encoded_host())) == "localhost";
    default: return false;
    }
}

bool is_metadata_server(urls::url_view const& url)
{
    switch (url.host_type()) {
    case urls::host_type::ipv4: return url.host_ipv4_address() == urls::ipv4_address("169.254.169.254");
    case urls::host_type::ipv6: return url.host_ipv6_address() == urls::ipv6_address("fd20:ce::254");
    case urls::host_type::name: return lower(std::string(url.encoded_host())) == "metadata.google.internal";
    default: return false;
    }
}

void check_host(urls::url_view const& url)
{
    if (!url.has_authority() || url.encoded_host().empty()) throw std::invalid_argument("has no host");
    if (url.has_userinfo()) throw std::invalid_argument("has a user name, which does not belong there");
    if (url.host_type() == urls::host_type::ipvfuture) throw std::invalid_argument("has an address of an unknown kind");
    std::string const host(url.encoded_host());
    auto const in_a_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.'
            || c == '_';
    };
    if (url.host_type() == urls::host_type::name && !std::all_of(host.begin(), host.end(), in_a_name))
        throw std::invalid_argument("has a host name with characters other than letters, digits, '-', '.' and '_'");
    if (!url.has_port() || url.port().empty()) return;
    // Not Boost.URL's own number, which 1.81 takes modulo 65536.
    std::string const digits(url.port());
    std::uint16_t port = 0;
    auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || port == 0)
        throw std::invalid_argument("has a port that is not between 1 and 65535");
}

}  // namespace

endpoint parse_endpoint(std::string_view url, clear_text allowed)
{
    auto const parsed = urls::parse_uri({url.data(), url.size()});
    if (!parsed) throw std::invalid_argument("is no URL");
    auto const& view = *parsed;
    bool const tls = view.scheme_id() == urls::scheme::https;
    if (!tls && view.scheme_id() != urls::scheme::http)
        throw std::invalid_argument("has the scheme '" + printable(std::string(view.scheme()), 20) + "'");
    check_host(view);
    if (view.has_fragment()) throw std::invalid_argument("has a fragment, which a server never sees");
    std::string path(view.encoded_path());
    // Boost.URL 1.81 takes the rest of a malformed port for a path.
    if (!path.empty() && path.front() != '/') throw std::invalid_argument("is no URL");

    std::string const host(view.encoded_host());
    if (!tls && allowed != clear_text::anywhere && !is_this_machine(view)
        && (allowed == clear_text::to_this_machine || !is_metadata_server(view)))
        throw std::invalid_argument(
            "would send secrets to '" + printable(host, 100)
            + "' in clear text; only this machine may be reached by http");

    endpoint result;
    result.origin = (tls ? "https://" : "http://") + host;
    if (view.has_port() && !view.port().empty()) result.origin += ":" + std::string(view.port());
    result.target = path.empty() ? "/" : path;
    if (view.has_query()) result.target += "?" + std::string(view.encoded_query());
    return result;
}

}  // namespace backbeat::memorystore::detail
