//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"

#include <backbeat/classify.hpp>
#include <backbeat/http/authorize_with.hpp>
#include <backbeat/http/reconcile_with.hpp>
#include <backbeat/memorystore/classifier.hpp>
#include <backbeat/memorystore/credentials.hpp>
#include <backbeat/memorystore/errc.hpp>
#include <backbeat/memorystore/rpc_code.hpp>
#include <backbeat/report_to.hpp>

#include <boost/algorithm/string/predicate.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/scheme.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

#define BACKBEAT_MEMORYSTORE_TEXT_OF(x) #x
#define BACKBEAT_MEMORYSTORE_TEXT(x) BACKBEAT_MEMORYSTORE_TEXT_OF(x)
#define BACKBEAT_MEMORYSTORE_VERSION                  \
    BACKBEAT_MEMORYSTORE_TEXT(BACKBEAT_VERSION_MAJOR) \
    "." BACKBEAT_MEMORYSTORE_TEXT(BACKBEAT_VERSION_MINOR) "." BACKBEAT_MEMORYSTORE_TEXT(BACKBEAT_VERSION_PATCH)

namespace backbeat::memorystore::detail {

namespace {

// Names this library, the language and the transport, as every client of Google's APIs does.
constexpr std::string_view api_client =
    "gl-cpp/20 gccl/" BACKBEAT_MEMORYSTORE_VERSION " rest/" BACKBEAT_MEMORYSTORE_VERSION;

void check(mutation_options const& options)
{
    if (options.settle_time < options.settle_time.zero())
        throw std::invalid_argument(
            "mutation_options::settle_time is negative; it must be zero or more: how long after its answer was lost a "
            "request may still be carried out");
}

// The probe of a change.
class asking {
public:
    asking(std::shared_ptr<change_watch> watch, running_call& running) : watch_(std::move(watch)), running_(&running) {}

    template <class Token>
    auto operator()(attempt const& current, Token&& token) const
    {
        return boost::asio::async_initiate<Token, void(std::exception_ptr, http::reconciliation<>)>(
            [](auto&& handler, std::shared_ptr<change_watch> const& watch, running_call* running, attempt const* now) {
                // That of an earlier attempt has nothing to do with what the look may fail with.
                running->unauthorized = nullptr;
                watch->probe(*now, probe_result_handler(std::forward<decltype(handler)>(handler)));
            },
            token,
            watch_,
            running_,
            &current);
    }

private:
    std::shared_ptr<change_watch> watch_;
    running_call* running_;
};

client_options checked(client_options options)
{
    check(options.mutations);
    if (!options.ca_file.empty()) options.http.ca_file = options.ca_file;
    return options;
}

void spend(retry_options& options, std::chrono::nanoseconds time)
{
    // Too little is better than none, which would be no limit at all.
    if (options.total_timeout > options.total_timeout.zero())
        options.total_timeout = (std::max)(options.total_timeout - time, std::chrono::nanoseconds(1));
}

// Whether credentials that are found in the environment may go there.
bool is_googles(std::string const& endpoint)
{
    auto const url = boost::urls::parse_uri(endpoint);
    if (!url || url->scheme_id() != boost::urls::scheme::https) return false;
    auto const host = url->host();
    return boost::algorithm::iends_with(std::string(host.data(), host.size()), ".googleapis.com");
}

std::optional<token_provider> provider_of(boost::asio::any_io_executor executor, client_options const& options)
{
    if (options.credentials) return token_provider(std::move(executor), *options.credentials);
    if (!is_googles(options.endpoint)) return {};
    return token_provider(std::move(executor), credentials::application_default());
}

// The wait for the first token, before there is an attempt that could limit it or be cancelled.
class first_token : public std::enable_shared_from_this<first_token> {
public:
    explicit first_token(boost::asio::any_io_executor const& executor) : timer_(executor) {}

    [[nodiscard]] boost::asio::cancellation_slot slot() noexcept { return signal_.slot(); }

    // Whether it was cancelled, be it after the token was there and before its handler ran.
    [[nodiscard]] bool is_cancelled() const noexcept { return is_cancelled_; }

    void cancel(boost::asio::cancellation_type type)
    {
        is_cancelled_ = true;
        signal_.emit(type);
    }

    void limit(std::chrono::nanoseconds time)
    {
        timer_.expires_after(std::chrono::ceil<std::chrono::steady_clock::duration>(time));
        timer_.async_wait([self = shared_from_this()](boost::system::error_code ended) {
            if (!ended && !self->has_ended_) self->signal_.emit(boost::asio::cancellation_type::terminal);
        });
    }

