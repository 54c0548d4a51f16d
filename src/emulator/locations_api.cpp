//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "locations_api.hpp"

#include <boost/json/array.hpp>

#include <map>

namespace backbeat::emulation {

namespace {

// Google Cloud's regions with the last letters of their zones.
std::map<std::string, std::string, std::less<>> const& regions()
{
    static std::map<std::string, std::string, std::less<>> const all{
        {"africa-south1", "abc"},
        {"asia-east1", "abc"},
        {"asia-east2", "abc"},
        {"asia-northeast1", "abc"},
        {"asia-northeast2", "abc"},
        {"asia-northeast3", "abc"},
        {"asia-south1", "abc"},
        {"asia-south2", "abc"},
        {"asia-southeast1", "abc"},
        {"asia-southeast2", "abc"},
        {"australia-southeast1", "abc"},
        {"australia-southeast2", "abc"},
        {"europe-central2", "abc"},
        {"europe-north1", "abc"},
        {"europe-north2", "abc"},
        {"europe-southwest1", "abc"},
        {"europe-west1", "bcd"},
        {"europe-west10", "abc"},
        {"europe-west12", "abc"},
        {"europe-west2", "abc"},
        {"europe-west3", "abc"},
        {"europe-west4", "abc"},
        {"europe-west6", "abc"},
        {"europe-west8", "abc"},
        {"europe-west9", "abc"},
        {"me-central1", "abc"},
        {"me-central2", "abc"},
        {"me-west1", "abc"},
        {"northamerica-northeast1", "abc"},
        {"northamerica-northeast2", "abc"},
        {"northamerica-south1", "abc"},
        {"southamerica-east1", "abc"},
        {"southamerica-west1", "abc"},
        {"us-central1", "abcf"},
        {"us-east1", "bcd"},
        {"us-east4", "abc"},
        {"us-east5", "abc"},
        {"us-south1", "abc"},
        {"us-west1", "abc"},
        {"us-west2", "abc"},
        {"us-west3", "abc"},
        {"us-west4", "abc"}};
    return all;
}

boost::json::object location_of(std::string const& project, std::string const& region)
{
    boost::json::object zones;
    for (auto const& zone : zones_of(region)) zones[zone] = boost::json::object();
    boost::json::object metadata;
    metadata["@type"] = "type.googleapis.com/google.cloud.redis.v1.LocationMetadata";
    metadata["availableZones"] = std::move(zones);
    boost::json::object labels;
    labels["cloud.googleapis.com/region"] = region;
    boost::json::object location;
    location["name"] = "projects/" + project + "/locations/" + region;
    location["locationId"] = region;
    location["labels"] = std::move(labels);
    location["metadata"] = std::move(metadata);
    return location;
}

boost::json::object list(api_call const& call)
{
    page_request const page(call, "locations");
    std::map<std::string, std::string> names;
    for (auto const& [region, zones] : regions()) names.emplace(call.name + "/locations/" + region, region);
    boost::json::array locations;
    auto const next = page.collect(
        names,
        [](std::string const&, std::string const&) { return true; },
        [&](std::string const& region) { locations.push_back(location_of(call.project, region)); });
    boost::json::object response;
    response["locations"] = std::move(locations);
    if (!next.empty()) response["nextPageToken"] = next;
    return response;
}

boost::json::object get(api_call const& call)
{
    if (regions().count(call.location) == 0) throw not_found("cloud.googleapis.com/Location", call.name);
    return location_of(call.project, call.location);
}

}  // namespace

void add_locations_api(api_engine& engine)
{
    engine.routes.add("GET", "v1/projects/{}/locations", &list);
    engine.routes.add("GET", "v1/projects/{}/locations/{}", &get);
}

void check_location(api_call const& call)
{
    auto const region = std::string_view(call.location).substr(0, call.location.rfind('-'));
    auto const found = regions().find(region);
    auto const is_zone = found != regions().end() && region.size() + 2 == call.location.size()
        && found->second.find(call.location.back()) != std::string::npos;
    if (!is_zone) return;
    throw api_error(
        memorystore::rpc_code::permission_denied,
        "Location " + call.location + " is not found or access is unauthorized.");
}

std::vector<std::string> zones_of(std::string_view region)
{
    auto const found = regions().find(region);
    std::vector<std::string> zones;
    for (char const letter : found == regions().end() ? std::string("abc") : found->second)
        zones.push_back(std::string(region) + '-' + letter);
    return zones;
}

}  // namespace backbeat::emulation
