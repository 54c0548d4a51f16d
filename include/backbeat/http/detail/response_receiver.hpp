//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_DETAIL_RESPONSE_RECEIVER_HPP
#define BACKBEAT_HTTP_DETAIL_RESPONSE_RECEIVER_HPP

#include <backbeat/detail/disposition.hpp>
#include <backbeat/detail/invoke_operation.hpp>
#include <backbeat/http/classifier.hpp>
#include <backbeat/http/detail/receiver.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/optional/optional.hpp>
#include <boost/system/errc.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace backbeat::http::detail {

// Stands for a classifier, a probe or a preparation that was not given.
struct not_given {};

template <class Body>
using response_of = boost::beast::http::response<Body>;

template <class Body>
using handler_of = boost::asio::any_completion_handler<void(boost::system::error_code, response_of<Body>)>;

// The response beside an error. Its status is 0 and not Beast's default, which is 200.
template <class Body>
[[nodiscard]] response_of<Body> no_response()
{
    response_of<Body> empty;
    empty.result(0u);
    return empty;
}

// Binds a function to an executor, and leaves its allocator visible.
template <class Function>
class bound_completion {
public:
    using executor_type = boost::asio::any_completion_executor;
    using allocator_type = typename Function::allocator_type;

    bound_completion(Function function, executor_type executor)
        : function_(std::move(function)), executor_(std::move(executor))
    {}

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }
    [[nodiscard]] allocator_type get_allocator() const noexcept { return function_.get_allocator(); }

    void operator()() { function_(); }

private:
    Function function_;
    executor_type executor_;
};

// Through the client's executor, with the handler's own bound: the latter need not be able to post. Never inline, so that
// the strand is not kept while the handler runs, and nothing recurses.
template <class Function>
void post_completion(
    boost::asio::any_io_executor const& io, boost::asio::any_completion_executor own, Function function)
{
    if (own)
        boost::asio::post(io, bound_completion<Function>(std::move(function), std::move(own)));
    else
        boost::asio::post(io, std::move(function));
}

// What is posted at the end, with the target whose handler is to be called. A class with a nested type, so that Asio sees
// the handler's allocator.
template <class Handler>
class completion {
public:
    using allocator_type = boost::asio::associated_allocator_t<Handler>;

    // The handler is the target's.
    completion(
        std::unique_ptr<completion_target> target,
        Handler const& handler,
        boost::system::error_code error,
        attempt_news const& news)
        : allocator_(boost::asio::get_associated_allocator(handler)),
          target_(std::move(target)),
          error_(error),
          news_(news)
    {}

    [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator_; }

    void operator()()
    {
        auto& target = *target_;
        target.call(std::move(target_), error_, news_);
    }

private:
    allocator_type allocator_;
    std::unique_ptr<completion_target> target_;
    boost::system::error_code error_;
    attempt_news news_;
};

// Calls a handler at the end. An attempt belongs to where its handlers run, which is here and was not before.
template <class Handler, class... Results>
void call_at_end(Handler handler, attempt_news const& news, boost::system::error_code error, Results... results)
{
    news.tell();
    if (auto slot = boost::asio::get_associated_cancellation_slot(handler); slot.is_connected()) slot.clear();
    std::move(handler)(error, std::move(results)...);
}

// `Interface` is `receiver` or `sending_receiver`.
template <class Interface, class Body, class Prepare>
class response_receiver : public Interface {
public:
    response_receiver(handler_of<Body> handler, Prepare prepare)
        : handler_(std::move(handler)), prepare_(std::move(prepare))
    {}

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
        reader_.reset();
        post_completion(io, std::move(own), completion<handler_of<Body>>(std::move(self), handler_, error, news));
    }

    void call(
        std::unique_ptr<completion_target> self, boost::system::error_code error, attempt_news const& news) override
    {
        reader_.reset();
        auto handler = std::move(handler_);
        auto message = message_ ? std::move(*message_) : no_response<Body>();
        self.reset();
        call_at_end(std::move(handler), news, error, std::move(message));
    }

    void begin(response_sink::header_type&& header, boost::system::error_code& error) override
    {
        reader_.reset();
        message_.emplace();
        message_->base() = std::move(header);
        if constexpr (!std::same_as<Prepare, not_given>) prepare_(message_->body(), error);
        // Beast takes for granted that a file is open.
        if constexpr (requires { message_->body().is_open(); })
            if (!error && !message_->body().is_open())
                error = boost::system::errc::make_error_code(boost::system::errc::bad_file_descriptor);
        if (!error) reader_.emplace(message_->base(), message_->body());
        failed_ = error.failed();
    }

    void begin_body(std::optional<std::uint64_t> size, boost::system::error_code& error) override
    {
        reader_->init(size ? boost::optional<std::uint64_t>(*size) : boost::none, error);
        failed_ = error.failed();
    }

    void put(boost::asio::const_buffer bytes, boost::system::error_code& error) override
    {
        while (bytes.size() != 0 && !error) {
            auto const taken = reader_->put(bytes, error);
            bytes += taken;
            if (error == boost::beast::http::error::need_more) error = {};
            if (taken == 0 && !error) error = boost::beast::http::error::buffer_overflow;
        }
        failed_ = error.failed();
    }

    void end(boost::system::error_code& error) override
    {
        reader_->finish(error);
        failed_ = error.failed();
    }

    bool has_failed() const noexcept override { return failed_; }

    void discard() noexcept override
    {
        reader_.reset();
        message_.reset();
    }

protected:
    std::optional<response_of<Body>> message_;

