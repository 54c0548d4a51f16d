//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_HEDGE_OPERATION_HPP
#define BACKBEAT_DETAIL_HEDGE_OPERATION_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/detail/cancel_proxy.hpp>
#include <backbeat/detail/disposition.hpp>
#include <backbeat/detail/executors.hpp>
#include <backbeat/detail/hedge_recorder.hpp>
#include <backbeat/detail/hedge_schedule.hpp>
#include <backbeat/detail/immediate_completion.hpp>
#include <backbeat/detail/invoke_operation.hpp>
#include <backbeat/detail/retry_traits.hpp>
#include <backbeat/detail/step_executor.hpp>
#include <backbeat/detail/step_frame.hpp>
#include <backbeat/detail/step_memory.hpp>
#include <backbeat/hedge_options.hpp>

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

// What a block of memory is made of that holds one `First` and behind it any number of `Next`.
template <class First, class Next>
struct alignas(First) alignas(Next) block_unit {
    static constexpr std::size_t size = (std::max)(alignof(First), alignof(Next));
    static constexpr std::size_t in_first = (sizeof(First) + size - 1) / size;

    [[nodiscard]] static constexpr std::size_t in_all(std::size_t next) noexcept
    {
        return in_first + (next * sizeof(Next) + size - 1) / size;
    }

    std::byte bytes[size];
};

// One `async_hedge`. It has one state, from the handler's associated allocator, at an address that does not change, and
// behind it in the same block a slot for each attempt that there may be. The handlers of what it starts are one pointer
// each. What owns it is counted: the running attempts, and the one step of our own (the timer's wait, or a post). When
// the last of them is gone, so is the state.
//
// All of it happens where the handlers run, one thing at a time. The start is dispatched there, because two initiations
// on two threads would race (asio#1763). Whatever happens is noted first, and `proceed` draws the conclusions; what
// happens while foreign code is called from there, or from `cancel`, is only noted: `busy_` says so. Thus nothing
// recurses, the state does not vanish below anybody, and the caller's handler is called neither from an initiating
// function nor from the emission of a signal.
//
// There is one timer, for whatever comes next: the next start, the end of an attempt's time, the deadline. When that
// moves to a later time the wait is left alone, and looks again when it ends.
template <class Traits, class Handler, executor_from source>
class hedge_operation {
    using clock = typename Traits::clock;
    using io_executor_type = typename Traits::io_executor;
    using disposition_type = typename Traits::disposition;
    using completion_type = typename Traits::completion;
    using timer_type = boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, io_executor_type>;
    using handler_executor_type = boost::asio::associated_executor_t<Handler, io_executor_type>;
    using handler_allocator_type = boost::asio::associated_allocator_t<Handler, boost::asio::recycling_allocator<void>>;

    // Where the I/O executor is the handler's, they are one.
    static constexpr bool wait_on_handler_executor = has_own_executor<Handler> && source != executor_from::handler;

    using step_executor_type = step_executor<hedge_operation, handler_executor_type, wait_on_handler_executor>;

    friend cancel_proxy<hedge_operation>;
    friend memory_in_state;
    template <class, class, class, class>
    friend class basic_step_allocator;
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
        hedge_options const& checked = options;
        if (auto const error = validate(checked); error) {
            refuse(std::move(handler), io_executor, error, report, checked.observer);
            return;
        }
        auto const attempts = checked.maximum_attempts;
        handler_allocator_type const allocator =
            boost::asio::get_associated_allocator(handler, boost::asio::recycling_allocator<void>());
        void* const memory = allocate_block(allocator, attempts);
        hedge_operation* self = nullptr;
        try {
            self = new (memory) hedge_operation(
                std::move(handler),
                io_executor,
                std::forward<Operation>(operation),
                options,
                std::forward<Classifier>(classifier),
                report,
                attempts);
        } catch (...) {
            deallocate_block(allocator, memory, attempts);
            throw;
        }
        self->start();
    }

