//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The examples of docs/http-client.md with files, against a server that keeps what it is sent.

#include <backbeat/http/client.hpp>

#include <boost/asio.hpp>
#include <boost/beast.hpp>

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace http = backbeat::http;
using boost::beast::file_mode;
using boost::beast::http::file_body;
using boost::system::error_code;

// [upload
asio::awaitable<http::response> upload(http::client& store, std::string path)
{
    boost::beast::http::request<file_body> message(http::verb::put, "/backup", 11);
    error_code error;
    message.body().open(path.c_str(), file_mode::scan, error);
    if (error) throw boost::system::system_error(error);
    co_return co_await store.async_send(std::move(message));  // each attempt sends the whole file
}
// upload]

// [download
asio::awaitable<bool> download(http::client& store, std::string path)
{
    http::request const message(http::verb::get, "/backup", 11);
    auto const part = path + ".part";
    auto open = [&](auto& body, error_code& error) { body.open(part.c_str(), file_mode::write, error); };
    auto answer = co_await store.async_send<file_body>(message, http::prepare_body(open));
    answer.body().close();
    if (answer.result() != http::status::ok) co_return false;  // the file has what the server said instead
    std::filesystem::rename(part, path);
    co_return true;
}
// download]

// Answers every other request with a 503, and what was put with what to get.
asio::awaitable<void> serve(asio::ip::tcp::acceptor& listening)
{
    boost::beast::tcp_stream stream(co_await listening.async_accept(asio::use_awaitable));
    boost::beast::flat_buffer buffer;
    std::string kept;
    for (int count = 1; count <= 4; ++count) {
        http::request message;
        co_await boost::beast::http::async_read(stream, buffer, message, asio::use_awaitable);
        http::response answer(count % 2 == 1 ? http::status::service_unavailable : http::status::ok, 11);
        if (message.method() == http::verb::put) kept = message.body();
        answer.body() = count % 2 == 1 ? "busy" : kept;
        answer.prepare_payload();
        co_await boost::beast::http::async_write(stream, answer, asio::use_awaitable);
    }
}

std::string content(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

int main()
{
    auto pattern = (std::filesystem::temp_directory_path() / "backbeat-example-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) return EXIT_FAILURE;
    std::filesystem::path const folder(pattern);
    auto const there = folder / "there";
    auto const back = folder / "back";
    std::ofstream(there, std::ios::binary) << std::string(100'000, 'x') << "the end";

    asio::io_context context;
    asio::ip::tcp::acceptor listening(context, {asio::ip::address_v4::loopback(), 0});
    http::client_options options;
    options.retry = {.initial_backoff = 10ms};
    http::client store(
        context.get_executor(), "http://127.0.0.1:" + std::to_string(listening.local_endpoint().port()), options);
    asio::co_spawn(context, serve(listening), asio::detached);
    auto const there_and_back = [&]() -> asio::awaitable<bool> {
        auto const stored = co_await upload(store, there.string());
        auto const fetched = co_await download(store, back.string());
        co_return stored.result() == http::status::ok&& fetched;
    };
    auto done = asio::co_spawn(context, there_and_back, asio::use_future);
    context.run();
    bool const as_documented = done.get() && content(there) == content(back);
    std::filesystem::remove_all(folder);
    return as_documented ? EXIT_SUCCESS : EXIT_FAILURE;
}
