//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_TIMING_WHEEL_HPP
#define BACKBEAT_DETAIL_TIMING_WHEEL_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace backbeat::detail {

// What waits in a `timing_wheel`, a part of its owner. Being in a list it cannot be copied.
struct wheel_node {
    wheel_node() noexcept = default;
    wheel_node(wheel_node const&) = delete;
    wheel_node& operator=(wheel_node const&) = delete;
    ~wheel_node() = default;

    [[nodiscard]] bool in_wheel() const noexcept { return next != nullptr; }

    wheel_node* next = nullptr;
    wheel_node* previous = nullptr;
    std::uint64_t due = 0;

    // For whoever takes the node out. `abandoned`: it is not due, but nobody will ever see to it again.
    void (*on_due)(wheel_node*, bool abandoned) = nullptr;
};

static_assert(sizeof(wheel_node) <= 32);

// Nodes in the order of their list. The pointer is to the last one, whose `next` is the first one, whose `previous` is
// null: so an addition at the end touches one other node and no more, and a list is one pointer.
class wheel_list {
public:
    [[nodiscard]] bool empty() const noexcept { return last_ == nullptr; }

    // It is not empty.
    [[nodiscard]] wheel_node* first() const noexcept { return last_->next; }

    // The one after `node`, or null.
    [[nodiscard]] wheel_node* after(wheel_node const& node) const noexcept
    {
        return &node == last_ ? nullptr : node.next;
    }

    void push_back(wheel_node& node) noexcept
    {
        node.previous = last_;
        if (last_ == nullptr) {
            node.next = &node;
        } else {
            node.next = last_->next;
            last_->next = &node;
        }
        last_ = &node;
    }

    void remove(wheel_node& node) noexcept
    {
        auto* const previous = node.previous != nullptr ? node.previous : last_;
        if (previous == &node) {
            last_ = nullptr;
        } else {
            previous->next = node.next;
            if (&node == last_)
                last_ = previous;
            else
                node.next->previous = node.previous;
        }
        node.next = nullptr;
    }

    void splice_back(wheel_list& other) noexcept
    {
        if (other.empty()) return;
        if (!empty()) {
            auto* const first_of_other = other.first();
            other.last_->next = first();
            first_of_other->previous = last_;
            last_->next = first_of_other;
        }
        last_ = other.last_;
        other.last_ = nullptr;
    }

private:
    wheel_node* last_ = nullptr;
};

// A hierarchical timing wheel: takes nodes that are due at ticks to come, and hands each out when that tick is reached,
// in order of ticks, and of insertion within a tick. Insertion and removal take constant time. Knows no clock.
//
// The ticks are numbers of four digits of eight bits, with more digits in front. A node is kept at the level of the
// highest digit in which its tick differs from the current one, in the slot of that digit's value. When the current
// tick gets there, the nodes of the slot move to lower levels, until they differ in nothing. So of all nodes those of
// the lowest occupied level are due first, and of these the ones in the first occupied slot; and where a node is
// follows from its tick alone, now as well as when it was inserted. What differs in a digit in front is far away.
class timing_wheel {
public:
    // Which is ready if it is not later than now: it is then the last one ready.
    void insert(wheel_node& node, std::uint64_t due) noexcept
    {
        node.due = due;
        ++size_;
        place(node);
    }

    // `node` is in this wheel, waiting or ready.
    void remove(wheel_node& node) noexcept
    {
        auto const where = find(node.due);
        list(where).remove(node);
        if (list(where).empty()) mark_empty(where);
        --size_;
    }

    // Makes ready what is due. The ticks do not go back: with an earlier one nothing happens.
    void advance(std::uint64_t now) noexcept
    {
        while (auto const next = next_place()) {
            auto const begin = begin_of(*next);
            if (begin > now) break;
            now_ = begin;
            if (next->level == 0) {
                ready_.splice_back(list(*next));
                mark_empty(*next);
            } else {
                place_again(*next);
            }
        }
        now_ = (std::max)(now_, now);
    }

    // Where an empty wheel goes on, also if the ticks went back.
    void restart(std::uint64_t now) noexcept { now_ = now; }

    [[nodiscard]] bool has_ready() const noexcept { return !ready_.empty(); }

    // Takes out the first node that is ready, or gives null.
    wheel_node* pop_ready() noexcept
    {
        if (ready_.empty()) return nullptr;
        auto* const node = ready_.first();
        ready_.remove(*node);
        --size_;
        return node;
    }

