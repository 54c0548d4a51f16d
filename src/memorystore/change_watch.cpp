//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "change_watch.hpp"

#include "complete_with.hpp"
#include "look.hpp"
#include "without_allocator.hpp"

#include <backbeat/delivery.hpp>
#include <backbeat/memorystore/classifier.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>

namespace backbeat::memorystore::detail {

namespace {

// Of a lost answer, or one that says no more than that somebody on the way lost it.
constexpr unsigned gateway_timeout = 504;

std::string sentence_of(std::exception_ptr const& failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (std::exception const& known) {
        return known.what();
    } catch (...) {
        return "an exception of an unknown type";
    }
}

http::response answer_of(boost::json::object const& body, unsigned status)
{
    http::response result(http::status::ok, 11);
    result.result(status);
    result.set(http::field::content_type, "application/json");
    result.body() = boost::json::serialize(body);
    result.prepare_payload();
    return result;
}

}  // namespace

// One look, and what follows from it.
class change_watch::probing {
public:
    explicit probing(std::shared_ptr<change_watch> watch) : watch_(std::move(watch)) {}

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        auto const core = watch_->core_;
        auto name = watch_->change_.target;
        auto const options = watch_->looks_;
        // Nothing that was sent can have been carried out: its operations would tell nothing.
        auto const what = watch_->is_open_ ? look_at::resource_and_operations : look_at::resource;
        look(core, std::move(name), what, options, look_handler(without_allocator(std::move(self))));
    }

    template <class Self>
    void operator()(Self& self, std::exception_ptr failure, observation const& seen)
    {
        if (failure) {
            watch_->last_ = conclusion();
            watch_->last_.why = "it could not be looked at: " + sentence_of(failure);
            return self.complete(std::move(failure), {});
        }
        auto found = watch_->conclude(seen);
        watch_.reset();
        self.complete({}, std::move(found));
    }

private:
    std::shared_ptr<change_watch> watch_;
};

change_watch::change_watch(
    core_pointer core, change what, mutation_options const& options, observation before, call_options const& by)
    : core_(std::move(core)), change_(std::move(what)), reconciler_(change_, std::move(before), options)
{
    // A failure is retried with the attempt that the probe belongs to.
    looks_.retry.emplace().maximum_retries = 0;
    looks_.headers = by.headers;
}

verdict change_watch::judge(attempt const& ended, boost::system::error_code const& error, http::response const& answer)
{
    judged_ = ended.number();
    auto const said = classifier{.replay = http::idempotency::idempotent}(ended, error, answer);
    auto const delivered = said.delivered ? said.delivered : ended.delivered();
    if (said.kind != verdict_kind::done && delivered == delivery::ambiguous) {
        is_open_ = true;
        last_ = conclusion();
        if (error || answer.result_int() == gateway_timeout) reconciler_.lost(std::chrono::steady_clock::now());
    }
    return said;
}

void change_watch::probe(attempt const& /*current*/, probe_result_handler handler)
{
    // There was nothing to be mistaken for. If there is something now, the service says ALREADY_EXISTS.
    if (!is_open_ && is_creation(change_.kind))
        return complete_with(
            executor_of(*core_), std::move(handler), std::exception_ptr(), http::reconciliation<>::not_carried_out());
    boost::asio::async_compose<probe_result_handler, void(std::exception_ptr, http::reconciliation<>)>(
        probing(shared_from_this()), handler, executor_of(*core_));
}

http::reconciliation<> change_watch::conclude(observation const& seen)
{
    using result = http::reconciliation<>;
    last_ =
        is_open_ ? reconciler_.conclude(seen, std::chrono::steady_clock::now()) : reconciler_.before_resending(seen);
    switch (last_.what) {
    case conclusion::kind::carried_out:
        is_open_ = false;
        return result::carried_out(answer_of(to_json(last_.found), 200));
    case conclusion::kind::not_carried_out: is_open_ = false; return result::not_carried_out();
    case conclusion::kind::refused: {
        is_open_ = false;
        boost::json::object body;
        boost::json::object told;
        told["code"] = http_status(last_.code);
        told["message"] = change_.request.action + " was not carried out: " + last_.why;
        told["status"] = to_string(last_.code);
        body["error"] = std::move(told);
        return result::refused(answer_of(body, http_status(last_.code)));
    }
    case conclusion::kind::too_early: return result::ask_again_after(last_.again);
    case conclusion::kind::unknown: break;
    }
    return result::unknown();
}

bool change_watch::is_open(retry_report const& report) const
{
    if (is_open_) return true;
    // The last attempt may have ended without being judged.
    auto const records = report.records();
    return !records.empty() && records.back().number > judged_
        && records.back().delivered.value_or(delivery::ambiguous) == delivery::ambiguous;
}

}  // namespace backbeat::memorystore::detail
