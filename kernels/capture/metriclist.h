// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

// Names of metrics as one text, for environments and C functions: "smsp__inst_executed.sum,dram__bytes_read.sum", or
// "usual" for usualMetrics().
namespace stagecraft::capture {

inline constexpr std::size_t maximumMetrics = 1000; // of one bracket

// 1 to 200 printable characters of ASCII without a space and without a comma.
bool isMetricName(std::string_view name);

// Blanks around a name are passed over, and a name that comes again. Empty for a text of nothing. Throws CaptureError
// for what is no name, and for more than maximumMetrics.
std::vector<std::string> metricsNamed(std::string_view text);

// The text that metricsNamed() reads; "usual" where there are none. Throws CaptureError for what is no name.
std::string metricList(const std::vector<std::string> &metrics);

} // namespace stagecraft::capture
