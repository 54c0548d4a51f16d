//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/attempt.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/detail/disposition.hpp>
#include <backbeat/error_of.hpp>
#include <backbeat/result_traits.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/verdict.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/generic_category.hpp>
#include <boost/system/system_category.hpp>
#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

using namespace backbeat;
using namespace std::chrono_literals;
using boost::system::error_code;

namespace {

struct reply {
    bool busy = false;
    int* asked = nullptr;
};

struct other_reply {
    bool broken = false;
};

// Looks like a response, and says itself how it is to be read.
struct response_with_traits {
    int status = 200;
    [[nodiscard]] int result_int() const { return status; }
};

}  // namespace

template <>
struct backbeat::result_traits<reply> {
    static verdict classify(reply const& r)
    {
        if (r.asked != nullptr) ++*r.asked;
        return r.busy ? verdict::throttled(3s) : verdict::done();
    }
};

template <>
struct backbeat::result_traits<other_reply> {
    static verdict classify(other_reply const& r) { return r.broken ? verdict::permanent() : verdict::done(); }
};

template <>
struct backbeat::result_traits<response_with_traits> {
    static verdict classify(response_with_traits const& r)
    {
        return r.status < 500 ? verdict::done() : verdict{.kind = verdict_kind::retry, .status = r.status};
    }
};

namespace {

template <class... Arguments>
verdict_kind kind_of(Arguments const&... arguments)
{
    return default_classifier{}(arguments...).kind;
}

template <class Exception>
std::exception_ptr thrown(Exception exception)
{
    return std::make_exception_ptr(std::move(exception));
}

error_code make(boost::system::errc::errc_t code)
{
    return boost::system::errc::make_error_code(code);
}

}  // namespace

TEST(default_classifier, no_error_is_done)
{
    EXPECT_EQ(default_classifier{}(error_code()), verdict::done());
    EXPECT_EQ(default_classifier{}(std::exception_ptr()), verdict::done());
    EXPECT_EQ(kind_of(error_code(0, boost::asio::error::get_misc_category())), verdict_kind::done);
    EXPECT_EQ(kind_of(error_code(), std::size_t{7}, std::string("results without traits")), verdict_kind::done);
}

TEST(default_classifier, errors_that_a_retry_does_not_mend_are_permanent)
{
    using boost::system::system_category;
    for (error_code const& error : std::vector<error_code>{
             boost::asio::error::operation_aborted,
             boost::asio::error::invalid_argument,
             boost::asio::error::access_denied,
             boost::asio::error::operation_not_supported,
             make(boost::system::errc::invalid_argument),
             make(boost::system::errc::permission_denied),
             make(boost::system::errc::operation_not_supported),
             error_code(EINVAL, system_category()),
             error_code(EACCES, system_category()),
             error_code(EOPNOTSUPP, system_category())}) {
        EXPECT_EQ(default_classifier{}(error), verdict::permanent()) << error.what();
        EXPECT_EQ(kind_of(error, 1), verdict_kind::permanent) << error.what();
        EXPECT_EQ(kind_of(thrown(boost::system::system_error(error))), verdict_kind::permanent) << error.what();
    }
}

TEST(default_classifier, every_other_error_is_retried)
{
    for (error_code const& error : std::vector<error_code>{
             boost::asio::error::connection_refused,
             boost::asio::error::connection_reset,
             boost::asio::error::timed_out,
             boost::asio::error::host_not_found,
             boost::asio::error::eof,
             boost::asio::error::broken_pipe,
             boost::asio::error::no_permission,
             boost::asio::error::would_block,
             retry_errc::attempt_timeout,
             retry_errc::unknown_exception,
             make(boost::system::errc::timed_out),
             // The value of a permanent error, in a category that means something else by it.
             error_code(EINVAL, boost::asio::error::get_addrinfo_category())}) {
        EXPECT_EQ(default_classifier{}(error), verdict::retry()) << error.what();
        EXPECT_EQ(kind_of(thrown(boost::system::system_error(error, "reading"))), verdict_kind::retry) << error.what();
    }
}

