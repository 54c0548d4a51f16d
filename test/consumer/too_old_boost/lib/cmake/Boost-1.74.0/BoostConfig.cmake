message(FATAL_ERROR "A Boost that is too old was loaded, and not refused for its version.")
