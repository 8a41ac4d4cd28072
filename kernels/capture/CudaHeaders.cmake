# SPDX-License-Identifier: MIT
# Where CUDA's headers are. Sets STAGECRAFT_CUDA_INCLUDES, the folders that hold cuda.h and what goes with it: those of
# the wheels where STAGECRAFT_CUDA_WHEELS is given, else the Toolkit's. Nothing of CUDA is linked and no compiler of
# CUDA's is needed, so the Toolkit's libraries need not be there.
option(STAGECRAFT_CUDA "Build what needs CUDA's headers" ON)
set(STAGECRAFT_CUDA_WHEELS "" CACHE PATH "Folder of Python packages (site-packages) with NVIDIA's wheels")

# stagecraft_cuda_includes(VARIABLE): the folders, empty where there is no cuda.h.
function(stagecraft_cuda_includes variable)
  set(includes)
  if(STAGECRAFT_CUDA AND STAGECRAFT_CUDA_WHEELS)
    file(GLOB includes LIST_DIRECTORIES true "${STAGECRAFT_CUDA_WHEELS}/nvidia/*/include")
  elseif(STAGECRAFT_CUDA)
    find_path(STAGECRAFT_TOOLKIT_INCLUDE cuda.h
      HINTS "${CUDAToolkit_ROOT}" ENV CUDA_PATH ENV CUDA_HOME
      PATHS /usr/local/cuda /opt/cuda /usr/lib/cuda
      PATH_SUFFIXES include targets/x86_64-linux/include
      DOC "Folder that holds the Toolkit's cuda.h")
    if(STAGECRAFT_TOOLKIT_INCLUDE)
      set(includes "${STAGECRAFT_TOOLKIT_INCLUDE}")
      get_filename_component(root "${STAGECRAFT_TOOLKIT_INCLUDE}" DIRECTORY)
      foreach(cupti IN ITEMS "${root}/extras/CUPTI/include" "${root}/../../extras/CUPTI/include")
        if(EXISTS "${cupti}/cupti.h")
          list(APPEND includes "${cupti}")
        endif()
      endforeach()
    endif()
  endif()
  set(found FALSE)
  foreach(folder IN LISTS includes)
    if(EXISTS "${folder}/cuda.h")
      set(found TRUE)
    endif()
  endforeach()
  if(NOT found)
    set(includes)
  endif()
  set(${variable} "${includes}" PARENT_SCOPE)
endfunction()

stagecraft_cuda_includes(STAGECRAFT_CUDA_INCLUDES)

# stagecraft_header_folder(VARIABLE NAME FOLDERS…): the first of the folders that holds the header.
function(stagecraft_header_folder variable name)
  set(${variable} "" PARENT_SCOPE)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${folder}/${name}")
      set(${variable} "${folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# stagecraft_cupti_major(VARIABLE FOLDER): the CUDA major of the CUPTI whose headers are in the folder; 0 where none.
# CUPTI counted its versions 19 (CUDA 12.0) to 28 (12.9.1), and since CUDA 13 as MMmmuu.
function(stagecraft_cupti_major variable folder)
  set(major 0)
  if(EXISTS "${folder}/cupti_version.h")
    file(STRINGS "${folder}/cupti_version.h" line REGEX "^#define CUPTI_API_VERSION +[0-9]+")
    string(REGEX MATCH "[0-9]+" version "${line}")
    if(version GREATER_EQUAL 120000)
      math(EXPR major "${version} / 10000")
    elseif(version GREATER_EQUAL 19 AND version LESS 100)
      set(major 12)
    endif()
  endif()
  set(${variable} ${major} PARENT_SCOPE)
endfunction()
