//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_PROGRESS_HPP
#define BACKBEAT_SRC_CLI_PROGRESS_HPP

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <string>

namespace backbeat::cli {

// A line on standard error that is written anew ten times a second, if that is a terminal. The text is asked for in any
// case: at the start, and then at the same pace.
class progress_line {
public:
    progress_line(boost::asio::io_context& context, std::function<std::string()> text);
    progress_line(progress_line const&) = delete;
    progress_line& operator=(progress_line const&) = delete;

    // Wipes the line.
    ~progress_line();

    // Shows it for the last time, so that the context can run out of work.
    void dismiss();

private:
    void show();
    void wait();
    void write(std::string const& line) const;

    boost::asio::steady_timer timer_;
    std::function<std::string()> text_;
    bool on_terminal_;
    bool dismissed_ = false;
};

}  // namespace backbeat::cli

#endif
