# Read by ./run: the gates of `./run check`.

gates=(format lint headers node asan tsan soak fuzz consumers)

# What takes long and seldom finds more: g++'s own coroutines under its own sanitizers.
gates_of_full=(asan-gcc)

# How long each fuzz target runs. `--full` sets it to 300.
fuzz_seconds=20

# The sources that are ours, null-terminated.
sources() { find include src test docs -type f \( -name '*.hpp' -o -name '*.cpp' \) -print0; }

gate_format() {
    local wanted tool version
    wanted=$(sed -n '1s/.*clang-format \([0-9]*\).*/\1/p' .clang-format)
    for tool in "clang-format-$wanted" clang-format; do
        version=$("$tool" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
        [ "$version" = "$wanted" ] && break
    done
    if [ "$version" != "$wanted" ]; then
        say "skipped: .clang-format is for clang-format $wanted, and this system has ${version:-none}"
        return 0
    fi
    sources | xargs -0 -r "$tool" --dry-run --Werror --ferror-limit=1
}

gate_lint() {
    local tool=clang-tidy-14
    have_tool $tool || tool=clang-tidy
    quietly "configure lint" lint-configure cmake --preset lint || return 1
    # The sources of src/, several together, and the units that include the headers of a folder: clang-tidy looks at all
    # of Asio again in each. A warning is printed once, although several units see the header that it is about.
    sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' build/lint/compile_commands.json |
        grep -e "^$PWD/build/lint/src/" -e "^$PWD/src/" -e '/lint_units/' | grep -v '/src/asio/' | sort -u | tr '\n' '\0' |
        xargs -0 -r -n 1 -P "$(jobs)" "$tool" -p build/lint --quiet >build/log/lint.log 2>build/log/lint-errors.log
    local status=$?
    awk '/: (warning|error): /{ show = !seen[$0]++ } show' build/log/lint.log
    [ $status -eq 0 ] || grep -v 'warnings\{0,1\} generated\.$' build/log/lint-errors.log
    return $status
}

gate_headers() { try_build test backbeat_header_units; }
# Google's own clients against the emulator. Their tests are among those of the other presets too, once they were
# fetched; this gate has Node.js installed, and fetches them.
gate_node() {
    if ! have_node; then
        say "Node.js 18 or later and npm are needed"
        return 1
    fi
    fetch_node_clients && try_build test backbeat && run_tests test --tests-regex '^node\.'
}

gate_asan() { try_build asan && run_tests asan; }
gate_asan-gcc() { try_build asan-gcc && run_tests asan-gcc; }
gate_tsan() { try_build tsan && run_tests tsan; }

# As the tests do, with many more requests.
gate_soak() {
    local program=build/test/test/integration/integration_nginx
    try_build test || return 1
    if [ ! -x $program ]; then
        say "skipped: CMake found no nginx"
        return 0
    fi
    BACKBEAT_SOAK_REQUESTS=100000 quietly "100000 requests" soak $program --gtest_filter='*soak*' || return 1
    grep '^soak: ' build/log/soak.log
}

# fuzz TARGET: from the files in test/fuzz/corpus, and from those that earlier runs added in build/fuzz/corpus.
fuzz() {
    local target=$1 program=build/fuzz/test/fuzz/fuzz_$1 log=build/log/fuzz-$1.log finding
    mkdir -p "build/fuzz/corpus/$target" build/fuzz/findings
    if UBSAN_OPTIONS=print_stacktrace=1 "$program" -max_total_time="$fuzz_seconds" -timeout=10 -rss_limit_mb=2048 \
        -max_len=2048 -artifact_prefix="build/fuzz/findings/$target-" \
        "build/fuzz/corpus/$target" "test/fuzz/corpus/$target" >"$log" 2>&1; then
        say "$target: $(sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) .*/\1 runs in \2 s/p' "$log"), nothing found"
        return 0
    fi
    grep -v -e '^#[0-9]*[[:space:]]' -e '^INFO: ' "$log" | tail -n 60
    finding=$(sed -n 's/.*Test unit written to \(.*\)/\1/p' "$log" | tail -n 1)
    say "$target: FOUND ${finding:-something that left no file, see $log}"
    [ -z "$finding" ] || say "$target: again with: $program $finding"
    return 1
}

gate_fuzz() {
    local folder running=0 status=0
    try_build fuzz || return 1
    for folder in test/fuzz/corpus/*/; do
        if [ $running -ge "$(jobs)" ]; then
            wait -n || status=1
            running=$((running - 1))
        fi
        fuzz "$(basename "$folder")" &
        running=$((running + 1))
    done
    while [ $running -gt 0 ]; do
        wait -n || status=1
        running=$((running - 1))
    done
    return $status
}

# Backbeat as others use it: installed and found, and as a folder of their project. It is where each source of the
# libraries is compiled alone, without the precompiled header.
gate_consumers() {
    local folder=build/consumers project
    rm -rf "$folder"
    quietly "configure install" consumers-configure \
        cmake --preset install -B "$folder/install" -D CMAKE_BUILD_TYPE=Debug -D CMAKE_CXX_FLAGS_DEBUG=-O0 \
        -D CMAKE_COMPILE_WARNING_AS_ERROR=ON &&
        quietly "build install" consumers-build cmake --build "$folder/install" --parallel "$(jobs)" &&
        quietly "install" consumers-install cmake --install "$folder/install" --prefix "$folder/prefix" || return 1
    for project in find_package add_subdirectory; do
        quietly "configure $project" "consumers-$project-configure" \
            cmake -S "test/consumer/$project" -B "$folder/$project" -G Ninja \
            -D CMAKE_PREFIX_PATH="$PWD/$folder/prefix" -D CMAKE_COMPILE_WARNING_AS_ERROR=ON &&
            quietly "build $project" "consumers-$project-build" \
                cmake --build "$folder/$project" --parallel "$(jobs)" &&
            quietly "run $project" "consumers-$project-run" \
                ctest --test-dir "$folder/$project" --output-on-failure --no-tests=error || return 1
    done
}

check() {
    local gate start failed=() begin=$SECONDS
    if [ "${1-}" = --full ]; then
        fuzz_seconds=300
        gates+=("${gates_of_full[@]}")
        shift
    fi
    [ $# -gt 0 ] || set -- "${gates[@]}"
    for gate; do
        declare -F "gate_$gate" >/dev/null || wrong_usage "there is no gate '$gate'; the gates are: ${gates[*]} ${gates_of_full[*]}"
    done
    for gate; do
        install_packages "$gate"
    done
    mkdir -p build/log
    for gate; do
        say "== $gate"
        start=$SECONDS
        if "gate_$gate"; then
            say "== $gate: passed in $((SECONDS - start)) s"
        else
            say "== $gate: FAILED in $((SECONDS - start)) s"
            failed+=("$gate")
        fi
    done
    if [ ${#failed[@]} -ne 0 ]; then
        say "check: failed after $((SECONDS - begin)) s: ${failed[*]}"
        exit 1
    fi
    say "check: passed in $((SECONDS - begin)) s"
}
