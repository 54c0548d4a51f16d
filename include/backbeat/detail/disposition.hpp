//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_DISPOSITION_HPP
#define BACKBEAT_DETAIL_DISPOSITION_HPP

#include <backbeat/retry_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <concepts>
#include <exception>
#include <system_error>

namespace backbeat::detail {

// The first completion argument, which tells whether an operation failed, read and written in one way whether it is
// an error code or an exception.
struct failure {
    bool failed = false;
    bool has_code = true;
    boost::system::error_code code{};
};

[[nodiscard]] inline failure failure_of(boost::system::error_code const& error) noexcept
{
    return {.failed = error.failed(), .code = error};
}

// The two standard categories have counterparts in Boost, but a converted code of the one does not equal a code of the
// other, so that a reset connection would not be recognised.
[[nodiscard]] inline boost::system::error_code from_standard(std::error_code const& code) noexcept
{
    if (code.category() == std::system_category()) return {code.value(), boost::system::system_category()};
    if (code.category() == std::generic_category()) return {code.value(), boost::system::generic_category()};
    return code;
}

[[nodiscard]] inline failure failure_of(std::exception_ptr const& error) noexcept
{
    if (!error) return {};
    try {
        std::rethrow_exception(error);
    } catch (boost::system::system_error const& e) {
        return {.failed = true, .code = e.code()};
    } catch (std::system_error const& e) {
        return {.failed = true, .code = from_standard(e.code())};
    } catch (...) {
        return {.failed = true, .has_code = false, .code = make_error_code(retry_errc::unknown_exception)};
    }
}

template <class T>
concept disposition = std::same_as<T, boost::system::error_code> || std::same_as<T, std::exception_ptr>;

// Whether the code means one of these conditions, which codes of any category may mean. Every attempt that fails asks,
// nearly always with a code of Asio's: then one look at it is enough for all, instead of virtual calls for each.
template <boost::system::errc::errc_t... conditions>
[[nodiscard]] bool means_one_of(boost::system::error_code const& code) noexcept
{
    if (code.category() == boost::system::system_category()) {
#ifdef _WIN32
        auto const meant = code.default_error_condition();
        return meant.category() == boost::system::generic_category() && ((meant.value() == conditions) || ...);
#else
        return ((code.value() == conditions) || ...);
#endif
    }
    return ((code == boost::system::errc::make_error_condition(conditions)) || ...);
}

[[nodiscard]] inline bool is_aborted(failure const& ended) noexcept
{
    return ended.failed && ended.has_code
        && (ended.code == boost::asio::error::operation_aborted
            || means_one_of<boost::system::errc::operation_canceled>(ended.code));
}

inline void assign_error(boost::system::error_code& disposition, boost::system::error_code error) noexcept
{
    disposition = error;
}

inline void assign_error(std::exception_ptr& disposition, boost::system::error_code error)
{
    disposition = std::make_exception_ptr(boost::system::system_error(error));
}

}  // namespace backbeat::detail

#endif
