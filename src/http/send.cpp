//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "deadline.hpp"
#include "exchange.hpp"
#include "operation.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/http/error.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/verdict.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace backbeat::http::detail {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr unsigned unauthorized = 401;

// Whether there is a response to complete with, and nothing more to be done.
[[nodiscard]] bool is_settled(probe_result const& result) noexcept
{
    return result.found == finding::carried_out || result.found == finding::refused;
}

// Whether what an operation beside the exchange gives is worth having although its time was up.
[[nodiscard]] bool outlasts_its_limit(probe_result const& result) noexcept
{
    return is_settled(result);
}

[[nodiscard]] bool outlasts_its_limit(std::string const&) noexcept
{
    return false;
}

// An `async_retry` whose attempts are exchanges. If there is a probe, an attempt that follows one whose end was
// ambiguous begins with it (or each one but the first, if that is wanted), and so does the end of the operation. If
// there is a source of the authorization, it is asked next, and again after a 401.
class sending final : public operation {
public:
    // `to` is the target.
    sending(
        std::shared_ptr<client_core> core,
        std::unique_ptr<request_source> message,
        sending_receiver* to,
        std::unique_ptr<completion_target> target,
        idempotency replay,
        retry_options const& options,
        retry_report* report)
        : operation(std::move(core), std::move(target)),
          message_(std::move(message)),
          to_(to),
          replay_(replay),
          options_(options),
          can_probe_(replay == idempotency::reconcilable && to->has_probe()),
          report_(report)
    {
        if (can_probe_ || to->has_source()) aside_ = std::make_unique<aside_parts>(this->core().serial());
        if (report_ == nullptr && can_probe_) report_ = &aside_->report;
        if (options_.budget == nullptr) options_.budget = this->core().settings().budget;
        if (replay_ == idempotency::keyed && !this->core().settings().idempotency_key_header.empty())
            key_ = to_string(boost::uuids::random_generator()());
    }

    void cancel(asio::cancellation_type type) override { signal_.emit(type); }

private:
    // `sending` outlives the attempts, since their last handler owns it.
    struct each_attempt {
        sending* owner;

        template <class Token>
        auto operator()(attempt const& current, Token&& token) const
        {
            return asio::async_initiate<Token, void(error_code)>(
                [](auto&& handler, sending* self, attempt const* now) {
                    if (self->aside_)
                        self->begin_attempt(*now, end_handler(std::forward<decltype(handler)>(handler)));
                    else
                        self->send(*now, std::chrono::nanoseconds{}, std::forward<decltype(handler)>(handler));
                },
                token,
                owner,
                &current);
        }
    };

    struct each_judgement {
        sending* owner;

        verdict operator()(attempt const& ended, error_code const& error) const { return owner->judge(ended, error); }
    };

    // Not a lambda in binders: each of their copies copies an executor, which counts references.
    class end_of_retry {
    public:
        using executor_type = asio::any_io_executor;
        using cancellation_slot_type = asio::cancellation_slot;

        explicit end_of_retry(std::shared_ptr<sending> self) noexcept
            : serial_(&self->core().serial()), slot_(self->signal_.slot()), self_(std::move(self))
        {}

        // Also of one that was moved from.
        [[nodiscard]] executor_type const& get_executor() const noexcept { return *serial_; }
        [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return slot_; }

        void operator()(error_code error) const { self_->on_end(error); }

    private:
        executor_type const* serial_;
        cancellation_slot_type slot_;
        std::shared_ptr<sending> self_;
    };

    void start() override
    {
        is_accepted_ = core().takes_operations();
        enter();
        each_attempt each{this};
        each_judgement const decide{this};
        async_retry(
            each,
            std::cref(options_),
            classify(decide),
            backbeat::detail::report_target{report_},
            end_of_retry(shared()));
    }

    // What it takes to run operations of the caller's beside the exchange. Most requests have none, and many wait.
    struct aside_parts {
        explicit aside_parts(asio::any_io_executor const& serial)
            : work(asio::prefer(serial, asio::execution::outstanding_work.tracked)), timer(serial)
        {}

        // An operation of the caller's may belong to another context, and leave this one with nothing to do.
        asio::any_io_executor work;
        retry_report report;  // if the caller wants none
        asio::cancellation_signal signal;
        asio::steady_timer timer;
        std::optional<attempt> last;  // for the probe at the end
    };

    [[nodiscard]] std::shared_ptr<sending> shared() { return std::static_pointer_cast<sending>(shared_from_this()); }

