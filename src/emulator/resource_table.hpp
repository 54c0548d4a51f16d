//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_RESOURCE_TABLE_HPP
#define BACKBEAT_SRC_EMULATOR_RESOURCE_TABLE_HPP

#include "error_reply.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace backbeat::emulation {

// The resources of one type, by their names, and which of them an operation is at work on.
template <class Resource>
class resource_table {
public:
    // Clients choose how many there are, but not more than this.
    static constexpr std::size_t maximum_size = 250'000;

    struct entry {
        Resource value;

        // From the beginning to the end of an operation.
        bool busy = false;
    };

    // `type` is as in ResourceInfo, `noun` what messages call one.
    resource_table(std::string type, std::string noun) : type_(std::move(type)), noun_(std::move(noun)) {}

    // Throws api_error when there is none.
    [[nodiscard]] entry& find(std::string const& name)
    {
        auto const found = entries_.find(name);
        if (found == entries_.end()) throw not_found(type_, name);
        return found->second;
    }

    // The same, for a change: it must not be busy. `verb` and `idle_state` are for the message.
    [[nodiscard]] entry& find_idle(std::string const& name, std::string const& verb, std::string const& idle_state)
    {
        auto& found = find(name);
        if (found.busy) {
            throw failed_precondition(
                "STATE",
                name,
                "Unable to " + verb + " due to ongoing operations. Please wait until " + noun_ + " is in " + idle_state
                    + " state.");
        }
        return found;
    }

    // Throws api_error when the name is taken.
    void check_free(std::string const& name) const
    {
        if (entries_.count(name) != 0) throw already_exists(type_, name);
        if (entries_.size() >= maximum_size) {
            throw api_error(
                memorystore::rpc_code::resource_exhausted,
                "The emulator holds no more than " + std::to_string(maximum_size) + " of these resources.");
        }
    }

    entry& insert(std::string const& name, Resource value)
    {
        check_free(name);
        return entries_.emplace(name, entry{std::move(value), false}).first->second;
    }

    void erase(std::string const& name) { entries_.erase(name); }
    void clear() { entries_.clear(); }

    [[nodiscard]] std::map<std::string, entry> const& entries() const noexcept { return entries_; }

private:
    std::string type_;
    std::string noun_;
    std::map<std::string, entry> entries_;
};

}  // namespace backbeat::emulation

#endif
