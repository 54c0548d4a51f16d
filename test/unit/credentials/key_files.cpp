//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "credentials_fixture.hpp"

#include <boost/json/serialize.hpp>

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace backbeat::memorystore;
using namespace backbeat::test;
using boost::json::object;
using boost::json::serialize;

class KeyFiles : public CredentialsTest {
protected:
    // Reads the key both ways; gives what is wrong with it.
    std::string refused(std::string const& text)
    {
        std::string result;
        try {
            static_cast<void>(credentials::from_json(text));
            ADD_FAILURE() << "accepted: " << text;
        } catch (error const& problem) {
            EXPECT_EQ(problem.code(), errc::bad_credentials) << problem.what();
            result = problem.what();
        }
        std::string const start = "the key that was given cannot be used: ";
        EXPECT_EQ(result.substr(0, start.size()), start);
        result.erase(0, start.size());

        auto const path = file("key.json", text);
        auto const problem = get(credentials::from_file(path)).problem();
        EXPECT_EQ(problem.code(), errc::bad_credentials);
        EXPECT_EQ(std::string(problem.what()), "the key file '" + path + "' cannot be used: " + result);
        return result;
    }
};

TEST_F(KeyFiles, every_type_is_read)
{
    auto const token_file = file("token", "t-o-k-e-n");
    std::pair<object, std::string> const keys[] = {
        {service_account_key(), "service account robot@p.iam.gserviceaccount.com, self-signed JWT"},
        {authorized_user_key(), "authorized user"},
        {impersonated_key(), "service account other@p.iam.gserviceaccount.com, impersonated by authorized user"},
        {external_key(token_file),
         "external account of //iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b "
         "with the token in '"
             + token_file + "'"}};
    for (auto const& [key, description] : keys)
        EXPECT_EQ(credentials::from_json(serialize(key)).describe(), description);
}

TEST_F(KeyFiles, a_file_is_read_when_a_token_is_needed_and_once)
{
    auto const path = path_of("key.json");
    auto const who = credentials::from_file(path);
    EXPECT_EQ(who.describe(), "key file '" + path + "'");
    auto tokens = provider(who);
    EXPECT_EQ(get(tokens).problem().code(), errc::bad_credentials);
    file("key.json", serialize(service_account_key()));
    auto const first = get(tokens);
    ASSERT_FALSE(first.failure);
    EXPECT_EQ(
        tokens.describe(),
        "service account robot@p.iam.gserviceaccount.com (key file '" + path + "'), self-signed JWT");
    file("key.json", "broken");
    now += std::chrono::hours(2);
    auto const second = get(tokens);
    ASSERT_FALSE(second.failure);
    EXPECT_NE(first.token, second.token);
}

TEST_F(KeyFiles, what_is_no_file_is_refused)
{
    std::pair<std::string, std::string> const paths[] = {
        {path_of("absent"), "there is no such file"},
        {path_of(""), "it is not a regular file"},
        {"/dev/null", "it is not a regular file"},
        {"", "there is no such file"},
        {file("large", std::string(1024 * 1024 + 1, ' ')), "it has more than 1 MiB"},
        {file("empty", ""), "expected JSON, got nothing; it must be a key file as Google hands it out"}};
    for (auto const& [path, why] : paths) {
        auto const problem = get(credentials::from_file(path)).problem();
        EXPECT_EQ(problem.code(), errc::bad_credentials);
        EXPECT_EQ(std::string(problem.what()), "the key file '" + path + "' cannot be used: " + why);
    }
}

TEST_F(KeyFiles, what_is_no_key_is_refused)
{
    std::pair<std::string, std::string> const texts[] = {
        {"[]", "it holds a list; it must hold a JSON object"},
        {"\"GOCSPX-secret\"", "it holds text; it must hold a JSON object"},
        {"{}",
         "its field type is missing; those that work are service_account, authorized_user, "
         "impersonated_service_account and external_account"},
        {R"({"type":"gdch_service_account"})",
         "its field type is 'gdch_service_account'; those that work are service_account, authorized_user, "
         "impersonated_service_account and external_account"},
        {R"({"type":5})", "its field type is a number; it must be text"},
        {R"({"installed":{"client_secret":"GOCSPX-secret"}})",
         "it describes an OAuth client, which is nobody by itself; run 'gcloud auth application-default login' to get a "
         "key file"}};
    for (auto const& [text, why] : texts) EXPECT_EQ(refused(text), why);
    EXPECT_EQ(refused(R"({"type":"service_account")").substr(0, 28), "the JSON ends too early, aft");
    EXPECT_EQ(refused("-----BEGIN PRIVATE KEY-----").substr(0, 9), "not JSON:");
    EXPECT_EQ(refused(std::string(2000, '[')).substr(0, 9), "not JSON:");
}

// A key that is wrong in one respect.
class wrong_key {
public:
    enum class type { service_account, authorized_user, impersonated, external };

    type of;
    std::function<void(object&)> break_it;
    std::string why;

    friend std::ostream& operator<<(std::ostream& out, wrong_key const& key) { return out << key.why; }
};

