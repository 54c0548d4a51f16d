//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "load_generator.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::test {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using clock = std::chrono::steady_clock;

// One connection. It knows just enough of HTTP to find the end of the emulator's answers.
class worker : public std::enable_shared_from_this<worker> {
public:
    worker(asio::io_context& context, std::size_t number, clock::time_point end, load_result& result)
        : socket_(context), end_(end), result_(result)
    {
        std::string const list = "/v1/projects/p/locations/l/instances";
        auto const id = "load-" + std::to_string(number);
        std::string const body = R"({"tier":"BASIC","memorySizeGb":1})";
        auto const request = [](std::string const& line, std::string const& content) {
            return line + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(content.size())
                + "\r\n\r\n" + content;
        };
        requests_ = {
            request("POST " + list + "?instanceId=" + id, body),
            request("GET " + list + "/" + id, ""),
            request("GET " + list + "?pageSize=5", ""),
            request("DELETE " + list + "/" + id, "")};
    }

    void start(asio::ip::tcp::endpoint const& server)
    {
        socket_.async_connect(server, [self = shared_from_this()](error_code ec) {
            if (ec) return self->fail();
            self->socket_.set_option(asio::ip::tcp::no_delay(true), ec);
            self->send();
        });
    }

private:
    void send()
    {
        begun_ = clock::now();
        // It ends after a deletion, so that nothing is left behind, and not before the first one, however late a busy
        // machine let it begin.
        if (begun_ >= end_ && next_ == 0 && rounds_ != 0) return;
        asio::async_write(
            socket_, asio::buffer(requests_[next_]), [self = shared_from_this()](error_code ec, std::size_t) {
                if (ec) return self->fail();
                self->received_.clear();
                self->receive();
            });
    }

    void receive()
    {
        socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](error_code ec, std::size_t count) {
            if (ec) return self->fail();
            self->received_.append(self->buffer_.data(), count);
            if (!self->is_complete()) return self->receive();
            self->count();
            self->send();
        });
    }

    [[nodiscard]] bool is_complete() const
    {
        static constexpr std::string_view length = "\r\nContent-Length: ";
        auto const end = received_.find("\r\n\r\n");
        if (end == received_.npos) return false;
        auto const found = received_.find(length);
        if (found == received_.npos || found > end) return true;
        return received_.size() >= end + 4 + std::strtoul(received_.c_str() + found + length.size(), nullptr, 10);
    }

    void count()
    {
        ++result_.answers;
        if (received_.compare(0, 12, "HTTP/1.1 200") != 0) ++result_.errors;
        auto const time = std::chrono::duration_cast<std::chrono::microseconds>(clock::now() - begun_);
        result_.microseconds.push_back(static_cast<std::uint32_t>(time.count()));
        next_ = (next_ + 1) % requests_.size();
        if (next_ == 0) ++rounds_;
    }

    void fail() { ++result_.errors; }

    asio::ip::tcp::socket socket_;
    clock::time_point end_;
    load_result& result_;
    std::array<std::string, 4> requests_;
    std::size_t next_ = 0;
    std::size_t rounds_ = 0;
    clock::time_point begun_;
    std::array<char, 16 * 1024> buffer_{};
    std::string received_;
};

}  // namespace

std::chrono::nanoseconds load_result::percentile(double share) const
{
    if (microseconds.empty()) return {};
    auto const last = static_cast<double>(microseconds.size() - 1);
    return std::chrono::microseconds(microseconds[static_cast<std::size_t>(last * share)]);
}

std::string load_result::text() const
{
    auto const milliseconds = [this](double share) {
        return std::to_string(std::chrono::duration<double, std::milli>(percentile(share)).count());
    };
    auto const rate = static_cast<double>(answers) / std::chrono::duration<double>(time).count();
    return std::to_string(answers) + " answers, " + std::to_string(static_cast<std::uint64_t>(rate)) + " a second, "
        + std::to_string(errors) + " errors, p50 " + milliseconds(0.5) + " ms, p99 " + milliseconds(0.99) + " ms, most "
        + milliseconds(1) + " ms";
}

load_result generate_load(std::string const& url, std::size_t connections, std::chrono::nanoseconds duration)
{
    load_result result;
    asio::io_context context(1);
    auto const port = static_cast<unsigned short>(std::stoi(url.substr(url.rfind(':') + 1)));
    auto const begin = clock::now();
    auto const end = begin + std::chrono::duration_cast<clock::duration>(duration);
    // Each keeps its connection until all are done, so that all of them are open at some time.
    std::vector<std::shared_ptr<worker>> workers;
    for (std::size_t i = 0; i != connections; ++i) workers.push_back(std::make_shared<worker>(context, i, end, result));
    for (auto const& each : workers) each->start({asio::ip::address_v4::loopback(), port});
    context.run();
    result.time = clock::now() - begin;
    std::sort(result.microseconds.begin(), result.microseconds.end());
    return result;
}

}  // namespace backbeat::test