    void end()
    {
        has_ended_ = true;
        timer_.cancel();
    }

private:
    boost::asio::cancellation_signal signal_;
    boost::asio::steady_timer timer_;
    bool is_cancelled_ = false;
    bool has_ended_ = false;
};

// The classifier of all requests.
class judging {
public:
    judging(http::idempotency replay, std::shared_ptr<change_watch> watch)
        : rules_{.replay = replay}, watch_(std::move(watch))
    {}

    verdict operator()(attempt const& ended, boost::system::error_code const& error, http::response const& answer) const
    {
        if (auto const own = verdict_of_own(error)) return *own;
        return watch_ ? watch_->judge(ended, error, answer) : rules_(ended, error, answer);
    }

private:
    // Those of this library, which come from what an attempt needs beside its request: a token, or a look at what became
    // of the last one.
    [[nodiscard]] static std::optional<verdict> verdict_of_own(boost::system::error_code const& error)
    {
        auto const is_permanent = error.category() == memorystore_category();
        if (!is_permanent && error.category() != rpc_category()) return {};
        auto const again = error == rpc_code::resource_exhausted ? verdict_kind::throttled : verdict_kind::retry;
        return verdict{
            .kind = !is_permanent && may_mend(error) ? again : verdict_kind::permanent,
            .delivered = delivery::not_sent};
    }

    [[nodiscard]] static bool may_mend(boost::system::error_code const& error)
    {
        for (auto const each :
             {rpc_code::unavailable,
              rpc_code::deadline_exceeded,
              rpc_code::internal,
              rpc_code::unknown,
              rpc_code::resource_exhausted,
              rpc_code::aborted})
            if (error == each) return true;
        return false;
    }

    classifier rules_;
    std::shared_ptr<change_watch> watch_;
};

// The authorization of each attempt. Keeps the failure, of which HTTP has the code only.
class authorizing {
public:
    authorizing(token_provider tokens, running_call& running) : tokens_(std::move(tokens)), running_(&running) {}

    template <class Token>
    auto operator()(std::string rejected, Token&& token) const
    {
        return boost::asio::async_initiate<Token, void(std::exception_ptr, std::string)>(
            [](auto&& handler, authorizing const& self, std::string const& refused) {
                self.start(refused, field_handler(std::forward<decltype(handler)>(handler)));
            },
            token,
            *this,
            std::move(rejected));
    }

private:
    using field_handler = result_handler<std::string>;

    static constexpr std::string_view scheme = "Bearer ";

    void start(std::string const& rejected, field_handler handler) const
    {
        auto tokens = tokens_;
        auto const executor = boost::asio::get_associated_executor(handler, tokens.get_executor());
        auto const slot = boost::asio::get_associated_cancellation_slot(handler);
        auto finish = [running = running_,
                       to = std::move(handler)](std::exception_ptr failure, access_token const& given) mutable {
            running->unauthorized = failure;
            auto field = failure || given.value.empty() ? std::string() : std::string(scheme) + given.value;
            std::move(to)(std::move(failure), std::move(field));
        };
        auto bound = boost::asio::bind_cancellation_slot(
            slot, boost::asio::bind_executor(executor, without_allocator(std::move(finish))));
        if (rejected.empty())
            tokens.async_get_token(std::move(bound));
        else
            tokens.async_refresh_token(access_token(rejected.substr(scheme.size())), std::move(bound));
    }

