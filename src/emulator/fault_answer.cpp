//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "fault_answer.hpp"

#include "error_reply.hpp"

#include <backbeat/memorystore/any.hpp>
#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <utility>

namespace backbeat::emulation {

namespace json = boost::json;

http_reply fault_answer(fault_rule const& rule)
{
    auto reply = fault_reply(rule);
    if (!rule.retry_info) return reply;
    memorystore::rpc::retry_info info;
    info.retry_delay = memorystore::duration(*rule.retry_info);
    auto document = json::parse(reply.body);
    auto& details = document.at("error").as_object()["details"];
    if (!details.is_array()) details = json::array();
    details.get_array().emplace_back(memorystore::any::pack(info).content);
    reply.body = json::serialize(document);
    return reply;
}

}  // namespace backbeat::emulation
