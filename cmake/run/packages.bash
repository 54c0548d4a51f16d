# Read by ./run: what it needs from the distribution, and how that is installed.

# distribution: "debian 12" and the like; empty where there is no /etc/os-release.
distribution() (
    [ -r /etc/os-release ] || exit 0
    . /etc/os-release
    printf '%s %s\n' "${ID-}" "${VERSION_ID-}"
)

version_at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

have_package() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# have_tool NAME [VERSION]: in the path, and not older than that.
have_tool() {
    command -v "$1" >/dev/null || return 1
    [ $# -eq 1 ] || version_at_least "$2" "$("$1" --version 2>/dev/null | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')"
}

# have_boost LIBRARY: a Boost that CMake finds by itself, 1.81 or later, has it. Where the environment names one, that
# is the one to use: Debian's would only stand in its way.
have_boost() {
    local found
    [ -z "${Boost_DIR-}${Boost_ROOT-}${BOOST_ROOT-}" ] || return 0
    for found in /usr/local/lib/cmake/boost_"$1"-* /usr/lib/cmake/boost_"$1"-* /usr/lib/*/cmake/boost_"$1"-*; do
        [ -d "$found" ] && version_at_least 1.81 "${found##*-}" && return 0
    done
    return 1
}

# missing_packages PURPOSE: the packages that would have to be installed here, for
# build, test, bench, or a gate of ./run check.
missing_packages() {
    local boost=libboost suffix=
    [ "$(distribution)" = "debian 12" ] && suffix=1.81

    have_tool g++ || have_tool c++ || echo g++
    have_tool cmake 3.25 || echo cmake
    have_tool ninja || echo ninja-build
    have_boost headers || echo "$boost$suffix-dev"
    have_boost url || echo "$boost-url$suffix-dev"
    have_boost json || echo "$boost-json$suffix-dev"
    have_package libssl-dev || echo libssl-dev
    have_package libcli11-dev || echo libcli11-dev
    have_package libfmt-dev || echo libfmt-dev
    have_package ca-certificates || echo ca-certificates

    case $1 in
        build | bench | fuzz) ;;
        *)
            have_package libgtest-dev || echo libgtest-dev
            have_tool openssl || echo openssl
            have_tool curl || echo curl
            have_boost context || echo "$boost-context$suffix-dev"
            ;;
    esac
    case $1 in
        format)
            have_tool clang-format-14 || have_tool clang-format || echo clang-format
            ;;
        bench)
            have_package libbenchmark-dev || echo libbenchmark-dev
            have_boost context || echo "$boost-context$suffix-dev"
            have_package libcurl4-gnutls-dev || have_package libcurl4-openssl-dev || echo libcurl4-openssl-dev
            ;;
        lint)
            have_tool clang-tidy-14 || have_tool clang-tidy || echo clang-tidy
            have_tool clang++ || echo clang
            ;;
        asan | tsan | fuzz)
            have_tool clang++ || echo clang
            have_package libclang-rt-dev || echo libclang-rt-dev
            ;;
        node)
            have_tool node 18 || echo nodejs
            have_tool npm || echo npm
            ;;
    esac
}

# have_nginx [FOLDER]: there is one, or FOLDER has one that runs.
have_nginx() {
    have_tool nginx || [ -x /usr/sbin/nginx ] || [ -x /usr/local/sbin/nginx ] || "${1-}/usr/sbin/nginx" -v 2>/dev/null
}

# What the tests need is the program alone. Installed, the package would be a service: its scripts start it where
# systemd runs, whatever RUNLEVEL says, and enable it for the next start of the system in any case. So it is unpacked
# in build/, where test/integration/CMakeLists.txt finds it. Its libraries are there: OpenSSL is installed above, and the
# others belong to the base system.
unpack_nginx() (
    cd build/nginx || exit 1
    rm -rf ./*.deb usr
    apt-get -q download nginx && dpkg-deb --extract nginx_*.deb . && usr/sbin/nginx -v
)

fetch_nginx() {
    have_nginx build/nginx && return 0
    mkdir -p build/nginx
    quietly "unpack nginx" nginx unpack_nginx && return 0
    # Lists that have grown old name versions that the mirror no longer has, and an image may come without any.
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then stop "as root, run: apt-get update"; fi
    quietly "package lists" packages apt_get update || stop "the package lists cannot be fetched"
    quietly "unpack nginx" nginx unpack_nginx || stop "the package nginx cannot be unpacked in build/nginx"
}

# What Google's own clients need.
have_node() { have_tool node 18 && have_tool npm; }

# Google's own clients for Node, which test/node runs against the emulator. The lock file names each package with the
# hash of its content, and no address: npm asks the registry that it is configured for. No script of a package is run.
# The clients ask for Node 22, and work on 18. What is written last says that all of them are there.
install_node_clients() (
    mkdir -p build/node && cp test/node/package.json test/node/package-lock.json build/node && cd build/node || exit 1
    rm -f installed.json
    npm ci --loglevel=error --ignore-scripts --engine-strict=false --no-audit --no-fund &&
        cp package-lock.json installed.json
)

fetch_node_clients() {
    cmp -s test/node/package-lock.json build/node/installed.json && return 0
    quietly "fetch Google's clients for Node" node-clients install_node_clients && return 0
    say "npm cannot fetch the packages of test/node/package-lock.json from $(npm config get registry 2>/dev/null)"
    say "If that registry cannot be reached from here, name another: npm config set registry URL."
    return 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=300 -q "$@"
}

# would_install PACKAGE...: what apt would do, in its own words; fails where it does not know them.
would_install() { LC_ALL=C apt-get -s -q -o Debug::NoLocking=1 install --no-install-recommends "$@" 2>&1; }

install_packages() {
    local purpose=$1 packages
    case $(distribution) in
        'debian 12' | 'debian 13' | 'ubuntu 24.04') ;;
        *)
            have_tool cmake 3.25 && have_tool ninja && have_tool c++ && return 0
            stop "this system is not one on which packages are installed by itself. Needed are: a C++20 compiler
(g++ 12.2 or clang 14, or later), CMake 3.25, Ninja, Boost 1.81 with URL and JSON, OpenSSL 3, CLI11 and fmt;
for the tests GoogleTest and Boost.Context, and nginx, curl and Node.js 18 with npm for some of them."
            ;;
    esac

    mapfile -t packages < <(missing_packages "$purpose")
    if [ ${#packages[@]} -ne 0 ]; then apt_install "${packages[@]}"; fi
    case $purpose in
        test | bench | asan | asan-gcc | tsan | soak) fetch_nginx ;;
    esac
}

# apt_install PACKAGE...: none of which is installed.
apt_install() {
    local packages=("$@") plan removed
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        stop "as root, run: apt-get install --no-install-recommends ${packages[*]}"
    fi

    mkdir -p build/log
    if ! plan=$(would_install "${packages[@]}"); then
        quietly "package lists" packages apt_get update || stop "the package lists cannot be fetched"
        plan=$(would_install "${packages[@]}") || stop "apt cannot install ${packages[*]}:
$plan"
    fi
    removed=$(printf '%s\n' "$plan" | sed -n 's/^Remv \([^ ]*\).*/\1/p' | tr '\n' ' ')
    if [ -n "$removed" ]; then
        stop "to install ${packages[*]}, apt would remove: $removed
Nothing is removed here without being asked. Either remove these packages yourself, or set Boost_ROOT to the
folder of a Boost 1.81 or later that was installed elsewhere."
    fi
    if ! quietly "install ${packages[*]}" packages \
        apt_get install -y --no-install-recommends --no-remove "${packages[@]}"; then
        # Lists that have grown old name versions that the mirror no longer has.
        quietly "package lists" packages apt_get update || stop "the package lists cannot be fetched"
        quietly "install ${packages[*]}" packages \
            apt_get install -y --no-install-recommends --no-remove "${packages[@]}" ||
            stop "apt could not install ${packages[*]}"
    fi
}
