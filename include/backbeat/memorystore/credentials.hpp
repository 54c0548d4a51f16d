//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CREDENTIALS_HPP
#define BACKBEAT_MEMORYSTORE_CREDENTIALS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/access_token.hpp>
#include <backbeat/memorystore/credentials_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

class credentials_data;
using credentials_pointer = std::shared_ptr<credentials_data const>;

}  // namespace detail

/**
 * \brief Gets a token: what `credentials::custom` takes.
 * \details
 * It is called when a token is needed, never twice at a time, and its coroutine runs on a strand of the executor of the
 * `token_provider`. An exception that leaves it is what the waiting calls fail with. When the provider is destroyed, it
 * receives terminal cancellation.
 */
using token_source = std::function<boost::asio::awaitable<access_token>()>;

/**
 * \brief Who sends requests to the API, and how that is proven.
 * \details
 * A value that is cheap to copy. By itself it does nothing: a `token_provider` gets tokens with it.
 *
 * | made by | who it is | where tokens come from |
 * | --- | --- | --- |
 * | `application_default` | whoever the environment says | one of the following |
 * | `from_file`, `from_json` | `service_account` | signed here, or the key's token endpoint |
 * | | `authorized_user` | Google's token endpoint |
 * | | `impersonated_service_account` | the IAM Credentials API |
 * | | `external_account` | Google's Security Token Service, then perhaps the IAM Credentials API |
 * | `metadata_server` | the service account of the machine or container | its metadata server |
 * | `token` | whoever the token is for | given |
 * | `custom` | whoever your function says | your function |
 * | `anonymous` | nobody | nowhere |
 *
 * \par Secrets
 * Neither `describe` nor any error has a private key, a token or a client's secret in its text. Private keys are kept in
 * OpenSSL's memory only, and the text that they were read from is overwritten; refresh tokens and clients' secrets are
 * overwritten when they are given up. What passes through requests on their way is not.
 *
 * \par Where secrets are sent
 * To the addresses that the key file names, so its author has to be trusted. They must be `https`. Plain `http` is
 * refused, but for this machine (`localhost`, 127.0.0.0/8, `::1`), and for fetching an external account's subject token,
 * also for the metadata addresses of clouds (169.254.169.254, fd20:ce::254, `metadata.google.internal`).
 * Redirections are not followed.
 *
 * \par Thread safety
 * Distinct objects: safe, copies of one another included. Shared objects: safe, except for assigning and destroying.
 *
 * \par Example
 * \code
 * auto const who = backbeat::memorystore::credentials::application_default();
 * backbeat::memorystore::token_provider tokens(context.get_executor(), who);
 * \endcode
 */
class credentials {
public:
    /// As `anonymous`.
    credentials();

    /**
     * \brief Application Default Credentials: what is found first, in the order that Google documents.
     * \details
     * 1. The key file that the environment variable `GOOGLE_APPLICATION_CREDENTIALS` names. If it cannot be used, that
     *    is an error, and nothing else is tried.
     * 2. The file of `gcloud auth application-default login`: `application_default_credentials.json` in the folder that
     *    `CLOUDSDK_CONFIG` names, else in `$HOME/.config/gcloud` (`%APPDATA%\gcloud` on Windows). The same holds.
     * 3. The metadata server, if it answers within `GCE_METADATA_TIMEOUT` (3 s by default). `NO_GCE_CHECK=true` and
     *    `METADATA_SERVER_DETECTION=none` leave it out; `METADATA_SERVER_DETECTION=assume-present` takes it unasked.
     *
     * They are looked for when the first token is needed, and looked for again until they are found.
     */
    [[nodiscard]] static credentials application_default(credentials_options options = {});

    /**
     * \brief The credentials in a key file, of any of the types above.
     * \details
     * The file is read when the first token is needed, by the thread that runs the executor: it is small, and read once.
     * More than 1 MiB is refused. What is wrong with it is an error of the token, not of this function.
     */
    [[nodiscard]] static credentials from_file(std::string path, credentials_options options = {});

    /**
     * \brief The credentials in the text of a key file.
     * \throws error `errc::bad_credentials`: the text is not that of a key file.
     */
    [[nodiscard]] static credentials from_json(std::string text, credentials_options options = {});

    /**
     * \brief The service account of the machine, as its metadata server knows it.
     * \details
     * It is asked at `metadata.google.internal`, or where the environment's `GCE_METADATA_HOST` (or `GCE_METADATA_ROOT`)
     * says: `host` or `host:port`.
     */
    [[nodiscard]] static credentials metadata_server(credentials_options options = {});

    /**
     * \brief A token that was got by other means. It is used as it is, and never refreshed.
     * \throws std::invalid_argument It is empty, or holds characters that no token has.
     */
    [[nodiscard]] static credentials token(std::string value, credentials_options options = {});

    /// Nobody: requests are sent without authorization, as to the emulator.
    [[nodiscard]] static credentials anonymous();

    /**
     * \brief Credentials of your own.
     * \param source Gets a token. See `token_source`.
     * \param description Whose they are, for `describe`.
     */
    [[nodiscard]] static credentials custom(
        token_source source, std::string description = "a custom source", credentials_options options = {});

    /**
     * \brief Says whose they are, without any secret.
     * \details
     * \code
     * service account a@p.iam.gserviceaccount.com, self-signed JWT
     * \endcode
     * What is found out only with the first token, `token_provider::describe` says.
     */
    [[nodiscard]] std::string describe() const;

private:
    friend class token_provider;

    explicit credentials(detail::credentials_pointer data) noexcept : data_(std::move(data)) {}

    detail::credentials_pointer data_;
};

}  // namespace backbeat::memorystore

#endif
