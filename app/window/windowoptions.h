// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sessionsettings.h"

#include <QMap>
#include <QSize>

#include <optional>

// The window's command line as values.
namespace stagecraft::window {

struct WindowOptions
{
    QStringList namespaces;
    std::optional<ThemeChoice> theme;        // for this start only
    QSize size;                              // empty: as remembered
    QString stagesDirectory;                 // the user's stages, for this start; empty: as remembered
    QString screenshots;                     // a directory: take screenshots and end
    bool run = false;                        // run the plan while taking them
    QStringList operations, implementations; // empty: as planned
    QMap<QString, QString> dims;             // operation → "512x512x512"
    int rounds = 0, iterations = 0;          // 0: as planned
    bool help = false;
};

// Reads the arguments; where they cannot be used, `error` says why and what is allowed.
WindowOptions parseWindowOptions(const QStringList &arguments, QString *error);

QString windowOptionsHelp();

} // namespace stagecraft::window
