//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "contender.hpp"

#include <curl/curl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace bench {

namespace {

void check(CURLcode code)
{
    if (code != CURLE_OK) throw std::runtime_error(std::string("libcurl: ") + ::curl_easy_strerror(code));
}

void check(CURLMcode code)
{
    if (code != CURLM_OK) throw std::runtime_error(std::string("libcurl: ") + ::curl_multi_strerror(code));
}

void check_system(int result)
{
    if (result < 0) throw std::system_error(errno, std::generic_category(), "epoll");
}

template <class T, void (*Free)(T*)>
struct deleter {
    void operator()(T* object) const noexcept { Free(object); }
};

void free_multi(CURLM* multi) noexcept
{
    ::curl_multi_cleanup(multi);
}

void free_easy(CURL* easy) noexcept
{
    ::curl_easy_cleanup(easy);
}

void free_list(curl_slist* list) noexcept
{
    ::curl_slist_free_all(list);
}

class file_descriptor {
public:
    explicit file_descriptor(int number) : number_(number) { check_system(number); }
    file_descriptor(file_descriptor const&) = delete;
    file_descriptor& operator=(file_descriptor const&) = delete;
    ~file_descriptor() { ::close(number_); }
    [[nodiscard]] int get() const noexcept { return number_; }

private:
    int number_;
};

class curl_contender final : public http_contender {
public:
    explicit curl_contender(http_target const& target) : target_(target)
    {
        auto* const multi = multi_.get();
        check(::curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &on_socket));
        check(::curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this));
        check(::curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &on_timer));
        check(::curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this));
        check(::curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, static_cast<long>(in_flight)));
        for (std::size_t i = 0; i != in_flight; ++i) transfers_.emplace_back(target_, no_accept_.get());
    }

    void run(std::size_t requests) override
    {
        left_ = requests;
        for (auto& each : transfers_) next(each);
        std::array<epoll_event, in_flight> events{};
        while (under_way_ != 0) {
            auto const count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), wait());
            if (count < 0 && errno == EINTR) continue;
            check_system(count);
            // The timer ends once. libcurl sets it again if it wants to; for a transfer that was just added, to now.
            if (timer_ && *timer_ <= clock::now()) {
                timer_.reset();
                act(CURL_SOCKET_TIMEOUT, 0);
            }
            for (int i = 0; i < count; ++i) {
                auto const& event = events[static_cast<std::size_t>(i)];
                auto const mask = ((event.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0)
                    | ((event.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0)
                    | ((event.events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0);
                act(event.data.fd, mask);
            }
            take_results();
        }
    }

private:
    using clock = std::chrono::steady_clock;

    struct transfer {
        transfer(http_target const& target, curl_slist* no_accept)
        {
            auto* const handle = easy.get();
            check(::curl_easy_setopt(handle, CURLOPT_URL, (origin_of(target) + target.path).c_str()));
            check(::curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1)));
            check(::curl_easy_setopt(handle, CURLOPT_USERAGENT, std::string(http_user_agent).c_str()));
            check(::curl_easy_setopt(handle, CURLOPT_HTTPHEADER, no_accept));
            check(::curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L));
            check(::curl_easy_setopt(handle, CURLOPT_NOPROXY, "*"));
            check(::curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &on_bytes));
            check(::curl_easy_setopt(handle, CURLOPT_WRITEDATA, this));
            check(::curl_easy_setopt(handle, CURLOPT_PRIVATE, this));
            if (target.tls) check(::curl_easy_setopt(handle, CURLOPT_CAINFO, target.authority_file.c_str()));
        }
        transfer(transfer const&) = delete;
        transfer& operator=(transfer const&) = delete;

        static std::size_t on_bytes(char* bytes, std::size_t size, std::size_t count, void* self)
        {
            static_cast<transfer*>(self)->body.append(bytes, size * count);
            return size * count;
        }

        std::unique_ptr<CURL, deleter<CURL, &free_easy>> easy{::curl_easy_init()};
        std::string body;
    };

    static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void* known) noexcept
    {
        auto& contender = *static_cast<curl_contender*>(self);
        if (what == CURL_POLL_REMOVE) {
            ::epoll_ctl(contender.epoll_.get(), EPOLL_CTL_DEL, socket, nullptr);
            return 0;
        }
        epoll_event event{};
        event.events = ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0u) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0u);
        event.data.fd = socket;
        ::epoll_ctl(contender.epoll_.get(), known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
        ::curl_multi_assign(contender.multi_.get(), socket, &contender);
        return 0;
    }

    static int on_timer(CURLM*, long milliseconds, void* self) noexcept
    {
        auto& timer = static_cast<curl_contender*>(self)->timer_;
        timer.reset();
        if (milliseconds >= 0) timer = clock::now() + std::chrono::milliseconds(milliseconds);
        return 0;
    }

    // For `epoll_wait`.
    [[nodiscard]] int wait() const
    {
        if (!timer_) return -1;
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(*timer_ - clock::now());
        return static_cast<int>((std::max)(left, std::chrono::milliseconds(0)).count());
    }

    void next(transfer& with)
    {
        if (left_ == 0) return;
        --left_;
        start(with);
    }

    void start(transfer& with)
    {
        ++under_way_;
        check(::curl_multi_add_handle(multi_.get(), with.easy.get()));
    }

    void act(curl_socket_t socket, int mask)
    {
        int running = 0;
        check(::curl_multi_socket_action(multi_.get(), socket, mask, &running));
    }

    void take_results()
    {
        int more = 0;
        while (auto const* const message = ::curl_multi_info_read(multi_.get(), &more)) {
            if (message->msg != CURLMSG_DONE) continue;
            check(message->data.result);
            auto* const easy = message->easy_handle;
            transfer* ended = nullptr;
            check(::curl_easy_getinfo(easy, CURLINFO_PRIVATE, &ended));
            long status = 0;
            check(::curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status));
            check(::curl_multi_remove_handle(multi_.get(), easy));
            --under_way_;
            // As if somebody took it.
            auto const body = std::exchange(ended->body, {});
            if (is_refusal(static_cast<unsigned>(status))) {
                start(*ended);
                continue;
            }
            check_response(target_, static_cast<unsigned>(status), body.size());
            next(*ended);
        }
    }

    http_target target_;
    file_descriptor epoll_{::epoll_create1(EPOLL_CLOEXEC)};
    std::optional<clock::time_point> timer_;
    std::size_t left_ = 0;
    std::size_t under_way_ = 0;
    // libcurl would ask for `*/*`, which the others do not.
    std::unique_ptr<curl_slist, deleter<curl_slist, &free_list>> no_accept_{::curl_slist_append(nullptr, "Accept:")};
    std::unique_ptr<CURLM, deleter<CURLM, &free_multi>> multi_{::curl_multi_init()};
    std::list<transfer> transfers_;
};

}  // namespace

std::unique_ptr<http_contender> make_curl(http_target const& target)
{
    return std::make_unique<curl_contender>(target);
}

}  // namespace bench
