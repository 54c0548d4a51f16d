//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_LOCATION_CALLS_HPP
#define BACKBEAT_MEMORYSTORE_LOCATION_CALLS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/list_locations_response.hpp>
#include <backbeat/memorystore/location.hpp>
#include <backbeat/memorystore/page_request.hpp>
#include <backbeat/memorystore/pager.hpp>

#include <string>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

void list_locations(
    core_pointer const&,
    std::string parent,
    page_request,
    call_options const&,
    result_handler<list_locations_response>);
void list_all_locations(
    core_pointer const&, std::string parent, call_options const&, result_handler<list_locations_response>);
void get_location(core_pointer const&, std::string name, call_options const&, result_handler<location>);

}  // namespace detail

/// The calls of a `client` that are about locations. What holds for all of them is said there.
class location_calls {
public:
    /**
     * \brief Lists a page of the locations where there can be instances and clusters.
     * \param parent `projects/{project}`.
     * \param page Which page, and how long. By default the first, as long as the service likes.
     * \details The completion signature is `void(std::exception_ptr, list_locations_response)`.
     */
    template <result_token<list_locations_response> Token = detail::default_token<list_locations_response>>
    auto async_list_locations(std::string parent, page_request page, call_options options, Token&& token = {})
    {
        return caller_.start<list_locations_response, &detail::list_locations>(
            token, std::move(parent), std::move(page), std::move(options));
    }

    /// \overload
    template <result_token<list_locations_response> Token = detail::default_token<list_locations_response>>
    auto async_list_locations(std::string parent, page_request page, Token&& token = {})
    {
        return caller_.start<list_locations_response, &detail::list_locations>(
            token, std::move(parent), std::move(page), call_options());
    }

    /// \overload
    template <result_token<list_locations_response> Token = detail::default_token<list_locations_response>>
    auto async_list_locations(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_locations_response, &detail::list_locations>(
            token, std::move(parent), page_request(), std::move(options));
    }

    /// \overload
    template <result_token<list_locations_response> Token = detail::default_token<list_locations_response>>
    auto async_list_locations(std::string parent, Token&& token = {})
    {
        return caller_.start<list_locations_response, &detail::list_locations>(
            token, std::move(parent), page_request(), call_options());
    }

    /**
     * \brief Lists all locations, page after page.
     * \details
     * The completion signature is `void(std::exception_ptr, list_locations_response)`. Each page is a request of its own,
     * with its own retries.
     */
    template <result_token<list_locations_response> Token = detail::default_token<list_locations_response>>
    auto async_list_all_locations(std::string parent, call_options options, Token&& token = {})
    {
        return caller_.start<list_locations_response, &detail::list_all_locations>(
            token, std::move(parent), std::move(options));
    }

    /// \overload
    template <result_token<list_locations_response> Token = detail::default_token<list_locations_response>>
    auto async_list_all_locations(std::string parent, Token&& token = {})
    {
        return caller_.start<list_locations_response, &detail::list_all_locations>(
            token, std::move(parent), call_options());
    }

    /// The pages of the list of locations, one after the other, for more than is to be held at once.
    [[nodiscard]] pager<list_locations_response> location_pages(
        std::string parent, page_request page = {}, call_options options = {})
    {
        return {caller_.core(), &detail::list_locations, std::move(parent), std::move(page), std::move(options)};
    }

    /**
     * \brief Gets a location, and with it the zones that it has (`location_metadata`).
     * \param name `projects/{project}/locations/{location}`.
     * \details The completion signature is `void(std::exception_ptr, location)`.
     */
    template <result_token<location> Token = detail::default_token<location>>
    auto async_get_location(std::string name, call_options options, Token&& token = {})
    {
        return caller_.start<location, &detail::get_location>(token, std::move(name), std::move(options));
    }

    /// \overload
    template <result_token<location> Token = detail::default_token<location>>
    auto async_get_location(std::string name, Token&& token = {})
    {
        return caller_.start<location, &detail::get_location>(token, std::move(name), call_options());
    }

protected:
    explicit location_calls(detail::core_pointer core) noexcept : caller_(std::move(core)) {}
    location_calls(location_calls&&) noexcept = default;
    location_calls& operator=(location_calls&&) noexcept = default;
    ~location_calls() = default;

private:
    detail::caller caller_;
};

}  // namespace backbeat::memorystore

#endif
