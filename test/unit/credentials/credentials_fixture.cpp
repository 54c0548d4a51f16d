//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "credentials_fixture.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace backbeat::test {

namespace {

using namespace std::chrono_literals;

// Of a form: "a%3Ab" is "a:b".
std::string decoded(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size()) {
            result += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
            i += 2;
        } else {
            result += text[i] == '+' ? ' ' : text[i];
        }
    }
    return result;
}

}  // namespace

memorystore::error token_outcome::problem() const
{
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (memorystore::error const& caught) {
        EXPECT_EQ(token.value, "");
        return caught;
    } catch (std::exception const& other) {
        ADD_FAILURE() << "another exception: " << other.what();
    }
    ADD_FAILURE() << "no error";
    return memorystore::error({}, {});
}

std::string parameter(std::string_view body, std::string_view name)
{
    std::optional<std::string> result;
    while (!body.empty()) {
        auto const end = std::min(body.find('&'), body.size());
        auto const each = body.substr(0, end);
        body.remove_prefix(std::min(end + 1, body.size()));
        auto const equals = std::min(each.find('='), each.size() - 1);
        if (each.substr(0, equals) != name) continue;
        EXPECT_FALSE(result) << name << " is there twice";
        result = decoded(each.substr(equals + 1));
    }
    return result.value_or("(none)");
}

std::string field(std::string_view request, std::string_view name)
{
    auto const line = "\r\n" + std::string(name) + ": ";
    auto const at = request.find(line);
    if (at == request.npos || at > request.find("\r\n\r\n")) return "(none)";
    auto const begin = at + line.size();
    return std::string(request.substr(begin, request.find("\r\n", begin) - begin));
}

std::string body_of(std::string_view request)
{
    return std::string(request.substr(request.find("\r\n\r\n") + 4));
}

std::string first_line(std::string_view request)
{
    return std::string(request.substr(0, request.find("\r\n")));
}

CredentialsTest::CredentialsTest()
{
    static std::atomic<int> count{0};
    auto const* const test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = testing::TempDir() + "backbeat-credentials-" + test->test_suite_name() + "-" + test->name() + "-"
        + std::to_string(count++) + "-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
    std::filesystem::create_directories(folder_);
    environment["HOME"] = folder_;
    options.now = [this] { return now; };
    options.environment = [this](std::string const& name) -> std::optional<std::string> {
        auto const found = environment.find(name);
        if (found == environment.end()) return {};
        return found->second;
    };
    retry_options quick;
    quick.initial_backoff = 1ms;
    quick.maximum_backoff = 1ms;
    quick.jitter = jitter::none;
    quick.maximum_retries = 2;
    options.retry = quick;
}

CredentialsTest::~CredentialsTest()
{
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

boost::json::object CredentialsTest::service_account_key() const
{
    return {
        {"type", "service_account"},
        {"project_id", "p"},
        {"private_key_id", "key-1"},
        {"private_key", rsa_key().private_key},
        {"client_email", "robot@p.iam.gserviceaccount.com"},
        {"client_id", "1"},
        {"token_uri", server.url() + "/token"},
        {"universe_domain", "googleapis.com"}};
}

boost::json::object CredentialsTest::authorized_user_key() const
{
    return {
        {"type", "authorized_user"},
        {"client_id", "id.apps.googleusercontent.com"},
        {"client_secret", "GOCSPX-very-secret"},
        {"refresh_token", "1//0refresh-secret"},
        {"token_uri", server.url() + "/token"},
        {"quota_project_id", "quota-of-file"}};
}

boost::json::object CredentialsTest::impersonated_key() const
{
    return {
        {"type", "impersonated_service_account"},
        {"service_account_impersonation_url",
         server.url() + "/v1/projects/-/serviceAccounts/other@p.iam.gserviceaccount.com:generateAccessToken"},
        {"delegates", boost::json::array{"between@p.iam.gserviceaccount.com"}},
        {"source_credentials", authorized_user_key()}};
}

boost::json::object CredentialsTest::external_key(std::string const& token_file) const
{
    return {
        {"type", "external_account"},
        {"audience", "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b"},
        {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
        {"token_url", server.url() + "/sts"},
        {"credential_source", boost::json::object{{"file", token_file}}}};
}

std::string CredentialsTest::file(std::string const& name, std::string_view content)
{
    auto const path = path_of(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream out(path, std::ios::binary);
    out << content;
    if (!out.flush()) throw std::runtime_error("cannot write " + path);
    return path;
}

std::string CredentialsTest::path_of(std::string const& name) const
{
    return folder_ + "/" + name;
}

memorystore::token_provider CredentialsTest::provider(memorystore::credentials const& who)
{
    return memorystore::token_provider(context.get_executor(), who, options);
}

token_outcome CredentialsTest::run(std::function<void(memorystore::detail::token_handler)> const& start)
{
    std::optional<token_outcome> ended;
    bool inside = true;
    start([&](std::exception_ptr failure, memorystore::access_token token) {
        EXPECT_FALSE(inside) << "called from inside the initiating function";
        EXPECT_FALSE(ended) << "called twice";
        ended.emplace();
        ended->failure = std::move(failure);
        ended->token = std::move(token);
    });
    inside = false;
    context.restart();
    while (!ended && context.run_one_for(10s) != 0) {}
    if (!ended) {
        ADD_FAILURE() << "the handler was not called";
        return {};
    }
    return std::move(*ended);
}

token_outcome CredentialsTest::get(memorystore::token_provider& tokens)
{
    return run([&](auto handler) { tokens.async_get_token(std::move(handler)); });
}

token_outcome CredentialsTest::refresh(memorystore::token_provider& tokens, memorystore::access_token const& rejected)
{
    return run([&](auto handler) { tokens.async_refresh_token(rejected, std::move(handler)); });
}

token_outcome CredentialsTest::get(memorystore::credentials const& who)
{
    auto tokens = provider(who);
    return get(tokens);
}

void CredentialsTest::give(std::string_view token, long long life)
{
    server.answer(
        200,
        boost::json::serialize(boost::json::object{
            {"access_token", boost::json::string_view(token.data(), token.size())},
            {"expires_in", life},
            {"token_type", "Bearer"}}));
}

}  // namespace backbeat::test