    // Of an operation that has a probe or a source.
    void begin_attempt(attempt const& current, end_handler handler)
    {
        begun_at_ = std::chrono::steady_clock::now();
        is_refreshed_ = false;
        if (!begins_with_probe(current)) return authorize(current, std::move(handler));
        // Of the request, so far.
        current.report(delivery::not_sent);
        auto const slot = asio::get_associated_cancellation_slot(handler);
        probe(
            current,
            slot,
            limit_beside(current),
            [this, &current, on_end = std::move(handler)](error_code error, probe_result result) mutable {
                // What the probe makes of a cancellation is its affair. The request is not sent after one.
                if (!error && is_cut_off_ && !is_settled(result)) error = asio::error::operation_aborted;
                if (!error && result.found == finding::not_carried_out) {
                    is_unresolved_ = false;
                    return authorize(current, std::move(on_end));
                }
                is_settled_ = !error && is_settled(result);
                is_refused_ = is_settled_ && result.found == finding::refused;
                is_probe_the_last_ = true;
                auto const asks_again = !error && result.found == finding::ask_again;
                again_ = result.again;
                // The last response stays: asked again, the probe may find that it is what is to be passed on.
                if (!error && !is_settled_) error = asks_again ? errc::unsettled : errc::outcome_unknown;
                std::move(on_end)(error);
            });
    }

    [[nodiscard]] bool begins_with_probe(attempt const& current) const
    {
        return can_probe_ && (is_unresolved_ || (current.number() != 1 && to_->probes_each_retry()));
    }

    // Asks for the authorization, if somebody gives it, and sends.
    void authorize(attempt const& current, end_handler handler)
    {
        is_probe_the_last_ = false;
        if (!to_->has_source() || message_->header().count(boost::beast::http::field::authorization) != 0)
            return send_after_others(current, std::move(handler));
        current.report(delivery::not_sent);
        auto const slot = asio::get_associated_cancellation_slot(handler);
        ask_source(
            {},
            current,
            slot,
            [this, &current, on_end = std::move(handler)](error_code error, std::string value) mutable {
                if (!error && is_cut_off_) error = asio::error::operation_aborted;
                if (error) {
                    to_->discard();
                    return std::move(on_end)(error);
                }
                authorization_ = std::move(value);
                send_authorized(current, std::move(on_end));
            });
    }

    void send_authorized(attempt const& current, end_handler handler)
    {
        auto const slot = asio::get_associated_cancellation_slot(handler);
        auto at_end = [this, &current, slot, on_end = std::move(handler)](error_code error) mutable {
            if (error || to_->status() != unauthorized || authorization_.empty() || is_refreshed_
                || !message_->can_rewind())
                return std::move(on_end)(error);
            is_refreshed_ = true;
            ask_source(
                authorization_,
                current,
                slot,
                [this, &current, last = std::move(on_end)](error_code failure, std::string value) mutable {
                    // The 401 is there to be passed on.
                    if (failure || is_cut_off_ || value == authorization_) return std::move(last)(error_code());
                    authorization_ = std::move(value);
                    send_authorized(current, std::move(last));
                });
        };
        asio::any_io_executor const serial = core().serial();
        send_after_others(current, asio::bind_cancellation_slot(slot, asio::bind_executor(serial, std::move(at_end))));
    }

    void send_after_others(attempt const& current, end_handler handler)
    {
        send(current, std::chrono::steady_clock::now() - begun_at_, std::move(handler));
    }

    // `already_spent`: of the attempt's time.
    template <class Handler>
    void send(attempt const& current, std::chrono::nanoseconds already_spent, Handler handler)
    {
        exchange_order const order{
            .message = message_.get(),
            .to = to_,
            .replay = replay_,
            .reported_to = &current,
            .idempotency_key = key_,
            .authorization = authorization_,
            .is_part = is_accepted_,
            .already_spent = already_spent};
        auto target = std::make_unique<end_target_of_part<Handler>>(std::move(handler));
        std::make_shared<exchange>(shared_core(), order, std::move(target))->initiate();
    }

    // Without a limit of the attempt's own, that of the client holds for what is done beside the exchange, too.
    [[nodiscard]] std::chrono::nanoseconds limit_beside(attempt const& current) const
    {
        return current.time_limit() ? std::chrono::nanoseconds{} : core().settings().attempt_timeout;
    }

    template <class OnFound>
    void probe(attempt const& current, asio::cancellation_slot slot, std::chrono::nanoseconds limit, OnFound on_found)
    {
        aside<probe_result>(
            slot,
            limit,
            [&](asio::any_io_executor const& serial, auto handler) { to_->probe(current, serial, std::move(handler)); },
            std::move(on_found));
    }

