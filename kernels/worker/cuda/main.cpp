// SPDX-License-Identifier: MIT
#include "cudabackend.h"
#include "server.h"

int main()
{
    stagecraft::worker::CudaBackend backend;
    return stagecraft::worker::serve(backend, "cuda", STAGECRAFT_VERSION);
}
