//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_FAILING_OPERATION_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_FAILING_OPERATION_HPP

#include "stage.hpp"
#include "tally.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <utility>

namespace bench {

// What is attempted: it fails as often as it was told, and then succeeds. 16 bytes, like a pointer and a counter, which
// is what a small operation captures.
class failing_operation {
public:
    explicit failing_operation(stage& on) noexcept : stage_(&on), failures_(on.task.failures) {}

    using executor_type = context_executor;
    [[nodiscard]] executor_type get_executor() const noexcept { return stage_->context.get_executor(); }

    [[nodiscard]] boost::system::error_code next() noexcept
    {
        ++my_tally.attempts;
        if (failures_ == 0) return {};
        --failures_;
        return boost::asio::error::connection_reset;
    }

    template <class Token>
    auto operator()(Token&& token)
    {
        return boost::asio::async_initiate<Token, void(boost::system::error_code)>(
            [](auto handler, failing_operation* self) {
                auto const error = self->next();
                if (self->stage_->posted)
                    boost::asio::post(self->get_executor(), boost::asio::append(std::move(handler), error));
                else
                    std::move(handler)(error);
            },
            token,
            this);
    }

private:
    stage* stage_;
    std::uint32_t failures_;
};

static_assert(sizeof(failing_operation) == 16);

}  // namespace bench

#endif
