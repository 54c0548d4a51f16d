# backbeat_must_not_compile(NAME FILE REGEX message [LIBRARIES targets...] [COMPILER GNU<12.3])
#
# Two tests. `must_not_compile.NAME`: FILE does not compile, and the compiler's output matches `message`; an error for
# any other reason fails the test. `must_compile.NAME`, the control: the same file compiles with CONTROL defined, so that
# what is refused is what the file says and not its surroundings. With COMPILER, only that compiler in that range of
# versions (`<` or `>=` a version, or the name alone) refuses the file; every other has to accept it.
#
# Their label is `compile`: they are the same for all builds with one compiler.
#
# This file is also the script that such a test runs.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    string(REPLACE "|" ";" arguments "${arguments}")
    set(ENV{LC_ALL} C)
    execute_process(COMMAND ${arguments} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(must_compile AND NOT status EQUAL 0)
        message(FATAL_ERROR "This has to compile, and does not:\n${output}")
    elseif(NOT must_compile AND status EQUAL 0)
        message(FATAL_ERROR "This compiles, but must not.")
    elseif(NOT must_compile AND NOT output MATCHES "${regex}")
        message(FATAL_ERROR "This is refused, as it has to be, but not with a message that matches '${regex}':\n${output}")
    endif()
    return()
endif()

set(BACKBEAT_MUST_NOT_COMPILE_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(backbeat_must_not_compile name file)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "REGEX;COMPILER" "LIBRARIES")
    if(NOT arg_REGEX)
        message(FATAL_ERROR "backbeat_must_not_compile(${name}): REGEX is missing")
    endif()
    if(NOT arg_LIBRARIES)
        set(arg_LIBRARIES backbeat::retry)
    endif()

    set(accepted OFF)
    if(arg_COMPILER MATCHES "^([A-Za-z]+)(<|>=)?([0-9.]*)$")
        if(NOT CMAKE_CXX_COMPILER_ID STREQUAL CMAKE_MATCH_1
                OR (CMAKE_MATCH_2 STREQUAL "<" AND NOT CMAKE_CXX_COMPILER_VERSION VERSION_LESS CMAKE_MATCH_3)
                OR (CMAKE_MATCH_2 STREQUAL ">=" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS CMAKE_MATCH_3))
            set(accepted ON)
        endif()
    elseif(arg_COMPILER)
        message(FATAL_ERROR "backbeat_must_not_compile(${name}): COMPILER is like GNU<12.3, not '${arg_COMPILER}'")
    endif()

    # The arguments are handed on with bars between them: a list would fall apart on its way.
    set(command "${CMAKE_CXX_COMPILER}|${CMAKE_CXX20_STANDARD_COMPILE_OPTION}|-fsyntax-only")
    foreach(library IN LISTS arg_LIBRARIES)
        set(includes "$<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>")
        set(definitions "$<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>")
        string(APPEND command "$<$<BOOL:${includes}>:|-I$<JOIN:${includes},|-I>>")
        string(APPEND command "$<$<BOOL:${definitions}>:|-D$<JOIN:${definitions},|-D>>")
    endforeach()
    cmake_path(ABSOLUTE_PATH file)
    string(APPEND command "|${file}")

    add_test(NAME must_not_compile.${name} COMMAND "${CMAKE_COMMAND}"
        "-Darguments=${command}" -Dmust_compile=${accepted} "-Dregex=${arg_REGEX}"
        -P "${BACKBEAT_MUST_NOT_COMPILE_SCRIPT}")
    add_test(NAME must_compile.${name} COMMAND "${CMAKE_COMMAND}"
        "-Darguments=${command}|-DCONTROL" -Dmust_compile=ON
        -P "${BACKBEAT_MUST_NOT_COMPILE_SCRIPT}")
    set_tests_properties(must_not_compile.${name} must_compile.${name} PROPERTIES TIMEOUT 300 LABELS compile)
endfunction()
