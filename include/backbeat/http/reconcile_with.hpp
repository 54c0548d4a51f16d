//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_RECONCILE_WITH_HPP
#define BACKBEAT_HTTP_RECONCILE_WITH_HPP

#include <backbeat/config.hpp>
#include <backbeat/http/reconciliation.hpp>

#include <type_traits>
#include <utility>

namespace backbeat::http {

namespace detail {

// A probe, and when it is asked.
template <class Probe, bool always>
class probe_of {
public:
    static constexpr bool is_before_each_retry = always;

    Probe ask;
};

template <class Argument, bool always>
class reconcile_by {
public:
    using probe = probe_of<std::decay_t<Argument>, always>;

    explicit reconcile_by(Argument&& given) : probe_{std::forward<Argument>(given)} {}

    probe release() && { return std::move(probe_); }

private:
    probe probe_;
};

}  // namespace detail

/// When a probe is asked. See `reconcile_with`.
class before_each_retry_t {
public:
    explicit before_each_retry_t() = default;
};

/// Makes `reconcile_with` ask the probe before each retry, whatever the end of the attempt before.
inline constexpr before_each_retry_t before_each_retry{};

/**
 * \brief Gives `client::async_send` a probe: what finds out whether a request was carried out.
 * \details
 * With it the request is `idempotency::reconcilable`, unless another idempotency is given; then it is not called. Such
 * a request may be sent again after an attempt whose end was ambiguous (a 5xx, a lost connection, a time-out), once the
 * probe has found that nothing was done:
 *
 * \code
 * auto probe = [&]() -> awaitable<http::reconciliation<>> {
 *     auto found = co_await client.async_send(get_the_thing);
 *     if (found.result() == http::status::not_found) co_return http::reconciliation<>::not_carried_out();
 *     if (is_what_was_asked_for(found)) co_return http::reconciliation<>::carried_out(std::move(found));
 *     co_return http::reconciliation<>::unknown();
 * };
 * auto response = co_await client.async_send(create_the_thing, http::reconcile_with(probe));
 * \endcode
 *
 * The probe is an operation as `async_retry` takes it: `(attempt const&, token)`, `()` or `(attempt const&)` returning
 * an `awaitable` or a deferred operation, or `(token)`. It completes with an `error_code` or an `exception_ptr` and a
 * `reconciliation`.
 *
 * It runs at the beginning of the attempt that follows the ambiguous one, after the backoff; its `attempt` is that one.
 * An attempt that ends with its probe counts as an attempt like any other. If the probe fails, the attempt ends with
 * its error, and the classifier decides whether there is another, which probes again.
 *
 * When the operation gives up, and what became of its last attempt is not known, the probe is asked once more, so that
 * a request that was carried out is not reported as a failure. If it was, the operation completes with the probe's
 * response, and without an error. If it was not, it completes as without a probe. If the probe cannot tell, fails, or
 * has no time left, the error is `errc::outcome_unknown`, beside the response of the last attempt, if there was one.
 * `retry_report::reason` stays what it was, for example `exhausted`. The probe is not asked when a time limit or the
 * caller ended the operation: then `retry_report::worst_delivery` tells whether something may have been done.
 *
 * That nothing was done must be certain: a copy that is still on its way would be carried out after the probe has
 * looked. So a probe may have to wait until no copy can be left.
 *
 * \par Object lifetimes
 * The probe is decay-copied.
 *
 * \par Time limits
 * `retry_options::attempt_timeout` and `retry_options::total_timeout` hold for an attempt together with its probe. The
 * last call has the time of an attempt, or what `total_timeout` leaves. Where the retry options have no limit,
 * `client_options::attempt_timeout` holds for the probe and for the request, each by itself. A probe whose time is up is
 * cancelled (`terminal`), and waited for.
 *
 * \par Per-operation cancellation
 * A running probe gets the type that the operation is cancelled with. In a coroutine only `terminal` comes through,
 * unless it resets its cancellation state.
 *
 * \par Exceptions
 * An exception that a probe completes with is its error: that of a `system_error`, or else
 * `retry_errc::unknown_exception`, which is permanent. What it throws when it is called, instead, leaves through the
 * function that runs the context, and the handler of the request is destroyed without being called.
 *
 * \par Thread safety
 * It runs on the client's strand.
 */
template <class Probe>
[[nodiscard]] detail::reconcile_by<Probe, false> reconcile_with(Probe&& probe)
{
    return detail::reconcile_by<Probe, false>(std::forward<Probe>(probe));
}

/**
 * \brief The same, and the probe is asked before every attempt but the first.
 * \details
 * For a request that must not be sent again once things have changed, even if no copy of it was carried out: after a
 * 429 with a long `Retry-After`, what is to be deleted may have been replaced by something of somebody else's. Such a
 * probe answers `reconciliation::refused`.
 *
 * When the operation gives up, it is asked once more only if what became of its last attempt is not known. If that is
 * known and the probe has failed or wanted to be asked again until then, the operation completes as without a probe: with
 * what the last request ended with. `unknown()` ends it with `errc::outcome_unknown` all the same.
 */
template <class Probe>
[[nodiscard]] detail::reconcile_by<Probe, true> reconcile_with(Probe&& probe, before_each_retry_t)
{
    return detail::reconcile_by<Probe, true>(std::forward<Probe>(probe));
}

}  // namespace backbeat::http

#endif
