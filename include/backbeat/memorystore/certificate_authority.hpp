//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CERTIFICATE_AUTHORITY_HPP
#define BACKBEAT_MEMORYSTORE_CERTIFICATE_AUTHORITY_HPP

#include <backbeat/config.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore {

/// A chain of certificates.
class cert_chain {
public:
    cert_chain() = default;

    /// PEM, from leaf to root.
    std::vector<std::string> certificates;

    boost::json::object unknown_fields;
    friend bool operator==(cert_chain const&, cert_chain const&) = default;
};
BOOST_DESCRIBE_STRUCT(cert_chain, (), (certificates))

/// The certificates of an authority that the service manages.
class managed_certificate_authority {
public:
    managed_certificate_authority() = default;

    std::vector<cert_chain> ca_certs;

    boost::json::object unknown_fields;
    friend bool operator==(managed_certificate_authority const&, managed_certificate_authority const&) = default;
};
BOOST_DESCRIBE_STRUCT(managed_certificate_authority, (), (ca_certs))

/// Who vouches for a cluster that speaks TLS: `google.cloud.redis.cluster.v1.CertificateAuthority`.
class certificate_authority {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.CertificateAuthority";
    certificate_authority() = default;

    /// `projects/{project}/locations/{region}/clusters/{cluster}/certificateAuthority`.
    std::string name;
    std::optional<managed_certificate_authority> managed_server_ca;

    boost::json::object unknown_fields;
    friend bool operator==(certificate_authority const&, certificate_authority const&) = default;
};
BOOST_DESCRIBE_STRUCT(certificate_authority, (), (name, managed_server_ca))

}  // namespace backbeat::memorystore

#endif
