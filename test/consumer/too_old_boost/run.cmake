file(REMOVE_RECURSE "${binary}")
execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${binary}" -G "${generator}" "-DCMAKE_CXX_COMPILER=${compiler}"
        "-DCMAKE_FIND_ROOT_PATH=${prefix}" -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DCMAKE_PREFIX_PATH=/
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
    message(FATAL_ERROR "The configure step accepted a Boost that is too old:\n${output}")
endif()
string(REGEX REPLACE "[ \n]+" " " sentence "${output}")
if(NOT sentence MATCHES "Backbeat needs Boost 1\\.81 or later .* too old: Boost 1\\.74\\.0")
    message(FATAL_ERROR "The configure step failed, but does not say that Boost is too old:\n${output}")
endif()
