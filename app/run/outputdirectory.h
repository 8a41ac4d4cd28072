// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace stagecraft::run {

// Why a run must not write its namespace there: it is no directory, or it holds something already, which is named.
// Empty where it does not exist or is an empty directory. Nothing is created.
QString outputProblem(const QString &directory);

} // namespace stagecraft::run
