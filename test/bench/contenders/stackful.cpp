//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "failing_operation.hpp"
#include "registration.hpp"
#include "stage.hpp"

#include <boost/asio/spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bench {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// A loop on a stack of its own.
void stackful_loop(stage& on, asio::yield_context const& yield)
{
    failing_operation operation(on);
    asio::steady_timer timer(on.context);
    for (std::uint32_t retry = 0;; ++retry) {
        error_code error;
        operation(yield[error]);
        if (!error) return;
        if (retry == maximum_retries) throw boost::system::system_error(error);
        timer.expires_after(backoff(on.task.law, retry));
        timer.async_wait(yield);
    }
}

class stackful_contender {
public:
    template <class Done>
    static constexpr std::size_t given = sizeof(Done) + sizeof(failing_operation);

    stackful_contender(stage& on, std::size_t) noexcept : stage_(&on) {}

    template <class Done>
    void start(std::size_t, Done handler)
    {
        auto* const on = stage_;
        asio::spawn(
            on->context, [on](asio::yield_context yield) { stackful_loop(*on, yield); }, std::move(handler));
    }

private:
    stage* stage_;
};

}  // namespace

std::vector<registration> stackful_contenders()
{
    return {entry<stackful_contender>("spawn")};
}

}  // namespace bench
