//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_OPERATION_HPP
#define BACKBEAT_SRC_HTTP_OPERATION_HPP

#include "client_core.hpp"

#include <backbeat/http/detail/initiations.hpp>
#include <backbeat/http/detail/receiver.hpp>
#include <backbeat/http/detail/response_receiver.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/intrusive/list_hook.hpp>
#include <boost/system/error_code.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace backbeat::http::detail {

// What the operations of a client have in common: a handler that lives on an executor of its own, while the operation
// lives on the client's strand. Cancellation comes in from there, and completion goes out to it.
class operation : public std::enable_shared_from_this<operation>, public boost::intrusive::list_base_hook<> {
public:
    operation(std::shared_ptr<client_core> core, std::unique_ptr<completion_target> target);
    operation(operation const&) = delete;
    operation& operator=(operation const&) = delete;
    virtual ~operation();

    // Not on the strand: goes there by itself.
    void initiate();

    // On the strand. May come at any time, also after the end.
    virtual void cancel(boost::asio::cancellation_type type) = 0;

protected:
    // On the strand.
    virtual void start() = 0;

    // Between these two it is cancelled when the client is closed.
    void enter();
    void leave();

    // Calls the handler, later.
    void complete(boost::system::error_code error, attempt_news const& news = {});

    // The same, but perhaps as the last step of what runs.
    void complete_at_last(boost::system::error_code error, attempt_news const& news = {});

    [[nodiscard]] client_core& core() const noexcept { return *core_; }
    [[nodiscard]] std::shared_ptr<client_core> const& shared_core() const noexcept { return core_; }

private:
    void listen_for_cancellation();
    void cancel_started(boost::asio::cancellation_type type);

    std::shared_ptr<client_core> core_;
    std::unique_ptr<completion_target> target_;
    // Counts as work for the context of the handler, which has nothing else to do for it until the end. Empty: it is the
    // client's own, or its strand.
    boost::asio::any_completion_executor handler_executor_;
    bool completes_on_strand_ = false;
    bool is_started_ = false;
    std::optional<boost::asio::cancellation_type> cancelled_before_;
};

// A handler that runs on the strand, and owns what has the core. Not a binder, whose copies and moves each copy an
// executor, which counts references.
template <class Function>
class handler_on_strand {
public:
    using executor_type = boost::asio::any_io_executor;

    handler_on_strand(client_core const& core, Function function)
        : executor_(&core.serial()), function_(std::move(function))
    {}

    [[nodiscard]] executor_type const& get_executor() const noexcept { return *executor_; }

    template <class... Arguments>
    void operator()(Arguments&&... arguments)
    {
        function_(std::forward<Arguments>(arguments)...);
    }

private:
    executor_type const* executor_;
    Function function_;
};

// The last step of a handler of Asio's. While this exists, that runs on the executor of a client and not on a strand of
// the client's own, or on that strand, and has nothing else to do. If an operation ends in this thread meanwhile, whose
// completion handler is to run there, it need not be posted: it finds in the processor's caches, and in the allocator's,
// what was used last. One at a time, and it is not called before this is done: nothing recurses.
class last_step {
public:
    enum class place { executor, strand };

    last_step(std::shared_ptr<client_core> core, place where) noexcept
        : core_(std::move(core)), where_(where), outer_(std::exchange(innermost, this))
    {}
    last_step(last_step const&) = delete;
    last_step& operator=(last_step const&) = delete;
    // Posts what was left to it, if what it is the last step of has thrown.
    ~last_step();

    // Null: there is none, or it has something to do already.
    [[nodiscard]] static last_step* find(client_core const& core, place where) noexcept;

    // `is_part`: the handler is that of another operation, which may leave its own handler to this in turn.
    void take(
        std::unique_ptr<completion_target> target,
        bool is_part,
        boost::system::error_code error,
        attempt_news const& news) noexcept;

    // Calls what was left to it.
    void run();

private:
    void call();
    void leave() noexcept;

    static thread_local last_step* innermost;

    std::shared_ptr<client_core> core_;
    place where_;
    last_step* outer_;
    bool is_left_ = false;
    std::unique_ptr<completion_target> target_;
    bool is_part_ = false;
    boost::system::error_code error_;
    attempt_news news_;
};

// A handler that is told no more than how the operation ended. If it is a part of another operation of the client, it
// runs on the strand.
template <class Handler, bool part>
class basic_end_target final : public completion_target {
public:
    explicit basic_end_target(Handler handler) : handler_(std::move(handler)) {}

    bool is_part() const noexcept override { return part; }

    boost::asio::any_completion_executor executor(boost::asio::any_completion_executor const& otherwise) const override
    {
        return boost::asio::get_associated_executor(handler_, otherwise);
    }

    boost::asio::cancellation_slot slot() const noexcept override
    {
        return boost::asio::get_associated_cancellation_slot(handler_);
    }

    void complete(
        std::unique_ptr<completion_target> self,
        boost::asio::any_io_executor const& io,
        boost::asio::any_completion_executor own,
        boost::system::error_code error,
        attempt_news const& news) override
    {
        post_completion(io, std::move(own), completion<Handler>(std::move(self), handler_, error, news));
    }

    void call(
        std::unique_ptr<completion_target> self, boost::system::error_code error, attempt_news const& news) override
    {
        auto handler = std::move(handler_);
        self.reset();
        call_at_end(std::move(handler), news, error);
    }

private:
    Handler handler_;
};

using end_target = basic_end_target<end_handler, false>;

template <class Handler>
using end_target_of_part = basic_end_target<Handler, true>;

}  // namespace backbeat::http::detail

#endif
