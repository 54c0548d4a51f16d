//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_ROUTE_TABLE_HPP
#define BACKBEAT_SRC_EMULATOR_ROUTE_TABLE_HPP

#include "api_call.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace backbeat::emulation {

// The methods of the API, by request method and path.
class route_table {
public:
    using function = std::function<boost::json::object(api_call const&)>;

    // A pattern is like `v1/projects/{}/locations/{}/instances/{}:failover`: braces stand for one segment, the last
    // of which leaves what follows a colon, the custom verb, to the pattern. Patterns outlive the table.
    void add(std::string_view method, std::string_view pattern, function carry_out);

    // Is asked before each method is carried out, after those that were added before it, and throws api_error to refuse
    // it.
    void guard(std::function<void(api_call const&)> check);

    // Carries out the method that the request asks for, and returns the message to answer with. HEAD is as GET.
    // Throws api_error, also where there is no such method: as 404 whether the path or the request method is wrong,
    // because Google's front end knows methods by both together.
    [[nodiscard]] boost::json::object carry_out(
        http_request const& request,
        request_target const& target,
        std::function<void(emulator_effect)> const& record) const;

private:
    struct entry {
        std::string_view method;
        std::string_view pattern;
        function carry_out;
    };

    std::vector<entry> routes_;
    std::vector<std::function<void(api_call const&)>> checks_;
};

}  // namespace backbeat::emulation

#endif
