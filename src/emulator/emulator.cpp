//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "certificate.hpp"
#include "error_reply.hpp"
#include "server.hpp"
#include "service.hpp"

#include <backbeat/detail/token.hpp>
#include <backbeat/emulator.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace backbeat {

namespace {

emulator_options& checked(emulator_options& options)
{
    auto const refuse_if = [](bool wrong, char const* text) {
        if (wrong) throw std::invalid_argument(text);
    };
    refuse_if(!options.plain && !options.tls, "emulator_options: one of plain and tls must be true");
    refuse_if(
        options.operation_time < options.operation_time.zero(),
        "emulator_options: operation_time must not be negative");
    refuse_if(
        options.idle_timeout <= options.idle_timeout.zero(), "emulator_options: idle_timeout must be more than zero");
    refuse_if(
        options.header_limit == 0 || options.header_limit > 0x7fffffff,
        "emulator_options: header_limit must be from 1 byte to 2 GiB");
    if (options.quota) {
        refuse_if(options.quota->requests == 0, "emulator_options: quota must allow at least one request");
        refuse_if(
            options.quota->period <= options.quota->period.zero(),
            "emulator_options: the period of quota must be more than zero");
    }
    refuse_if(
        options.capacity > emulation::capacity::maximum_rate,
        "emulator_options: capacity must be at most 1,000,000 requests a second");
    refuse_if(options.queue && options.capacity == 0, "emulator_options: queue needs capacity");
    refuse_if(options.queue > 1'000'000U, "emulator_options: queue must be at most 1,000,000 requests");
    refuse_if(options.log_headers.size() > 32, "emulator_options: log_headers must be at most 32 names");
    refuse_if(
        !std::all_of(options.log_headers.begin(), options.log_headers.end(), &detail::is_token),
        "emulator_options: log_headers must be names of header fields, like x-goog-request-params");
    return options;
}

emulation::service_options service_options_of(emulator_options& options)
{
    emulation::service_options result;
    result.faults = std::move(options.faults);
    result.seed = options.seed;
    result.operation_time = options.operation_time;
    result.log_limit = options.log_limit;
    result.log_headers = std::move(options.log_headers);
    result.log = std::move(options.log);
    if (options.quota) result.quota = {emulation::request_quota_limit(options.quota->requests, options.quota->period)};
    if (options.service_quota)
        for (auto& limit : emulation::service_quota_limits()) result.quota.push_back(std::move(limit));
    result.capacity = options.capacity;
    result.queue = options.queue.value_or(options.capacity);
    result.required_token = std::move(options.required_token);
    result.jwt_key = options.jwt_key;
    return result;
}

emulation::server_limits limits_of(emulator_options const& options)
{
    emulation::server_limits result;
    result.header = options.header_limit;
    result.body = options.body_limit;
    result.idle = options.idle_timeout;
    return result;
}

}  // namespace

request_quota::request_quota() = default;
request_quota::request_quota(std::uint64_t most, std::chrono::nanoseconds span) : requests(most), period(span) {}
emulator_options::emulator_options() = default;
emulator_request::emulator_request() = default;
emulator_effect::emulator_effect() = default;

class emulator::impl {
public:
    explicit impl(emulator_options options)
        : answers(service_options_of(checked(options))), server(answers, limits_of(options))
    {
        if (!options.snapshot.empty()) load(options.snapshot);
        set_unreachable(std::move(options.unreachable));
        answers.connections = [this] { return std::pair(server.open_connections(), server.peak_connections()); };
        auto const host = options.host.find(':') == std::string::npos ? options.host : "[" + options.host + "]";
        if (options.plain)
            url = "http://" + host + ":" + std::to_string(server.listen(options.host, options.port, nullptr));
        if (options.tls) {
            auto const identity = emulation::make_server_identity(options.host);
            tls_url =
                "https://" + host + ":" + std::to_string(server.listen(options.host, options.tls_port, &identity));
            authority = identity.authority;
        }
        server.start();
    }

    void load(std::string_view snapshot)
    {
        try {
            answers.load_snapshot(snapshot);
        } catch (emulation::api_error const& error) {
            throw std::invalid_argument(std::string("the snapshot cannot be loaded: ") + error.what());
        }
    }

    void set_unreachable(std::vector<std::string> locations)
    {
        try {
            answers.set_unreachable(std::move(locations));
        } catch (emulation::api_error const& error) {
            throw std::invalid_argument(std::string("the unreachable locations: ") + error.what());
        }
    }

    emulation::service answers;
    emulation::server server;
    std::string url;
    std::string tls_url;
    std::string authority;
};

emulator::emulator() : emulator(emulator_options()) {}

emulator::emulator(emulator_options options) : impl_(std::make_unique<impl>(std::move(options))) {}

emulator::~emulator() = default;

void emulator::stop() noexcept
{
    impl_->server.stop();
}

std::string emulator::url() const
{
    return impl_->url;
}

std::string emulator::tls_url() const
{
    return impl_->tls_url;
}

std::string emulator::ca_certificate() const
{
    return impl_->authority;
}

void emulator::set_faults(std::vector<fault_rule> rules)
{
    impl_->answers.set_faults(std::move(rules));
}

std::vector<std::uint64_t> emulator::faults_fired() const
{
    return impl_->answers.faults_fired();
}

void emulator::set_unreachable(std::vector<std::string> locations)
{
    impl_->set_unreachable(std::move(locations));
}

std::vector<emulator_request> emulator::requests() const
{
    return impl_->answers.requests();
}

std::uint64_t emulator::total_requests() const
{
    return impl_->answers.total_requests();
}

std::vector<emulator_effect> emulator::effects() const
{
    return impl_->answers.effects();
}

std::uint64_t emulator::total_effects() const
{
    return impl_->answers.total_effects();
}

void emulator::reset()
{
    impl_->answers.reset();
}

std::string emulator::snapshot()
{
    try {
        return impl_->answers.snapshot();
    } catch (emulation::api_error const& error) {
        throw std::runtime_error(error.what());
    }
}

void emulator::load_snapshot(std::string_view text)
{
    impl_->load(text);
}

std::size_t emulator::open_connections() const noexcept
{
    return impl_->server.open_connections();
}

std::size_t emulator::peak_connections() const noexcept
{
    return impl_->server.peak_connections();
}

}  // namespace backbeat
