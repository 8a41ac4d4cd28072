// SPDX-License-Identifier: GPL-3.0-or-later
#include "report.h"

#include <algorithm>
#include <fstream>

namespace stagecraft::tests {

namespace {

const char *wordFor(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Passed:
        return "passed";
    case Outcome::Failed:
        return "failed";
    case Outcome::Skipped:
        return "skipped";
    }
    return "";
}

std::string versionOf(const protocol::DescribeResult &description, const std::string &library)
{
    const auto found = std::ranges::find(description.libraries, library, &protocol::Library::name);
    return found == description.libraries.end() ? std::string() : found->version;
}

} // namespace

void writeReport(const std::filesystem::path &file, const Checklist &list, const protocol::DescribeResult &description)
{
    nlohmann::json tests = nlohmann::json::array();
    for (const CheckRecord &record : list.records())
        tests.push_back({{"name", record.name}, {"result", wordFor(record.outcome)}, {"detail", record.detail}});
    const nlohmann::json report{
        {"gpu", description.devices.empty() ? "" : description.devices.front().name},
        {"driver", description.devices.empty() ? "" : description.devices.front().driverVersion},
        {"cuda", versionOf(description, "libcuda")},
        {"nvrtc", versionOf(description, "NVRTC")},
        {"tests", std::move(tests)},
        {"passed", list.count(Outcome::Passed)},
        {"failed", list.count(Outcome::Failed)},
        {"skipped", list.count(Outcome::Skipped)}};
    std::ofstream stream(file);
    stream << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    stream.close();
    if (!stream)
        throw std::runtime_error("the report " + file.filename().string() + " cannot be written");
}

} // namespace stagecraft::tests
