# SPDX-License-Identifier: MIT
# NVTX is headers only: from the Toolkit, or from NVIDIA's wheels (STAGECRAFT_CUDA_WHEELS: the virtual environment or
# its folder of packages). Sets STAGECRAFT_NVTX_INCLUDE, false where they are not there.
set(nvtx_places "/usr/local/cuda*/include")
if(STAGECRAFT_CUDA_WHEELS)
  foreach(prefix IN ITEMS "lib/python3*/site-packages/nvidia/*" "nvidia/*" "*")
    list(APPEND nvtx_places "${STAGECRAFT_CUDA_WHEELS}/${prefix}/include")
  endforeach()
endif()
file(GLOB nvtx_hints LIST_DIRECTORIES true ${nvtx_places})
if(NOT STAGECRAFT_NVTX_INCLUDE)
  unset(STAGECRAFT_NVTX_INCLUDE CACHE) # given as empty: not searched otherwise
endif()
find_path(STAGECRAFT_NVTX_INCLUDE nvtx3/nvToolsExt.h
  HINTS "${CUDAToolkit_ROOT}/include" ENV CUDA_PATH ${nvtx_hints} PATH_SUFFIXES include
  DOC "Directory that holds nvtx3/nvToolsExt.h")

# stagecraft_use_nvtx(TARGET): ranges for profilers where the headers are there, else none.
function(stagecraft_use_nvtx target)
  if(STAGECRAFT_NVTX_INCLUDE)
    target_include_directories(${target} SYSTEM PRIVATE "${STAGECRAFT_NVTX_INCLUDE}")
    target_compile_definitions(${target} PRIVATE STAGECRAFT_HAS_NVTX)
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  endif()
endfunction()