TEST(default_classifier, standard_system_errors_are_read_by_their_code)
{
    EXPECT_EQ(
        kind_of(thrown(std::system_error(std::make_error_code(std::errc::connection_reset)))), verdict_kind::retry);
    EXPECT_EQ(kind_of(thrown(std::system_error(ECONNREFUSED, std::system_category()))), verdict_kind::retry);
    for (auto const& category : {std::cref(std::generic_category()), std::cref(std::system_category())})
        for (int const value : {EINVAL, EACCES, EOPNOTSUPP, ECANCELED})
            EXPECT_EQ(kind_of(thrown(std::system_error(value, category))), verdict_kind::permanent)
                << category.get().name() << ' ' << value;
    error_code const aborted = boost::asio::error::operation_aborted;
    EXPECT_EQ(kind_of(thrown(std::system_error(aborted))), verdict_kind::permanent);
    error_code const reset = boost::asio::error::connection_reset;
    EXPECT_EQ(kind_of(thrown(std::system_error(reset))), verdict_kind::retry);
}

TEST(default_classifier, other_exceptions_are_permanent)
{
    EXPECT_EQ(default_classifier{}(thrown(std::runtime_error("no code"))), verdict::permanent());
    EXPECT_EQ(kind_of(thrown(std::logic_error("a bug"))), verdict_kind::permanent);
    EXPECT_EQ(kind_of(thrown(std::bad_alloc())), verdict_kind::permanent);
    EXPECT_EQ(kind_of(thrown(42)), verdict_kind::permanent);
}

TEST(default_classifier, a_result_with_traits_is_asked_after_a_non_error)
{
    EXPECT_EQ(default_classifier{}(error_code(), reply{}), verdict::done());
    EXPECT_EQ(default_classifier{}(error_code(), reply{.busy = true}), verdict::throttled(3s));
    EXPECT_EQ(default_classifier{}(std::exception_ptr(), reply{.busy = true}), verdict::throttled(3s));
    EXPECT_EQ(kind_of(error_code(), response_with_traits{.status = 404}), verdict_kind::done);
    EXPECT_EQ(default_classifier{}(error_code(), response_with_traits{.status = 503}).status, 503);
}

TEST(default_classifier, a_result_is_not_asked_after_an_error)
{
    int asked = 0;
    error_code const reset = boost::asio::error::connection_reset;
    EXPECT_EQ(default_classifier{}(reset, reply{.busy = true, .asked = &asked}), verdict::retry());
    EXPECT_EQ(asked, 0);
}

TEST(default_classifier, results_are_asked_in_order_until_one_is_not_done)
{
    int asked = 0;
    EXPECT_EQ(kind_of(error_code(), 1, reply{.busy = true}, other_reply{.broken = true}), verdict_kind::throttled);
    EXPECT_EQ(kind_of(error_code(), reply{}, 2, other_reply{.broken = true}), verdict_kind::permanent);
    EXPECT_EQ(
        kind_of(error_code(), other_reply{.broken = true}, reply{.busy = true, .asked = &asked}),
        verdict_kind::permanent);
    EXPECT_EQ(asked, 0);
    EXPECT_EQ(kind_of(error_code(), other_reply{}, reply{.asked = &asked}), verdict_kind::done);
    EXPECT_EQ(asked, 1);
}

TEST(default_classifier, takes_results_that_cannot_be_copied)
{
    auto const result = std::make_unique<int>(1);
    EXPECT_EQ(kind_of(error_code(), result), verdict_kind::done);
}

TEST(classify, keeps_a_copy_of_the_classifier_or_a_reference_to_it)
{
    struct by_number {
        int number = 1;
        verdict operator()(error_code const&) const { return {.status = number}; }
    };
    by_number named{.number = 5};
    auto copied = classify(named);
    auto referred = classify(std::ref(named));
    named.number = 6;
    EXPECT_EQ(std::move(copied).release()(error_code()).status, 5);
    EXPECT_EQ(std::move(referred).release()(error_code()).status, 6);
    auto moved = classify([owned = std::make_unique<int>(7)](error_code const&) { return verdict{.status = *owned}; });
    EXPECT_EQ(std::move(moved).release()(error_code()).status, 7);
}

TEST(disposition, an_error_code_and_the_exception_that_carries_it_say_the_same)
{
    using detail::failure_of;
    error_code const reset = boost::asio::error::connection_reset;
    EXPECT_FALSE(failure_of(error_code()).failed);
    EXPECT_FALSE(failure_of(std::exception_ptr()).failed);
    for (auto const& failure : {failure_of(reset), failure_of(thrown(boost::system::system_error(reset)))}) {
        EXPECT_TRUE(failure.failed);
        EXPECT_TRUE(failure.has_code);
        EXPECT_EQ(failure.code, reset);
    }
    auto const unknown = failure_of(thrown(std::runtime_error("no code")));
    EXPECT_TRUE(unknown.failed);
    EXPECT_FALSE(unknown.has_code);
    EXPECT_EQ(unknown.code, retry_errc::unknown_exception);
}