private:
    handler_of<Body> handler_;
    [[no_unique_address]] Prepare prepare_;
    std::optional<typename Body::reader> reader_;
    bool failed_ = false;
};

// What completes a probe or a source begins with this. A class with nested types, and not a binder: before Boost 1.82 a
// binder of a cancellation slot cannot be bound to another, as a coroutine has to be.
template <class Handler>
class aside_handler {
public:
    using executor_type = boost::asio::any_io_executor;
    using cancellation_slot_type = boost::asio::cancellation_slot;

    aside_handler(executor_type executor, Handler handler)
        : executor_(std::move(executor)), handler_(std::move(handler))
    {}

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }
    [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept
    {
        return boost::asio::get_associated_cancellation_slot(handler_);
    }

protected:
    template <class Disposition>
    [[nodiscard]] static boost::system::error_code error_of(Disposition const& disposition)
    {
        auto const failure = backbeat::detail::failure_of(disposition);
        if (!failure.failed) return {};
        return failure.has_code ? failure.code : make_error_code(retry_errc::unknown_exception);
    }

    template <class Result>
    void finish(boost::system::error_code error, Result&& result)
    {
        std::move(handler_)(error, std::forward<Result>(result));
    }

private:
    executor_type executor_;
    Handler handler_;
};

template <class Body>
class probe_handler : public aside_handler<sending_receiver::found_handler> {
    using base = aside_handler<sending_receiver::found_handler>;

public:
    probe_handler(
        std::optional<response_of<Body>>* answer,
        boost::asio::any_io_executor executor,
        sending_receiver::found_handler handler)
        : base(std::move(executor), std::move(handler)), answer_(answer)
    {}

    template <class Disposition>
    void operator()(Disposition const& disposition, reconciliation<Body> found)
    {
        auto const error = base::error_of(disposition);
        auto& answer = reconciliation_access::answer_of(found);
        if (!error && answer) *answer_ = std::move(*answer);
        base::finish(error, reconciliation_access::result_of(found));
    }

private:
    std::optional<response_of<Body>>* answer_;
};

class source_handler : public aside_handler<sending_receiver::field_handler> {
    using base = aside_handler<sending_receiver::field_handler>;

public:
    using base::base;

    template <class Disposition>
    void operator()(Disposition const& disposition, std::string value)
    {
        base::finish(base::error_of(disposition), std::move(value));
    }
};

// `source(rejected, token)`, or `source(rejected)` returning what can be awaited.
template <class Source, class Handler>
void invoke_source(
    Source& source, std::string rejected, boost::asio::any_io_executor const& executor, Handler&& handler)
{
    if constexpr (std::is_invocable_v<Source&, std::string, backbeat::detail::probe_token>)
        source(std::move(rejected), std::forward<Handler>(handler));
    else
        backbeat::detail::launch_returned(source(std::move(rejected)), executor, std::forward<Handler>(handler));
}

template <class Body, class Prepare, class Classifier, class Probe, class Source>
class response_sender final : public response_receiver<sending_receiver, Body, Prepare> {
public:
    response_sender(handler_of<Body> handler, Prepare prepare, Classifier classifier, Probe probe, Source source)
        : response_receiver<sending_receiver, Body, Prepare>(std::move(handler), std::move(prepare)),
          classifier_(std::move(classifier)),
          probe_(std::move(probe)),
          source_(std::move(source))
    {}

    verdict judge(
        attempt const& ended,
        boost::system::error_code const& error,
        idempotency replay,
        [[maybe_unused]] bool is_local) override
    {
        if (!this->message_) this->message_ = no_response<Body>();
        if constexpr (std::same_as<Classifier, not_given>) {
            classifier decide;
            decide.replay = replay;
            auto result = decide(ended, error, std::as_const(*this->message_));
            // Another server's answer would not open a file, or make room on a disk.
            if (is_local) result.kind = verdict_kind::permanent;
            return result;
        } else if constexpr (std::is_invocable_v<
                                 Classifier&,
                                 attempt const&,
                                 boost::system::error_code const&,
                                 response_of<Body> const&>) {
            return classifier_(ended, error, std::as_const(*this->message_));
        } else {
            return classifier_(error, std::as_const(*this->message_));
        }
    }

    bool has_probe() const noexcept override { return !std::same_as<Probe, not_given>; }

    bool probes_each_retry() const noexcept override
    {
        if constexpr (std::same_as<Probe, not_given>)
            return false;
        else
            return Probe::is_before_each_retry;
    }

    void probe(
        [[maybe_unused]] attempt const& current,
        [[maybe_unused]] boost::asio::any_io_executor const& executor,
        [[maybe_unused]] sending_receiver::found_handler on_found) override
    {
        if constexpr (!std::same_as<Probe, not_given>) {
            backbeat::detail::invoke_operation(
                probe_.ask, &current, executor, probe_handler<Body>(&this->message_, executor, std::move(on_found)));
        }
    }

    bool has_source() const noexcept override { return !std::same_as<Source, not_given>; }

    void authorize(
        [[maybe_unused]] std::string rejected,
        [[maybe_unused]] boost::asio::any_io_executor const& executor,
        [[maybe_unused]] sending_receiver::field_handler on_field) override
    {
        if constexpr (!std::same_as<Source, not_given>)
            invoke_source(source_, std::move(rejected), executor, source_handler(executor, std::move(on_field)));
    }

    unsigned status() const noexcept override { return this->message_ ? this->message_->result_int() : 0; }

private:
    [[no_unique_address]] Classifier classifier_;
    [[no_unique_address]] Probe probe_;
    [[no_unique_address]] Source source_;
};

}  // namespace backbeat::http::detail

#endif
