//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_CANCELLATION_SIGNALS_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_CANCELLATION_SIGNALS_HPP

#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <memory>

namespace bench {

// One for each operation, made beforehand: they belong to the caller.
class cancellation_signals {
public:
    explicit cancellation_signals(std::size_t count) : signals_(new boost::asio::cancellation_signal[count]) {}

    [[nodiscard]] boost::asio::cancellation_slot slot(std::size_t index) noexcept { return signals_[index].slot(); }
    void cancel(std::size_t index) { signals_[index].emit(boost::asio::cancellation_type::terminal); }

private:
    std::unique_ptr<boost::asio::cancellation_signal[]> signals_;
};

}  // namespace bench

#endif