    template <class OnField>
    void ask_source(std::string const& rejected, attempt const& current, asio::cancellation_slot slot, OnField on_field)
    {
        aside<std::string>(
            slot,
            limit_beside(current),
            [&](asio::any_io_executor const& serial, auto handler) {
                to_->authorize(rejected, serial, std::move(handler));
            },
            std::move(on_field));
    }

    // Runs an operation of the caller's, `launch(executor, handler)`, beside the exchange. Zero: no limit.
    template <class Result, class Launch, class OnEnd>
    void aside(asio::cancellation_slot slot, std::chrono::nanoseconds limit, Launch launch, OnEnd on_end)
    {
        // Its handler owns this, and goes without a call if `launch` throws.
        auto const alive = shared();
        if (slot.is_connected())
            slot.assign([this](asio::cancellation_type type) {
                is_cut_off_ = true;
                aside_->signal.emit(type);
            });
        is_cut_off_ = false;
        is_aside_late_ = false;
        is_aside_ = true;
        if (limit != std::chrono::nanoseconds{}) {
            aside_->timer.expires_at(deadline_after(limit));
            aside_->timer.async_wait([self = shared()](error_code error) {
                if (!error) self->on_aside_timer();
            });
        }
        auto at_end = [this, slot, handler = std::move(on_end)](error_code error, Result result) mutable {
            is_aside_ = false;
            aside_->timer.cancel();
            if (slot.is_connected()) slot.clear();
            if (is_aside_late_ && (error == asio::error::operation_aborted || !outlasts_its_limit(result)))
                error = retry_errc::attempt_timeout;
            handler(error, std::move(result));
        };
        asio::any_io_executor const serial = core().serial();
        auto handler =
            asio::bind_cancellation_slot(aside_->signal.slot(), asio::bind_executor(serial, std::move(at_end)));
        try {
            launch(serial, std::move(handler));
        } catch (...) {
            // Nobody waits for this any more.
            aside_->timer.cancel();
            throw;
        }
    }

    void on_aside_timer()
    {
        // A wait that had already ended when the timer was set anew ends in success all the same.
        if (!is_aside_ || aside_->timer.expiry() > std::chrono::steady_clock::now()) return;
        is_aside_late_ = true;
        aside_->signal.emit(asio::cancellation_type::terminal);
    }

    [[nodiscard]] verdict judge(attempt const& ended, error_code const& error)
    {
        if (is_settled_)
            return {
                .kind = is_refused_ ? verdict_kind::permanent : verdict_kind::done, .delivered = delivery::responded};
        if (is_probe_the_last_ && error == errc::outcome_unknown) return {.kind = verdict_kind::unknown};
        if (is_probe_the_last_ && error == errc::unsettled)
            return {
                .kind = verdict_kind::retry,
                .hint = again_,
                .delivered = delivery::not_sent,
                .spent = !message_->can_rewind()};
        if (!is_probe_the_last_) request_error_ = error;
        // With a probe, a request is not repeated before it is known that it may be.
        auto const replay = can_probe_ ? idempotency::idempotent : replay_;
        auto const is_local = error && (message_->has_failed() || to_->has_failed());
        auto result = to_->judge(ended, error, replay, is_local);
        if (!may_repeat(replay)) result.replayable = false;
        result.spent = !message_->can_rewind();
        if (result.kind == verdict_kind::done)
            is_unresolved_ = false;
        else if (result.delivered ? result.delivered == delivery::ambiguous : ended.delivered() == delivery::ambiguous)
            is_unresolved_ = true;
        return result;
    }

    // Whether it is to be said what became of the last attempt, although there is no other.
    [[nodiscard]] bool is_to_be_resolved() const { return !is_settled_ && is_unresolved_ && can_probe_ && gave_up(); }

    // Whether it ended for another reason than a success, a cancellation or a time that was up.
    [[nodiscard]] bool gave_up() const
    {
        switch (report_->reason().value_or(stop_reason::cancelled)) {
        case stop_reason::permanent:
        case stop_reason::not_replayable:
        case stop_reason::exhausted:
        case stop_reason::hint_too_long:
        case stop_reason::breaker_open:
        case stop_reason::budget: return true;
        default: return false;
        }
    }

    // Whether the last attempt ended with its probe, which has said nothing, and nothing is ambiguous: then the operation
    // ends as it would have without one. What failed was not the request.
    [[nodiscard]] bool is_failure_of_probe() const
    {
        return is_probe_the_last_ && !is_settled_ && !is_unresolved_ && gave_up();
    }

