//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_RECONCILIATION_HPP
#define BACKBEAT_HTTP_RECONCILIATION_HPP

#include <backbeat/config.hpp>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace backbeat::http {

namespace detail {

enum class finding : std::uint8_t { carried_out, not_carried_out, unknown };

// What only `client` is to see of a reconciliation.
struct reconciliation_access;

}  // namespace detail

/**
 * \brief What a probe found out about a request whose end was ambiguous.
 * \tparam Body The body type of the responses of the request.
 */
template <class Body = boost::beast::http::string_body>
class reconciliation {
public:
    using response = boost::beast::http::response<Body>;

    /// Nothing is known, as `unknown()`.
    reconciliation() = default;

    /// The request was carried out. The operation completes with this response, as a success.
    [[nodiscard]] static reconciliation carried_out(response answer)
    {
        reconciliation result;
        result.finding_ = detail::finding::carried_out;
        result.answer_ = std::move(answer);
        return result;
    }

    /// The request was not carried out, and no copy of it can still be: it is sent again.
    [[nodiscard]] static reconciliation not_carried_out()
    {
        reconciliation result;
        result.finding_ = detail::finding::not_carried_out;
        return result;
    }

    /// It cannot be told. The operation completes with `errc::outcome_unknown`, and sends nothing more.
    [[nodiscard]] static reconciliation unknown() { return {}; }

private:
    friend detail::reconciliation_access;

    detail::finding finding_ = detail::finding::unknown;
    std::optional<response> answer_;
};

namespace detail {

struct reconciliation_access {
    template <class Body>
    [[nodiscard]] static finding finding_of(reconciliation<Body> const& found) noexcept
    {
        return found.finding_;
    }

    // Empty unless the request was carried out.
    template <class Body>
    [[nodiscard]] static auto& answer_of(reconciliation<Body>& found) noexcept
    {
        return found.answer_;
    }
};

}  // namespace detail

}  // namespace backbeat::http

#endif
