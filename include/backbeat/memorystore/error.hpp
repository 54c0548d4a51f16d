//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_ERROR_HPP
#define BACKBEAT_MEMORYSTORE_ERROR_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/any.hpp>
#include <backbeat/memorystore/errc.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/rpc_code.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore {

/// What an `error` knows, apart from its code.
class error_facts {
public:
    error_facts() = default;

    /// The whole error as a sentence.
    std::string sentence;

    /// What the server said. Empty: nothing, or there was no answer.
    std::string message;

    /// The HTTP status of the answer. Zero: there was none.
    unsigned http_status = 0;

    /// What the server said beyond the message.
    std::vector<any> details;

    /// The name of the long-running operation that it is about. Empty: about none.
    std::string operation_name;

    /// Whether a change was asked for and nobody knows whether it was carried out.
    bool outcome_unknown = false;
};

/**
 * \brief What `client` fails with.
 * \details
 * `code()` is
 * - an `rpc_code`, if the API answered with an error, or a long-running operation failed;
 * - an `errc`, if the client found the error itself;
 * - an error of the transport (Asio's, Beast's, `http::errc`), if there was no answer.
 *
 * `what()` is a sentence:
 * \code
 * NOT_FOUND (HTTP 404): Resource 'projects/p/locations/us-central1/instances/a' was not found
 * \endcode
 *
 * \par Thread safety
 * Distinct objects: safe, copies of one another included.
 */
class error : public boost::system::system_error {
public:
    /// An error with this code. Of `facts`, the sentence must not be empty.
    error(boost::system::error_code code, error_facts facts);

    /**
     * \brief Reads the error out of an HTTP response that is not a success.
     * \details
     * Takes whatever there is: Google's `{"error": {...}}`, alone or inside of an array; the OAuth form
     * `{"error": "...", "error_description": "..."}`; a page of HTML, of which it keeps the title; other text; nothing.
     * The code is the one that the body names, else the one that the HTTP status stands for.
     */
    [[nodiscard]] static error from_response(unsigned http_status, std::string_view body);

    /// The error of an operation that has failed.
    [[nodiscard]] static error from_operation(operation const& failed);

    /// The error as a sentence.
    [[nodiscard]] char const* what() const noexcept override { return facts_->sentence.c_str(); }

    /// The canonical code, if it is an error of the API.
    [[nodiscard]] std::optional<rpc_code> canonical_code() const noexcept;

    /// The HTTP status of the answer. Zero: there was none.
    [[nodiscard]] unsigned http_status() const noexcept { return facts_->http_status; }

    /// What the server said. Empty: nothing, or there was no answer.
    [[nodiscard]] std::string const& message() const noexcept { return facts_->message; }

    /// What the server said beyond the message.
    [[nodiscard]] std::vector<any> const& details() const noexcept { return facts_->details; }

    /// The first detail of a type, such as `rpc::error_info`. Empty: there is none, or it is not what its type says.
    template <class Detail>
    [[nodiscard]] std::optional<Detail> detail() const
    {
        for (auto const& each : details()) {
            if (!each.is<Detail>()) continue;
            try {
                return each.unpack<Detail>();
            } catch (json_error const&) {}
        }
        return {};
    }

    /// The name of the long-running operation that it is about: enough to ask for it again. Empty: about none.
    [[nodiscard]] std::string const& operation_name() const noexcept { return facts_->operation_name; }

    /// Whether a change was asked for and nobody knows whether it was carried out.
    [[nodiscard]] bool outcome_unknown() const noexcept { return facts_->outcome_unknown; }

    /// All that is known.
    [[nodiscard]] error_facts const& facts() const noexcept { return *facts_; }

private:
    // Shared, because copying an exception must not throw.
    std::shared_ptr<error_facts const> facts_;
};

}  // namespace backbeat::memorystore

#endif