TEST(disposition, knows_an_aborted_operation_in_all_its_forms)
{
    using detail::failure_of;
    using detail::is_aborted;
    error_code const aborted = boost::asio::error::operation_aborted;
    error_code const reset = boost::asio::error::connection_reset;
    EXPECT_TRUE(is_aborted(failure_of(aborted)));
    EXPECT_TRUE(is_aborted(failure_of(thrown(boost::system::system_error(aborted)))));
    EXPECT_TRUE(is_aborted(failure_of(thrown(std::system_error(aborted)))));
    EXPECT_TRUE(is_aborted(failure_of(thrown(std::system_error(ECANCELED, std::system_category())))));
    EXPECT_FALSE(is_aborted(failure_of(error_code())));
    EXPECT_FALSE(is_aborted(failure_of(reset)));
    EXPECT_FALSE(is_aborted(failure_of(thrown(std::runtime_error("no code")))));
}

TEST(disposition, takes_an_error_of_ours_in_both_forms)
{
    error_code code;
    detail::assign_error(code, retry_errc::attempt_timeout);
    EXPECT_EQ(code, retry_errc::attempt_timeout);
    std::exception_ptr exception;
    detail::assign_error(exception, retry_errc::deadline);
    EXPECT_EQ(detail::failure_of(exception).code, retry_errc::deadline);
}

TEST(verdict, named_constructors_say_what_they_are_named_for)
{
    EXPECT_EQ(verdict::done().kind, verdict_kind::done);
    EXPECT_EQ(verdict::permanent().kind, verdict_kind::permanent);
    EXPECT_EQ(verdict::retry().kind, verdict_kind::retry);
    EXPECT_EQ(verdict::retry().hint, std::nullopt);
    EXPECT_EQ(verdict::retry(2s).hint, 2s);
    EXPECT_EQ(verdict::throttled().kind, verdict_kind::throttled);
    EXPECT_EQ(verdict::throttled(2s).hint, 2s);
    for (auto const& each : {verdict::done(), verdict::permanent(), verdict::retry(), verdict::throttled()}) {
        EXPECT_TRUE(each.replayable);
        EXPECT_EQ(each.delivered, std::nullopt);
        EXPECT_EQ(each.status, 0);
    }
}

TEST(attempt, knows_its_number_its_limits_and_what_was_reported)
{
    attempt const first(1);
    EXPECT_EQ(first.number(), 1u);
    EXPECT_EQ(first.resend_count(), 0u);
    EXPECT_EQ(first.time_limit(), std::nullopt);
    EXPECT_EQ(first.worst_delivery(), std::nullopt);
    EXPECT_EQ(first.delivered(), std::nullopt);

    attempt const third(3, 2s, delivery::rejected);
    EXPECT_EQ(third.resend_count(), 2u);
    EXPECT_EQ(third.time_limit(), 2s);
    EXPECT_EQ(third.worst_delivery(), delivery::rejected);
    third.report(delivery::not_sent);
    third.report(delivery::ambiguous);
    EXPECT_EQ(third.delivered(), delivery::ambiguous);
    third.report(delivery::rejected);
    EXPECT_EQ(third.delivered(), delivery::rejected);
    static_assert(!std::is_copy_constructible_v<attempt> && !std::is_move_constructible_v<attempt>);
}

TEST(error_of, is_the_code_of_an_exception_that_has_one)
{
    EXPECT_EQ(error_of(nullptr), error_code());
    EXPECT_EQ(
        error_of(std::make_exception_ptr(boost::system::system_error(boost::asio::error::connection_refused))),
        boost::asio::error::connection_refused);
    EXPECT_EQ(
        error_of(std::make_exception_ptr(std::system_error(ECONNREFUSED, std::system_category()))),
        boost::asio::error::connection_refused);
    EXPECT_EQ(error_of(std::make_exception_ptr(std::runtime_error("thrown"))), retry_errc::unknown_exception);
    EXPECT_EQ(error_of(std::make_exception_ptr(1)), retry_errc::unknown_exception);
}
