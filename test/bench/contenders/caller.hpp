//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_CALLER_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_CALLER_HPP

#include "done.hpp"
#include "stage.hpp"
#include "tally.hpp"
#include "task.hpp"

#include <boost/system/error_code.hpp>

#include <cstddef>
#include <exception>

namespace bench {

// Calls one after the other, on one thread.
class caller {
public:
    caller() = default;
    caller(caller const&) = delete;
    caller& operator=(caller const&) = delete;
    virtual ~caller() = default;

    // Returns when all have ended. How they ended is in the tally.
    virtual void run(std::size_t calls) = 0;
};

template <class Contender>
class caller_of final : public caller {
public:
    explicit caller_of(task const& of) : stage_(of), contender_(stage_, 1) {}

    void run(std::size_t calls) override
    {
        left_ = calls;
        next();
        stage_.context.restart();
        stage_.context.run();
    }

private:
    // 8 bytes, too.
    class called {
    public:
        explicit called(caller_of* self) noexcept : self_(self) {}

        void operator()(boost::system::error_code error) const
        {
            done(self_->success_)(error);
            self_->next();
        }

        void operator()(std::exception_ptr const& failure) const { (*this)(code_of(failure)); }

    private:
        caller_of* self_;
    };

    // A call that ends inside its initiation must not recurse into the next one.
    void next()
    {
        again_ = true;
        if (starting_) return;
        while (again_ && left_ != 0) {
            --left_;
            again_ = false;
            starting_ = true;
            contender_.start(0, called(this));
            starting_ = false;
        }
    }

    stage stage_;
    Contender contender_;
    boost::system::error_code success_;
    std::size_t left_ = 0;
    bool starting_ = false;
    bool again_ = false;
};

}  // namespace bench

#endif
