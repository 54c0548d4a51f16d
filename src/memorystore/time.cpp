//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/duration.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <algorithm>
#include <limits>

namespace backbeat::memorystore {

namespace {

constexpr std::int64_t first_second = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t last_second = 253'402'300'799;  // 9999-12-31T23:59:59Z
constexpr std::int32_t nanoseconds_in_a_second = 1'000'000'000;

// Takes text apart from its start.
class scanner {
public:
    explicit scanner(std::string_view text) noexcept : rest_(text) {}

    [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

    [[nodiscard]] bool skip(char wanted) noexcept
    {
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        return true;
    }

    // Exactly so many digits.
    [[nodiscard]] std::optional<int> digits(std::size_t count) noexcept
    {
        if (rest_.size() < count) return {};
        int result = 0;
        for (std::size_t i = 0; i != count; ++i) {
            if (rest_[i] < '0' || rest_[i] > '9') return {};
            result = result * 10 + (rest_[i] - '0');
        }
        rest_.remove_prefix(count);
        return result;
    }

    // As many digits as there are; at least one, at most twelve.
    [[nodiscard]] std::optional<std::int64_t> number() noexcept
    {
        std::int64_t result = 0;
        std::size_t count = 0;
        while (count != rest_.size() && rest_[count] >= '0' && rest_[count] <= '9') {
            if (count == 12) return {};
            result = result * 10 + (rest_[count++] - '0');
        }
        if (count == 0) return {};
        rest_.remove_prefix(count);
        return result;
    }

    // What follows a decimal point, in billionths: one to nine digits.
    [[nodiscard]] std::optional<std::int32_t> billionths() noexcept
    {
        std::int32_t result = 0;
        std::size_t count = 0;
        while (count != rest_.size() && rest_[count] >= '0' && rest_[count] <= '9') {
            if (count == 9) return {};
            result = result * 10 + (rest_[count++] - '0');
        }
        if (count == 0) return {};
        rest_.remove_prefix(count);
        for (; count != 9; ++count) result *= 10;
        return result;
    }

private:
    std::string_view rest_;
};

// ".5" -> ".500": none, three, six or nine digits.
std::string fraction(std::int32_t billionths)
{
    if (billionths == 0) return {};
    auto result = std::to_string(billionths);
    result.insert(0, 9 - result.size(), '0');
    while (result.ends_with("000")) result.resize(result.size() - 3);
    return '.' + result;
}

std::string padded(int value, std::size_t width)
{
    auto result = std::to_string(value);
    if (result.size() < width) result.insert(0, width - result.size(), '0');
    return result;
}

// Nanoseconds, or the nearest number that there is.
std::chrono::nanoseconds saturated(std::int64_t seconds, std::int32_t nanoseconds) noexcept
{
    constexpr auto most = (std::chrono::nanoseconds::max)();
    constexpr auto least = (std::chrono::nanoseconds::min)();
    if (seconds >= most.count() / nanoseconds_in_a_second) return most;
    if (seconds <= least.count() / nanoseconds_in_a_second) return least;
    return std::chrono::nanoseconds(seconds * nanoseconds_in_a_second + nanoseconds);
}

}  // namespace

timestamp::timestamp(std::chrono::system_clock::time_point time) noexcept
{
    auto const whole = std::chrono::floor<std::chrono::seconds>(time);
    seconds_ = whole.time_since_epoch().count();
    auto const rest = std::chrono::duration_cast<std::chrono::nanoseconds>(time - whole);
    nanoseconds_ = static_cast<std::int32_t>(rest.count());
    if (seconds_ < first_second) {
        seconds_ = first_second;
        nanoseconds_ = 0;
    }
    if (seconds_ > last_second) {
        seconds_ = last_second;
        nanoseconds_ = nanoseconds_in_a_second - 1;
    }
}

std::optional<timestamp> timestamp::parse(std::string_view text) noexcept
{
    scanner in(text);
    auto const year = in.digits(4);
    if (!year || !in.skip('-')) return {};
    auto const month = in.digits(2);
    if (!month || !in.skip('-')) return {};
    auto const day = in.digits(2);
    if (!day || !(in.skip('T') || in.skip('t') || in.skip(' '))) return {};
    auto const hour = in.digits(2);
    if (!hour || *hour > 23 || !in.skip(':')) return {};
    auto const minute = in.digits(2);
    if (!minute || *minute > 59 || !in.skip(':')) return {};
    auto const second = in.digits(2);
    if (!second || *second > 59) return {};
    timestamp result;
    if (in.skip('.')) {
        auto const nanoseconds = in.billionths();
        if (!nanoseconds) return {};
        result.nanoseconds_ = *nanoseconds;
    }
    std::int64_t offset = 0;
    if (!in.skip('Z') && !in.skip('z')) {
        bool const west = in.skip('-');
        if (!west && !in.skip('+')) return {};
        auto const hours = in.digits(2);
        if (!hours || *hours > 23 || !in.skip(':')) return {};
        auto const minutes = in.digits(2);
        if (!minutes || *minutes > 59) return {};
        offset = (*hours * 60 + *minutes) * 60 * (west ? -1 : 1);
    }
    if (!in.at_end()) return {};
    auto const date = std::chrono::year(*year) / *month / *day;
    if (!date.ok()) return {};
    std::int64_t const days = std::chrono::sys_days(date).time_since_epoch().count();
    result.seconds_ = ((days * 24 + *hour) * 60 + *minute) * 60 + *second - offset;
    if (result.seconds_ < first_second || result.seconds_ > last_second) return {};
    return result;
}

std::chrono::system_clock::time_point timestamp::time_point() const noexcept
{
    return std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(saturated(seconds_, nanoseconds_)));
}

std::string timestamp::to_string() const
{
    std::chrono::sys_seconds const time{std::chrono::seconds(seconds_)};
    auto const days = std::chrono::floor<std::chrono::days>(time);
    std::chrono::year_month_day const date(days);
    auto const of_day = static_cast<int>((time - days).count());
    return padded(static_cast<int>(date.year()), 4) + '-'
        + padded(static_cast<int>(static_cast<unsigned>(date.month())), 2) + '-'
        + padded(static_cast<int>(static_cast<unsigned>(date.day())), 2) + 'T' + padded(of_day / 3600, 2) + ':'
        + padded(of_day / 60 % 60, 2) + ':' + padded(of_day % 60, 2) + fraction(nanoseconds_) + 'Z';
}

std::optional<duration> duration::parse(std::string_view text) noexcept
{
    constexpr std::int64_t limit = 315'576'000'000;
    scanner in(text);
    bool const negative = in.skip('-');
    auto const seconds = in.number();
    if (!seconds) return {};
    duration result;
    result.seconds_ = *seconds;
    if (in.skip('.')) {
        auto const nanoseconds = in.billionths();
        if (!nanoseconds) return {};
        result.nanoseconds_ = *nanoseconds;
    }
    if (!in.skip('s') || !in.at_end()) return {};
    if (result.seconds_ > limit || (result.seconds_ == limit && result.nanoseconds_ != 0)) return {};
    if (negative) {
        result.seconds_ = -result.seconds_;
        result.nanoseconds_ = -result.nanoseconds_;
    }
    return result;
}

std::chrono::nanoseconds duration::span() const noexcept
{
    return saturated(seconds_, nanoseconds_);
}

std::string duration::to_string() const
{
    bool const negative = seconds_ < 0 || nanoseconds_ < 0;
    auto const whole = negative ? -seconds_ : seconds_;
    return (negative ? "-" : "") + std::to_string(whole) + fraction(negative ? -nanoseconds_ : nanoseconds_) + 's';
}

}  // namespace backbeat::memorystore
