// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpuchecks.h"

namespace stagecraft::tests {

namespace {

std::string oneDecimal(double value)
{
    const std::string text = std::to_string(value);
    return text.substr(0, text.find('.') + 3);
}

void checkLibrary(Checklist &list, const protocol::Library &library)
{
    list.run("library " + library.name, [&] {
        require(library.available, library.reason + " [to do: " + library.fix + "]");
        // The report is committed: where the library lies is this machine's business.
        const std::string file = std::filesystem::path(library.path).filename().string();
        return library.version + (file.empty() ? "" : " from ") + file;
    });
}

} // namespace

void checkDevice(Checklist &list, const protocol::DescribeResult &description)
{
    for (const protocol::Device &device : description.devices) {
        list.run("device " + std::to_string(device.index), [&] {
            require(!device.name.empty() && device.uuid.starts_with("GPU-") && device.uuid.size() == 40, device.uuid);
            require(device.smCount > 0 && device.maxThreadsPerSm >= 1024 && device.memoryBytes > 0, "no figures");
            return device.name + ", " + device.computeCapability + ", driver " + device.driverVersion + ", " +
                   std::to_string(device.smCount) + " SMs, L2 " + std::to_string(device.l2Bytes >> 20) + " MiB";
        });
    }
    for (const protocol::Library &library : description.libraries)
        checkLibrary(list, library);
    list.run("self-test", [&] {
        require(description.selfTest.passed, description.selfTest.reason);
        return std::string();
    });
    list.run("kernel records", [&] {
        const protocol::CaptureSupport &capture = description.capture;
        require(capture.available, capture.reason + " [to do: " + capture.fix + "]");
        require(description.selfTest.kernelUs.has_value() && *description.selfTest.kernelUs > 0, "no self-test record");
        return capture.backend + ", timestamps " + capture.timestampMode + ", self-test kernel " +
               oneDecimal(*description.selfTest.kernelUs) + " µs";
    });
}

} // namespace stagecraft::tests
