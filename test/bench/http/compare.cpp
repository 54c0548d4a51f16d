//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>

namespace bench {

namespace {

// Per request.
struct http_figures {
    double cpu = 0;
    double requests_per_second = 0;
    double allocations = 0;
};

class entrant {
public:
    entrant(std::string called, std::string in_words, std::unique_ptr<http_contender> contender)
        : name(std::move(called)), title(std::move(in_words)), contender_(std::move(contender))
    {}

    void warm_up(std::size_t requests) { contender_->run(requests); }
    void run(std::size_t requests) { costs_.push_back(contender_->cost_of(requests)); }

    [[nodiscard]] http_figures figures(std::size_t requests) const
    {
        auto const count = static_cast<double>(requests);
        return {
            .cpu = median_of(&http_cost::cpu_nanoseconds) / count,
            .requests_per_second = 1e9 * count / median_of(&http_cost::wall_nanoseconds),
            .allocations = median_of(&http_cost::allocations) / count};
    }

    std::string name;
    std::string title;

private:
    [[nodiscard]] double median_of(double http_cost::*member) const
    {
        std::vector<double> values;
        for (auto const& each : costs_) values.push_back(each.*member);
        auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    }

    std::unique_ptr<http_contender> contender_;
    std::vector<http_cost> costs_;
};

std::vector<entrant> entrants_for(http_target const& target, bool refuses)
{
    std::vector<entrant> result;
    auto const enter = [&](char const* name, char const* title, std::unique_ptr<http_contender> contender) {
        if (contender) result.emplace_back(name, title, std::move(contender));
    };
    if (refuses) {
        enter("client", "client", make_sending_client(target));
        enter("client_implicit_strand", "client", make_sending_client_on_implicit_strand(target));
    } else {
        enter("client", "client", make_client(target));
        enter("client_implicit_strand", "client", make_client_on_implicit_strand(target));
        enter("send", "client", make_sending_client(target));
    }
    enter("beast_loop", "beast loop", make_beast_loop(target));
    enter("awaitable_loop", "awaitable loop", make_awaitable_loop(target));
    enter("curl", "libcurl multi", make_curl(target));
    enter("undici", "undici", make_undici(target));
    return result;
}

}  // namespace

void compare(
    std::vector<row>& rows,
    http_target const& target,
    http_effort const& effort,
    std::string const& prefix,
    bool refuses)
{
    auto entrants = entrants_for(target, refuses);
    for (auto& each : entrants) each.warm_up(effort.requests);
    // Who comes after whom matters to the caches, and to the server.
    std::vector<entrant*> order;
    for (auto& each : entrants) order.push_back(&each);
    std::mt19937 random(std::random_device{}());
    for (int round = 0; round != effort.rounds; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        for (auto* const each : order) each->run(effort.requests);
    }

    auto const figures = [&](std::string const& name) {
        auto const found =
            std::find_if(entrants.begin(), entrants.end(), [&](auto const& e) { return e.name == name; });
        if (found == entrants.end()) throw std::logic_error("nobody is called " + name);
        return found->figures(effort.requests);
    };
    auto const add = [&](std::string const& name, double value, char const* unit, double ratio) {
        rows.push_back({prefix + name, value, unit, "beast loop", ratio});
    };
    auto const add_ratio = [&](std::string const& name, double ratio, std::string const& to) {
        rows.push_back({prefix + name, ratio, "ratio", to, ratio});
    };
    auto const ours = figures("client");
    auto const beast = figures("beast_loop");
    auto const against_beast = [&](std::string const& of, http_figures const& theirs) {
        add(of + "requests_per_second",
            theirs.requests_per_second,
            "requests/s",
            theirs.requests_per_second / beast.requests_per_second);
        add(of + "requests_per_cpu_second", 1e9 / theirs.cpu, "requests/s", beast.cpu / theirs.cpu);
        add(of + "cpu_per_request", theirs.cpu, "ns", theirs.cpu / beast.cpu);
        if (std::isnan(theirs.allocations)) return;
        add(of + "allocations", theirs.allocations, "per request", theirs.allocations / beast.allocations);
    };
    against_beast("", ours);
    for (auto const& each : entrants) {
        if (each.name != "client") against_beast(each.name + '_', figures(each.name));
    }
    for (auto const& each : entrants) {
        if (each.title == "client" || each.name == "beast_loop") continue;
        auto const theirs = figures(each.name);
        add_ratio("cpu_ratio_to_" + each.name, ours.cpu / theirs.cpu, each.title);
        add_ratio(
            "requests_per_second_to_" + each.name, ours.requests_per_second / theirs.requests_per_second, each.title);
    }
}

}  // namespace bench