auto put(std::string name, boost::json::value value)
{
    return [name = std::move(name), value = std::move(value)](object& key) { key[name] = value; };
}

auto put_text(std::string name, std::string const& value)
{
    return put(std::move(name), boost::json::value(boost::json::string(value)));
}

auto remove(std::string name)
{
    return [name = std::move(name)](object& key) { key.erase(name); };
}

auto put_into(std::string inner, std::string name, boost::json::value value)
{
    return [inner = std::move(inner), name = std::move(name), value = std::move(value)](object& key) {
        key[inner].as_object()[name] = value;
    };
}

std::string const url_form = "; it must be a URL like https://oauth2.googleapis.com/token";

std::vector<wrong_key> wrong_keys()
{
    using enum wrong_key::type;
    std::string const no_key = "is no private key in PEM, which starts with '-----BEGIN PRIVATE KEY-----'";
    auto const clear = [](std::string const& host) {
        return "would send secrets to '" + host + "' in clear text; only this machine may be reached by http"
            + url_form;
    };
    std::string const unsupported =
        ", which is not supported; a subject token can be read from a file (file) or fetched (url)";
    auto const source = std::string("credential_source");
    return {
        {service_account, remove("private_key"), "its field private_key is missing"},
        {service_account, put("private_key", 12345), "its field private_key is a number; it must be text"},
        {service_account, put("private_key", nullptr), "its field private_key is missing"},
        {service_account, put("private_key", "very-secret"), "its field private_key " + no_key},
        {service_account,
         put_text("private_key", rsa_key().private_key.substr(0, 800)),
         "its field private_key " + no_key},
        {service_account, put_text("private_key", rsa_key().public_key), "its field private_key " + no_key},
        {service_account,
         put_text("private_key", rsa_key().locked_private_key),
         "its field private_key has a password; a key without one is needed"},
        {service_account,
         put_text("private_key", make_ec_key().private_key),
         "its field private_key is not an RSA key, and tokens are signed with RS256"},
        {service_account,
         put_text("private_key", make_rsa_key(1024).private_key),
         "its field private_key is too short; RS256 needs an RSA key of 2048 bits or more"},
        {service_account, remove("client_email"), "its field client_email is missing"},
        {service_account, put("client_email", ""), "its field client_email is missing"},
        {service_account, put("client_email", "a\r\nb"), "its field client_email holds characters that it cannot have"},
        {service_account, put("private_key_id", object()), "its field private_key_id is an object; it must be text"},
        {service_account, put("token_uri", true), "its field token_uri is a boolean; it must be text"},
        {service_account, put("token_uri", "token"), "its field token_uri is no URL" + url_form},
        {service_account, put("token_uri", "ftp://a/b"), "its field token_uri has the scheme 'ftp'" + url_form},
        {service_account, put("token_uri", "https:///token"), "its field token_uri has no host" + url_form},
        {service_account,
         put("token_uri", "https://user:very-secret@a/"),
         "its field token_uri has a user name, which does not belong there" + url_form},
        {service_account,
         put("token_uri", "https://a/#very-secret"),
         "its field token_uri has a fragment, which a server never sees" + url_form},
        {service_account,
         put("token_uri", "https://a:0/"),
         "its field token_uri has a port that is not between 1 and 65535" + url_form},
        {service_account,
         put("token_uri", "https://a%0d%0ab/"),
         "its field token_uri has a host name with characters other than letters, digits, '-', '.' and '_'" + url_form},
        {service_account,
         put("token_uri", "http://oauth2.googleapis.com/token"),
         "its field token_uri " + clear("oauth2.googleapis.com")},
        {service_account,
         put("token_uri", "http://localhost.example.com/"),
         "its field token_uri " + clear("localhost.example.com")},
        {service_account,
         put("token_uri", "http://169.254.169.254/"),
         "its field token_uri " + clear("169.254.169.254")},
        {service_account, put("token_uri", "http://[2001:db8::1]/"), "its field token_uri " + clear("[2001:db8::1]")},
        {service_account,
         put("quota_project_id", "a\nb"),
         "its field quota_project_id holds characters that no project has"},
        {authorized_user, remove("refresh_token"), "its field refresh_token is missing"},
        {authorized_user, remove("client_id"), "its field client_id is missing"},
        {authorized_user, remove("client_secret"), "its field client_secret is missing"},
        {authorized_user,
         put("client_secret", {"GOCSPX-very-secret"}),
         "its field client_secret is a list; it must be text"},
        {impersonated,
         remove("service_account_impersonation_url"),
         "its field service_account_impersonation_url is missing"},
        {impersonated,
         put("service_account_impersonation_url", "http://iamcredentials.googleapis.com/v1"),
         "its field service_account_impersonation_url " + clear("iamcredentials.googleapis.com")},
        {impersonated, put("delegates", "a"), "its field delegates is text; it must be a list of text"},
        {impersonated, put("delegates", {1}), "its field delegates is a list with a number; it must be of text"},
        {impersonated, remove("source_credentials"), "its field source_credentials is missing"},
        {impersonated, put("source_credentials", "x"), "its field source_credentials is text; it must be an object"},
        {impersonated,
         put_into("source_credentials", "refresh_token", nullptr),
         "its field source_credentials.refresh_token is missing"},
        {impersonated,
         [](object& key) { key["source_credentials"] = object(key); },
         "its field source_credentials.source_credentials impersonates once more; name the delegates in the field "
         "delegates instead"},
        {external, remove("audience"), "its field audience is missing"},
        {external, remove("subject_token_type"), "its field subject_token_type is missing"},
        {external, remove("credential_source"), "its field credential_source is missing"},
        {external,
         put("token_url", "http://sts.googleapis.com/v1/token"),
         "its field token_url " + clear("sts.googleapis.com")},
        {external,
         put(source, object{{"executable", object{{"command", "/bin/x"}}}}),
         "its field credential_source has executable" + unsupported},
        {external,
         put(source, object{{"environment_id", "aws1"}, {"url", "http://169.254.169.254/"}}),
         "its field credential_source has environment_id (AWS)" + unsupported},
        {external,
         put(source, object{{"certificate", object()}}),
         "its field credential_source has certificate" + unsupported},
        {external,
         put(source, object()),
         "its field credential_source must have either file or url, which say where the subject token is"},
        {external,
         put(source, object{{"file", "a"}, {"url", "https://a/"}}),
         "its field credential_source must have either file or url, which say where the subject token is"},
        {external,
         put(source, object{{"url", "http://example.com/"}}),
         "its field credential_source.url " + clear("example.com")},
        {external,
         put_into(source, "format", object{{"type", "xml"}}),
         "its field credential_source.format.type is 'xml'; it must be text or json"},
        {external,
         put_into(source, "format", object{{"type", "json"}}),
         "its field credential_source.format.subject_token_field_name is missing"},
        {external,
         put(source, object{{"url", "https://a/"}, {"headers", object{{"A b", "c"}}}}),
         "its field credential_source.headers has a name that no header field has"},
        {external,
         put(source, object{{"url", "https://a/"}, {"headers", object{{"A", "very-secret\r\nB: c"}}}}),
         "its field credential_source.headers.A holds characters that no header field has"},
        {external,
         put("service_account_impersonation", object{{"token_lifetime_seconds", 0}}),
         "its field service_account_impersonation.token_lifetime_seconds must be a whole number of seconds from 1 to "
         "43200"}};
}

