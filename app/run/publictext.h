// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace stagecraft::run {

// Text of a worker or of a library made fit for evidence and screens: absolute paths are cut to their last name, this
// machine's host and user name are replaced, control characters dropped, white space joined, length bounded.
QString publicText(const QString &text);
QString publicText(const std::string &text);

// The same for each line of a log, whose indentation stays (a compiler's mark below a source line); long logs are cut.
QString publicLines(const QString &log);

} // namespace stagecraft::run
