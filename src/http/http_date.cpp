//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "http_date.hpp"

#include <array>
#include <cstddef>
#include <tuple>

namespace backbeat::http::detail {

namespace {

using names_of_days = std::array<std::string_view, 7>;

constexpr names_of_days short_days{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr names_of_days long_days{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
constexpr std::array<std::string_view, 12> months{
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Reads from the front of a text. Once something was not there, nothing is any more.
class reader {
public:
    explicit reader(std::string_view text) noexcept : rest_(text) {}

    void skip(std::string_view expected) noexcept { failed_ = !try_skip(expected); }

    [[nodiscard]] bool try_skip(std::string_view expected) noexcept
    {
        if (failed_ || rest_.substr(0, expected.size()) != expected) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    // That many digits. Zero if they are not there.
    int number(std::size_t digits) noexcept
    {
        failed_ = failed_ || rest_.size() < digits;
        int result = 0;
        for (std::size_t i = 0; i != digits && !failed_; ++i) {
            failed_ = rest_[i] < '0' || rest_[i] > '9';
            result = result * 10 + (rest_[i] - '0');
        }
        if (failed_) return 0;
        rest_.remove_prefix(digits);
        return result;
    }

    // The number of the name, from 1. Zero if none is there.
    template <std::size_t count>
    unsigned name(std::array<std::string_view, count> const& names) noexcept
    {
        for (unsigned i = 0; i != count; ++i)
            if (try_skip(names[i])) return i + 1;
        failed_ = true;
        return 0;
    }

    // Whether all was there, and nothing else is.
    [[nodiscard]] bool succeeded() const noexcept { return !failed_ && rest_.empty(); }

private:
    std::string_view rest_;
    bool failed_ = false;
};

struct date_parts {
    int year = 0;
    unsigned month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;

    void read_time(reader& from) noexcept
    {
        hour = from.number(2);
        from.skip(":");
        minute = from.number(2);
        from.skip(":");
        second = from.number(2);
    }

    [[nodiscard]] auto in_year() const noexcept { return std::tie(month, day, hour, minute, second); }

    [[nodiscard]] std::optional<std::chrono::sys_seconds> time() const noexcept
    {
        using namespace std::chrono;
        year_month_day const date{
            std::chrono::year(year), std::chrono::month(month), std::chrono::day(static_cast<unsigned>(day))};
        if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
        return sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
    }
};

[[nodiscard]] date_parts parts_of(std::chrono::sys_seconds time) noexcept
{
    using namespace std::chrono;
    auto const day = floor<days>(time);
    year_month_day const date(day);
    hh_mm_ss const clock(time - day);
    return {
        .year = int(date.year()),
        .month = unsigned(date.month()),
        .day = static_cast<int>(unsigned(date.day())),
        .hour = static_cast<int>(clock.hours().count()),
        .minute = static_cast<int>(clock.minutes().count()),
        .second = static_cast<int>(clock.seconds().count())};
}

[[nodiscard]] int full_year(date_parts const& date, date_parts const& now) noexcept
{
    auto const latest = now.year + 50;
    auto const year = latest - ((latest - date.year) % 100 + 100) % 100;
    return year == latest && date.in_year() > now.in_year() ? year - 100 : year;
}

// Sun, 06 Nov 1994 08:49:37 GMT
[[nodiscard]] bool read_imf(reader from, date_parts& to) noexcept
{
    from.name(short_days);
    from.skip(", ");
    to.day = from.number(2);
    from.skip(" ");
    to.month = from.name(months);
    from.skip(" ");
    to.year = from.number(4);
    from.skip(" ");
    to.read_time(from);
    from.skip(" GMT");
    return from.succeeded();
}

// Sunday, 06-Nov-94 08:49:37 GMT
[[nodiscard]] bool read_rfc850(reader from, date_parts& to, std::chrono::sys_seconds now) noexcept
{
    from.name(long_days);
    from.skip(", ");
    to.day = from.number(2);
    from.skip("-");
    to.month = from.name(months);
    from.skip("-");
    to.year = from.number(2);
    from.skip(" ");
    to.read_time(from);
    from.skip(" GMT");
    if (!from.succeeded()) return false;
    to.year = full_year(to, parts_of(now));
    return true;
}

// Sun Nov  6 08:49:37 1994
[[nodiscard]] bool read_asctime(reader from, date_parts& to) noexcept
{
    from.name(short_days);
    from.skip(" ");
    to.month = from.name(months);
    from.skip(" ");
    to.day = from.number(from.try_skip(" ") ? 1 : 2);
    from.skip(" ");
    to.read_time(from);
    from.skip(" ");
    to.year = from.number(4);
    return from.succeeded();
}

}  // namespace

std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text, std::chrono::sys_seconds now) noexcept
{
    reader const from(text);
    date_parts parts;
    if (!read_imf(from, parts) && !read_rfc850(from, parts, now) && !read_asctime(from, parts)) return std::nullopt;
    return parts.time();
}

bool is_day_name(std::string_view text) noexcept
{
    for (auto const* names : {&short_days, &long_days})
        for (auto const name : *names)
            if (text == name) return true;
    return false;
}

}  // namespace backbeat::http::detail
