// SPDX-License-Identifier: MIT
#pragma once

#include "sharedlibrary.h"

// Finding NVIDIA's libraries on a machine that this program was not built on.
namespace stagecraft::capture {

struct LibraryRequest
{
    std::vector<std::string> sonames;    // in order of preference
    std::vector<std::string> companions; // stems of libraries beside it to load first ("libcublasLt")
    std::string package;                 // what to install where it is missing
};

struct LibraryResult
{
    SharedLibrary library;
    std::string reason, fix; // where none was found
};

// The folders of STAGECRAFT_CUDA_LIBRARIES (colon-separated): what the user names goes before everything else.
std::vector<std::filesystem::path> namedFolders();

// In order: the loader's own search (as an empty path), the Toolkits ($CUDA_PATH, $CUDA_HOME, nvcc on PATH, the usual
// prefixes, newest first; of each lib64, lib, targets/… and extras/CUPTI/lib64), the wheels of $VIRTUAL_ENV, and the
// driver's usual places.
std::vector<std::filesystem::path> usualFolders();

// The copy of any soname that is loaded already; else the first soname that loads from the named folders; else the
// first that loads from the usual ones.
LibraryResult findLibrary(const LibraryRequest &request);

// "libNAME.so.13", "libNAME.so.12": the major that the driver's version (12080, say) stands for first, since a library
// of an older CUDA runs on a newer driver and not the other way round. 0: no driver.
std::vector<std::string> sonamesFor(const std::string &stem, int driverVersion);

} // namespace stagecraft::capture
