//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CREDENTIALS_OPTIONS_HPP
#define BACKBEAT_MEMORYSTORE_CREDENTIALS_OPTIONS_HPP

#include <backbeat/config.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace backbeat::memorystore {

/**
 * \brief What is asked for with `credentials`, apart from who they are.
 * \details
 * Contradictions (a negative lifetime) make the functions of `credentials` throw `std::invalid_argument`, with a
 * sentence that names the member.
 */
class credentials_options {
public:
    credentials_options();

    /**
     * \brief What the token is to be good for.
     * \details
     * Default (empty): `https://www.googleapis.com/auth/cloud-platform`, which is what the API needs. An authorised user
     * and the metadata server are then not asked for any in particular, and give what they were set up with.
     */
    std::vector<std::string> scopes;

    /**
     * \brief The project that the requests are counted against, instead of the one of the resources.
     * \details
     * Default (empty): the environment's `GOOGLE_CLOUD_QUOTA_PROJECT`, else `quota_project_id` of the key file, else
     * none. It is sent as `X-Goog-User-Project`.
     */
    std::string quota_project;

    /**
     * \brief Whether a service account's key signs the tokens itself, so that no server needs to be asked for them.
     * \details Default: true. False: the key's token endpoint is asked, as it always is with a `subject`.
     */
    bool self_signed_jwt = true;

    /**
     * \brief The user on whose behalf a service account acts (domain-wide delegation): an address of electronic mail.
     * \details Default (empty): on its own behalf. Other credentials than a service account's key cannot do it.
     */
    std::string subject;

    /**
     * \brief How long an impersonated service account's tokens are good for.
     * \details Default: an hour. More, up to twelve, has to be allowed by the organisation. Other tokens' lifetimes are
     * their issuers' affair.
     */
    std::chrono::seconds lifetime = std::chrono::hours(1);

    /**
     * \brief A file with the certificates, in PEM, of the authorities that token endpoints are trusted by.
     * \details Default (empty): the system's store.
     */
    std::string ca_file;
};

}  // namespace backbeat::memorystore

#endif
