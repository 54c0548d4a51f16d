//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_RETRY_OPERATION_HPP
#define BACKBEAT_DETAIL_RETRY_OPERATION_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/detail/appended_parts.hpp>
#include <backbeat/detail/call_frame.hpp>
#include <backbeat/detail/cancel_proxy.hpp>
#include <backbeat/detail/disposition.hpp>
#include <backbeat/detail/executors.hpp>
#include <backbeat/detail/immediate_completion.hpp>
#include <backbeat/detail/invoke_operation.hpp>
#include <backbeat/detail/late.hpp>
#include <backbeat/detail/retry_parts.hpp>
#include <backbeat/detail/retry_recorder.hpp>
#include <backbeat/detail/retry_traits.hpp>
#include <backbeat/detail/step_executor.hpp>
#include <backbeat/detail/step_frame.hpp>
#include <backbeat/detail/step_memory.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_schedule.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/recycling_allocator.hpp>
#include <boost/asio/require.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace backbeat::detail {

// One `async_retry`. It has one state, from the handler's associated allocator, at an address that does not change;
// the handlers of what it starts point to it and share its ownership. What only some operations need (see
// retry_parts.hpp) lies behind it in the same block, if this one needs it.
//
// At any time one chain of steps runs: an attempt, or a wait, or a posted continuation. Beside an attempt with a time
// limit a timer runs. The attempt is not over before that timer's handler has run too, or the timing wheel has given
// its node back, so that one timer serves both, and nothing of the operation is left in the context when the caller's
// handler is called.
template <class Traits, class Handler, executor_from source>
class retry_operation
    : basic_retry_schedule<typename Traits::options, extra_behind<retry_operation<Traits, Handler, source>>> {
    using schedule_type = basic_retry_schedule<typename Traits::options, extra_behind<retry_operation>>;
    using clock = typename Traits::clock;
    // Counted as outstanding work where that is needed; for timers and posts it never is.
    using work_type = typename Traits::io_executor;
    using io_executor_type = decltype(without_work(std::declval<work_type const&>()));
    using disposition_type = typename Traits::disposition;
    using completion_type = typename Traits::completion;
    using handler_executor_type = boost::asio::associated_executor_t<Handler, io_executor_type>;
    using handler_allocator_type = boost::asio::associated_allocator_t<Handler, boost::asio::recycling_allocator<void>>;

    // Where the I/O executor is the handler's, they are one.
    static constexpr bool wait_on_handler_executor = has_own_executor<Handler> && source != executor_from::handler;

    using step_executor_type = step_executor<retry_operation, handler_executor_type, wait_on_handler_executor>;

    // An attempt that is looked at is where the memory is that could be lent.
    static constexpr bool shows_attempt = looks_at_attempt<typename Traits::operation>;

    using attempt_allocator_type = std::conditional_t<
        shows_attempt,
        handler_allocator_type,
        basic_step_allocator<memory_lent, void, retry_operation, handler_allocator_type>>;

    friend cancel_proxy<retry_operation>;
    friend extra_behind<retry_operation>;
    friend memory_in_state;
    friend memory_lent;
    template <class, class, class, class>
    friend class basic_step_allocator;
    template <class, class, bool>
    friend class step_executor;

public:
    template <class Operation, class Classifier>
    static void launch(
        Handler&& handler,
        work_type const& work,
        Operation&& operation,
        typename Traits::options options,
        Classifier&& classifier,
        retry_report* report)
    {
        if (auto const error = validate(options); error) {
            refuse(
                std::move(handler),
                without_work(work),
                error,
                report,
                static_cast<retry_options const&>(options).observer);
            return;
        }
        if constexpr (!Traits::has_empty_results) {
            auto const* const breaker = static_cast<retry_options const&>(options).breaker;
            // Nothing to complete with, as above.
            if (breaker != nullptr && !breaker->would_admit(now()))
                throw boost::system::system_error(make_error_code(retry_errc::breaker_open));
        }
        auto allocator =
            state_allocator(boost::asio::get_associated_allocator(handler, boost::asio::recycling_allocator<void>()));
        auto const present = parts_for(handler, options, report);
        auto const size = block::size(present);
        auto* const memory = std::allocator_traits<state_allocator>::allocate(allocator, size);
        retry_operation* self = nullptr;
        try {
            self = new (memory) retry_operation(
                std::move(handler),
                work,
                std::forward<Operation>(operation),
                options,
                std::forward<Classifier>(classifier),
                present);
        } catch (...) {
            std::allocator_traits<state_allocator>::deallocate(allocator, memory, size);
            throw;
        }
        if (self->has(bit<retry_recorder>)) self->recorder().begin(report, self->options().observer);
        self->start();
    }

private:
    // A share in the ownership. Destroyed with it, the operation was abandoned: its context was shut down.
    class share {
    public:
        explicit share(retry_operation* operation) noexcept : operation_(operation) {}
        share(share&& other) noexcept : operation_(std::exchange(other.operation_, nullptr)) {}
        share& operator=(share&&) = delete;
        ~share()
        {
            if (operation_ != nullptr) operation_->drop_share();
        }

        [[nodiscard]] retry_operation* get() const noexcept { return operation_; }
        [[nodiscard]] retry_operation* release() noexcept { return std::exchange(operation_, nullptr); }

    private:
        retry_operation* operation_;
    };

    // The handler that an attempt is given. It has the executor and the allocator of the caller's handler, a
    // cancellation slot of our own, and never an inline immediate executor: an attempt that fails at once would
    // recurse through it.
    class attempt_handler {
    public:
        using executor_type = handler_executor_type;
        using allocator_type = attempt_allocator_type;
        using cancellation_slot_type = boost::asio::cancellation_slot;
        using immediate_executor_type = std::decay_t<typename boost::asio::require_result<
            io_executor_type const&,
            boost::asio::execution::blocking_t::never_t>::type>;

        explicit attempt_handler(retry_operation* operation) noexcept
            : share_(operation), allocator_(operation->allocator_of_attempt())
        {}

        [[nodiscard]] executor_type get_executor() const noexcept { return share_.get()->handler_executor(); }
        [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_; }

        [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept
        {
            return share_.get()->attempt_slot();
        }

        [[nodiscard]] immediate_executor_type get_immediate_executor() const noexcept
        {
            return boost::asio::require(share_.get()->io_executor(), boost::asio::execution::blocking.never);
        }

        template <class... Arguments>
        void operator()(Arguments&&... arguments)
        {
            share_.release()->attempt_completed(std::forward<Arguments>(arguments)...);
        }

    private:
        share share_;
        // Its own, because Asio asks a handler for it that was moved from, to free what it could not use.
        [[no_unique_address]] allocator_type allocator_;
    };

    // Half the size of a pointer to a member.
    using step = void (*)(retry_operation&);

    template <void (retry_operation::*member)()>
    static void run(retry_operation& self)
    {
        (self.*member)();
    }

    // Its memory is the one that the state has for a step, or the caller's allocator's where that may be in use.
    template <class Memory>
    class step_handler : public step_executor_type {
    public:
        using allocator_type = basic_step_allocator<Memory, void, retry_operation, handler_allocator_type>;

        step_handler(retry_operation* operation, step next) noexcept
            : step_executor_type(operation), operation_(operation), next_(next)
        {}

        step_handler(step_handler&& other) noexcept
            : step_executor_type(other), operation_(other.operation_), next_(std::exchange(other.next_, nullptr))
        {}

        step_handler& operator=(step_handler&&) = delete;

        ~step_handler()
        {
            if (next_ != nullptr) operation_->step_dropped();
        }

        // Also of one that was moved from: Asio asks it, to free what it could not use.
        [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_type(operation_); }

        void operator()() { std::exchange(next_, nullptr)(*operation_); }

        // The error code of a wait is of no interest: what ended it is in the state, and a wait that was cancelled
        // when it had already expired reports success anyway.
        void operator()(boost::system::error_code) { (*this)(); }

    private:
        retry_operation* operation_;
        step next_;  // null: moved from, or called
    };

    using step_in_state = step_handler<memory_in_state>;
    using step_outside = step_handler<memory_outside>;

    static constexpr std::size_t step_executor_size = wait_on_handler_executor ? sizeof(handler_executor_type) : 0;

    // Whether the wheel calls where the operation's handlers run.
    static constexpr bool wheel_calls_directly = is_executor_of_context<io_executor_type> && !wait_on_handler_executor;

    using timer_part = retry_timer<
        clock,
        io_executor_type,
        wait_memory_size<io_executor_type>(sizeof(step_in_state), step_executor_size)>;
    using wheel_part = retry_wheel_place<
        clock,
        io_executor_type,
        post_memory_size(sizeof(step_in_state), sizeof(typename step_in_state::allocator_type), step_executor_size),
        wheel_calls_directly>;
    using signal_part = retry_signal<retry_operation>;

    // Either of the first two is there.
    using block = appended_parts<retry_operation, timer_part, wheel_part, retry_limits, signal_part, retry_recorder>;
    using parts = typename block::set;
    using state_allocator =
        typename std::allocator_traits<handler_allocator_type>::template rebind_alloc<typename block::unit>;

    template <class Part>
    static constexpr parts bit = block::template bit<Part>;

    static_assert(
        timer_part::fits(sizeof(attempt), alignof(attempt)) && wheel_part::fits(sizeof(attempt), alignof(attempt)));

    enum class phase : std::uint8_t { idle, attempting, waiting, failed };

    // The parts that an operation needs. What it does not have, it does not look at.
    [[nodiscard]] static parts parts_for(
        Handler const& handler, retry_options const& options, retry_report const* report) noexcept
    {
        bool const limited = is_limited(options);
        bool const recorded = report != nullptr || options.observer != nullptr;
        bool const cancellable = boost::asio::get_associated_cancellation_slot(handler).is_connected();
        unsigned result = options.timers == timers::wheel ? bit<wheel_part> : bit<timer_part>;
        if (limited || recorded || needs_schedule_extra(options)) result |= bit<retry_limits>;
        if (limited || cancellable) result |= bit<signal_part>;
        if (recorded) result |= bit<retry_recorder>;
        return static_cast<parts>(result);
    }

    template <class Operation, class Classifier>
    retry_operation(
        Handler&& handler,
        work_type work,
        Operation&& operation,
        typename Traits::options options,
        Classifier&& classifier,
        parts present)
        : schedule_type(options),
          present_((block::construct(this, present), present)),
          limited_(is_limited(options)),
          work_(std::move(work)),
          operation_(std::forward<Operation>(operation)),
          classifier_(std::forward<Classifier>(classifier)),
          handler_(std::move(handler))
    {
        schedule_type::begin(time());
    }

    retry_operation(retry_operation const&) = delete;
    retry_operation& operator=(retry_operation const&) = delete;

    ~retry_operation()
    {
        if (has(bit<signal_part>) && proxy() != nullptr) proxy()->detach();
        // Cancelled during a wait, or abandoned.
        if (schedule().holds()) schedule().abandon(now());
        if (!ended_ && has(bit<retry_recorder>)) {
            try {
                recorder().at_end(nullptr, stop_reason::abandoned, {}, elapsed(now()));
            } catch (...) {
                // No memory for a report that nobody may be waiting for.
            }
        }
        if (has_completion_) completion_.destroy();
        if (timer_made_) asio_part().timer.destroy();
        block::destroy(this, present_);
    }

    static void refuse(
        Handler&& handler,
        io_executor_type const& io_executor,
        boost::system::error_code error,
        retry_report* report,
        retry_observer* observer)
    {
        if constexpr (Traits::has_empty_results) {
            complete_immediately(io_executor, std::move(handler), [=](Handler&& owned) {
                retry_recorder recorder;
                recorder.begin(report, observer);
                recorder.at_end(nullptr, stop_reason::invalid_options, error, {});
                completion_type completion{};
                assign_error(std::get<0>(completion), error);
                std::apply(std::move(owned), std::move(completion));
            });
        } else {
            // There is nothing to complete with: documented in async_retry.
            static_cast<void>(io_executor);
            throw boost::system::system_error(error);
        }
    }

    void start()
    {
        if (auto slot = boost::asio::get_associated_cancellation_slot(handler_); slot.is_connected()) {
            or_fail([&] { slot.template emplace<cancel_proxy<retry_operation>>(this); });
        }
        if (limited_) {
            // An attempt with a time limit is two operations at once. Both are initiated where their handlers run,
            // so that the one cannot end while the other is being initiated (asio#1763).
            auto const executor = io_executor();
            initiate([&] { boost::asio::dispatch(executor, step_in_state(this, run<&retry_operation::begin>)); });
        } else {
            begin();
        }
    }

    // The start may have been dispatched, and late: then it was cancelled before, or has no time left. Without results
    // to complete with, one attempt is made.
    void begin()
    {
        if (is_cancelled() && has_completion()) {
            complete_aborted();
            return;
        }
        go_on();
    }

    void go_on()
    {
        // Without a deadline, a budget and a breaker nothing is refused, and there is nothing to tell.
        if (!has(bit<retry_limits>)) {
            start_attempt({});
            return;
        }
        auto const start = now();
        auto const refused = schedule().before_attempt(start);
        if (refused && schedule().attempts() != 0) {
            complete(*refused);
        } else if (refused && has_completion()) {
            refused_by_breaker_ = *refused == stop_reason::breaker_open;
            // This may still be inside the caller's initiating function.
            post(run<&retry_operation::refused_at_start>);
        } else {
            start_attempt(start);
        }
    }

    void refused_at_start()
    {
        if (is_cancelled()) {
            complete_aborted();
            return;
        }
        assign_error(
            std::get<0>(completion_.get()),
            make_error_code(refused_by_breaker_ ? retry_errc::breaker_open : retry_errc::deadline));
        complete(refused_by_breaker_ ? stop_reason::breaker_open : stop_reason::deadline);
    }

    void start_attempt(std::chrono::nanoseconds start)
    {
        if (has(bit<retry_limits>)) limits().attempt_start = start;
        if constexpr (shows_attempt) {
            auto const& starting = place_attempt();
            if (has(bit<retry_recorder>)) recorder().before_attempt(starting);
        } else {
            delivered_.reset();
            if (has(bit<retry_recorder>)) {
                attempt const starting(number_of_attempt(), time_limit_of_attempt(), schedule().worst_delivery());
                recorder().before_attempt(starting);
                delivered_ = starting.delivered();
            }
        }
        if (is_cancelled()) {
            // By the observer. This, too, may be inside the caller's initiating function.
            if (has_completion()) {
                remove_attempt();
                schedule().attempt_not_made(time());
                post(run<&retry_operation::waited>);
                return;
            }
            // Without results to complete with it is made nevertheless, where a cancellation can be forwarded to it.
            if (!limited_) {
                auto const executor = io_executor();
                initiate(
                    [&] { boost::asio::dispatch(executor, step_outside(this, run<&retry_operation::make_attempt>)); });
                return;
            }
        }
        make_attempt();
    }

    void make_attempt()
    {
        phase_ = phase::attempting;
        attempt_running_ = true;
        timed_out_ = false;
        bool const cancelled_before = is_cancelled();
        if (limited_) {
            if (auto const cut_off = schedule().cut_off(limits().attempt_start)) start_time_limit(*cut_off);
            // The wheel belongs to a context that is being destroyed.
            if (phase_ == phase::failed) {
                drop_share();
                return;
            }
        }
        switch (initiate_attempt()) {
        case initiated::running:
            // This is where cancellations are emitted, so the attempt cannot have completed on another thread.
            if (cancelled_before) emit_to_attempt(signal().cancelled);
            break;
        case initiated::completed: attempt_completed_inline(); break;
        case initiated::dropped: fail(); break;
        }
    }

    enum class initiated : std::uint8_t { running, completed, dropped };

    // While an attempt runs, nothing of this object may be touched after its initiation.
    initiated initiate_attempt()
    {
        call_frame frame(this);
        // The time limit's timer is there, if there is one. A place in the wheel is too small.
        frame.lends = !shows_attempt && !limited_ && has(bit<timer_part>);
        try {
            attempt const* const current = shows_attempt ? &running_attempt() : nullptr;
            if constexpr (needs_executor<typename Traits::operation>)
                invoke_operation(operation_, current, io_executor(), attempt_handler(this));
            else
                invoke_operation(operation_, current, no_executor(), attempt_handler(this));
        } catch (...) {
            if (frame.completed) return initiated::completed;
            if (!frame.dropped) throw;
            if constexpr (std::is_same_v<disposition_type, std::exception_ptr> && Traits::has_empty_results) {
                complete_attempt_with();
                std::get<0>(completion_.get()) = std::current_exception();
                return initiated::completed;
            } else {
                fail();
                throw;
            }
        }
        if (frame.completed) return initiated::completed;
        return frame.dropped ? initiated::dropped : initiated::running;
    }

    void start_time_limit(std::chrono::nanoseconds cut_off)
    {
        time_limit_running_ = true;
        ++shares_;
        start_timer<&retry_operation::time_limit_ended, true>(cut_off, [this] {
            time_limit_running_ = false;
            --shares_;
        });
    }

    // Called by the attempt's handler; its share is ours now.
    template <class... Arguments>
    void attempt_completed(Arguments&&... arguments)
    {
        auto* const frame = call_frame::find(this);
        try {
            complete_attempt_with(std::forward<Arguments>(arguments)...);
        } catch (...) {
            // The results are lost, and with them the operation. Whoever stands below us on the stack ends it.
            if (frame != nullptr) {
                frame->dropped = true;
            } else {
                attempt_running_ = false;
                fail();
            }
            throw;
        }
        if (frame != nullptr)
            frame->completed = true;
        else
            attempt_ended();
    }

    void attempt_completed_inline()
    {
        // Attempts after the first are initiated where the handlers run. The first may be initiated anywhere, inside
        // the caller's initiating function.
        if (schedule().attempts() != 0) {
            attempt_ended();
            return;
        }
        attempt_running_ = false;
        if (end_time_limit()) post(run<&retry_operation::decide>);
    }

    template <class... Arguments>
    void complete_attempt_with(Arguments&&... arguments)
    {
        remove_attempt();
        if (has_completion_) completion_.destroy();
        has_completion_ = false;
        completion_.construct(std::forward<Arguments>(arguments)...);
        has_completion_ = true;
    }

    void attempt_ended()
    {
        attempt_running_ = false;
        if (end_time_limit()) decide();
    }

    // Whether nothing runs beside the attempt, which has ended. Else what the timer calls goes on.
    [[nodiscard]] bool end_time_limit()
    {
        if (!time_limit_running_) return true;
        --shares_;
        if (!stop_timer()) return false;
        time_limit_running_ = false;
        return true;
    }

    void time_limit_ended()
    {
        time_limit_running_ = false;
        if (phase_ == phase::failed) {
            drop_share();
            return;
        }
        if (!attempt_running_) {
            decide();
            return;
        }
        timed_out_ = true;
        --shares_;
        emit_to_attempt(boost::asio::cancellation_type::terminal);
    }

    void emit_to_attempt(boost::asio::cancellation_type type)
    {
        bool completed = false;
        bool dropped = false;
        std::exception_ptr thrown;
        {
            call_frame frame(this);
            try {
                signal().attempt.emit(type);
            } catch (...) {
                if (!frame.completed && !frame.dropped) throw;
                thrown = std::current_exception();
            }
            completed = frame.completed;
            dropped = frame.dropped;
        }
        if (!completed && !dropped) return;
        if (auto* const outer = call_frame::find(this); outer != nullptr) {
            // Cancelled from inside the operation's initiating function, or from inside another emission.
            outer->completed = completed;
            outer->dropped = dropped;
        } else if (completed) {
            // The signal, and maybe the caller's, is still at work below us.
            post(run<&retry_operation::attempt_ended>);
        } else {
            fail();
        }
        if (thrown) std::rethrow_exception(thrown);
    }

    void cancel(boost::asio::cancellation_type type)
    {
        if (type == boost::asio::cancellation_type::none) return;
        cancelled_ = true;
        signal().cancelled = type;
        if (phase_ == phase::attempting && attempt_running_)
            emit_to_attempt(type);
        else if (phase_ == phase::waiting && stop_timer())
            post(run<&retry_operation::waited>);
    }

    void decide()
    {
        phase_ = phase::idle;
        if (has(bit<signal_part>)) signal().attempt.slot().clear();
        auto cut_off_by = interruption::none;
        if (timed_out_ && !is_cancelled() && is_aborted(failure_of(std::get<0>(completion_.get())))) {
            bool const by_deadline =
                schedule().deadline() && schedule().cut_off(limits().attempt_start) == schedule().deadline();
            cut_off_by = by_deadline ? interruption::deadline : interruption::attempt_timeout;
            assign_error(
                std::get<0>(completion_.get()),
                make_error_code(by_deadline ? retry_errc::deadline : retry_errc::attempt_timeout));
        }

        auto const judged = judge();
        if (judged.kind == verdict_kind::done && !has(bit<retry_limits>)) {
            // The schedule has nobody to tell.
            complete(stop_reason::success);
            return;
        }
        if (!has(bit<retry_recorder>)) {
            auto const tick = tick_after(judged);
            auto const next = schedule().after_attempt(judged, now(), interrupted_by(cut_off_by), tick);
            next.retry ? wait(next) : complete(next.reason);
            return;
        }
        record_and_go_on(judged, failure_of(std::get<0>(completion_.get())).code, cut_off_by);
    }

    // Verdicts are returned where they are made, and not assigned: they are larger than registers.
    [[nodiscard]] verdict judge()
    {
        try {
            return std::apply([&](auto const&... arguments) { return classify(arguments...); }, completion_.get());
        } catch (...) {
            if constexpr (std::is_same_v<disposition_type, std::exception_ptr>) {
                std::get<0>(completion_.get()) = std::current_exception();
                return with_delivery(verdict::permanent());
            } else {
                fail();
                throw;
            }
        }
    }

    template <class... Arguments>
    [[nodiscard]] verdict classify(Arguments const&... arguments)
    {
        auto& classifier = classifier_;
        if constexpr (
            std::is_invocable_r_v<verdict, typename Traits::classifier&, attempt const&, Arguments const&...>) {
            // It is not the one that the operation had, whose memory is in use for other things by now.
            attempt ended(number_of_attempt(), time_limit_of_attempt(), schedule().worst_delivery());
            if (delivered_) ended.report(*delivered_);
            verdict judged = classifier(std::as_const(ended), arguments...);
            delivered_ = ended.delivered();
            return delivered_ ? with_delivery(judged) : judged;
        } else if (delivered_) {
            return with_delivery(classifier(arguments...));
        } else {
            return classifier(arguments...);
        }
    }

    // What the operation reported counts where the classifier does not say.
    [[nodiscard]] verdict with_delivery(verdict judged) const noexcept
    {
        if (delivered_ && !judged.delivered) judged.delivered = *delivered_;
        return judged;
    }

    // Asked as late as possible: the classifier and the observer may cancel.
    [[nodiscard]] interruption interrupted_by(interruption cut_off_by) const noexcept
    {
        return cut_off_by != interruption::deadline && is_cancelled() ? interruption::cancelled : cut_off_by;
    }

    void record_and_go_on(verdict const& judged, boost::system::error_code error, interruption cut_off_by)
    {
        auto const end = now();
        attempt_record record{
            .number = number_of_attempt(),
            .start = limits().attempt_start - schedule().start(),
            .duration = end - limits().attempt_start,
            .error = error,
            .status = judged.status,
            .delivered = judged.delivered,
            .judged = judged.kind,
            .hint = judged.hint};
        recorder().after_attempt(record);
        auto const tick = tick_after(judged);
        auto const next = schedule().after_attempt(judged, end, interrupted_by(cut_off_by), tick);
        if (next.retry) {
            record.wait = next.wait;
            record.origin = next.origin;
            or_fail([&] { recorder().before_wait(record); });
            wait(next);
        } else {
            complete(next.reason, &record);
        }
    }

    void wait(retry_decision const& next)
    {
        // By the observer, who has just been told of this wait.
        if (is_cancelled()) {
            complete_aborted();
            return;
        }
        // A timer that expires at once costs a round trip through the reactor, a post costs next to nothing.
        if (next.wait.count() == 0) {
            post(run<&retry_operation::waited>);
            return;
        }
        phase_ = phase::waiting;
        start_timer<&retry_operation::waited, false>(next.until, [this] { phase_ = phase::idle; });
    }

    // Calls `next` at that time. If that cannot be begun, the operation fails; `undo` is called before.
    template <void (retry_operation::*next)(), bool beside_attempt, class Undo>
    void start_timer(std::chrono::nanoseconds until, Undo undo)
    {
        if (has(bit<timer_part>)) {
            or_fail(
                [&] {
                    if (!timer_made_) asio_part().timer.construct(io_executor());
                    timer_made_ = true;
                    asio_part().timer.get().expires_at(time_point(until));
                },
                undo);
            auto const begin = [&] {
                initiate([&] { asio_part().timer.get().async_wait(step_in_state(this, run<next>)); });
            };
            // Of two shares this drops one; of one, all there is to fail.
            if constexpr (beside_attempt)
                or_fail(begin);
            else
                begin();
            return;
        }
        or_fail(
            [&] {
                find_wheel();
                step_memory_used_ = wheel_calls_directly;
                auto& node = wheel().make_node();
                node.on_due = due<next>;
                wheel().service->insert(node, until);
            },
            [&] {
                step_memory_used_ = false;
                undo();
            });
    }

    void find_wheel()
    {
        if (wheel().service == nullptr) wheel().service = &wheel_of<clock>(io_executor());
    }

    // What the timer will round the end of a wait up to, if there is going to be one, and something that is compared
    // with that end.
    [[nodiscard]] std::chrono::nanoseconds tick_after(verdict const& judged)
    {
        if (judged.kind == verdict_kind::done || !has(bit<retry_limits>) || !has(bit<wheel_part>))
            return std::chrono::nanoseconds(0);
        or_fail([&] { find_wheel(); });
        return wheel().service->resolution();
    }

    // Whether what the timer would have called is not called any more. Asio's always calls.
    [[nodiscard]] bool stop_timer()
    {
        if (has(bit<timer_part>)) {
            asio_part().timer.get().cancel();
            return false;
        }
        if (!wheel().service->remove(wheel().node())) return false;
        step_memory_used_ = false;
        return true;
    }

    // Called by the wheel, on the context, but maybe not where our handlers run.
    template <void (retry_operation::*next)()>
    static void due(wheel_node* node, bool abandoned)
    {
        auto* const self = block::state_of_first(wheel_part::of_node(node));
        if constexpr (wheel_calls_directly) self->step_memory_used_ = false;
        if (abandoned) {
            self->step_dropped();
        } else if constexpr (wheel_calls_directly) {
            (self->*next)();
        } else {
            auto const executor = self->io_executor();
            self->initiate([&] { boost::asio::dispatch(executor, step_in_state(self, run<next>)); });
        }
    }

    void waited()
    {
        phase_ = phase::idle;
        if (is_cancelled()) {
            complete_aborted();
            return;
        }
        go_on();
    }

    void complete_aborted()
    {
        assign_error(std::get<0>(completion_.get()), boost::asio::error::operation_aborted);
        complete(stop_reason::cancelled);
    }

    void complete(stop_reason reason, attempt_record const* last = nullptr)
    {
        if (has(bit<retry_recorder>)) {
            auto const error = failure_of(std::get<0>(completion_.get())).code;
            or_fail([&] { recorder().at_end(last, reason, error, elapsed(now())); });
        }
        ended_ = true;
        leave_slot();

        // Everything is moved out and the state is released, so that what the handler starts can use its memory.
        auto const work = std::move(work_);
        auto completion = or_fail([&] { return completion_type(std::move(completion_.get())); });
        auto handler = std::move(handler_);
        destroy(boost::asio::get_associated_allocator(handler, boost::asio::recycling_allocator<void>()));
        std::apply(std::move(handler), std::move(completion));
    }

    // Ends without calling the handler, because an exception is on its way to the caller or to `run()`.
    void fail()
    {
        phase_ = phase::failed;
        leave_slot();
        if (time_limit_running_ && stop_timer()) --shares_;
        drop_share();
    }

    // What may throw because memory is short, or because a result does when it is moved, must not leak the operation.
    template <class Function>
    auto or_fail(Function&& function)
    {
        return or_fail(std::forward<Function>(function), [] {});
    }

    template <class Function, class Undo>
    auto or_fail(Function&& function, Undo&& undo)
    {
        try {
            return function();
        } catch (...) {
            undo();
            fail();
            throw;
        }
    }

    // Posts, or waits with the timer. If that throws the caller lives, and so does his slot, which has to be left.
    template <class Start>
    void initiate(Start&& start)
    {
        initiate_step(this, std::forward<Start>(start), [this](bool thrown) {
            if (thrown) leave_slot();
            drop_share();
        });
    }

    void post(step next)
    {
        // Beside an attempt with a time limit the memory in the state is the timer's.
        initiate([&] {
            if (time_limit_running_)
                boost::asio::post(io_executor(), step_outside(this, next));
            else
                boost::asio::post(io_executor(), step_in_state(this, next));
        });
    }

    void step_dropped() noexcept
    {
        if (auto* const frame = step_frame::find(this); frame != nullptr)
            ++frame->dropped;
        else
            drop_share();
    }

    void drop_share() noexcept
    {
        if (phase_ == phase::attempting) {
            if (auto* const frame = call_frame::find(this); frame != nullptr) {
                frame->dropped = true;
                return;
            }
        }
        // If the attempt dropped its handler, only the timer of its time limit is left.
        if (--shares_ != 0 && phase_ == phase::attempting) {
            phase_ = phase::failed;
            if (stop_timer()) --shares_;
        }
        if (shares_ == 0)
            destroy(boost::asio::get_associated_allocator(handler_, boost::asio::recycling_allocator<void>()));
    }

    void destroy(handler_allocator_type handler_allocator) noexcept
    {
        state_allocator allocator(handler_allocator);
        auto const size = block::size(present_);
        // Lent, and not given back when the attempt's handler was called, against Asio's rules: then the block is left
        // to whoever has it. Better that it leaks than that it is somebody else's meanwhile.
        bool const is_left = !shows_attempt && step_memory_used_;
        this->~retry_operation();
        if (is_left) return;
        std::allocator_traits<state_allocator>::deallocate(
            allocator, static_cast<typename block::unit*>(static_cast<void*>(this)), size);
    }

    void leave_slot()
    {
        if (has(bit<signal_part>) && proxy() != nullptr)
            boost::asio::get_associated_cancellation_slot(handler_).clear();
    }

    [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_; }

    // Whether there is something to complete with; before the first attempt has ended, empty results.
    [[nodiscard]] bool has_completion()
    {
        if constexpr (Traits::has_empty_results) {
            if (!has_completion_) or_fail([&] { completion_.construct(); });
            has_completion_ = true;
        }
        return has_completion_;
    }

    [[nodiscard]] io_executor_type io_executor() const noexcept { return without_work(work_); }

    [[nodiscard]] handler_executor_type handler_executor() const noexcept
    {
        return boost::asio::get_associated_executor(handler_, io_executor());
    }

    [[nodiscard]] handler_allocator_type handler_allocator() const noexcept
    {
        return boost::asio::get_associated_allocator(handler_, boost::asio::recycling_allocator<void>());
    }

    [[nodiscard]] attempt_allocator_type allocator_of_attempt() noexcept
    {
        if constexpr (shows_attempt)
            return handler_allocator();
        else
            return attempt_allocator_type(this);
    }

    [[nodiscard]] boost::asio::cancellation_slot attempt_slot() noexcept
    {
        return has(bit<signal_part>) ? signal().attempt.slot() : boost::asio::cancellation_slot();
    }

    [[nodiscard]] bool has(parts which) const noexcept { return (present_ & which) != 0; }

    template <class Part>
    [[nodiscard]] Part& part() noexcept
    {
        return block::template get<Part>(this, present_);
    }

    [[nodiscard]] timer_part& asio_part() noexcept { return part<timer_part>(); }
    [[nodiscard]] wheel_part& wheel() noexcept { return part<wheel_part>(); }
    [[nodiscard]] retry_limits& limits() noexcept { return part<retry_limits>(); }
    [[nodiscard]] signal_part& signal() noexcept { return part<signal_part>(); }
    [[nodiscard]] retry_recorder& recorder() noexcept { return part<retry_recorder>(); }

    [[nodiscard]] cancel_proxy<retry_operation>*& proxy() noexcept { return signal().proxy; }

    [[nodiscard]] schedule_type& schedule() noexcept { return *this; }
    [[nodiscard]] schedule_type const& schedule() const noexcept { return *this; }

    // No operation is const.
    [[nodiscard]] static schedule_extra* extra_of(schedule_type const& schedule) noexcept
    {
        auto& self = const_cast<retry_operation&>(static_cast<retry_operation const&>(schedule));
        return self.has(bit<retry_limits>) ? &self.limits() : nullptr;
    }

    [[nodiscard]] retry_options const& options() const noexcept { return schedule().options(); }

    [[nodiscard]] void* step_memory() noexcept
    {
        return has(bit<timer_part>) ? asio_part().memory.get() : wheel().memory.get();
    }

    [[nodiscard]] bool fits_step_memory(std::size_t bytes, std::size_t alignment) const noexcept
    {
        return has(bit<timer_part>) ? timer_part::fits(bytes, alignment) : wheel_part::fits(bytes, alignment);
    }

    [[nodiscard]] void* take_step_memory(std::size_t bytes, std::size_t alignment) noexcept
    {
        if (step_memory_used_ || !fits_step_memory(bytes, alignment)) return nullptr;
        step_memory_used_ = true;
        return step_memory();
    }

    void give_step_memory_back() noexcept { step_memory_used_ = false; }

    [[nodiscard]] static bool is_step_memory(retry_operation const* operation, void const* memory) noexcept
    {
        return memory == block::first_part(operation);
    }

    // Where the attempt is while it runs, for the operation to look at.
    attempt& place_attempt()
    {
        void* place = nullptr;
        if (limited_) {
            place = limits().current;
        } else {
            place = step_memory();
            step_memory_used_ = true;
        }
        if (!limited_) return *new (place) attempt(number_of_attempt(), std::nullopt, schedule().worst_delivery());
        return *new (place) attempt(number_of_attempt(), time_limit_of_attempt(), schedule().worst_delivery());
    }

    [[nodiscard]] attempt& running_attempt() noexcept
    {
        return *std::launder(static_cast<attempt*>(limited_ ? static_cast<void*>(limits().current) : step_memory()));
    }

    // Its memory is free for other things then. What it was told is kept.
    void remove_attempt() noexcept
    {
        if constexpr (shows_attempt) {
            delivered_ = running_attempt().delivered();
            if (!limited_) step_memory_used_ = false;
        }
    }

    [[nodiscard]] std::uint32_t number_of_attempt() const noexcept
    {
        return schedule().attempts() == unlimited_retries ? unlimited_retries : schedule().attempts() + 1;
    }

    [[nodiscard]] std::optional<std::chrono::nanoseconds> time_limit_of_attempt() noexcept
    {
        if (!limited_) return std::nullopt;
        auto const start = limits().attempt_start;
        auto const cut_off = schedule().cut_off(start);
        return cut_off ? std::optional((std::max)(*cut_off - start, std::chrono::nanoseconds(1))) : std::nullopt;
    }

    [[nodiscard]] static std::chrono::nanoseconds now() noexcept
    {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now().time_since_epoch());
    }

    // The time at which an attempt starts, read once for all that depends on it. Not read for nobody.
    [[nodiscard]] std::chrono::nanoseconds time() const noexcept
    {
        return has(bit<retry_limits>) ? now() : std::chrono::nanoseconds(0);
    }

    [[nodiscard]] static bool is_limited(retry_options const& options) noexcept
    {
        return options.attempt_timeout.count() != 0 || options.total_timeout.count() != 0;
    }

    [[nodiscard]] std::chrono::nanoseconds elapsed(std::chrono::nanoseconds end) const noexcept
    {
        return end - schedule().start();
    }

    [[nodiscard]] static typename clock::time_point time_point(std::chrono::nanoseconds since_epoch) noexcept
    {
        return typename clock::time_point(std::chrono::ceil<typename clock::duration>(since_epoch));
    }

    // In eight bytes. Asio frees the memory of a step before it is where the operation's handlers run, so that
    // `step_memory_used_` shares no byte with the others.
    parts const present_;
    bool step_memory_used_ = false;
    phase phase_ = phase::idle;
    std::uint8_t shares_ = 1;
    bool cancelled_ = false;
    std::optional<delivery> delivered_;
    bool limited_ : 1;
    bool timer_made_ : 1 = false;
    bool has_completion_ : 1 = false;
    bool attempt_running_ : 1 = false;
    bool time_limit_running_ : 1 = false;
    bool timed_out_ : 1 = false;
    bool ended_ : 1 = false;
    bool refused_by_breaker_ : 1 = false;

    work_type work_;
    [[no_unique_address]] typename Traits::operation operation_;
    [[no_unique_address]] typename Traits::classifier classifier_;
    late<completion_type> completion_;
    Handler handler_;
};

}  // namespace backbeat::detail

#endif