TEST_F(KeyFiles, what_is_wrong_with_a_key_is_said_without_its_secrets)
{
    using enum wrong_key::type;
    for (auto const& wrong : wrong_keys()) {
        auto key = wrong.of == service_account ? service_account_key()
            : wrong.of == authorized_user      ? authorized_user_key()
            : wrong.of == impersonated         ? impersonated_key()
                                               : external_key("/token");
        wrong.break_it(key);
        auto const why = refused(serialize(key));
        EXPECT_EQ(why, wrong.why);
        EXPECT_EQ(why.find("very-secret"), std::string::npos) << why;
        EXPECT_EQ(why.find("MII"), std::string::npos) << why;
    }
}

TEST_F(KeyFiles, clear_text_is_for_this_machine_and_the_metadata_addresses)
{
    for (auto const* const url :
         {"http://localhost:1/", "http://LOCALHOST/", "http://127.8.9.10/t", "http://[::1]:80/"}) {
        auto key = authorized_user_key();
        key["token_uri"] = url;
        EXPECT_NO_THROW(static_cast<void>(credentials::from_json(serialize(key)))) << url;
    }
    for (auto const* const url :
         {"http://169.254.169.254/metadata/identity", "http://metadata.google.internal/x", "http://[fd20:ce::254]/"}) {
        auto key = external_key("");
        key["credential_source"] = object{{"url", url}};
        EXPECT_NO_THROW(static_cast<void>(credentials::from_json(serialize(key)))) << url;
    }
}

TEST_F(KeyFiles, subject_tokens_that_are_none_are_refused)
{
    struct {
        std::string content;
        std::string field;
        std::string why;
    } const tokens[] = {
        {"", "", "it is empty"},
        {" \r\n", "", "it is empty"},
        {"very secret", "", "it holds characters that no token has"},
        {"very-secret", "t", "not JSON: "},
        {R"({"u":"very-secret"})", "t", "it has no field 't' with text"},
        {R"({"t":5})", "t", "it has no field 't' with text"},
        {std::string(1024 * 1024 + 1, 'x'), "", "it has more than 1 MiB"}};
    for (auto const& each : tokens) {
        auto const path = file("token", each.content);
        auto key = external_key(path);
        if (!each.field.empty())
            key["credential_source"].as_object()["format"] =
                object{{"type", "json"}, {"subject_token_field_name", each.field}};
        auto const problem = get(credentials::from_json(serialize(key))).problem();
        EXPECT_EQ(problem.code(), errc::bad_credentials);
        auto const expected = "the file with the subject token '" + path + "' cannot be used: " + each.why;
        EXPECT_EQ(std::string(problem.what()).substr(0, expected.size()), expected);
        EXPECT_EQ(std::string(problem.what()).find("very"), std::string::npos) << problem.what();
    }
    EXPECT_TRUE(server.requests.empty());
}

}  // namespace
