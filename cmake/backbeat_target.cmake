# What every target of this project has in common.
add_library(backbeat_warnings INTERFACE)
target_compile_options(backbeat_warnings INTERFACE
    $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Wall -Wextra -Wpedantic -Wconversion>
    # Of several sources in one unit, one would shadow the constants of the others.
    $<$<AND:$<CXX_COMPILER_ID:GNU,Clang,AppleClang>,$<NOT:$<BOOL:${CMAKE_UNITY_BUILD}>>>:-Wshadow>
    # A unit of several sources is no main file, whose own types may be in unnamed namespaces.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>
    # g++ 12 sees uninitialised members in the frames of coroutines and in optionals that hold none.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    $<$<CXX_COMPILER_ID:MSVC>:/W4 /permissive-$<SEMICOLON>/bigobj>)

# backbeat_library(NAME sources...): a compiled floor, known to users as backbeat::NAME.
function(backbeat_library name)
    add_library(backbeat_${name} STATIC ${ARGN})
    add_library(backbeat::${name} ALIAS backbeat_${name})
    set_target_properties(backbeat_${name} PROPERTIES EXPORT_NAME ${name})
    target_compile_features(backbeat_${name} PUBLIC cxx_std_20)
    if(PROJECT_IS_TOP_LEVEL)
        target_link_libraries(backbeat_${name} PRIVATE $<BUILD_INTERFACE:backbeat_warnings>)
    endif()
    if(BACKBEAT_SEPARATE_ASIO)
        target_link_libraries(backbeat_${name} PUBLIC backbeat_asio)
        target_precompile_headers(backbeat_${name} REUSE_FROM backbeat_asio)
    endif()
endfunction()
