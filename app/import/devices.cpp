// SPDX-License-Identifier: GPL-3.0-or-later
#include "devices.h"

namespace stagecraft::import {

QHash<qint64, QString> describeDevices(const QSet<qint64> &used, const QHash<qint64, QString> &names,
                                       const QString &place, ForeignFile &file)
{
    QStringList distinct;
    for (const qint64 device : used)
        distinct.append(names.value(device));
    distinct.sort();
    distinct.removeDuplicates();
    QHash<qint64, QString> implementations;
    if (distinct.size() > 1) {
        for (const qint64 device : used)
            implementations.insert(device, QStringLiteral("device-%1").arg(device));
    }
    distinct.removeAll(QString());
    if (distinct.isEmpty())
        file.leftOut.append(QStringLiteral("The file does not say which GPU it was (%1).").arg(place));
    file.gpu = distinct.join(QStringLiteral("; "));
    return implementations;
}

} // namespace stagecraft::import
