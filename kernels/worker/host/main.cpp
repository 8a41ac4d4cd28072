// SPDX-License-Identifier: MIT
#include "hostbackend.h"
#include "server.h"

int main()
{
    stagecraft::worker::HostBackend backend;
    return stagecraft::worker::serve(backend, "host", STAGECRAFT_VERSION);
}
