// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandparser.h"
#include "viewexport.h"

#include <QMap>

// The command line of `stagecraft export`, read and checked before anything is loaded.
namespace stagecraft::commands {

struct ExportOptions
{
    QStringList namespaces, baselines; // as given
    views::ExportRequest request;      // all but the namespaces and baselines
    bool mage = false;                 // the format that is a namespace of its own
    QMap<QString, QString> map;        // implementation ids in mage's form
};

CommandSyntax exportSyntax();

// nullopt: wrong usage, which has been said on standard error.
std::optional<ExportOptions> readExportOptions(const CommandParser &parser);

} // namespace stagecraft::commands
