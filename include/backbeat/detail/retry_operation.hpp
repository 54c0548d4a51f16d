//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_RETRY_OPERATION_HPP
#define BACKBEAT_DETAIL_RETRY_OPERATION_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/detail/call_frame.hpp>
#include <backbeat/detail/cancel_proxy.hpp>
#include <backbeat/detail/disposition.hpp>
#include <backbeat/detail/executors.hpp>
#include <backbeat/detail/immediate_completion.hpp>
#include <backbeat/detail/invoke_operation.hpp>
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
// the handlers of what it starts are one pointer each and share its ownership.
//
// At any time one chain of steps runs: an attempt, or a wait, or a posted continuation. Beside an attempt with a time
// limit a timer runs. The attempt is not over before that timer's handler has run too, so that one timer serves
// both, and nothing of the operation is left in the context when the caller's handler is called.
template <class Traits, class Handler, bool wait_on_handler_executor>
class retry_operation {
    using clock = typename Traits::clock;
    using io_executor_type = typename Traits::io_executor;
    using disposition_type = typename Traits::disposition;
    using completion_type = typename Traits::completion;
    using timer_type = boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, io_executor_type>;
    using handler_executor_type = boost::asio::associated_executor_t<Handler, io_executor_type>;
    using handler_allocator_type = boost::asio::associated_allocator_t<Handler, boost::asio::recycling_allocator<void>>;

    using step_executor_type = step_executor<retry_operation, handler_executor_type, wait_on_handler_executor>;

