# SPDX-License-Identifier: GPL-3.0-or-later
# One way to declare a library or a program, so that warnings, sanitizers and the include rule are the same everywhere.

option(STAGECRAFT_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
set(STAGECRAFT_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them (address,undefined or thread)")

add_library(stagecraft-options INTERFACE)
target_compile_features(stagecraft-options INTERFACE cxx_std_20)
target_compile_options(stagecraft-options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<BOOL:${STAGECRAFT_WARNINGS_AS_ERRORS}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Optimising, GCC 12 sees overlaps inside the standard library's own operator+ for strings (its bug 105651).
  target_compile_options(stagecraft-options INTERFACE $<$<CONFIG:Release>:-Wno-restrict>)
endif()
if(STAGECRAFT_SANITIZE)
  target_compile_options(stagecraft-options INTERFACE -fsanitize=${STAGECRAFT_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(stagecraft-options INTERFACE -fsanitize=${STAGECRAFT_SANITIZE})
endif()

# stagecraft_library(NAME SOURCES…): a static library of the folder that calls it. It exports that folder alone, so
# that a header is reachable only through a link line; target_link_libraries is the architecture.
function(stagecraft_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE stagecraft-options)
endfunction()

# stagecraft_program(NAME SOURCES…): an executable that lands in bin/ of the build and of the installation.
function(stagecraft_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE stagecraft-options)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# test_moc(TEST FILE): moc's output for a file of a test: for x.cpp the x.moc that it includes, for x.h one more source.
# Made directly, since CMake's search for the files that need moc takes several times as long.
function(test_moc name file)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}_moc")
  get_filename_component(stem ${file} NAME_WE)
  set(moc "${folder}/moc_${stem}.cpp")
  if(file MATCHES "\\.cpp$")
    set(moc "${folder}/${stem}.moc")
    target_include_directories(${name} PRIVATE "${folder}")
  endif()
  qt_generate_moc(${file} "${moc}" TARGET ${name})
  target_sources(${name} PRIVATE ${file} "${moc}")
endfunction()

# stagecraft_test(NAME LABEL LIBRARIES…): the Qt Test program NAME.cpp of the calling folder. LABEL is unit, gui or gpu.
function(stagecraft_test name label)
  add_executable(${name})
  test_moc(${name} ${name}.cpp)
  target_link_libraries(${name} PRIVATE stagecraft-options Qt6::Test ${ARGN})
  target_compile_definitions(${name} PRIVATE
    STAGECRAFT_SOURCE_DIR="${CMAKE_SOURCE_DIR}" STAGECRAFT_BINARY_DIR="${CMAKE_BINARY_DIR}")
  use_precompiled_test(${name} ${ARGN})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 120 ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()
