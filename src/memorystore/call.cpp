//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "call.hpp"

#include <boost/url/encode.hpp>
#include <boost/url/rfc/pchars.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace backbeat::memorystore::detail {

namespace {

std::string path_of(std::string_view name)
{
    std::string result = "/v1";
    while (!name.empty()) {
        auto const end = std::min(name.find('/'), name.size());
        result += '/';
        result += boost::urls::encode(boost::core::string_view(name.data(), end), boost::urls::pchars);
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return result;
}

}  // namespace

call call_of(http::verb method, std::string_view parameter, std::string_view name, std::string action)
{
    call result;
    result.method = method;
    result.target = path_of(name);
    result.routing.append(parameter).append("=");
    result.routing +=
        boost::urls::encode(boost::core::string_view(name.data(), name.size()), boost::urls::unreserved_chars);
    result.action = std::move(action);
    return result;
}

void add_parameter(std::string& target, std::string_view key, std::string_view value)
{
    target += target.find('?') == std::string::npos ? '?' : '&';
    target.append(key).append("=");
    target += boost::urls::encode(boost::core::string_view(value.data(), value.size()), boost::urls::unreserved_chars);
}

call get_of(std::string_view noun, std::string_view name)
{
    return call_of(http::verb::get, "name", name, "getting " + std::string(noun) + " '" + std::string(name) + "'");
}

call list_of(std::string_view parent, std::string_view collection, page_request const& page)
{
    if (!page.filter.empty())
        throw std::invalid_argument(
            "a filter is given, but this method of the API has none; only lists of locations and of operations have one");
    return filtered_list_of("parent", parent, collection, page);
}

call filtered_list_of(
    std::string_view parameter, std::string_view parent, std::string_view collection, page_request const& page)
{
    if (page.page_size < 0)
        throw std::invalid_argument(
            "page_size is " + std::to_string(page.page_size) + "; it must be zero (as the service likes) or more");
    auto action = "listing the " + std::string(collection) + " of '" + std::string(parent) + "'";
    auto result = call_of(http::verb::get, parameter, parent, std::move(action));
    result.target.append("/").append(collection);
    if (!page.filter.empty()) add_parameter(result.target, "filter", page.filter);
    if (page.page_size != 0) add_parameter(result.target, "pageSize", std::to_string(page.page_size));
    if (!page.page_token.empty()) add_parameter(result.target, "pageToken", page.page_token);
    return result;
}

void check_one_location(std::string const& location, std::string_view name)
{
    if (location == "-")
        throw std::invalid_argument(
            "'" + std::string(name) + "' stands for all locations; only a list can be asked of all of them");
}

}  // namespace backbeat::memorystore::detail
