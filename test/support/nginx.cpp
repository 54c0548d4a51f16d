//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "nginx.hpp"

#include "scripted_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <future>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#ifndef BACKBEAT_NGINX
#define BACKBEAT_NGINX "/usr/sbin/nginx"
#endif

namespace backbeat::test {

namespace {

[[noreturn]] void fail(char const* what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

template <typename Condition>
bool eventually(Condition condition)
{
    auto const end = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

std::string content_of(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return std::move(content).str();
}

void write_file(std::filesystem::path const& path, std::string_view content)
{
    std::ofstream file(path, std::ios::binary);
    file << content;
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::filesystem::path make_directory()
{
    auto name = (std::filesystem::temp_directory_path() / "backbeat-nginx-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) fail("mkdtemp");
    return name;
}

sockaddr_in loopback(std::uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

std::size_t count_of(std::string_view part, std::string_view text)
{
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
    return count;
}

}  // namespace

// Bound, but not listening: with SO_REUSEADDR, which nginx sets too, nginx can listen on it all the same. The system
// gives such a port to nobody who asks for any port, and to no connection as its own.
class nginx::reserved_port {
public:
    reserved_port() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        if (descriptor_ < 0) fail("socket");
        int const yes = 1;
        auto address = loopback(0);
        socklen_t size = sizeof address;
        if (::setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0
            || ::bind(descriptor_, reinterpret_cast<sockaddr const*>(&address), size) != 0
            || ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
            auto const error = errno;
            ::close(descriptor_);
            errno = error;
            fail("bind");
        }
        number_ = ntohs(address.sin_port);
    }

    reserved_port(reserved_port const&) = delete;
    reserved_port& operator=(reserved_port const&) = delete;
    ~reserved_port() { ::close(descriptor_); }

    [[nodiscard]] std::uint16_t number() const noexcept { return number_; }

private:
    int descriptor_;
    std::uint16_t number_ = 0;
};

// nginx's master and, in the same process group, its workers. The thread that forks stays until the child has ended:
// the system sends the signal of PR_SET_PDEATHSIG when the thread that forked ends, not the process.
class nginx::process {
public:
    process(std::string const& configuration, std::string const& log)
    {
        std::promise<pid_t> forked;
        auto pid = forked.get_future();
        thread_ = std::thread([this, &configuration, &log, forked = std::move(forked)]() mutable {
            char const* const arguments[] = {BACKBEAT_NGINX, "-e", "stderr", "-c", configuration.c_str(), nullptr};
            auto const parent = ::getpid();
            auto const child = ::fork();
            if (child == 0) run(arguments, log.c_str(), parent);
            forked.set_value(child);
            if (child < 0) return;
            siginfo_t info{};
            while (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
            exited_.set_value();
        });
        pid_ = pid.get();
        if (pid_ < 0) {
            thread_.join();
            throw std::runtime_error("fork failed");
        }
    }

    process(process const&) = delete;
    process& operator=(process const&) = delete;

    ~process()
    {
        // Unless the master told its workers to end, they would go on. It is not waited for (the thread leaves it a
        // zombie), so its group is still its group.
        ::kill(-pid_, SIGKILL);
        thread_.join();
        while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
    }

    void signal(int number) const { ::kill(pid_, number); }

    [[nodiscard]] bool ended(std::chrono::milliseconds wait = {}) const
    {
        return end_.wait_for(wait) == std::future_status::ready;
    }

private:
    // In the child: only what is safe after a fork of a program with several threads.
    [[noreturn]] static void run(char const* const* arguments, char const* log, pid_t parent)
    {
        ::setpgid(0, 0);
        // SIGKILL would leave the workers behind.
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent) ::_exit(1);
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        auto const file = ::open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
        auto const input = ::open("/dev/null", O_RDONLY);
        if (file < 0 || input < 0) ::_exit(126);
        ::dup2(input, 0);
        ::dup2(file, 1);
        ::dup2(file, 2);
        ::execv(arguments[0], const_cast<char* const*>(arguments));
        static constexpr char message[] = "cannot execute " BACKBEAT_NGINX "\n";
        [[maybe_unused]] auto const written = ::write(2, message, sizeof message - 1);
        ::_exit(127);
    }

    pid_t pid_ = -1;
    std::promise<void> exited_;
    std::future<void> end_{exited_.get_future()};
    std::thread thread_;
};

nginx::nginx(nginx_options options) : options_(std::move(options)), directory_(make_directory())
{
    try {
        std::filesystem::create_directory(directory_ / "www");
        if (options_.certificate) {
            write_file(directory_ / "authority.pem", options_.certificate->authority);
            write_file(directory_ / "certificate.pem", options_.certificate->certificate);
            write_file(directory_ / "key.pem", options_.certificate->key);
        }
        while (options_.http.find("@port" + std::to_string(ports_.size() + 1) + '@') != std::string::npos) {
            ports_.push_back(std::make_unique<reserved_port>());
        }
        configure();
        start();
    } catch (...) {
        process_.reset();
        std::filesystem::remove_all(directory_);
        throw;
    }
}

nginx::~nginx()
{
    process_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
}

std::uint16_t nginx::port(std::size_t number) const
{
    return ports_.at(number - 1)->number();
}

std::string nginx::url(std::string_view scheme, std::size_t number) const
{
    return std::string(scheme) + "://127.0.0.1:" + std::to_string(port(number));
}

std::string nginx::filled_in(std::string text)
{
    auto const replace = [&text](std::string const& placeholder, std::string const& value) {
        for (auto at = text.find(placeholder); at != text.npos; at = text.find(placeholder, at + value.size())) {
            text.replace(at, placeholder.size(), value);
        }
    };
    replace("@tls@", "ssl_certificate @directory@/certificate.pem; ssl_certificate_key @directory@/key.pem;");
    replace("@authority@", "@directory@/authority.pem");
    replace("@directory@", directory_.string());
    for (std::size_t number = 1; number <= ports_.size(); ++number) {
        replace("@port" + std::to_string(number) + '@', std::to_string(port(number)));
    }
    return text;
}

void nginx::configure()
{
    // Without `user`, root's workers would become somebody who cannot read the folder. Others may not set it.
    std::string text = ::geteuid() == 0 ? "user root;\n" : "";
    text += "daemon off;\nworker_processes " + std::to_string(options_.workers)
        + ";\nworker_shutdown_timeout 10s;\npid @directory@/nginx.pid;\nerror_log stderr notice;\n"
          "events { worker_connections 1024; }\nhttp {\n";
    for (std::string const kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
        text += kind + "_temp_path @directory@/" + kind + ";\n";
    }
    text += "log_format backbeat '" + options_.log + "';\naccess_log @directory@/access.log backbeat;\n";
    text += options_.http + "\n}\n";
    write_file(directory_ / "nginx.conf", filled_in(std::move(text)));
}

bool nginx::accepts(std::uint16_t port) const
{
    auto const descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) fail("socket");
    auto const address = loopback(port);
    auto const connected = ::connect(descriptor, reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0;
    ::close(descriptor);
    return connected;
}

void nginx::wait_for_workers(std::string const& log_before, char const* what)
{
    constexpr auto started = "start worker process ";
    // It tries again to bind.
    auto const problems = [](std::string const& log) {
        return count_of("[emerg]", log) - count_of(" bind() to ", log);
    };
    auto const wanted = count_of(started, log_before) + static_cast<std::size_t>(options_.workers);
    auto const known = problems(log_before);
    bool success = false;
    eventually([&] {
        auto const ended = process_->ended();
        auto const log = error_log();
        success = !ended && count_of(started, log) >= wanted;
        return success || ended || problems(log) != known;
    });
    if (!success) throw std::runtime_error(std::string("nginx does not ") + what + ":\n" + error_log());
}

void nginx::start()
{
    if (process_) throw std::logic_error("nginx runs already");
    auto const before = error_log();
    process_ = std::make_unique<process>((directory_ / "nginx.conf").string(), (directory_ / "error.log").string());
    try {
        // Not only until it listens: before it has workers, a signal would end it.
        wait_for_workers(before, "start");
        for (auto const& port : ports_) {
            if (!eventually([&] { return accepts(port->number()); })) {
                throw std::runtime_error("nginx does not listen on each port:\n" + error_log());
            }
        }
    } catch (...) {
        process_.reset();
        throw;
    }
}

void nginx::reload()
{
    if (!process_) throw std::logic_error("nginx does not run");
    auto const before = error_log();
    process_->signal(SIGHUP);
    wait_for_workers(before, "reload");
}

void nginx::reload(std::string http)
{
    options_.http = std::move(http);
    configure();
    reload();
}

void nginx::restart(nginx_stop how)
{
    stop(how);
    start();
}

void nginx::stop(nginx_stop how)
{
    if (!process_) return;
    if (how != nginx_stop::kill) {
        process_->signal(how == nginx_stop::quit ? SIGQUIT : SIGTERM);
        if (!process_->ended(patience)) throw std::runtime_error("nginx does not stop:\n" + error_log());
    }
    process_.reset();
    // Killed workers may still hold the ports.
    for (auto const& port : ports_) {
        if (!eventually([&] { return !accepts(port->number()); })) {
            throw std::runtime_error("somebody listens on a port of nginx that has stopped");
        }
    }
}

std::vector<std::string> nginx::access_log(std::size_t at_least) const
{
    std::vector<std::string> lines;
    eventually([&] {
        lines.clear();
        std::istringstream content(content_of(directory_ / "access.log"));
        for (std::string line; std::getline(content, line);) lines.push_back(std::move(line));
        return lines.size() >= at_least;
    });
    return lines;
}

std::string nginx::error_log() const
{
    return content_of(directory_ / "error.log");
}

}  // namespace backbeat::test
