//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_CLIENT_OPTIONS_HPP
#define BACKBEAT_HTTP_CLIENT_OPTIONS_HPP

#include <backbeat/budget.hpp>
#include <backbeat/config.hpp>
#include <backbeat/retry_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace backbeat::http {

/**
 * \brief What keeps the handlers of an `http::client` from running at the same time.
 * \details
 * In Asio's terms: an explicit strand is an object that executors refer to; an implicit one is there if no two handlers
 * can run at the same time anyway.
 */
enum class strand_kind {
    /// A strand that the client makes. Any number of threads may run its executor.
    explicit_strand,

    /// The executor itself never runs two handlers at the same time, for which the caller vouches.
    implicit_strand
};

/**
 * \brief How an `http::client` connects, and what it puts up with.
 * \details
 * Every default is bounded: nothing hangs unless it is told to. Contradictions (a negative time, no connection at
 * all) make the constructor of `client` throw `std::invalid_argument`, with a sentence that names the member.
 *
 * \code
 * backbeat::http::client_options options;
 * options.ca_file = "/etc/my-service/ca.pem";
 * options.maximum_connections = 256;
 * backbeat::http::client client(context.get_executor(), "https://redis.example.com", options);
 * \endcode
 */
class client_options {
public:
    client_options();

    /**
     * \brief The time that resolving, connecting and the TLS handshake may take together.
     * \details Default: 10 s. Zero: no limit but `attempt_timeout`. An attempt that runs into it was not sent.
     */
    std::chrono::nanoseconds connect_timeout = std::chrono::seconds(10);

    /**
     * \brief How long one address of a host that has several may take to connect before the next is tried beside it.
     * \details
     * Default: 250 ms, as RFC 8305 ("Happy Eyeballs") recommends, which has 100 ms for the least that is sensible. IPv6
     * and IPv4 take turns, in the resolver's order. The first address to be connected is used, the others are closed;
     * if one fails, the next is tried at once. Zero: all addresses are tried at once. A delay past `connect_timeout`:
     * one after the other. Negative is invalid. Addresses that are tried side by side count as one connection.
     *
     * If all of them fail, the error is the one that tells most about the server. A refusal tells more than no answer
     * (a time-out of the system, no such host), and that more than no way to it (no network, no such family of
     * addresses here); of those that tell as much, it is the first. If `connect_timeout` passes before, it is that.
     */
    std::chrono::nanoseconds connection_attempt_delay = std::chrono::milliseconds(250);

    /**
     * \brief The time that one attempt may take from its start, the wait for a connection included.
     * \details Default: 60 s. Zero: no limit. The error is `backbeat::retry_errc::attempt_timeout`.
     */
    std::chrono::nanoseconds attempt_timeout = std::chrono::seconds(60);

    /**
     * \brief How long a connection may lie unused before it is no longer used.
     * \details
     * Default: 30 s. Zero: connections are not kept. It is looked at whenever the client is used, so a client that
     * nobody uses closes nothing: a timer for that would keep the execution context from running out of work.
     */
    std::chrono::nanoseconds idle_timeout = std::chrono::seconds(30);

    /**
     * \brief How many connections there may be at once, kept ones included.
     * \details Default: 64. Further attempts queue for one, first come, first served.
     */
    std::size_t maximum_connections = 64;

    /**
     * \brief How long an attempt may wait for a connection while all are in use.
     * \details
     * Default: zero, which is no limit but `attempt_timeout`. The error is `errc::queue_timeout`; nothing was sent.
     */
    std::chrono::nanoseconds queue_timeout{};

    /**
     * \brief Whether a request whose kept connection breaks before any answer is sent once more at once.
     * \details
     * Default: true. It is then not an attempt of its own: a connection that was closed while it lay idle says nothing
     * about the server. Never done to a request that must not be carried out twice. False: it is a failed attempt.
     */
    bool replay_on_stale_connection = true;

    /**
     * \brief The largest header of a response, in bytes.
     * \details
     * Default: 64 KiB. A larger one is an error, and is not retried. Likewise what a chunked body has besides its data:
     * the line before a chunk, and the trailers.
     */
    std::uint32_t header_limit = 64 * 1024;