private:
    enum class slot_state : std::uint8_t {
        unused,
        running,
        completed,  // and not looked at yet
        ended,
        dropped  // its handler was destroyed without being called
    };

    // One attempt.
    struct slot {
        explicit slot(hedge_operation* of) noexcept : operation(of) {}

        hedge_operation* operation;
        slot_state state = slot_state::unused;
        interruption cut_by = interruption::none;
        bool lost = false;
        std::uint32_t order = 0;  // of its completion among all
        hedged_attempt facts;
        std::optional<attempt> current;
        boost::asio::cancellation_signal signal;
        std::optional<completion_type> completion;
    };

    // The handler that an attempt is given. It has the executor and the allocator of the caller's handler, the slot's
    // cancellation slot, and never an inline immediate executor.
    class attempt_handler {
    public:
        using executor_type = handler_executor_type;
        using allocator_type = handler_allocator_type;
        using cancellation_slot_type = boost::asio::cancellation_slot;
        using immediate_executor_type = std::decay_t<typename boost::asio::require_result<
            io_executor_type const&,
            boost::asio::execution::blocking_t::never_t>::type>;

        explicit attempt_handler(slot& of) noexcept : slot_(&of), allocator_(of.operation->handler_allocator()) {}

        attempt_handler(attempt_handler&& other) noexcept
            : slot_(std::exchange(other.slot_, nullptr)), allocator_(other.allocator_)
        {}
        attempt_handler& operator=(attempt_handler&&) = delete;

        ~attempt_handler()
        {
            if (slot_ != nullptr) slot_->operation->attempt_dropped(*slot_);
        }

        [[nodiscard]] executor_type get_executor() const noexcept { return slot_->operation->handler_executor(); }
        [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_; }
        [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return slot_->signal.slot(); }

        [[nodiscard]] immediate_executor_type get_immediate_executor() const noexcept
        {
            return boost::asio::require(slot_->operation->io_executor_, boost::asio::execution::blocking.never);
        }

        template <class... Arguments>
        void operator()(Arguments&&... arguments)
        {
            auto& ended = *std::exchange(slot_, nullptr);
            ended.operation->attempt_completed(ended, std::forward<Arguments>(arguments)...);
        }

    private:
        slot* slot_;
        // Its own, because Asio asks a handler for it that was moved from, to free what it could not use.
        [[no_unique_address]] allocator_type allocator_;
    };

    class step_handler : public step_executor_type {
    public:
        using allocator_type = basic_step_allocator<memory_in_state, void, hedge_operation, handler_allocator_type>;

        explicit step_handler(hedge_operation* operation) noexcept
            : step_executor_type(operation), operation_(operation)
        {}

        step_handler(step_handler&& other) noexcept
            : step_executor_type(other), operation_(other.operation_), owns_(std::exchange(other.owns_, false))
        {}

        step_handler& operator=(step_handler&&) = delete;

        ~step_handler()
        {
            if (owns_) operation_->step_dropped();
        }

        // Also of one that was moved from: Asio asks it, to free what it could not use.
        [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_type(operation_); }

        void operator()()
        {
            owns_ = false;
            operation_->step_ended();
        }

        // The error code of a wait is of no interest: a wait that was cancelled may report success.
        void operator()(boost::system::error_code) { (*this)(); }

    private:
        hedge_operation* operation_;
        bool owns_ = true;
    };

    enum class step : std::uint8_t { nothing, waiting, posted };

    template <class Operation, class Classifier>
    hedge_operation(
        Handler&& handler,
        io_executor_type io_executor,
        Operation&& operation,
        typename Traits::options options,
        Classifier&& classifier,
        retry_report* report,
        std::uint32_t attempts)
        : io_executor_(std::move(io_executor)),
          operation_(std::forward<Operation>(operation)),
          classifier_(std::forward<Classifier>(classifier)),
          recorder_(report, static_cast<hedge_options const&>(options).observer),
          schedule_(options, now()),
          slot_count_(attempts),
          handler_(std::move(handler))
    {
        for (std::uint32_t i = 0; i != slot_count_; ++i) new (static_cast<void*>(slots() + i)) slot(this);
    }

    hedge_operation(hedge_operation const&) = delete;
    hedge_operation& operator=(hedge_operation const&) = delete;

    ~hedge_operation()
    {
        if (proxy_ != nullptr) proxy_->detach();
        if (!ended_) {
            schedule_.start_no_more(stop_reason::abandoned, now());
            if (recorder_.active()) recorder_.at_end(stop_reason::abandoned, {}, elapsed());
        }
        std::destroy_n(slots(), slot_count_);
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
                hedge_recorder(report, observer).at_end(stop_reason::invalid_options, error, {});
                completion_type completion{};
                assign_error(std::get<0>(completion), error);
                std::apply(std::move(owned), std::move(completion));
            });
        } else {
            // There is nothing to complete with: documented in async_hedge.
            static_cast<void>(io_executor);
            throw boost::system::system_error(error);
        }
    }

    void start()
    {
        if (auto callers = boost::asio::get_associated_cancellation_slot(handler_); callers.is_connected())
            or_fail([&] { callers.template emplace<cancel_proxy<hedge_operation>>(this); });
        step_ = step::posted;
        auto const executor = io_executor_;
        initiate([&] { boost::asio::dispatch(executor, step_handler(this)); });
    }

    // ---- What happens ----

    void step_ended()
    {
        step_ = step::nothing;
        bool const first = !std::exchange(begun_, true);
        if (first) schedule_.begin(now());
        // The first one may still be inside the caller's initiating function.
        if (!failed_)
            proceed(!first);
        else
            destroy_if_unused();
    }

    // Posts, or waits with the timer. If that throws the caller lives, and so does his slot, which has to be left.
    template <class Start>
    void initiate(Start&& start)
    {
        initiate_step(this, std::forward<Start>(start), [this](bool thrown) {
            if (thrown) fail();
            step_dropped();
        });
    }

    void step_dropped() noexcept
    {
        if (auto* const frame = step_frame::find(this); frame != nullptr) {
            ++frame->dropped;
            return;
        }
        step_ = step::nothing;
        if (busy_) return;  // because it could not be started: there is an exception on its way
        failed_ = true;
        destroy_if_unused();
    }

    template <class... Arguments>
    void attempt_completed(slot& ended, Arguments&&... arguments)
    {
        --running_;
        ended.state = slot_state::dropped;
        if (failed_) {
            destroy_if_unused();
            return;
        }
        try {
            ended.completion.emplace(std::forward<Arguments>(arguments)...);
        } catch (...) {
            // Its results are lost, and with them the operation, unless the initiating function finds that it threw.
            if (&ended != initiating_) fail();
            destroy_if_unused();
            throw;
        }
        ended.state = slot_state::completed;
        ended.order = completions_++;
        ++completed_;
        if (!busy_) proceed(true);
    }

    void attempt_dropped(slot& ended) noexcept
    {
        --running_;
        ended.state = slot_state::dropped;
        if (&ended == initiating_) return;
        dropped_ = true;
        if (busy_ || running_ != 0) return;
        // The context may be in the middle of its destruction. Where there is nothing to complete with, nothing of it
        // is touched but the timer, if that still waits.
        if (failed_ || (step_ == step::nothing && answer_ == nullptr)) {
            destroy_if_unused();
            return;
        }
        try {
            look_again();
        } catch (...) {
            // A post that failed has dropped its handler, and that the operation.
        }
    }

    void cancel(boost::asio::cancellation_type type)
    {
        if (type == boost::asio::cancellation_type::none || failed_ || (!busy_ && is_over())) return;
        cancelled_ = type;
        // With nothing under way whose completion could be delivered.
        if (running_ == 0 && completed_ == 0 && !judging_) cancelled_in_wait_ = true;
        std::exception_ptr thrown;
        bool const outer = std::exchange(busy_, true);
        auto const time = now();
        if (may_end_without_attempt()) schedule_.cancel(time);
        for (auto* each = slots(); each != slots() + slot_count_; ++each) {
            if (each->state != slot_state::running) continue;
            // One that is being initiated may not have a handler in its slot yet. It is told when it is running.
            if (each == initiating_ && !each->signal.slot().has_handler()) continue;
            tell(*each, type, time, thrown);
        }
        busy_ = outer;
        if (!busy_) {
            if (failed_)
                destroy_if_unused();
            else if (running_ == 0 || completed_ != 0)
                look_again();
        }
        if (thrown) std::rethrow_exception(thrown);
    }

    // ---- What follows ----

    // Draws the conclusions from whatever happened.
    void proceed(bool may_complete)
    {
        std::exception_ptr thrown;
        busy_ = true;
        try {
            while (!failed_ && advance(thrown)) {}
            if (!failed_ && !is_over()) wait_for_next();
        } catch (...) {
            thrown = std::current_exception();
            fail();
        }
        busy_ = false;

        if (failed_)
            destroy_if_unused();
        else if (is_over())
            end(may_complete && !thrown);
        if (thrown) std::rethrow_exception(thrown);
    }

    // Does one thing that there is to do. False: there was none. What the attempts' cancellation handlers throw changes
    // nothing here, and is thrown in the end.
    bool advance(std::exception_ptr& thrown)
    {
        if (dropped_) schedule_.attempt_dropped(now());
        if (completed_ != 0) {
            conclude(*first_completed(), thrown);
            return true;
        }
        auto const time = now();
        if (may_end_without_attempt()) {
            if (is_cancelled())
                schedule_.cancel(time);
            else if (schedule_.started() == 0 && schedule_.past_deadline(time))
                schedule_.start_no_more(stop_reason::deadline, time);
        }
        if (!schedule_.decided() && enforce_limits(time, thrown)) return true;
        if (!schedule_.due(time)) return false;
        start_attempt(time, thrown);
        return true;
    }

    bool enforce_limits(std::chrono::nanoseconds time, std::exception_ptr& thrown)
    {
        bool enforced = false;
        for (auto* each = slots(); each != slots() + slot_count_; ++each) {
            auto const cut_off = each->facts.cut_off;
            if (each->state != slot_state::running || each->cut_by != interruption::none || !cut_off || time < *cut_off)
                continue;
            each->cut_by = schedule_.deadline() == cut_off ? interruption::deadline : interruption::attempt_timeout;
            tell(*each, boost::asio::cancellation_type::terminal, time, thrown);
            enforced = true;
        }
        return enforced;
    }

    void start_attempt(std::chrono::nanoseconds time, std::exception_ptr& thrown)
    {
        auto& starting = slots()[schedule_.started()];
        auto const cut_off = schedule_.cut_off(time);
        starting.current.emplace(
            schedule_.started() + 1,
            cut_off ? std::optional((std::max)(*cut_off - time, std::chrono::nanoseconds(1))) : std::nullopt,
            schedule_.worst_delivery());
        recorder_.before_attempt(*starting.current);
        // By the observer.
        if (is_cancelled() && may_end_without_attempt()) return;

        starting.facts = schedule_.start_attempt(time);
        starting.state = slot_state::running;
        ++running_;
        cancelled_in_wait_ = false;
        initiating_ = &starting;
        initiate(starting, thrown);
        initiating_ = nullptr;
        // While there was no handler in its slot, or before there was anything to complete with.
        if (starting.state == slot_state::running && is_cancelled() && !starting.facts.cancelled_at)
            tell(starting, cancelled_, time, thrown);
    }

    void initiate(slot& starting, std::exception_ptr& thrown)
    {
        try {
            invoke_operation(operation_, &*starting.current, io_executor_, attempt_handler(starting));
            if (starting.state == slot_state::dropped) dropped_ = true;
        } catch (...) {
            if (starting.state == slot_state::completed) return;
            if (starting.state == slot_state::running) {
                // It kept the handler, and will call it.
                if (!thrown) thrown = std::current_exception();
                return;
            }
            if constexpr (std::is_same_v<disposition_type, std::exception_ptr> && Traits::has_empty_results) {
                starting.completion.emplace();
                std::get<0>(*starting.completion) = std::current_exception();
                starting.state = slot_state::completed;
                starting.order = completions_++;
                ++completed_;
            } else {
                throw;
            }
        }
    }

    // An attempt completed.
    void conclude(slot& ended, std::exception_ptr& thrown)
    {
        --completed_;
        ended.signal.slot().clear();
        auto& disposition = std::get<0>(*ended.completion);
        auto failed = failure_of(disposition);
        auto by = ended.lost ? interruption::cancelled : interruption::none;
        if (ended.cut_by != interruption::none && !is_cancelled() && is_aborted(failed)) {
            by = ended.cut_by;
            failed.code =
                make_error_code(by == interruption::deadline ? retry_errc::deadline : retry_errc::attempt_timeout);
            assign_error(disposition, failed.code);
        }

        judging_ = true;
        auto judged = judge(ended, failed);
        if (!judged.delivered) judged.delivered = ended.current->delivered();
        auto const end = now();
        attempt_record record{
            .number = ended.facts.number,
            .start = ended.facts.start - schedule_.start(),
            .duration = end - ended.facts.start,
            .error = failed.code,
            .status = judged.status,
            .delivered = judged.delivered,
            .judged = judged.kind,
            .hint = judged.hint};
        if (recorder_.active()) recorder_.after_attempt(record);
        judging_ = false;
        ended.state = slot_state::ended;

        // Asked as late as possible: the classifier and the observer may cancel.
        if (is_cancelled() && by != interruption::deadline) by = interruption::cancelled;
        bool const was_decided = schedule_.decided();
        auto const put_off = schedule_.attempt_ended(ended.facts, judged, by, end);
        if (was_decided) {
            ended.completion.reset();
            return;
        }
        if (answer_ != nullptr) answer_->completion.reset();
        answer_ = &ended;
        if (put_off.origin != wait_origin::none && recorder_.active()) {
            record.wait = put_off.wait;
            record.origin = put_off.origin;
            recorder_.before_wait(record);
        }
        if (schedule_.decided()) cancel_losers(end, thrown);
    }

    [[nodiscard]] verdict judge(slot& ended, failure& failed)
    {
        try {
            return std::apply(
                [&](auto const&... arguments) { return classify(*ended.current, arguments...); }, *ended.completion);
        } catch (...) {
            if constexpr (std::is_same_v<disposition_type, std::exception_ptr>) {
                std::get<0>(*ended.completion) = std::current_exception();
                failed = failure_of(std::get<0>(*ended.completion));
                return verdict::permanent();
            } else {
                throw;
            }
        }
    }

    template <class... Arguments>
    [[nodiscard]] verdict classify(attempt const& current, Arguments const&... arguments)
    {
        auto& classifier = classifier_;
        if constexpr (std::is_invocable_r_v<verdict, typename Traits::classifier&, attempt const&, Arguments const&...>)
            return classifier(current, arguments...);
        else
            return classifier(arguments...);
    }

    void cancel_losers(std::chrono::nanoseconds time, std::exception_ptr& thrown)
    {
        for (auto* each = slots(); each != slots() + slot_count_; ++each) {
            if (each->state != slot_state::running) continue;
            each->lost = true;
            if (each->cut_by != interruption::none) continue;  // told before
            tell(*each, boost::asio::cancellation_type::terminal, time, thrown);
        }
    }

    void tell(
        slot& running, boost::asio::cancellation_type type, std::chrono::nanoseconds time, std::exception_ptr& thrown)
    {
        if (!running.facts.cancelled_at) running.facts.cancelled_at = time;
        try {
            running.signal.emit(type);
        } catch (...) {
            if (!thrown) thrown = std::current_exception();
        }
    }

    // Whether nothing is left to wait for but our own step.
    [[nodiscard]] bool is_over() const noexcept
    {
        return begun_ && running_ == 0 && completed_ == 0 && (schedule_.decided() || !schedule_.next_start());
    }

    void wait_for_next()
    {
        if (schedule_.decided()) return;
        auto next = schedule_.next_start();
        for (auto const* each = slots(); each != slots() + slot_count_; ++each) {
            if (each->state != slot_state::running || each->cut_by != interruption::none || !each->facts.cut_off)
                continue;
            next = next ? (std::min)(*next, *each->facts.cut_off) : *each->facts.cut_off;
        }
        if (!next || step_ == step::posted || (step_ == step::waiting && waits_until_ <= *next)) return;
        if (step_ == step::waiting) {
            timer_->cancel();
            return;
        }
        if (!timer_) timer_.emplace(io_executor_);
        timer_->expires_at(typename clock::time_point(std::chrono::ceil<typename clock::duration>(*next)));
        waits_until_ = *next;
        step_ = step::waiting;
        initiate([&] { timer_->async_wait(step_handler(this)); });
    }

    // Has `proceed` called, soon and from nowhere inside foreign code.
    void look_again()
    {
        if (step_ == step::waiting) {
            timer_->cancel();
        } else if (step_ == step::nothing) {
            step_ = step::posted;
            initiate([&] { boost::asio::post(io_executor_, step_handler(this)); });
        }
    }

    void end(bool may_complete)
    {
        if (may_complete && step_ == step::nothing)
            complete();
        else
            look_again();
    }

    void complete()
    {
        if (answer_ == nullptr && !make_answer()) {
            // Every attempt dropped its handler.
            leave_slot();
            destroy(handler_allocator());
            return;
        }
        auto completion = or_fail([&] {
            if (!schedule_.decided() && cancelled_in_wait_)
                assign_error(std::get<0>(*answer_->completion), boost::asio::error::operation_aborted);
            return completion_type(std::move(*answer_->completion));
        });
        if (recorder_.active())
            recorder_.at_end(schedule_.reason(), failure_of(std::get<0>(completion)).code, elapsed());
        ended_ = true;
        leave_slot();

        // Everything is moved out and the state is released, so that what the handler starts can use its memory.
        auto const work = std::move(io_executor_);
        auto handler = std::move(handler_);
        destroy(boost::asio::get_associated_allocator(handler, boost::asio::recycling_allocator<void>()));
        std::apply(std::move(handler), std::move(completion));
    }

    // Where no attempt gave one.
    [[nodiscard]] bool make_answer()
    {
        if constexpr (Traits::has_empty_results) {
            if (dropped_) return false;
            answer_ = slots();
            or_fail([&] {
                answer_->completion.emplace();
                if (!is_cancelled())
                    assign_error(std::get<0>(*answer_->completion), make_error_code(retry_errc::deadline));
            });
            return true;
        } else {
            return false;
        }
    }

    // Whether the operation may end before there was an attempt: whether there is something to complete with.
    [[nodiscard]] bool may_end_without_attempt() const noexcept
    {
        return Traits::has_empty_results || schedule_.started() != 0;
    }

    // Ends without calling the handler, because an exception is on its way to the caller or to `run()`. The attempts
    // that run would go on for nobody.
    void fail() noexcept
    {
        if (std::exchange(failed_, true)) return;
        bool const outer = std::exchange(busy_, true);
        leave_slot();
        std::exception_ptr ignored;
        for (auto* each = slots(); each != slots() + slot_count_; ++each)
            if (each->state == slot_state::running) tell(*each, boost::asio::cancellation_type::terminal, {}, ignored);
        try {
            if (step_ == step::waiting) timer_->cancel();
        } catch (...) {
            // It will end by itself.
        }
        busy_ = outer;
    }

    template <class Function>
    auto or_fail(Function&& function)
    {
        try {
            return function();
        } catch (...) {
            fail();
            destroy_if_unused();
            throw;
        }
    }

    // ---- The state ----

    void destroy_if_unused() noexcept
    {
        if (!busy_ && running_ == 0 && step_ == step::nothing) destroy(handler_allocator());
    }

    void destroy(handler_allocator_type allocator) noexcept
    {
        auto const attempts = slot_count_;
        this->~hedge_operation();
        deallocate_block(allocator, this, attempts);
    }

    [[nodiscard]] static void* allocate_block(handler_allocator_type const& allocator, std::size_t attempts)
    {
        using unit = block_unit<hedge_operation, slot>;
        using traits = typename std::allocator_traits<handler_allocator_type>::template rebind_traits<unit>;
        typename traits::allocator_type units(allocator);
        return traits::allocate(units, unit::in_all(attempts));
    }

    static void deallocate_block(handler_allocator_type const& allocator, void* memory, std::size_t attempts) noexcept
    {
        using unit = block_unit<hedge_operation, slot>;
        using traits = typename std::allocator_traits<handler_allocator_type>::template rebind_traits<unit>;
        typename traits::allocator_type units(allocator);
        traits::deallocate(units, static_cast<unit*>(memory), unit::in_all(attempts));
    }

    [[nodiscard]] slot* slots() noexcept { return static_cast<slot*>(static_cast<void*>(bytes_behind())); }

    [[nodiscard]] std::byte* bytes_behind() noexcept
    {
        using unit = block_unit<hedge_operation, slot>;
        return static_cast<std::byte*>(static_cast<void*>(this)) + unit::in_first * unit::size;
    }

    [[nodiscard]] slot* first_completed() noexcept
    {
        slot* result = nullptr;
        for (auto* each = slots(); each != slots() + slot_count_; ++each)
            if (each->state == slot_state::completed && (result == nullptr || each->order < result->order))
                result = each;
        return result;
    }

    void leave_slot() noexcept
    {
        if (proxy_ != nullptr) boost::asio::get_associated_cancellation_slot(handler_).clear();
    }

    [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_ != boost::asio::cancellation_type::none; }

    [[nodiscard]] handler_executor_type handler_executor() const noexcept
    {
        return boost::asio::get_associated_executor(handler_, io_executor_);
    }

    [[nodiscard]] handler_allocator_type handler_allocator() const noexcept
    {
        return boost::asio::get_associated_allocator(handler_, boost::asio::recycling_allocator<void>());
    }

    [[nodiscard]] cancel_proxy<hedge_operation>*& proxy() noexcept { return proxy_; }

    [[nodiscard]] void* take_step_memory(std::size_t bytes, std::size_t alignment) noexcept
    {
        if (step_memory_used_ || !step_memory_.fits(bytes, alignment)) return nullptr;
        step_memory_used_ = true;
        return step_memory_.get();
    }

    void give_step_memory_back() noexcept { step_memory_used_ = false; }

    // The operation is not looked at, and may be gone.
    [[nodiscard]] static bool is_step_memory(hedge_operation* operation, void const* memory) noexcept
    {
        return memory == operation->step_memory_.get();
    }

    [[nodiscard]] static std::chrono::nanoseconds now() noexcept
    {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now().time_since_epoch());
    }

    [[nodiscard]] std::chrono::nanoseconds elapsed() const noexcept { return now() - schedule_.start(); }

    io_executor_type io_executor_;
    std::optional<timer_type> timer_;
    typename Traits::operation operation_;
    typename Traits::classifier classifier_;
    hedge_recorder recorder_;
    hedge_schedule<typename Traits::options> schedule_;
    std::chrono::nanoseconds waits_until_{};
    slot* answer_ = nullptr;  // whose completion is delivered, if nothing else happens
    slot* initiating_ = nullptr;
    cancel_proxy<hedge_operation>* proxy_ = nullptr;
    boost::asio::cancellation_type cancelled_ = boost::asio::cancellation_type::none;
    std::uint32_t slot_count_;
    std::uint32_t running_ = 0;
    std::uint32_t completed_ = 0;  // and not looked at yet
    std::uint32_t completions_ = 0;
    step step_ = step::nothing;
    bool begun_ = false;
    bool busy_ = false;
    bool judging_ = false;
    bool dropped_ = false;
    bool cancelled_in_wait_ = false;
    bool failed_ = false;
    bool ended_ = false;
    step_memory<wait_memory_size<io_executor_type>(
        sizeof(step_handler), wait_on_handler_executor ? sizeof(handler_executor_type) : 0)>
        step_memory_;
    bool step_memory_used_ = false;
    Handler handler_;
};

}  // namespace backbeat::detail

#endif