    // When `advance` is to be called, so that nothing is ready too late. If the nodes due next are many and far, this
    // may be earlier than the first of them is due, because they must be sorted further.
    [[nodiscard]] std::optional<std::uint64_t> next_tick() const noexcept
    {
        if (has_ready()) return now_;
        auto const next = next_place();
        if (!next) return std::nullopt;
        auto const begin = begin_of(*next);
        return next->level == 0 ? begin : first_due(list(*next)).value_or(begin);
    }

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    static constexpr unsigned levels = 4;
    static constexpr unsigned digit_bits = 8;
    static constexpr unsigned slots = 1U << digit_bits;
    static constexpr unsigned word_bits = 64;
    static constexpr unsigned near_bits = levels * digit_bits;

    // Of more nodes the earliest is not looked for.
    static constexpr int most_compared = 16;

    // Beside the levels of the wheel there is one of what is far away, and one of what is ready.
    struct location {
        unsigned level;
        unsigned slot;
    };
    static constexpr unsigned far_level = levels;
    static constexpr unsigned ready_level = levels + 1;

    struct level_slots {
        std::array<wheel_list, slots> lists;
        std::array<std::uint64_t, slots / word_bits> occupied{};
    };

    [[nodiscard]] location find(std::uint64_t due) const noexcept
    {
        if (due <= now_) return {ready_level, 0};
        auto const level = (static_cast<unsigned>(std::bit_width(due ^ now_)) - 1) / digit_bits;
        if (level >= levels) return {far_level, 0};
        return {level, static_cast<unsigned>(due >> (level * digit_bits)) % slots};
    }

    [[nodiscard]] wheel_list& list(location where) noexcept
    {
        if (where.level < levels) return levels_[where.level].lists[where.slot];
        return where.level == far_level ? far_ : ready_;
    }

    [[nodiscard]] wheel_list const& list(location where) const noexcept
    {
        return const_cast<timing_wheel*>(this)->list(where);
    }

    void place(wheel_node& node) noexcept
    {
        auto const where = find(node.due);
        list(where).push_back(node);
        if (where.level < levels)
            levels_[where.level].occupied[where.slot / word_bits] |= std::uint64_t(1) << (where.slot % word_bits);
        else if (where.level == far_level)
            first_far_ = (std::min)(first_far_, node.due >> near_bits);
    }

    // What was due in one place is due in several, now that the current tick got there.
    void place_again(location where) noexcept
    {
        wheel_list nodes;
        nodes.splice_back(list(where));
        mark_empty(where);
        for (auto* node = nodes.first(); node != nullptr;) {
            auto* const next = nodes.after(*node);
            place(*node);
            node = next;
        }
    }

    void mark_empty(location where) noexcept
    {
        if (where.level < levels)
            levels_[where.level].occupied[where.slot / word_bits] &= ~(std::uint64_t(1) << (where.slot % word_bits));
        else if (where.level == far_level)
            first_far_ = nothing_far;
    }

    // The occupied place that the current tick reaches next.
    [[nodiscard]] std::optional<location> next_place() const noexcept
    {
        for (unsigned level = 0; level != levels; ++level) {
            for (unsigned word = 0; word != slots / word_bits; ++word) {
                auto const occupied = levels_[level].occupied[word];
                if (occupied != 0)
                    return location{level, word * word_bits + static_cast<unsigned>(std::countr_zero(occupied))};
            }
        }
        if (!far_.empty()) return location{far_level, 0};
        return std::nullopt;
    }

    [[nodiscard]] std::uint64_t begin_of(location where) const noexcept
    {
        if (where.level == far_level) return first_far_ << near_bits;
        auto const shift = where.level * digit_bits;
        auto const in_front = now_ >> (shift + digit_bits) << digit_bits;
        return (in_front | where.slot) << shift;
    }

    [[nodiscard]] static std::optional<std::uint64_t> first_due(wheel_list const& nodes) noexcept
    {
        auto result = (std::numeric_limits<std::uint64_t>::max)();
        auto left = most_compared;
        for (auto const* node = nodes.first(); node != nullptr; node = nodes.after(*node)) {
            if (left-- == 0) return std::nullopt;
            result = (std::min)(result, node->due);
        }
        return result;
    }

    static constexpr auto nothing_far = (std::numeric_limits<std::uint64_t>::max)();

    std::uint64_t now_ = 0;
    std::size_t size_ = 0;
    wheel_list ready_;
    wheel_list far_;

    // The digits in front of the earliest node far away, or of one that was and was removed.
    std::uint64_t first_far_ = nothing_far;
    std::array<level_slots, levels> levels_;
};

}  // namespace backbeat::detail

#endif
