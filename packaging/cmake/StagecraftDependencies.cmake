# SPDX-License-Identifier: GPL-3.0-or-later
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets PrintSupport Charts Svg Concurrent Sql Test)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_library(STAGECRAFT_LIBMD md REQUIRED)

# QScintilla brings no CMake package. Its headers are system ones: their warnings are not ours.
find_path(STAGECRAFT_QSCINTILLA_INCLUDE Qsci/qsciscintilla.h REQUIRED
  HINTS ${Qt6Core_INCLUDE_DIRS} PATH_SUFFIXES qt6 x86_64-linux-gnu/qt6)
find_library(STAGECRAFT_QSCINTILLA qscintilla2_qt6 REQUIRED)
add_library(Stagecraft::QScintilla UNKNOWN IMPORTED)
set_target_properties(Stagecraft::QScintilla PROPERTIES
  IMPORTED_LOCATION "${STAGECRAFT_QSCINTILLA}"
  INTERFACE_INCLUDE_DIRECTORIES "${STAGECRAFT_QSCINTILLA_INCLUDE}"
  INTERFACE_LINK_LIBRARIES "Qt6::Widgets;Qt6::PrintSupport")
