//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "dialer.hpp"

#include "deadline.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace backbeat::http::detail {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

[[nodiscard]] int telling(error_code const& error) noexcept
{
    namespace errc_of = boost::system::errc;
    auto const is = [&error](errc_of::errc_t value) { return error == errc_of::make_error_condition(value); };
    if (is(errc_of::network_unreachable) || is(errc_of::address_not_available)
        || is(errc_of::address_family_not_supported) || is(errc_of::permission_denied)
        || is(errc_of::operation_not_permitted) || is(errc_of::invalid_argument))
        return 0;
    return is(errc_of::timed_out) || is(errc_of::host_unreachable) ? 1 : 2;
}

}  // namespace

endpoint_list interleave_families(endpoint_list const& found)
{
    endpoint_list result = found;
    if (result.empty()) return result;
    auto const family = found.front().protocol();
    auto const others = std::stable_partition(
        result.begin(), result.end(), [&](auto const& each) { return each.protocol() == family; });
    endpoint_list in_turns;
    in_turns.reserve(result.size());
    for (auto one = result.begin(), other = others; one != others || other != result.end();) {
        if (one != others) in_turns.push_back(*one++);
        if (other != result.end()) in_turns.push_back(*other++);
    }
    return in_turns;
}

bool tells_more(error_code const& one, error_code const& than) noexcept
{
    return telling(one) > telling(than);
}

dialer::dialer(
    boost::asio::any_io_executor io,
    boost::asio::any_io_executor strand,
    endpoint_list in_order,
    std::chrono::nanoseconds delay,
    handler on_end)
    : io_(std::move(io)),
      strand_(std::move(strand)),
      in_order_(std::move(in_order)),
      delay_(delay),
      on_end_(std::move(on_end)),
      timer_(strand_)
{}

void dialer::start()
{
    dial_next();
}

void dialer::stop()
{
    on_end_ = nullptr;
    under_way_.clear();
    timer_.cancel();
}

void dialer::dial_next()
{
    auto const to = in_order_[next_++];
    auto const which = under_way_.emplace(under_way_.end(), io_);
    auto on_end_of_one = [weak = weak_from_this(), which](error_code error) {
        if (auto const self = weak.lock()) self->on_end_of(which, error);
    };
    which->async_connect(to, boost::asio::bind_executor(strand_, std::move(on_end_of_one)));
    if (next_ == in_order_.size()) {
        timer_.cancel();
        return;
    }
    timer_.expires_at(deadline_after(delay_));
    timer_.async_wait([weak = weak_from_this()](error_code error) {
        auto const self = weak.lock();
        if (error || !self || !self->on_end_ || self->next_ == self->in_order_.size()) return;
        // A wait that had already ended when the timer was set anew ends in success all the same.
        if (self->timer_.expiry() <= std::chrono::steady_clock::now()) self->dial_next();
    });
}

void dialer::on_end_of(attempts::iterator which, error_code error)
{
    // When it is over, `which` is gone.
    if (!on_end_) return;
    if (!error) return finish({}, std::move(*which));
    under_way_.erase(which);
    if (!told_ || tells_more(error, told_)) told_ = error;
    if (next_ != in_order_.size()) return dial_next();
    if (under_way_.empty()) finish(told_, tcp::socket(io_));
}

void dialer::finish(error_code error, tcp::socket connected)
{
    auto const on_end = std::exchange(on_end_, nullptr);
    stop();
    on_end(error, std::move(connected));
}

}  // namespace backbeat::http::detail
