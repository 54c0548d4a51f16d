//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "registration.hpp"
#include "scenarios.hpp"
#include "stage.hpp"
#include "tally.hpp"

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace bench {

namespace {

// One thread an operation, which sleeps. They have small stacks: with the default, address space is what ends first.
class sleeping_threads {
public:
    explicit sleeping_threads(task const& of) : task_(&of) {}

    void start()
    {
        pthread_attr_t attributes;
        ::pthread_attr_init(&attributes);
        ::pthread_attr_setstacksize(&attributes, 64 * 1024);
        threads_.reserve(task_->operations);
        int problem = 0;
        while (problem == 0 && threads_.size() != task_->operations) {
            pthread_t thread{};
            problem = ::pthread_create(&thread, &attributes, &run, this);
            if (problem == 0) threads_.push_back(thread);
        }
        ::pthread_attr_destroy(&attributes);
        if (problem == 0) return;
        join();
        throw std::system_error(problem, std::generic_category(), "pthread_create");
    }

    void join()
    {
        for (auto const thread : threads_) ::pthread_join(thread, nullptr);
        threads_.clear();
    }

    void wait_until_suspended() const
    {
        while (suspended_.load(std::memory_order_relaxed) != task_->operations) std::this_thread::yield();
    }

private:
    static void* run(void* argument)
    {
        auto& self = *static_cast<sleeping_threads*>(argument);
        for (std::uint32_t retry = 0; retry != self.task_->failures; ++retry) {
            ++my_tally.attempts;
            auto const wait = backoff(self.task_->law, retry);
            if (retry == 0) self.suspended_.fetch_add(1, std::memory_order_relaxed);
            std::this_thread::sleep_for(wait);
        }
        ++my_tally.attempts;
        ++my_tally.right;
        hand_in_tally();
        leave_thread();
        return nullptr;
    }

    task const* task_;
    std::vector<pthread_t> threads_;
    std::atomic<std::size_t> suspended_{0};
};

std::optional<measurement> run_threads(task const& of)
{
    bool const suspended_together = of.scenario == scenario::capacity;
    if (of.scenario != scenario::throughput && !suspended_together) return std::nullopt;
    measurement result;
    auto const before = resident_bytes();
    meter const used;
    sleeping_threads threads(of);
    threads.start();
    if (suspended_together) {
        threads.wait_until_suspended();
        used.read(result);
        result.start_processor_ns = result.processor_ns;
        result.resident = resident_bytes() - before;
    }
    threads.join();
    used.read(result);
    return result;
}

}  // namespace

std::vector<registration> thread_contenders()
{
    return {{"thread", &run_threads, nullptr}};
}

}  // namespace bench
