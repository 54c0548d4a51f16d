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

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace backbeat::http {

namespace detail {

enum class finding : std::uint8_t { carried_out, refused, not_carried_out, ask_again, unknown };

// What is known about the request, and when to ask again.
struct probe_result {
    finding found = finding::unknown;
    std::chrono::nanoseconds again{};
};

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

    /**
     * \brief The request was not carried out, and must not be sent again: things have changed since.
     * \details
     * The operation completes with this response, which is judged as permanent whatever its status. For example, what
     * was to be deleted has been replaced by something of somebody else's.
     */
    [[nodiscard]] static reconciliation refused(response answer)
    {
        reconciliation result;
        result.finding_ = detail::finding::refused;
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

    /**
     * \brief It cannot be told yet: ask again, but not before so much time has passed.
     * \details
     * For a request whose answer was lost, and that may still be on its way: it was not carried out so far. The attempt
     * ends with `errc::unsettled` and is retried like any other, with the time as the server's hint; when no attempt is
     * left, the operation waits for the time and asks once more, unless the hint is too long. A negative time is zero.
     */
    [[nodiscard]] static reconciliation ask_again_after(std::chrono::nanoseconds time)
    {
        reconciliation result;
        result.finding_ = detail::finding::ask_again;
        result.again_ = (std::max)(time, std::chrono::nanoseconds{});
        return result;
    }

    /// It cannot be told. The operation completes with `errc::outcome_unknown`, and sends nothing more.
    [[nodiscard]] static reconciliation unknown() { return {}; }

private:
    friend detail::reconciliation_access;

    detail::finding finding_ = detail::finding::unknown;
    std::chrono::nanoseconds again_{};
    std::optional<response> answer_;
};

namespace detail {

struct reconciliation_access {
    template <class Body>
    [[nodiscard]] static probe_result result_of(reconciliation<Body> const& found) noexcept
    {
        return {found.finding_, found.again_};
    }

    // Empty unless the matter is settled.
    template <class Body>
    [[nodiscard]] static auto& answer_of(reconciliation<Body>& found) noexcept
    {
        return found.answer_;
    }
};

}  // namespace detail

}  // namespace backbeat::http

#endif