    /// The largest body of a response, in bytes. Default: 8 MiB. A larger one is an error, and is not retried. Zero: any
    /// body is one.
    std::uint64_t body_limit = 8 * 1024 * 1024;

    /**
     * \brief A file with the certificates, in PEM, of the authorities to trust.
     * \details
     * Default (empty): none. If this or `ca_certificate` is given, they are trusted *instead* of the system's store.
     */
    std::string ca_file;

    /// The certificates, in PEM, of the authorities to trust. Default (empty): none. As `ca_file`, and beside it.
    std::string ca_certificate;

    /**
     * \brief Whether a server must prove that it is who it should be.
     * \details Default: true. False accepts any certificate, so that anybody on the way can read and change all.
     */
    bool verify = true;

    /**
     * \brief A file with the certificate, in PEM, by which the client proves who it is to a server that asks for it.
     * \details
     * Default (empty): none. Certificates of intermediate authorities follow in the same file. Like `ca_file`, it is
     * read once, by the constructor of `client`, which throws `boost::system::system_error` if it cannot be used.
     */
    std::string certificate_file;

    /**
     * \brief A file with the private key, in PEM, of the certificate in `certificate_file`.
     * \details
     * Default (empty): it is in that file, too. A key with a password is refused. A key without a certificate is
     * invalid.
     */
    std::string private_key_file;

    /// The `User-Agent` of requests that have none. Default: `backbeat/` and the version.
    std::string user_agent;

    /**
     * \brief Whether to ask for responses that are compressed with gzip, and to decompress them.
     * \details
     * Default: false. Not done for requests that have an `Accept-Encoding` or a `Range` of their own. A response that
     * was decompressed has neither `Content-Encoding` nor `Content-Length` any more, and `body_limit` counts its bytes
     * after decompression as well as before. One that is damaged ends the attempt with `errc::bad_gzip`.
     */
    bool accept_gzip = false;

    /**
     * \brief The name of a header field that tells the server the number of the attempt: 1, 2, ...
     * \details Default (empty): there is none. A request that has such a field keeps its own.
     */
    std::string attempt_header;

    /**
     * \brief The name of a header field that tells the server how long the client still waits for the answer.
     * \details
     * Default (empty): there is none. The value is in seconds, such as "12.345", what is left of `attempt_timeout` or
     * of the time limit of the `async_retry` whose attempt it is, whichever ends earlier, when the request is sent.
     * Google's services know it as `X-Server-Timeout`. Without a time limit there is no such field. A request that has
     * one keeps its own.
     */
    std::string deadline_header;

    /**
     * \brief The name of a header field with a key by which the server recognises the copies of a request.
     * \details
     * Default (empty): there is none. All copies have the same, and each request has its own. It is added to the
     * requests of `client::async_send` that are `idempotency::keyed` and have no such field: a random UUID (RFC 9562,
     * version 4). Usual is `Idempotency-Key`.
     */
    std::string idempotency_key_header;

    /**
     * \brief What keeps the client's handlers from running at the same time.
     * \details
     * Default: `explicit_strand`, which is safe with any executor. `implicit_strand` saves a request several trips
     * through a strand. It is right if a single thread runs the executor's context, for good, and if the executor is a
     * strand itself. Otherwise the behaviour is undefined. Operations may still be started in any thread.
     *
     * An executor that is an `asio::strand` of an `io_context`, of a `thread_pool` or of an `any_io_executor` is
     * recognised, and needs no other.
     */
    strand_kind strand = strand_kind::explicit_strand;

    /// How `client::async_send` retries if it is not told otherwise.
    retry_options retry{};

    /**
     * \brief A budget that all retries of `client::async_send` share, unless their options have one of their own.
     * \details
     * Default: null, which is none. Its lifetime is the caller's care: it must outlive the operations. Whoever retries
     * by `async_retry` sets `retry_options::budget`.
     */
    backbeat::budget* budget = nullptr;
};

}  // namespace backbeat::http

#endif
