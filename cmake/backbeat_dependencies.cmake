# What the floors need. A project that has Boost in its own tree brings the targets along; then nothing is searched.

# backbeat_find_boost([COMPONENTS libraries...]): Boost's own package file, never CMake's FindBoost: that one is gone
# under CMP0167, and asking for the component "system" fails from Boost 1.89 on.
macro(backbeat_find_boost)
    find_package(Boost 1.81 CONFIG QUIET ${ARGN})
    if(NOT Boost_FOUND)
        backbeat_explain_missing_boost()
    endif()
endmacro()

function(backbeat_explain_missing_boost)
    set(needed "Boost 1.81 or later with Boost.URL and Boost.JSON")
    set(debian_12 "libboost1.81-dev libboost-url1.81-dev libboost-json1.81-dev")
    set(debian_13 "libboost-dev libboost-url-dev libboost-json-dev")
    if(BACKBEAT_RETRY_ONLY)
        set(needed "Boost 1.81 or later")
        set(debian_12 "libboost1.81-dev")
        set(debian_13 "libboost-dev")
    endif()

    # CMake tells which Boosts it considered, and rejected for their version; of one that was recent enough it tells
    # which of its libraries was not there.
    set(too_old "")
    foreach(version IN LISTS Boost_CONSIDERED_VERSIONS)
        if(version VERSION_LESS 1.81)
            list(APPEND too_old "${version}")
        endif()
    endforeach()
    if(Boost_NOT_FOUND_MESSAGE)
        set(reason "the one in ${Boost_DIR} does not do: ${Boost_NOT_FOUND_MESSAGE}")
    elseif(too_old)
        list(JOIN too_old ", " too_old)
        set(reason "the only one found is too old: Boost ${too_old}")
    else()
        set(reason "none was found")
    endif()
    message(FATAL_ERROR
        "Backbeat needs ${needed}, and ${reason}.\n"
        "Debian 12: apt install ${debian_12} (its libboost-dev is 1.74, which is too old)\n"
        "Debian 13, Ubuntu 24.04: apt install ${debian_13}\n"
        "elsewhere: set Boost_ROOT to the folder in which such a Boost is installed.")
endfunction()

if(NOT TARGET Boost::headers)
    backbeat_find_boost()
endif()
find_package(Threads REQUIRED)
if(NOT BACKBEAT_RETRY_ONLY)
    if(NOT TARGET Boost::url OR NOT TARGET Boost::json)
        backbeat_find_boost(COMPONENTS url json)
    endif()
    find_package(OpenSSL 3.0 REQUIRED)
endif()
