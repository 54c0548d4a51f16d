//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_CLASSIFY_HPP
#define BACKBEAT_CLASSIFY_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/disposition.hpp>
#include <backbeat/result_traits.hpp>
#include <backbeat/verdict.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/error_code.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

namespace backbeat {

namespace detail {

// A class with a constructor and not an aggregate: g++ 12 destroys aggregates that are written inside a `co_await`
// expression twice. `Argument` remembers whether the classifier came as an lvalue.
template <class Argument>
class classify_with {
public:
    using classifier_type = std::decay_t<Argument>;

    explicit classify_with(Argument&& classifier) : classifier_(std::forward<Argument>(classifier)) {}

    classifier_type release() && { return std::move(classifier_); }

private:
    classifier_type classifier_;
};

}  // namespace detail

/**
 * \brief Gives `async_retry` a classifier: what decides what the completion of an attempt means.
 * \details
 * The classifier is called after each attempt, where the operation's handlers run, as
 * `c(attempt const&, completion arguments...)` or as `c(completion arguments...)`, and returns a `verdict`. The
 * arguments are const. An attempt that took longer than `attempt_timeout` is shown to it with the error
 * `retry_errc::attempt_timeout`.
 *
 * \code
 * auto reads_only = [](boost::system::error_code ec, std::size_t) {
 *     return ec ? backbeat::verdict::retry() : backbeat::verdict::done();
 * };
 * async_retry(read, options, backbeat::classify(reads_only));
 * \endcode
 *
 * \par Object lifetimes
 * The classifier is decay-copied; pass `std::ref(c)` to share one.
 *
 * \par Exceptions
 * If the operation completes with an `exception_ptr`, an exception that leaves the classifier is what the operation
 * completes with. Otherwise it leaves through the function that runs the execution context, and the handler is
 * destroyed without being called.
 */
template <class Classifier>
[[nodiscard]] detail::classify_with<Classifier> classify(Classifier&& classifier)
{
    return detail::classify_with<Classifier>(std::forward<Classifier>(classifier));
}

/**
 * \brief The classifier of an `async_retry` without `classify(...)`.
 * \details
 * No error is done, unless a result says otherwise (`result_traits`). Of the errors, `operation_aborted`,
 * `invalid_argument`, `permission_denied` and `operation_not_supported` are permanent, as are exceptions other than
 * `boost::system::system_error` and `std::system_error`. Every other error is retried.
 */
struct default_classifier {
    template <detail::disposition Disposition, class... Results>
    [[nodiscard]] verdict operator()(Disposition const& disposition, Results const&... results) const
    {
        static_assert(
            ((detail::declares_itself<Results> || !detail::looks_like_http_response<Results>)&&...),
            "Backbeat cannot see whether this HTTP response is a success: include <backbeat/http/classifier.hpp> or "
            "pass classify(...)");

        if (is_failure(disposition)) return is_permanent(disposition) ? verdict::permanent() : verdict::retry();
        if constexpr ((detail::declares_itself<Results> || ...)) {
            auto judged = verdict::done();
            static_cast<void>(((judged = of_result(results), judged.kind == verdict_kind::done) && ...));
            return judged;
        } else {
            return verdict::done();
        }
    }

private:
    [[nodiscard]] static bool is_failure(boost::system::error_code const& error) noexcept { return error.failed(); }
    [[nodiscard]] static bool is_failure(std::exception_ptr const& error) noexcept { return error != nullptr; }

    [[nodiscard]] static bool is_permanent(std::exception_ptr const& error) noexcept
    {
        auto const failure = detail::failure_of(error);
        return !failure.has_code || is_permanent(failure.code);
    }

    [[nodiscard]] static bool is_permanent(boost::system::error_code const& error) noexcept
    {
        namespace errc = boost::system::errc;
        return error == boost::asio::error::operation_aborted
            || detail::means_one_of<
                   errc::operation_canceled,
                   errc::invalid_argument,
                   errc::permission_denied,
                   errc::operation_not_supported>(error);
    }

    template <class Result>
    [[nodiscard]] static verdict of_result(Result const& result)
    {
        if constexpr (detail::declares_itself<Result>)
            return result_traits<Result>::classify(result);
        else
            return verdict::done();
    }
};

}  // namespace backbeat

#endif