    friend cancel_proxy<retry_operation>;
    template <class, class>
    friend class step_allocator;
    template <class, class, bool>
    friend class step_executor;

public:
    template <class Operation, class Classifier>
    static void launch(
        Handler&& handler,
        io_executor_type const& io_executor,
        Operation&& operation,
        typename Traits::options options,
        Classifier&& classifier,
        retry_report* report)
    {
        if (auto const error = validate(options); error) {
            refuse(std::move(handler), io_executor, error, report, static_cast<retry_options const&>(options).observer);
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
        auto* const memory = std::allocator_traits<state_allocator>::allocate(allocator, 1);
        retry_operation* self = nullptr;
        try {
            self = new (memory) retry_operation(
                std::move(handler),
                io_executor,
                std::forward<Operation>(operation),
                options,
                std::forward<Classifier>(classifier),
                report);
        } catch (...) {
            std::allocator_traits<state_allocator>::deallocate(allocator, memory, 1);
            throw;
        }
        self->start();
    }

private:
    using state_allocator =
        typename std::allocator_traits<handler_allocator_type>::template rebind_alloc<retry_operation>;

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
        using allocator_type = handler_allocator_type;
        using cancellation_slot_type = boost::asio::cancellation_slot;
        using immediate_executor_type = std::decay_t<typename boost::asio::require_result<
            io_executor_type const&,
            boost::asio::execution::blocking_t::never_t>::type>;

        explicit attempt_handler(retry_operation* operation) noexcept
            : share_(operation), allocator_(operation->handler_allocator())
        {}

        [[nodiscard]] executor_type get_executor() const noexcept { return share_.get()->handler_executor(); }
        [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_; }

        [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept
        {
            return share_.get()->attempt_slot();
        }

        [[nodiscard]] immediate_executor_type get_immediate_executor() const noexcept
        {
            return boost::asio::require(share_.get()->io_executor_, boost::asio::execution::blocking.never);
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

    using step = void (retry_operation::*)();

    class step_handler : public step_executor_type {
    public:
        using allocator_type = step_allocator<void, retry_operation>;

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

        void operator()() { (operation_->*std::exchange(next_, nullptr))(); }

        // The error code of a wait is of no interest: what ended it is in the state, and a wait that was cancelled
        // when it had already expired reports success anyway.
        void operator()(boost::system::error_code) { (*this)(); }

    private:
        retry_operation* operation_;
        step next_;  // null: moved from, or called
    };

    enum class phase : std::uint8_t { idle, attempting, waiting, failed };

    template <class Operation, class Classifier>
    retry_operation(
        Handler&& handler,
        io_executor_type io_executor,
        Operation&& operation,
        typename Traits::options options,
        Classifier&& classifier,
        retry_report* report)
        : io_executor_(std::move(io_executor)),
          operation_(std::forward<Operation>(operation)),
          classifier_(std::forward<Classifier>(classifier)),
          recorder_(report, static_cast<retry_options const&>(options).observer),
          limited_(is_limited(options)),
          timed_(limited_ || recorder_.active() || is_shared(options)),
          schedule_(options, time()),
          handler_(std::move(handler))
    {}

    retry_operation(retry_operation const&) = delete;
    retry_operation& operator=(retry_operation const&) = delete;

    ~retry_operation()
    {
        if (proxy_ != nullptr) proxy_->detach();
        // Cancelled during a wait, or abandoned.
        if (schedule_.holds()) schedule_.abandon(now());
        if (ended_ || !recorder_.active()) return;
        try {
            recorder_.at_end(nullptr, stop_reason::abandoned, {}, elapsed(now()));
        } catch (...) {
            // No memory for a report that nobody may be waiting for.
        }
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
                retry_recorder(report, observer).at_end(nullptr, stop_reason::invalid_options, error, {});
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
            cancellable_ = true;
            or_fail([&] { slot.template emplace<cancel_proxy<retry_operation>>(this); });
        }
        if (limited_) {
            // An attempt with a time limit is two operations at once. Both are initiated where their handlers run,
            // so that the one cannot end while the other is being initiated (asio#1763).
            auto const executor = io_executor_;
            initiate([&] { boost::asio::dispatch(executor, step_handler(this, &retry_operation::begin)); });
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
        auto const start = time();
        auto const refused = schedule_.before_attempt(start);
        if (refused && schedule_.attempts() != 0) {
            complete(*refused);
        } else if (refused && has_completion()) {
            refused_ = *refused;
            // This may still be inside the caller's initiating function.
            post(&retry_operation::refused_at_start);
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
            std::get<0>(*completion_),
            make_error_code(refused_ == stop_reason::breaker_open ? retry_errc::breaker_open : retry_errc::deadline));
        complete(refused_);
    }

    void start_attempt(std::chrono::nanoseconds start)
    {
        auto const cut_off = schedule_.cut_off(start);
        attempt_start_ = start;
        attempt_.emplace(
            schedule_.attempts() == unlimited_retries ? unlimited_retries : schedule_.attempts() + 1,
            cut_off ? std::optional((std::max)(*cut_off - start, std::chrono::nanoseconds(1))) : std::nullopt,
            schedule_.worst_delivery());
        recorder_.before_attempt(*attempt_);
        if (is_cancelled()) {
            // By the observer. This, too, may be inside the caller's initiating function.
            if (has_completion()) {
                schedule_.attempt_not_made(time());
                post(&retry_operation::waited);
                return;
            }
            // Without results to complete with it is made nevertheless, where a cancellation can be forwarded to it.
            if (!limited_) {
                auto const executor = io_executor_;
                initiate([&] { boost::asio::dispatch(executor, step_handler(this, &retry_operation::make_attempt)); });
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
        if (auto const cut_off = schedule_.cut_off(attempt_start_)) or_fail([&] { start_time_limit(*cut_off); });
        switch (initiate_attempt()) {
        case initiated::running:
            // This is where cancellations are emitted, so the attempt cannot have completed on another thread.
            if (cancelled_before) emit_to_attempt(cancelled_);
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
        try {
            invoke_operation(operation_, *attempt_, io_executor_, attempt_handler(this));
        } catch (...) {
            if (frame.completed) return initiated::completed;
            if (!frame.dropped) throw;
            if constexpr (std::is_same_v<disposition_type, std::exception_ptr> && Traits::has_empty_results) {
                completion_.emplace();
                std::get<0>(*completion_) = std::current_exception();
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
        timer().expires_at(time_point(cut_off));
        time_limit_running_ = true;
        ++shares_;
        initiate([&] { timer_->async_wait(step_handler(this, &retry_operation::time_limit_ended)); });
    }

    // Called by the attempt's handler; its share is ours now.
    template <class... Arguments>
    void attempt_completed(Arguments&&... arguments)
    {
        auto* const frame = call_frame::find(this);
        try {
            completion_.emplace(std::forward<Arguments>(arguments)...);
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
        if (schedule_.attempts() == 0 && !time_limit_running_)
            post(&retry_operation::attempt_ended);
        else
            attempt_ended();
    }

    void attempt_ended()
    {
        attempt_running_ = false;
        if (!time_limit_running_) {
            decide();
            return;
        }
        --shares_;
        timer_->cancel();
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
                attempt_signal_.emit(type);
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
            post(&retry_operation::attempt_ended);
        } else {
            fail();
        }
        if (thrown) std::rethrow_exception(thrown);
    }

    void cancel(boost::asio::cancellation_type type)
    {
        if (type == boost::asio::cancellation_type::none) return;
        cancelled_ = type;
        if (phase_ == phase::attempting && attempt_running_)
            emit_to_attempt(type);
        else if (phase_ == phase::waiting)
            timer_->cancel();
    }

    void decide()
    {
        phase_ = phase::idle;
        if (cancellable_ || limited_) attempt_signal_.slot().clear();
        auto cut_off_by = interruption::none;
        auto failed = failure_of(std::get<0>(*completion_));
        if (timed_out_ && !is_cancelled() && is_aborted(failed)) {
            bool const by_deadline = schedule_.deadline() && schedule_.cut_off(attempt_start_) == schedule_.deadline();
            cut_off_by = by_deadline ? interruption::deadline : interruption::attempt_timeout;
            failed.code = make_error_code(by_deadline ? retry_errc::deadline : retry_errc::attempt_timeout);
            assign_error(std::get<0>(*completion_), failed.code);
        }

        verdict judged;
        try {
            judged = std::apply([&](auto const&... arguments) { return classify(arguments...); }, *completion_);
        } catch (...) {
            if constexpr (std::is_same_v<disposition_type, std::exception_ptr>) {
                std::get<0>(*completion_) = std::current_exception();
                failed = failure_of(std::get<0>(*completion_));
                judged = verdict::permanent();
            } else {
                fail();
                throw;
            }
        }
        if (!judged.delivered) judged.delivered = attempt_->delivered();

        if (!recorder_.active()) {
            auto const next = schedule_.after_attempt(judged, now_after(judged), interrupted_by(cut_off_by));
            next.retry ? wait(next) : complete(next.reason);
            return;
        }
        record_and_go_on(judged, failed.code, cut_off_by);
    }

    template <class... Arguments>
    [[nodiscard]] verdict classify(Arguments const&... arguments)
    {
        auto& classifier = classifier_;
        if constexpr (std::is_invocable_r_v<verdict, typename Traits::classifier&, attempt const&, Arguments const&...>)
            return classifier(std::as_const(*attempt_), arguments...);
        else
            return classifier(arguments...);
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
            .number = attempt_->number(),
            .start = attempt_start_ - schedule_.start(),
            .duration = end - attempt_start_,
            .error = error,
            .status = judged.status,
            .delivered = judged.delivered,
            .judged = judged.kind,
            .hint = judged.hint};
        recorder_.after_attempt(record);
        auto const next = schedule_.after_attempt(judged, end, interrupted_by(cut_off_by));
        if (next.retry) {
            record.wait = next.wait;
            record.origin = next.origin;
            or_fail([&] { recorder_.before_wait(record); });
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
            post(&retry_operation::waited);
            return;
        }
        or_fail([&] { timer().expires_at(time_point(next.until)); });
        phase_ = phase::waiting;
        initiate([&] { timer_->async_wait(step_handler(this, &retry_operation::waited)); });
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
        assign_error(std::get<0>(*completion_), boost::asio::error::operation_aborted);
        complete(stop_reason::cancelled);
    }

    void complete(stop_reason reason, attempt_record const* last = nullptr)
    {
        if (recorder_.active()) {
            auto const error = failure_of(std::get<0>(*completion_)).code;
            or_fail([&] { recorder_.at_end(last, reason, error, elapsed(now())); });
        }
        ended_ = true;
        leave_slot();

        // Everything is moved out and the state is released, so that what the handler starts can use its memory.
        auto const work = std::move(io_executor_);
        auto completion = or_fail([&] { return completion_type(std::move(*completion_)); });
        auto handler = std::move(handler_);
        destroy(boost::asio::get_associated_allocator(handler, boost::asio::recycling_allocator<void>()));
        std::apply(std::move(handler), std::move(completion));
    }

    // Ends without calling the handler, because an exception is on its way to the caller or to `run()`.
    void fail()
    {
        phase_ = phase::failed;
        leave_slot();
        if (time_limit_running_) timer_->cancel();
        drop_share();
    }

    // What may throw because memory is short, or because a result does when it is moved, must not leak the operation.
    template <class Function>
    auto or_fail(Function&& function)
    {
        try {
            return function();
        } catch (...) {
            fail();
            throw;
        }
    }

    // Posts, or waits with the timer.
    template <class Start>
    void initiate(Start&& start)
    {
        initiate_step(this, std::forward<Start>(start), [this] { drop_share(); });
    }

    void post(step next)
    {
        initiate([&] { boost::asio::post(io_executor_, step_handler(this, next)); });
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
        if (--shares_ == 0) {
            destroy(boost::asio::get_associated_allocator(handler_, boost::asio::recycling_allocator<void>()));
        } else if (phase_ == phase::attempting) {
            // The attempt dropped its handler, and only the timer of its time limit is left.
            phase_ = phase::failed;
            timer_->cancel();
        }
    }

    void destroy(handler_allocator_type handler_allocator) noexcept
    {
        state_allocator allocator(handler_allocator);
        this->~retry_operation();
        std::allocator_traits<state_allocator>::deallocate(allocator, this, 1);
    }

    void leave_slot()
    {
        if (proxy_ != nullptr) boost::asio::get_associated_cancellation_slot(handler_).clear();
    }

    [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_ != boost::asio::cancellation_type::none; }

    // Whether there is something to complete with; before the first attempt has ended, empty results.
    [[nodiscard]] bool has_completion()
    {
        if constexpr (Traits::has_empty_results) {
            if (!completion_) completion_.emplace();
        }
        return completion_.has_value();
    }

    [[nodiscard]] handler_executor_type handler_executor() const noexcept
    {
        return boost::asio::get_associated_executor(handler_, io_executor_);
    }

    [[nodiscard]] handler_allocator_type handler_allocator() const noexcept
    {
        return boost::asio::get_associated_allocator(handler_, boost::asio::recycling_allocator<void>());
    }

    [[nodiscard]] boost::asio::cancellation_slot attempt_slot() noexcept
    {
        return cancellable_ || limited_ ? attempt_signal_.slot() : boost::asio::cancellation_slot();
    }

    timer_type& timer()
    {
        if (!timer_) timer_.emplace(io_executor_);
        return *timer_;
    }

    [[nodiscard]] static std::chrono::nanoseconds now() noexcept
    {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now().time_since_epoch());
    }

    // The time at which an attempt starts, read once for all that depends on it. Not read for nobody.
    [[nodiscard]] std::chrono::nanoseconds time() const noexcept
    {
        return timed_ ? now() : std::chrono::nanoseconds(0);
    }

    // The clock is not read for an attempt that ends the operation.
    [[nodiscard]] std::chrono::nanoseconds now_after(verdict const& judged) const noexcept
    {
        return judged.kind == verdict_kind::done && !timed_ ? std::chrono::nanoseconds(0) : now();
    }

    // Budgets and breakers are told the time of everything.
    [[nodiscard]] static bool is_shared(retry_options const& options) noexcept
    {
        return options.budget != nullptr || options.breaker != nullptr;
    }

    [[nodiscard]] static bool is_limited(retry_options const& options) noexcept
    {
        return options.attempt_timeout.count() != 0 || options.total_timeout.count() != 0;
    }

    [[nodiscard]] std::chrono::nanoseconds elapsed(std::chrono::nanoseconds end) const noexcept
    {
        return end - schedule_.start();
    }

    [[nodiscard]] static typename clock::time_point time_point(std::chrono::nanoseconds since_epoch) noexcept
    {
        return typename clock::time_point(std::chrono::ceil<typename clock::duration>(since_epoch));
    }

    io_executor_type io_executor_;
    std::optional<timer_type> timer_;
    typename Traits::operation operation_;
    typename Traits::classifier classifier_;
    retry_recorder recorder_;
    bool limited_;
    bool timed_;
    bool cancellable_ = false;
    bool attempt_running_ = false;
    bool time_limit_running_ = false;
    bool timed_out_ = false;
    bool ended_ = false;
    phase phase_ = phase::idle;
    stop_reason refused_ = stop_reason::success;
    basic_retry_schedule<typename Traits::options> schedule_;
    std::optional<attempt> attempt_;
    std::chrono::nanoseconds attempt_start_{};
    boost::asio::cancellation_signal attempt_signal_;
    boost::asio::cancellation_type cancelled_ = boost::asio::cancellation_type::none;
    cancel_proxy<retry_operation>* proxy_ = nullptr;
    std::uint32_t shares_ = 1;
    step_memory<step_memory_size<step_handler, io_executor_type>> step_memory_;
    std::optional<completion_type> completion_;
    Handler handler_;
};

}  // namespace backbeat::detail

#endif
