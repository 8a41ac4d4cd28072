# SPDX-License-Identifier: GPL-3.0-or-later
# Most of the time that a file takes to compile goes into Qt's headers and nlohmann's. Precompiled, they are read once
# for all files of a kind, which holds what all of its users may include: the arrows between the folders stand. The
# release preset does without, and so finds the file that includes too little.

option(STAGECRAFT_PRECOMPILED_HEADERS "Precompile the headers of Qt and nlohmann" OFF)

# compile_alike(TARGET KIND): a precompiled header serves only what is compiled as it was. Position independent is what
# Qt asks for; Qt Test's macros for QFINDTESTDATA, which no test uses, would differ in every folder.
function(compile_alike target kind)
  target_compile_options(${target} PRIVATE -fPIC)
  if(kind MATCHES "test$")
    target_compile_options(${target} PRIVATE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
  endif()
endfunction()

# use_precompiled(TARGET KIND): KIND is one of those at the end of this file.
function(use_precompiled target kind)
  if(STAGECRAFT_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM stagecraft-precompiled-${kind})
    compile_alike(${target} ${kind})
  endif()
endfunction()

# use_precompiled_test(TARGET LIBRARIES…): Qt Test's headers hold more where Qt Gui or Qt Widgets is linked, too.
function(use_precompiled_test target)
  if("${ARGN}" MATCHES "Qt6::Widgets|QScintilla|stagecraft-(widgets|views|window|commands)")
    use_precompiled(${target} widgets-test)
  elseif("${ARGN}" MATCHES "Qt6::Gui")
    use_precompiled(${target} gui-test)
  else()
    use_precompiled(${target} test)
  endif()
endfunction()

# precompile(KIND LIBRARIES … HEADERS …)
function(precompile kind)
  cmake_parse_arguments(of "" "" "LIBRARIES;HEADERS" ${ARGN})
  set(source "${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "")
  add_library(stagecraft-precompiled-${kind} OBJECT "${source}")
  target_link_libraries(stagecraft-precompiled-${kind} PRIVATE stagecraft-options ${of_LIBRARIES})
  compile_alike(stagecraft-precompiled-${kind} ${kind})
  target_precompile_headers(stagecraft-precompiled-${kind} PRIVATE ${of_HEADERS})
endfunction()

if(NOT STAGECRAFT_PRECOMPILED_HEADERS)
  return()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(stagecraft-options INTERFACE -fpch-preprocess) # what ccache needs to know such a file again
endif()
set(json nlohmann_json::nlohmann_json)
precompile(kernels LIBRARIES ${json} HEADERS <nlohmann/json.hpp> <filesystem> <fstream> <thread>)
precompile(core LIBRARIES Qt6::Core ${json} HEADERS <QtCore/QtCore> <nlohmann/json.hpp>)
precompile(widgets LIBRARIES Qt6::Widgets HEADERS <QtWidgets/QtWidgets>)
precompile(program LIBRARIES Qt6::Widgets ${json} HEADERS <QtWidgets/QtWidgets> <nlohmann/json.hpp>)
precompile(test LIBRARIES Qt6::Test ${json} HEADERS <QtTest/QtTest> <nlohmann/json.hpp>)
precompile(gui-test LIBRARIES Qt6::Test Qt6::Gui ${json} HEADERS <QtTest/QtTest> <QtGui/QtGui> <nlohmann/json.hpp>)
precompile(widgets-test LIBRARIES Qt6::Test Qt6::Widgets ${json}
  HEADERS <QtTest/QtTest> <QtWidgets/QtWidgets> <nlohmann/json.hpp>)
