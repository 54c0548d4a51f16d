//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "request_id.hpp"

#include "in_quotes.hpp"

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace backbeat::memorystore::detail {

namespace {

bool is_uuid(std::string_view text)
{
    constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    auto const fits = [](char c, char wanted) {
        if (wanted == '-') return c == '-';
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    return std::equal(text.begin(), text.end(), form.begin(), form.end(), fits);
}

}  // namespace

std::string random_uuid()
{
    return boost::uuids::to_string(boost::uuids::random_generator()());
}

std::string request_id_of(call_options const& options)
{
    auto const& given = options.request_id;
    if (given.empty()) return random_uuid();
    if (!is_uuid(given) || given.find_first_not_of("0-") == std::string::npos)
        throw std::invalid_argument(
            in_quotes(given) + " is no request id; it must be a UUID other than zero, such as " + random_uuid());
    return given;
}

void check_no_request_id(call_options const& options)
{
    if (!options.request_id.empty())
        throw std::invalid_argument(
            "a request id is given, but this method of the API has none; only creating, updating and deleting clusters "
            "and deleting backups have one");
}

}  // namespace backbeat::memorystore::detail
