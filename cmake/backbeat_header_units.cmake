# Translation units for what nobody includes by itself.
#
# backbeat_header_units: every public header alone, twice, without the precompiled header. It compiles if each header
# includes what it uses and is guarded; `./run check headers` builds it.
# backbeat_lint_units: for clang-tidy the headers of one folder together, because reading Asio takes longer than
# checking a header.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
    "${PROJECT_SOURCE_DIR}/include/*.hpp")
set(header_units "")
set(lint_units "")
foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    string(REPLACE "/" "_" unit "${header}")
    string(REPLACE "/" "_" folder "${folder}")
    file(CONFIGURE OUTPUT "header_units/${unit}.cpp" CONTENT "#include <${header}>\n#include <${header}>\n")
    list(APPEND header_units "${CMAKE_CURRENT_BINARY_DIR}/header_units/${unit}.cpp")
    string(APPEND lint_${folder} "#include <${header}>\n")
    list(APPEND folders ${folder})
endforeach()
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
    file(CONFIGURE OUTPUT "lint_units/${folder}.cpp" CONTENT "${lint_${folder}}")
    list(APPEND lint_units "${CMAKE_CURRENT_BINARY_DIR}/lint_units/${folder}.cpp")
endforeach()

foreach(units IN ITEMS header_units lint_units)
    add_library(backbeat_${units} OBJECT EXCLUDE_FROM_ALL ${${units}})
    set_target_properties(backbeat_${units} PROPERTIES UNITY_BUILD OFF)
    target_link_libraries(backbeat_${units} PRIVATE backbeat_warnings backbeat_retry)
    foreach(floor IN ITEMS asio http memorystore emulator)
        if(TARGET backbeat_${floor})
            target_link_libraries(backbeat_${units} PRIVATE backbeat_${floor})
        endif()
    endforeach()
endforeach()
