# A compiler cache, where there is one. That sources are compiled with a precompiled header would keep ccache from
# storing anything; CCACHE_SLOPPINESS, which the presets set, tells it that this is meant.
find_program(BACKBEAT_CCACHE ccache)
mark_as_advanced(BACKBEAT_CCACHE)
if(BACKBEAT_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${BACKBEAT_CCACHE}")
endif()
