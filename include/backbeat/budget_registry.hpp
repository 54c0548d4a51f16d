//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_BUDGET_REGISTRY_HPP
#define BACKBEAT_BUDGET_REGISTRY_HPP

#include <backbeat/budget.hpp>
#include <backbeat/config.hpp>
#include <backbeat/retry_budget.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat {

namespace detail {

struct no_budget_options {};

template <class Budget>
struct budget_options {
    using type = no_budget_options;
};

template <class Budget>
    requires requires
    {
        typename Budget::options_type;
    }
struct budget_options<Budget> {
    using type = typename Budget::options_type;
};

}  // namespace detail

/**
 * \brief Keeps one budget for each key, such as each host.
 * \details
 * A budget that several servers share would let one that fails spend the retries of those that work.
 *
 * \code
 * backbeat::budget_registry<> budgets;
 * backbeat::async_retry(operation, {.budget = &budgets.for_key("redis.googleapis.com")}, token);
 * \endcode
 *
 * A budget is made when its key is first asked for, and stays. Keys may come from outside, as host names do, so their
 * number is limited: once there are `maximum_keys`, every further key gets one and the same budget, `overflow()`. Those
 * keys then limit each other's retries, but memory does not grow.
 *
 * \par Object lifetimes
 * Budgets stay where they are for as long as the registry lives, which must outlive every operation that uses one.
 *
 * \par Thread safety
 * Safe. Looking a key up takes a shared lock, making its budget an exclusive one. That happens once an operation, or
 * less often where the reference is kept, and never on the path of an attempt, which uses the budget itself.
 *
 * \tparam Budget A class derived from `budget`. It can be made from options if it names their type, `options_type`.
 */
template <std::derived_from<budget> Budget = retry_budget>
class budget_registry {
public:
    /// What makes a budget.
    using factory = std::function<std::unique_ptr<Budget>()>;

    /// The type of the options of a budget.
    using options_type = typename detail::budget_options<Budget>::type;

    /// The number of keys that have budgets of their own, if nothing else is said.
    static constexpr std::size_t default_maximum_keys = 1024;

    /**
     * \brief Makes a registry of budgets with default options.
     * \param maximum_keys The number of keys that get budgets of their own. Zero: none, all keys share one budget.
     */
    explicit budget_registry(
        std::size_t maximum_keys = default_maximum_keys) requires std::default_initializable<Budget>
        : budget_registry(factory([] { return std::make_unique<Budget>(); }), maximum_keys)
    {}

    /**
     * \brief Makes a registry of budgets with the given options.
     * \param options The options of each budget.
     * \param maximum_keys The number of keys that get budgets of their own. Zero: none, all keys share one budget.
     * \throws boost::system::system_error with what `validate(options)` returns, if that is an error.
     */
    explicit budget_registry(options_type const& options, std::size_t maximum_keys = default_maximum_keys) requires
        std::constructible_from<Budget, options_type const&>
        : budget_registry(factory([options] { return std::make_unique<Budget>(options); }), maximum_keys)
    {}

    /**
     * \brief Makes a registry of budgets that a function makes.
     * \param make The function. It is called under the registry's lock, and must not use the registry; at first it is
     *     called here, for `overflow()`. It must not be empty, nor ever return null.
     * \param maximum_keys The number of keys that get budgets of their own. Zero: none, all keys share one budget.
     * \throws std::invalid_argument, if `make` is empty or returns null.
     * \throws Whatever `make` throws.
     */
    explicit budget_registry(factory make, std::size_t maximum_keys = default_maximum_keys)
        : make_(std::move(make)), maximum_keys_(maximum_keys), overflow_(made())
    {}

    budget_registry(budget_registry const&) = delete;
    budget_registry& operator=(budget_registry const&) = delete;
    ~budget_registry() = default;

    /**
     * \brief Returns the budget of a key: always the same one.
     * \throws std::bad_alloc, whatever the factory throws, and std::invalid_argument if the factory returns null, if it
     *     has to be made. Then the registry is unchanged.
     */
    [[nodiscard]] Budget& for_key(std::string_view key)
    {
        {
            std::shared_lock const lock(mutex_);
            if (auto* const known = find(key)) return *known;
        }
        std::unique_lock const lock(mutex_);
        if (auto* const known = find(key)) return *known;
        return *budgets_.emplace(key, made()).first->second;
    }

    /// The budget of all keys beyond `maximum_keys()`.
    [[nodiscard]] Budget& overflow() noexcept { return *overflow_; }

    /// The number of keys that have budgets of their own.
    [[nodiscard]] std::size_t size() const
    {
        std::shared_lock const lock(mutex_);
        return budgets_.size();
    }

    /// The number of keys that can have budgets of their own.
    [[nodiscard]] std::size_t maximum_keys() const noexcept { return maximum_keys_; }

    /**
     * \brief Calls `visit(std::string_view key, Budget const& budget)` for each key that has a budget of its own: for
     *     metrics.
     * \details In the order of the keys. It is called under a shared lock, and must not use the registry.
     */
    template <std::invocable<std::string_view, Budget const&> Visit>
    void for_each(Visit visit) const
    {
        std::shared_lock const lock(mutex_);
        for (auto const& [key, each] : budgets_) visit(std::string_view(key), std::as_const(*each));
    }

private:
    // Never null.
    [[nodiscard]] std::unique_ptr<Budget> made() const
    {
        if (!make_)
            throw std::invalid_argument(
                "budget_registry: the function that makes budgets is empty; pass one that returns a budget");
        auto result = make_();
        if (!result)
            throw std::invalid_argument(
                "budget_registry: the function that makes budgets returned null; it must return a budget each time");
        return result;
    }

    // The budget for a key that is known, or that is one too many. Null: one has to be made.
    [[nodiscard]] Budget* find(std::string_view key) const
    {
        if (auto const found = budgets_.find(key); found != budgets_.end()) return found->second.get();
        return budgets_.size() < maximum_keys_ ? nullptr : overflow_.get();
    }

    factory const make_;
    std::size_t const maximum_keys_;
    std::unique_ptr<Budget> const overflow_;
    mutable std::shared_mutex mutex_;
    // Ordered, so that no choice of keys makes it slow.
    std::map<std::string, std::unique_ptr<Budget>, std::less<>> budgets_;
};

}  // namespace backbeat

#endif