    token_provider tokens_;
    running_call* running_;
};

}  // namespace

client_core::client_core(boost::asio::any_io_executor executor, client_options options)
    : options_(checked(std::move(options))),
      http_(executor, options_.endpoint, options_.http),
      tokens_(provider_of(std::move(executor), options_))
{}

// What is to be sent, and how.
class client_core::outgoing {
public:
    http::request request;
    http::idempotency replay = http::idempotency::never;
    retry_options retry;
    running_call* running = nullptr;
    // Null: nobody watches.
    std::shared_ptr<change_watch> watch;
};

void client_core::send(call what, call_options const& options, running_call& running, response_handler handler)
{
    outgoing going;
    going.retry = retries(options, what.deadline);
    going.replay = what.replay;
    going.request = request_of(std::move(what), options);
    going.running = &running;
    authorize(std::move(going), std::move(handler));
}

void client_core::send(
    std::shared_ptr<change_watch> const& watch,
    call_options const& options,
    std::chrono::nanoseconds spent,
    running_call& running,
    response_handler handler)
{
    outgoing going;
    going.retry = retries(options, watch->request().deadline);
    spend(going.retry, spent);
    going.replay = http::idempotency::reconcilable;
    going.request = request_of(watch->request(), options);
    going.running = &running;
    going.watch = watch;
    authorize(std::move(going), std::move(handler));
}

// The quota project that a key file names is a field of its own, and is known once there was a token.
void client_core::authorize(outgoing what, response_handler handler)
{
    // The caller's own authorization, which has nothing to do with the client's credentials.
    if (!tokens_ || what.request.count(http::field::authorization) != 0)
        return start(std::move(what), std::move(handler));
    auto const total = what.retry.total_timeout;
    auto const time = what.retry.attempt_timeout;
    auto const begun = std::chrono::steady_clock::now();
    auto go = [self = shared_from_this(), going = std::move(what), begun](response_handler to) mutable {
        spend(going.retry, std::chrono::steady_clock::now() - begun);
        if (auto const project = self->tokens_->quota_project();
            !project.empty() && going.request.count("X-Goog-User-Project") == 0)
            going.request.set("X-Goog-User-Project", project);
        self->start(std::move(going), std::move(to));
    };
    if (tokens_->cached_token()) return go(std::move(handler));
    auto const bound_to = boost::asio::get_associated_executor(handler, executor());
    auto slot = boost::asio::get_associated_cancellation_slot(handler);
    auto const wait = std::make_shared<first_token>(executor());
    if (slot.is_connected()) slot.assign([wait](boost::asio::cancellation_type type) { wait->cancel(type); });
    auto next = [wait, slot, to = std::move(handler), going_on = std::move(go)](
                    std::exception_ptr const& /*failure*/, access_token const& /*good*/) mutable {
        wait->end();
        if (slot.is_connected()) slot.clear();
        if (wait->is_cancelled()) return std::move(to)(boost::asio::error::operation_aborted, http::response());
        // A failure, and a time that is up, is found again by the first attempt, and is retried like that.
        going_on(std::move(to));
    };
    wait->limit(total > total.zero() ? (std::min)(time, total) : time);
    tokens_->async_get_token(
        boost::asio::bind_cancellation_slot(wait->slot(), boost::asio::bind_executor(bound_to, std::move(next))));
}

void client_core::start(outgoing what, response_handler handler)
{
    auto const report = report_to(*what.running->report);
    judging const decide(what.replay, what.watch);
    if (what.watch && tokens_)
        http_.async_send(
            std::move(what.request),
            what.replay,
            what.retry,
            classify(decide),
            http::reconcile_with(asking(what.watch, *what.running), http::before_each_retry),
            http::authorize_with(authorizing(*tokens_, *what.running)),
            report,
            std::move(handler));
    else if (what.watch)
        http_.async_send(
            std::move(what.request),
            what.replay,
            what.retry,
            classify(decide),
            http::reconcile_with(asking(what.watch, *what.running), http::before_each_retry),
            report,
            std::move(handler));
    else if (tokens_)
        http_.async_send(
            std::move(what.request),
            what.replay,
            what.retry,
            classify(decide),
            http::authorize_with(authorizing(*tokens_, *what.running)),
            report,
            std::move(handler));
    else
        http_.async_send(
            std::move(what.request), what.replay, what.retry, classify(decide), report, std::move(handler));
}

mutation_options client_core::mutations(call_options const& options) const
{
    auto const result = options.mutations.value_or(options_.mutations);
    check(result);
    return result;
}

std::chrono::nanoseconds client_core::total_timeout(call_options const& options) const noexcept
{
    return options.retry ? options.retry->total_timeout : options_.retry.total_timeout;
}

call_options client_core::with_time_left(call_options const& options, std::chrono::steady_clock::time_point begun) const
{
    auto result = options;
    if (!result.retry) result.retry = options_.retry;
    spend(*result.retry, std::chrono::steady_clock::now() - begun);
    return result;
}

retry_options client_core::retries(call_options const& options, std::chrono::nanoseconds deadline) const
{
    auto result = options.retry.value_or(options_.retry);
    if (result.attempt_timeout == result.attempt_timeout.zero()) result.attempt_timeout = deadline;
    return result;
}

http::request client_core::request_of(call what, call_options const& options) const
{
    http::request result(what.method, what.target, 11);
    result.set(http::field::accept, "application/json");
    result.set("x-goog-api-client", boost::beast::string_view(api_client.data(), api_client.size()));
    result.set("x-goog-request-params", what.routing);
    for (auto const& [name, value] : options.headers) result.set(name, value);
    if (!what.body.empty()) {
        result.set(http::field::content_type, "application/json");
        result.body() = std::move(what.body);
    }
    result.prepare_payload();
    return result;
}

boost::asio::any_io_executor executor_of(client_core const& core) noexcept
{
    return core.executor();
}

}  // namespace backbeat::memorystore::detail
