//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "request_replay.hpp"

#include "error_reply.hpp"
#include "query_parameters.hpp"
#include "stable_hash.hpp"

#include <string_view>
#include <utility>

namespace backbeat::emulation {

namespace {

// The id itself, and what says how to answer, not what to do: clients may change that from one copy of a request to the
// next.
bool says_nothing(std::string_view name) noexcept
{
    return name == "requestId" || name == "request_id" || is_system_parameter(name);
}

std::uint64_t fingerprint_of(api_call const& call)
{
    // The sum, because the order of parameters means nothing.
    std::uint64_t parameters = 0;
    for (auto const& [name, value] : call.target.parameters)
        if (!says_nothing(name)) parameters += stable_hash{}.add(name).add(value).value();
    return stable_hash{}.add(call.request.method).add(call.target.path).add(parameters).add(call.request.body).value();
}

// The text of a UUID in lower case. Empty: it is none, or the zero one, which the API does not take.
std::string canonical_uuid(std::string_view text)
{
    constexpr std::string_view shape = "00000000-0000-0000-0000-000000000000";
    std::string result;
    if (text.size() != shape.size()) return result;
    for (std::size_t i = 0; i != shape.size(); ++i) {
        auto c = text[i];
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
        auto const is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        if (shape[i] == '-' ? c != '-' : !is_hex) return {};
        result += c;
    }
    return result == shape ? std::string() : result;
}

}  // namespace

boost::json::object request_replay::once(api_call const& call, std::function<boost::json::object()> const& carry_out)
{
    auto const* const id = call.target.field("requestId");
    if (id == nullptr || id->empty()) return carry_out();
    auto const uuid = canonical_uuid(*id);
    if (uuid.empty()) throw bad_field("requestId", "The request id must be a UUID other than the zero one.");

    auto const now = clock_.now();
    auto const forget_oldest = [this] {
        known_.erase(ages_.front().key);
        ages_.pop_front();
    };
    while (!ages_.empty() && now - ages_.front().since >= lifetime) forget_oldest();

    auto const key = call.location_name() + '/' + uuid;
    auto const fingerprint = fingerprint_of(call);
    if (auto const found = known_.find(key); found != known_.end()) {
        if (found->second.fingerprint != fingerprint)
            throw bad_field("requestId", "The request id '" + uuid + "' was used for a different request.");
        auto const& operation = found->second.operation;
        auto current = operations_.find(std::string(operation.at("name").as_string()));
        if (current) return std::move(*current);
        return operation;
    }
    auto operation = carry_out();
    if (ages_.size() >= maximum_ids) forget_oldest();
    known_.emplace(key, known_request{fingerprint, operation});
    ages_.push_back({now, key});
    return operation;
}

void request_replay::clear()
{
    known_.clear();
    ages_.clear();
}

}  // namespace backbeat::emulation
