# What `backbeat_bench` compares HTTP requests with.

target_sources(backbeat_bench PRIVATE
    http/awaitable_loop.cpp
    http/backoff_memory.cpp
    http/beast_loop.cpp
    http/client.cpp
    http/compare.cpp
    http/contender.cpp
    http/scenario.cpp
    http/undici.cpp
    "${PROJECT_SOURCE_DIR}/test/support/nginx.cpp"
    "${PROJECT_SOURCE_DIR}/test/support/test_certificate.cpp")
target_include_directories(backbeat_bench PRIVATE "${PROJECT_SOURCE_DIR}/test/support")

# Where there is no root's path, and where ./run unpacks it.
find_program(BACKBEAT_NGINX nginx
    PATHS /usr/sbin /usr/local/sbin "${PROJECT_SOURCE_DIR}/build/nginx/usr/sbin"
    DOC "The nginx that the benchmarks run against")
if(BACKBEAT_NGINX)
    target_compile_definitions(backbeat_bench PRIVATE "BACKBEAT_NGINX=\"${BACKBEAT_NGINX}\"")
endif()
target_compile_definitions(backbeat_bench PRIVATE
    "BACKBEAT_BENCH_PEERS=\"${PROJECT_SOURCE_DIR}/build/bench-peers\"")

# Only to be compared with.
find_package(CURL QUIET)
if(CURL_FOUND)
    target_sources(backbeat_bench PRIVATE http/curl.cpp)
    target_link_libraries(backbeat_bench PRIVATE CURL::libcurl)
else()
    target_sources(backbeat_bench PRIVATE http/no_curl.cpp)
endif()
