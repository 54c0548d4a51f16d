# Read by ./run: how it speaks, and how it builds.

say() { printf '%s\n' "$*"; }

stop() {
    printf './run: %s\n' "$*" >&2
    exit 1
}

wrong_usage() {
    printf './run: %s\n\n' "$*" >&2
    usage >&2
    exit 2
}

# How many compilers may run at once: one a core, as long as each has 1.5 GB of memory.
jobs() {
    local cores memory limit
    cores=$(nproc)
    memory=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo 2>/dev/null)
    limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null)
    case $limit in
        '' | *[!0-9]*) ;;
        *) [ -n "$memory" ] && [ $((limit / 1024)) -ge "$memory" ] || memory=$((limit / 1024)) ;;
    esac
    if [ -n "$memory" ] && [ $((memory / 1572864)) -lt "$cores" ]; then cores=$((memory / 1572864)); fi
    [ "$cores" -ge 1 ] || cores=1
    printf '%s\n' "$cores"
}

# How many tests may run at once: twice as many as compilers, since those over sockets mostly wait.
tests_at_once() { printf '%s\n' $((2 * $(jobs))); }

# quietly TITLE LOG COMMAND...: the command's output goes to build/log/LOG.log and is shown only if it fails.
quietly() {
    local title=$1 log=build/log/$2.log start=$SECONDS
    shift 2
    mkdir -p build/log
    printf '%s ... ' "$title"
    if "$@" >"$log" 2>&1; then
        printf '%d s\n' $((SECONDS - start))
        return 0
    fi
    printf 'failed after %d s\n' $((SECONDS - start))
    if [ "$(wc -l <"$log")" -gt 400 ]; then
        say "(the last 400 lines of $log)"
        tail -n 400 "$log"
    else
        cat "$log"
    fi
    return 1
}

# try_build PRESET [TARGET...]: configures and builds. Ninja's progress is shown on a terminal, and nowhere else.
try_build() {
    local preset=$1 target=()
    shift
    [ $# -eq 0 ] || target=(--target "$@")
    quietly "configure $preset" "$preset-configure" cmake --preset "$preset" || return 1
    if [ -t 1 ]; then
        cmake --build --preset "$preset" --parallel "$(jobs)" "${target[@]}"
    else
        quietly "build $preset" "$preset-build" cmake --build --preset "$preset" --parallel "$(jobs)" "${target[@]}"
    fi
}

build() { try_build "$@" || exit 1; }

# run_tests PRESET [ARGUMENT...]: with these arguments of CTest. On success its summary is all that is shown.
run_tests() {
    local log=build/log/$1-ctest.log
    mkdir -p build/log
    if [ -t 1 ]; then
        ctest --preset "$@" --parallel "$(tests_at_once)"
    elif ctest --preset "$@" --parallel "$(tests_at_once)" >"$log" 2>&1; then
        tail -n 4 "$log" | sed '/^$/d'
    else
        grep -v -e '\.\.\. *Passed' -e '^ *Start *[0-9]*:' "$log"
        return 1
    fi
}
