//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_DIALER_HPP
#define BACKBEAT_SRC_HTTP_DIALER_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <vector>

namespace backbeat::http::detail {

using endpoint_list = std::vector<boost::asio::ip::tcp::endpoint>;

// The addresses of a host in the order in which they are to be tried: IPv6 and IPv4 in turns, beginning with the family
// of the first, and otherwise as they were. So a family that does not work costs one address, and not all it has.
// RFC 8305, section 4 (https://www.rfc-editor.org/rfc/rfc8305#section-4), whose sorting before that is the resolver's.
[[nodiscard]] endpoint_list interleave_families(endpoint_list const& found);

// Of the errors of two addresses, which one tells more about the server: what it said itself (it refuses), then that it
// did not answer, then that there is no way from here to there. The last is what every host without IPv6 finds out
// about every IPv6 address.
[[nodiscard]] bool tells_more(boost::system::error_code const& one, boost::system::error_code const& than) noexcept;

// Connects to the first of several addresses that answers ("Happy Eyeballs", RFC 8305, section 5). It tries one after
// the other, the next when one failed or, at the latest, a delay after the one before it was begun, and never gives up
// one that is under way because of that. The first to be connected wins, and the others are closed.
//
// It is used on one strand. Whoever owns it is told the end, unless he stops it or lets go of it before. It calls him,
// and does not own him: what is under way refers to it weakly, so it can be dropped at any time.
class dialer : public std::enable_shared_from_this<dialer> {
public:
    // The socket is connected if there is no error. Otherwise the error is, of those of all addresses, the one that
    // tells most; of several, the first.
    using handler = std::function<void(boost::system::error_code, boost::asio::ip::tcp::socket)>;

    // The sockets are `io`'s. There has to be an address. A delay of zero tries all at once.
    dialer(
        boost::asio::any_io_executor io,
        boost::asio::any_io_executor strand,
        endpoint_list in_order,
        std::chrono::nanoseconds delay,
        handler on_end);

    // Calls the handler later, and once.
    void start();

    // Closes all that is under way. The handler is not called any more.
    void stop();

private:
    using attempts = std::list<boost::asio::ip::tcp::socket>;

    void dial_next();
    void on_end_of(attempts::iterator which, boost::system::error_code error);
    void finish(boost::system::error_code error, boost::asio::ip::tcp::socket connected);

    boost::asio::any_io_executor io_;
    boost::asio::any_io_executor strand_;
    endpoint_list in_order_;
    std::chrono::nanoseconds delay_;
    handler on_end_;  // empty: it is over
    std::size_t next_ = 0;
    attempts under_way_;
    boost::asio::steady_timer timer_;
    boost::system::error_code told_;
};

}  // namespace backbeat::http::detail

#endif
