//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "progress.hpp"

#include <boost/system/error_code.hpp>

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace backbeat::cli {

namespace {

constexpr char const* wipe = "\r\x1b[K";

// A line that wraps could not be wiped: its first row would stay, each time.
std::string fitted(std::string line)
{
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return line;
    auto end = std::size_t{size.ws_col} - 1;
    if (line.size() <= end) return line;
    // Not inside a character.
    while (end != 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
    line.resize(end);
    return line;
}

}  // namespace

progress_line::progress_line(boost::asio::io_context& context, std::function<std::string()> text)
    : timer_(context), text_(std::move(text)), on_terminal_(::isatty(STDERR_FILENO) == 1)
{
    show();
    wait();
}

progress_line::~progress_line()
{
    write("");
}

void progress_line::dismiss()
{
    dismissed_ = true;
    timer_.cancel();
    show();
}

void progress_line::show()
{
    write(text_());
}

void progress_line::wait()
{
    timer_.expires_after(std::chrono::milliseconds(100));
    timer_.async_wait([this](boost::system::error_code error) {
        // A wait that had already ended when it was cancelled ends in success all the same.
        if (error || dismissed_) return;
        show();
        wait();
    });
}

void progress_line::write(std::string const& line) const
{
    if (!on_terminal_) return;
    std::fputs((wipe + fitted(line)).c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace backbeat::cli
