//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/status.hpp>

#include <algorithm>
#include <utility>

namespace backbeat::memorystore {

namespace json = boost::json;

namespace {

class memorystore_category_type final : public boost::system::error_category {
public:
    constexpr memorystore_category_type() noexcept : error_category(0x6261636b6d656d6f) {}

    [[nodiscard]] char const* name() const noexcept override { return "backbeat.memorystore"; }

    [[nodiscard]] std::string message(int value) const override
    {
        switch (static_cast<errc>(value)) {
        case errc::invalid_argument: return "an argument breaks a rule of the API; nothing was sent";
        case errc::malformed_response: return "the server's answer cannot be read";
        case errc::outcome_unknown: return "the change may or may not have been carried out";
        case errc::still_running: return "the operation is still running";
        case errc::no_credentials: return "there are no credentials";
        case errc::bad_credentials: return "the credentials cannot be used";
        case errc::credentials_refused: return "the credentials were refused";
        case errc::not_a_metadata_server: return "what answers is no metadata server";
        }
        return "unknown error " + std::to_string(value);
    }
};

constexpr memorystore_category_type the_memorystore_category;

// What a server says may be anything. In a sentence it is one line of bounded length that no terminal acts upon.
std::string one_line(std::string_view text)
{
    constexpr std::size_t limit = 1000;
    std::string result;
    for (char const c : text) {
        if (result.size() == limit) {
            while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0U) == 0x80U) result.pop_back();
            if (!result.empty() && static_cast<unsigned char>(result.back()) >= 0xC0U) result.pop_back();
            return result + "...";
        }
        bool const blank = static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
        if (!blank)
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    }
    if (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

std::string text_of(json::value const* value)
{
    if (value == nullptr || !value->is_string()) return {};
    return {value->get_string().data(), value->get_string().size()};
}

// What is inside of <title>...</title>; "" if there is none.
std::string title_of(std::string_view page)
{
    std::string lower(page.substr(0, 4096));
    for (auto& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    auto const tag = lower.find("<title");
    if (tag == std::string::npos) return {};
    auto const start = lower.find('>', tag);
    if (start == std::string::npos) return {};
    auto const end = lower.find("</title", start);
    if (end == std::string::npos) return {};
    return one_line(page.substr(start + 1, end - start - 1));
}

bool looks_like_html(std::string_view body)
{
    auto const start = body.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || body[start] != '<') return false;
    return !title_of(body).empty() || body.find("<html") != std::string_view::npos
        || body.find("<HTML") != std::string_view::npos || body.substr(start, 2) == "<!";
}

// As far as it can be read.
error_body read_error(json::object const& source)
{
    error_body result;
    try {
        from_json(source, result);
        return result;
    } catch (json_error const&) {}
    result = error_body();
    result.message = text_of(source.if_contains("message"));
    result.status = text_of(source.if_contains("status"));
    if (auto const* const details = source.if_contains("details"); details != nullptr && details->is_array())
        for (auto const& each : details->get_array())
            if (each.is_object()) result.details.emplace_back(each.get_object());
    return result;
}

error_body read_json(json::value const& body)
{
    auto const* source = &body;
    if (source->is_array() && !source->get_array().empty()) source = &source->get_array().front();
    error_body result;
    if (!source->is_object()) {
        result.message = "the body is JSON that describes no error";
        return result;
    }
    auto const& object = source->get_object();
    auto const* const inner = object.if_contains("error");
    if (inner != nullptr && inner->is_object()) return read_error(inner->get_object());
    if (inner != nullptr && inner->is_string()) {
        result.message = text_of(inner);
        if (auto const description = text_of(object.if_contains("error_description")); !description.empty())
            result.message += ": " + description;
        return result;
    }
    result.message = text_of(object.if_contains("message"));
    if (result.message.empty()) result.message = "the body is JSON that describes no error";
    return result;
}

error_body read_body(std::string_view body)
{
    error_body result;
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        result.message = "the answer has no body";
        return result;
    }
    if (looks_like_html(body)) {
        auto const title = title_of(body);
        result.message =
            title.empty() ? "the answer is a page of HTML" : "the answer is a page of HTML titled '" + title + "'";
        return result;
    }
    try {
        return read_json(parse_json(body));
    } catch (json_error const&) {
        // Of a long text that nobody understands the start is enough.
        result.message = body.substr(0, 4096);
        return result;
    }
}

// The fields that are wrong, unless the message says it already.
std::string violations(error_facts const& facts)
{
    std::string result;
    auto const add = [&](std::string const& subject, std::string const& description) {
        if (description.empty() || facts.message.find(description) != std::string::npos) return;
        result += result.empty() ? " (" : "; ";
        if (!subject.empty()) result += one_line(subject) + ": ";
        result += one_line(description);
    };
    for (auto const& each : facts.details) {
        try {
            if (auto const request = each.unpack<rpc::bad_request>())
                for (auto const& violation : request->field_violations) add(violation.field, violation.description);
            if (auto const failure = each.unpack<rpc::precondition_failure>())
                for (auto const& violation : failure->violations) add(violation.subject, violation.description);
        } catch (json_error const&) {}
    }
    if (!result.empty()) result += ')';
    return result;
}

}  // namespace

boost::system::error_category const& memorystore_category() noexcept
{
    return the_memorystore_category;
}

error::error(boost::system::error_code code, error_facts facts)
    : boost::system::system_error(code), facts_(std::make_shared<error_facts const>(std::move(facts)))
{}

error error::from_response(unsigned http_status, std::string_view body)
{
    auto read = read_body(body);
    error_facts facts;
    facts.http_status = http_status;
    facts.message = std::move(read.message);
    facts.details = std::move(read.details);

    auto code = rpc_code_named(read.status);
    // A body that says "OK" beside a status that is an error is wrong about one of them.
    if (!code || *code == rpc_code::ok) code = rpc_code_of_status(http_status);
    if (*code == rpc_code::ok) code = rpc_code::unknown;
    auto const name = rpc_code_named(read.status) || read.status.empty() ? to_string(*code) : one_line(read.status);
    auto said = one_line(facts.message);
    if (said.empty()) said = "the server does not say why";
    facts.sentence = name + " (HTTP " + std::to_string(http_status) + "): " + said + violations(facts);
    return {*code, std::move(facts)};
}

error error::from_operation(operation const& failed)
{
    error_facts facts;
    facts.operation_name = failed.name;
    auto code = rpc_code::unknown;
    if (failed.error) {
        code = static_cast<rpc_code>(failed.error->code);
        if (code == rpc_code::ok) code = rpc_code::unknown;
        facts.message = failed.error->message;
        facts.details = failed.error->details;
    }
    auto said = one_line(facts.message);
    if (said.empty()) said = "the server does not say why";
    facts.sentence = to_string(code) + ": " + said + violations(facts);
    if (!failed.name.empty()) facts.sentence += " (operation '" + one_line(failed.name) + "')";
    return {code, std::move(facts)};
}

std::optional<rpc_code> error::canonical_code() const noexcept
{
    if (code().category() != rpc_category()) return {};
    return static_cast<rpc_code>(code().value());
}

}  // namespace backbeat::memorystore
