// SPDX-License-Identifier: GPL-3.0-or-later
#include "checklist.h"

#include <iostream>

namespace stagecraft::tests {

void require(bool condition, const std::string &otherwise)
{
    if (!condition)
        throw CheckFailed(otherwise);
}

void Checklist::run(const std::string &name, const std::function<std::string()> &check)
{
    ++m_count;
    try {
        const std::string detail = check();
        std::cout << "ok    " << name << (detail.empty() ? "" : ": ") << detail << std::endl;
    } catch (const std::exception &error) {
        ++m_failures;
        std::cout << "FAIL  " << name << ": " << error.what() << std::endl;
    }
}

} // namespace stagecraft::tests
