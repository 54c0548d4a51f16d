//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_SNAPSHOT_HPP
#define BACKBEAT_SRC_EMULATOR_SNAPSHOT_HPP

#include "error_reply.hpp"

#include <backbeat/memorystore/json.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::emulation {

// What an API must have so that its state can be saved: save() returns it, and load() takes it, throws json_error or
// api_error where it is not such a state, and has then changed nothing.
template <class Api>
concept keeps_state = requires(Api& api, boost::json::object const& state)
{
    {
        api.save()
        } -> std::convertible_to<boost::json::object>;
    api.load(state);
};

inline constexpr int snapshot_version = 1;

inline api_error no_snapshots()
{
    return {memorystore::rpc_code::unimplemented, "The state of this emulator cannot be saved."};
}

// {"version":1,"state":{...}}. Throws api_error.
template <class Api>
[[nodiscard]] std::string save_snapshot(Api& api)
{
    if constexpr (keeps_state<Api>) {
        boost::json::object document;
        document["version"] = snapshot_version;
        document["state"] = api.save();
        return boost::json::serialize(document);
    } else {
        throw no_snapshots();
    }
}

// Throws api_error, and leaves the state as it was.
template <class Api>
void load_snapshot_into(Api& api, std::string_view text)
{
    if constexpr (keeps_state<Api>) {
        static constexpr char const* shape = R"(A snapshot is an object like {"version":1,"state":{...}}.)";
        try {
            auto const value = memorystore::parse_json(text);
            auto const* const document = value.if_object();
            auto const* const version = document ? document->if_contains("version") : nullptr;
            auto const* const state = document ? document->if_contains("state") : nullptr;
            if (!version || !state || !state->is_object()) throw bad_field("", shape);
            if (*version != snapshot_version) throw bad_field("version", "This emulator reads snapshots of version 1.");
            for (auto const& [key, ignored] : *document)
                if (key != "version" && key != "state") throw bad_field(std::string(key), shape);
            api.load(state->get_object());
        } catch (memorystore::json_error const& error) {
            throw bad_field(error.path(), error.what());
        }
    } else {
        throw no_snapshots();
    }
}

}  // namespace backbeat::emulation

#endif
