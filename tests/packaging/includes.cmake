# SPDX-License-Identifier: GPL-3.0-or-later
# The arrows between the folders, held by the compiler: with the include directories that a library gets from its link
# lines, a header of a library it may use compiles, and one of a library it may not use is not found.

# The folders whose headers a library's own, in tests of the others, stand for.
set(folder_stagecraft-operations kernels/operations)
set(folder_stagecraft-stagefile kernels/stagefile)
set(folder_stagecraft-protocol kernels/protocol)
set(folder_stagecraft-capture kernels/capture)
set(folder_stagecraft-worker kernels/worker)
set(folder_stagecraft-widgets widgets)
set(folder_stagecraft-evidence app/evidence)
set(folder_stagecraft-import app/import)
set(folder_stagecraft-run app/run)
set(folder_stagecraft-views app/views)
set(folder_stagecraft-window app/window)
set(folder_stagecraft-commands app/commands)
set(kernel_libraries stagecraft-operations stagecraft-stagefile stagecraft-protocol stagecraft-capture stagecraft-worker)
set(app_libraries stagecraft-evidence stagecraft-import stagecraft-run stagecraft-views stagecraft-window
  stagecraft-commands)

# include_arrows(LIBRARY MAY LIBRARY|<header>… NOT LIBRARY|<header>…): <header> is a header of the system or of Qt.
function(include_arrows library)
  cmake_parse_arguments(arrow "" "" "MAY;NOT" ${ARGN})
  if(NOT TARGET ${library})
    return()
  endif()
  set(flags "$<TARGET_PROPERTY:${library},INCLUDE_DIRECTORIES>")
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${library}.flags"
    CONTENT "$<$<BOOL:${flags}>:-I$<JOIN:$<REMOVE_DUPLICATES:${flags}>,\n-I>>\n")
  set(expectations)
  foreach(item IN LISTS arrow_MAY arrow_NOT)
    if(item IN_LIST arrow_NOT)
      set(expected --none)
    elseif(item STREQUAL library)
      set(expected --all)
    else()
      set(expected --one)
    endif()
    if(item MATCHES "^<")
      list(APPEND expectations ${expected} ${item})
    elseif(TARGET ${item})
      list(APPEND expectations ${expected} "${CMAKE_SOURCE_DIR}/${folder_${item}}")
    endif()
  endforeach()
  add_test(NAME packaging.includes.${library} COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/check-includes.sh"
    "${CMAKE_CXX_COMPILER}" "${CMAKE_CURRENT_BINARY_DIR}/${library}.flags" ${expectations})
  set_tests_properties(packaging.includes.${library} PROPERTIES LABELS packaging TIMEOUT 900 COST 50)
endfunction()

# The kernel side knows no Qt and nothing of the program.
foreach(library IN LISTS kernel_libraries)
  include_arrows(${library} MAY ${library} NOT <QString> stagecraft-widgets ${app_libraries})
endforeach()
# Figures know nothing of kernels or evidence.
include_arrows(stagecraft-widgets MAY stagecraft-widgets <QWidget> NOT ${kernel_libraries} ${app_libraries})
# Evidence is Qt Core and JSON; what uses it comes later in this list, and nothing points back.
include_arrows(stagecraft-evidence MAY stagecraft-evidence <QString> <nlohmann/json.hpp>
  NOT <QColor> <QWidget> stagecraft-widgets ${kernel_libraries}
      stagecraft-import stagecraft-run stagecraft-views stagecraft-window stagecraft-commands)
# Importers make evidence, and know neither how it is measured nor how it is drawn.
include_arrows(stagecraft-import
  MAY stagecraft-import stagecraft-evidence <QSqlDatabase> <zlib.h>
  NOT <QWidget> stagecraft-widgets stagecraft-protocol stagecraft-capture stagecraft-worker
      stagecraft-run stagecraft-views stagecraft-window stagecraft-commands)
include_arrows(stagecraft-run
  MAY stagecraft-run stagecraft-evidence stagecraft-protocol stagecraft-operations
  NOT <QWidget> stagecraft-widgets stagecraft-import stagecraft-capture stagecraft-worker
      stagecraft-views stagecraft-window stagecraft-commands)
include_arrows(stagecraft-views
  MAY stagecraft-views stagecraft-evidence stagecraft-widgets
  NOT stagecraft-import stagecraft-capture stagecraft-worker stagecraft-run stagecraft-window stagecraft-commands)
include_arrows(stagecraft-window
  MAY stagecraft-window stagecraft-import stagecraft-run stagecraft-views stagecraft-evidence stagecraft-widgets
  NOT stagecraft-capture stagecraft-worker stagecraft-commands)
include_arrows(stagecraft-commands
  MAY stagecraft-commands stagecraft-import stagecraft-run stagecraft-views stagecraft-evidence
  NOT stagecraft-capture stagecraft-worker stagecraft-window)

# What the window's process loads: no CUDA library among them.
if(TARGET stagecraft)
  add_test(NAME packaging.no-cuda-in-program COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/check-no-cuda.sh"
    $<TARGET_FILE:stagecraft>)
  set_tests_properties(packaging.no-cuda-in-program PROPERTIES LABELS packaging TIMEOUT 60)
endif()
