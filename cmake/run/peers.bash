# Read by ./run: what the benchmarks compare with besides what is written in C++. test/bench/peers has its sources. It is
# built in build/bench-peers, where the benchmarks find NAME.command, a line with the command that starts a program, and
# undici.http, the same for what only sends requests. What is missing is not measured.

peers=build/bench-peers

have_rust_peers() {
    have_tool cargo 1.63 && compgen -G '/usr/share/cargo/registry/backoff-0.4.*' >/dev/null &&
        compgen -G '/usr/share/cargo/registry/tokio-1.*' >/dev/null
}

# Go says its version in its own way: `go version`.
have_go_peers() { command -v go >/dev/null && [ -d /usr/share/gocode/src/github.com/cenkalti/backoff ]; }

missing_peer_packages() {
    have_tool cargo 1.63 || echo cargo
    have_rust_peers || { have_package librust-tokio-dev || echo librust-tokio-dev; }
    have_rust_peers || { have_package librust-backoff-dev || echo librust-backoff-dev; }
    command -v go >/dev/null || echo golang-go
    have_go_peers || { have_package golang-github-cenkalti-backoff-dev || echo golang-github-cenkalti-backoff-dev; }
    have_tool node 18 || echo nodejs
    have_tool npm || echo npm
}

install_peers() {
    local packages
    mapfile -t packages < <(missing_peer_packages)
    [ ${#packages[@]} -eq 0 ] || apt_install "${packages[@]}"
}

# write_peer FILE COMMAND...
write_peer() {
    local file=$1
    shift
    printf '%s\n' "$(printf ' %q' "$@")" | sed 's/^ //' >"$peers/$file"
}

# The crates are the distribution's. Cargo would write its lock file beside the sources.
build_rust_peers() (
    mkdir -p $peers/rust && cp -rp test/bench/peers/rust/. $peers/rust && cd $peers/rust || exit 1
    rm -f Cargo.lock
    cargo build --release --offline --target-dir target --config 'source.crates-io.replace-with="distribution"' \
        --config 'source.distribution.directory="/usr/share/cargo/registry"'
)

build_go_peers() (
    export GOPATH=/usr/share/gocode GO111MODULE=off GOFLAGS= GOCACHE="$PWD/$peers/go/cache" CGO_ENABLED=0
    mkdir -p $peers/go && cd test/bench/peers/go && go build -o "$OLDPWD/$peers/go/bench_go" ./*.go
)

# As in install_node_clients. The sources are beside node_modules, because `import` does not read NODE_PATH.
install_node_peers() (
    mkdir -p $peers/node && cp test/bench/peers/node/{package.json,package-lock.json} $peers/node &&
        cd $peers/node || exit 1
    rm -f installed.json
    npm ci --loglevel=error --ignore-scripts --no-audit --no-fund && cp package-lock.json installed.json
)

fetch_node_peers() {
    cmp -s test/bench/peers/node/package-lock.json $peers/node/installed.json ||
        quietly "fetch p-retry, cockatiel and undici" bench-peers-node install_node_peers || return 1
    cp test/bench/peers/node/*.js $peers/node
}

# Before anything is installed or built, which takes minutes. Sets with_peers and bench_arguments.
read_bench_arguments() {
    with_peers= bench_arguments=()
    while [ $# -ne 0 ]; do
        case $1 in
            --install-peers) with_peers=yes ;;
            --quick | --instructions) bench_arguments+=("$1") ;;
            --only)
                [ $# -ge 2 ] || wrong_usage "bench --only needs the beginning of a row's name, such as wheel/"
                bench_arguments+=("$1" "$2")
                shift
                ;;
            *) wrong_usage "bench takes --quick, --only PREFIX, --instructions and --install-peers, not '$1'" ;;
        esac
        shift
    done
}

build_peers() {
    mkdir -p $peers && rm -f $peers/*.command $peers/*.http
    if ! have_rust_peers; then
        say "tokio is not measured: cargo, librust-tokio-dev or librust-backoff-dev is missing."
    elif quietly "build the peers in Rust" bench-peers-rust build_rust_peers; then
        write_peer tokio.command "$PWD/$peers/rust/target/release/bench_tokio"
    else
        say "tokio is not measured: its program was not built."
    fi
    if ! have_go_peers; then
        say "Go is not measured: golang-go or golang-github-cenkalti-backoff-dev is missing."
    elif quietly "build the peers in Go" bench-peers-go build_go_peers; then
        write_peer go.command "$PWD/$peers/go/bench_go"
    else
        say "Go is not measured: its program was not built."
    fi
    if ! have_node; then
        say "Node is not measured: Node.js 18 or npm is missing."
    elif fetch_node_peers; then
        write_peer node.command "$(command -v node)" "$PWD/$peers/node/main.js"
        write_peer undici.http "$(command -v node)" "$PWD/$peers/node/undici.js"
    else
        say "Node is not measured: npm did not install its packages."
    fi
}
