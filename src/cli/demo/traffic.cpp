//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "traffic.hpp"

#include "../exit_status.hpp"
#include "../progress.hpp"
#include "../text.hpp"
#include "../threads.hpp"

#include <backbeat/emulator.hpp>
#include <backbeat/memorystore/client.hpp>
#include <backbeat/report_to.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace backbeat::cli::demo {

namespace {

namespace asio = boost::asio;
using memorystore::client;

constexpr std::string_view location = "projects/demo/locations/us-central1";
constexpr std::array<std::string_view, 5> instance_ids{"carts", "catalogue", "prices", "sessions", "thumbnails"};

// Fewer than there are requests in flight: those that wait for their next attempt need none.
constexpr std::size_t connections_each = 32;

std::string instance_name(std::size_t index)
{
    return fmt::format("{}/instances/{}", location, instance_ids[index]);
}

std::unique_ptr<client> make_client(
    asio::io_context& context, std::string endpoint, std::string authority, retry_options const& policy)
{
    memorystore::client_options options;
    options.endpoint = std::move(endpoint);
    options.http.ca_certificate = std::move(authority);
    options.http.maximum_connections = connections_each;
    // So that every request that the emulator reads is an attempt that the observer counts.
    options.http.replay_on_stale_connection = false;
    options.retry = policy;
    return std::make_unique<client>(context.get_executor(), options);
}

asio::awaitable<void> create_instances(client& redis)
{
    memorystore::instance wanted;
    wanted.tier = memorystore::tier::basic;
    wanted.memory_size_gb = 1;
    for (auto const id : instance_ids) {
        std::string parent(location);
        std::string name(id);
        auto copy = wanted;
        co_await redis.async_create_instance(std::move(parent), std::move(name), std::move(copy), asio::use_awaitable);
    }
}

}  // namespace

void fill(emulator& server)
{
    asio::io_context context(1);
    auto const redis = make_client(context, server.url(), {}, retry_options{});
    run_until_done(context, [&] { return create_instances(*redis); });
}

traffic::traffic(settings const& chosen, emulator& server)
    : chosen_(chosen),
      random_(chosen.seed),
      cancels_(static_cast<std::size_t>((std::min)(chosen.concurrency, chosen.requests))),
      stop_(context_, [this] { cancel_all(); })
{
    auto policy = scaled_policy(chosen.time_scale);
    policy.observer = &counts_;
    policy.random = &random_;
    plain_ = make_client(context_, server.url(), {}, policy);
    tls_ = make_client(context_, server.tls_url(), server.ca_certificate(), policy);
    requests_.resize(static_cast<std::size_t>(chosen.requests));
    for (std::size_t i = 0; i != requests_.size(); ++i) {
        requests_[i].lists = i % 2 == 0;
        requests_[i].over_tls = i / 2 % 2 == 1;
        requests_[i].instance = i % instance_ids.size();
    }
}

traffic::~traffic() = default;

void traffic::run()
{
    progress_line line(context_, [this] {
        most_threads_ = (std::max)(most_threads_, count_threads());
        return progress();
    });

    auto const start = std::chrono::steady_clock::now();
    working_ = cancels_.size();
    for (auto& each : cancels_) {
        auto ended = [&](std::exception_ptr failure) {
            on_worker_end(std::move(failure));
            if (working_ != 0) return;
            elapsed_ = std::chrono::steady_clock::now() - start;
            stop_.dismiss();
            line.dismiss();
        };
        asio::co_spawn(context_, work(), asio::bind_cancellation_slot(each.slot(), std::move(ended)));
    }
    context_.run();
    if (stop_.signal()) throw interrupted(*stop_.signal());
    if (failure_) std::rethrow_exception(failure_);
}

void traffic::cancel_all()
{
    stopping_ = true;
    for (auto& each : cancels_) each.emit(asio::cancellation_type::terminal);
}

void traffic::on_worker_end(std::exception_ptr failure)
{
    --working_;
    if (failure && !failure_ && !stopping_) failure_ = std::move(failure);
}

asio::awaitable<void> traffic::work()
{
    std::size_t number = 0;
    while (next_ != requests_.size() && !stopping_) {
        number = next_++;
        co_await perform(requests_[number]);
    }
}

asio::awaitable<void> traffic::perform(request& current)
{
    auto& redis = current.over_tls ? *tls_ : *plain_;
    memorystore::call_options call(report_to(current.report));
    try {
        if (current.lists) {
            std::string parent(location);
            auto const found = co_await redis.async_list_instances(std::move(parent), call, asio::use_awaitable);
            if (found.instances.size() != instance_ids.size())
                current.problem = fmt::format("lists {}", counted(found.instances.size(), "instance"));
        } else {
            auto name = instance_name(current.instance);
            auto const found = co_await redis.async_get_instance(std::move(name), call, asio::use_awaitable);
            if (found.name != instance_name(current.instance)) current.problem = "got '" + printable(found.name) + "'";
        }
    } catch (memorystore::error const& error) {
        // That is an end too, and its report says why. Only a success that the client cannot read is unexpected.
        if (error.code() == memorystore::errc::malformed_response
            || error.code() == memorystore::errc::invalid_argument)
            current.problem = error.what();
    }
    ++current.completions;
}

std::string traffic::progress() const
{
    return fmt::format(
        "{} of {} requests ended, {} in flight, {} of them waiting; {} attempts",
        grouped(counts_.ended),
        grouped(chosen_.requests),
        grouped(counts_.in_flight),
        grouped(counts_.waiting),
        grouped(counts_.attempts));
}

}  // namespace backbeat::cli::demo