    // How long the last probe may take. Empty: there is no time left. Zero: as long as it likes.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> time_for_last_probe() const
    {
        constexpr std::chrono::nanoseconds none{};
        auto const limit =
            options_.attempt_timeout != none ? options_.attempt_timeout : core().settings().attempt_timeout;
        if (options_.total_timeout == none) return limit;
        auto const left = options_.total_timeout - elapsed();
        if (left <= none) return std::nullopt;
        return limit == none ? left : (std::min)(limit, left);
    }

    // Since the beginning, and not only until the last attempt ended.
    [[nodiscard]] std::chrono::nanoseconds elapsed() const
    {
        return report_->elapsed() + (std::chrono::steady_clock::now() - ended_at_);
    }

    void on_end(error_code error)
    {
        ended_at_ = std::chrono::steady_clock::now();
        if (!is_to_be_resolved()) return finish(is_failure_of_probe() ? request_error_ : error);
        if (!is_probe_the_last_) return probe_at_last(true);
        // Another failure of the probe is not one of the request.
        if (error != errc::unsettled) return finish(errc::outcome_unknown);
        wait_to_probe();
    }

    void probe_at_last(bool may_ask_again)
    {
        auto const limit = time_for_last_probe();
        if (!limit) return finish(errc::outcome_unknown);
        aside_->last.emplace(
            report_->attempts() + 1, *limit == limit->zero() ? std::nullopt : limit, delivery::ambiguous);
        auto on_found = [self = shared(), may_ask_again](error_code failure, probe_result result) {
            if (!failure && is_settled(result)) return self->finish({});
            if (!failure && result.found == finding::not_carried_out) return self->finish(self->request_error_);
            if (!failure && result.found == finding::ask_again && may_ask_again && !self->is_cut_off_) {
                self->again_ = result.again;
                return self->wait_to_probe();
            }
            auto const is_cancelled = failure == asio::error::operation_aborted && self->is_cut_off_;
            self->finish(is_cancelled ? failure : errc::outcome_unknown);
        };
        probe(*aside_->last, signal_.slot(), *limit, std::move(on_found));
    }

    // As long as the probe asked for; once, so that there is an end. It is limited as any hint is.
    void wait_to_probe()
    {
        auto const total = options_.total_timeout;
        if (again_ > options_.maximum_hint || (total != total.zero() && again_ >= total - elapsed()))
            return finish(errc::outcome_unknown);
        signal_.slot().assign([this](asio::cancellation_type) {
            is_cut_off_ = true;
            aside_->timer.cancel();
        });
        is_cut_off_ = false;
        aside_->timer.expires_at(deadline_after(again_));
        aside_->timer.async_wait([self = shared()](error_code) {
            self->signal_.slot().clear();
            if (self->is_cut_off_) return self->finish(asio::error::operation_aborted);
            self->probe_at_last(false);
        });
    }

    void finish(error_code error)
    {
        complete_at_last(error);
        leave();
    }

    std::unique_ptr<request_source> message_;
    sending_receiver* to_;
    idempotency replay_;
    std::string key_;
    retry_options options_;
    bool can_probe_;
    retry_report* report_;
    asio::cancellation_signal signal_;
    std::unique_ptr<aside_parts> aside_;  // null: there is neither a probe nor a source
    std::string authorization_;  // of the attempt
    error_code request_error_;  // of the last exchange
    std::chrono::nanoseconds again_{};  // when the probe wants to be asked again
    std::chrono::steady_clock::time_point begun_at_;  // the attempt
    std::chrono::steady_clock::time_point ended_at_;  // the last one
    bool is_accepted_ = false;
    bool is_unresolved_ = false;  // what became of the attempts so far is not known
    bool is_settled_ = false;  // the probe found what became of the request
    bool is_refused_ = false;  // and it was not carried out
    bool is_probe_the_last_ = false;
    bool is_refreshed_ = false;  // the authorization, in this attempt
    bool is_aside_ = false;
    bool is_aside_late_ = false;  // and was cancelled
    bool is_cut_off_ = false;  // the attempt was cancelled while a probe or a source ran
};

}  // namespace

void start_send(
    std::shared_ptr<client_core> const& core,
    std::unique_ptr<request_source> message,
    std::unique_ptr<sending_receiver> to,
    idempotency replay,
    std::optional<retry_options> const& options,
    retry_report* report)
{
    auto* const sink = to.get();
    auto const& chosen = options ? *options : core->settings().retry;
    std::make_shared<sending>(core, std::move(message), sink, std::move(to), replay, chosen, report)->initiate();
}

}  // namespace backbeat::http::detail
