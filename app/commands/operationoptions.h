// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandparser.h"

#include <QMap>

// Options that name operations and their dims, read alike by every command.
namespace stagecraft::commands {

QStringList operationIds();

QString commas(const QStringList &words); // "a, b"

// The operations that the option --`option` names, all where it is not given. Returns what is wrong, empty if nothing.
QString readOperationIds(const CommandParser &parser, const QString &option, QStringList &ids);

// --dims OP=AxBxC,… for operations among `chosen`; others have no entry in `dims`. Returns what is wrong. Whether an
// operation can have these dims is not looked at.
QString readDims(const CommandParser &parser, const QStringList &chosen, QMap<QString, QList<qint64>> &dims);

// What --dims takes for each operation, with the defaults.
QString dimsHelp();

} // namespace stagecraft::commands
