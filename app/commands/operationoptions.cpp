// SPDX-License-Identifier: GPL-3.0-or-later
#include "operationoptions.h"

#include "catalogue.h"
#include "console.h"

namespace stagecraft::commands {

QStringList operationIds()
{
    QStringList ids;
    for (const operations::Operation &operation : operations::catalogue())
        ids.append(QString::fromStdString(operation.id));
    return ids;
}

QString commas(const QStringList &words)
{
    return words.join(QStringLiteral(", "));
}

QString readOperationIds(const CommandParser &parser, const QString &option, QStringList &ids)
{
    const QStringList known = operationIds();
    ids = parser.isSet(option) ? parser.list(option) : known;
    if (ids.isEmpty())
        return QStringLiteral("--%1 names none; there are %2").arg(option, commas(known));
    for (const QString &id : std::as_const(ids)) {
        if (!known.contains(id))
            return QStringLiteral("--%1: “%2” is not known; there are %3%4")
                .arg(option, id, commas(known), didYouMean(id, known));
        if (ids.count(id) > 1)
            return QStringLiteral("--%1 names “%2” twice").arg(option, id);
    }
    return {};
}

QString readDims(const CommandParser &parser, const QStringList &chosen, QMap<QString, QList<qint64>> &dims)
{
    for (const QString &text : parser.list(QStringLiteral("dims"))) {
        const QString id = text.section(QLatin1Char('='), 0, 0), value = text.section(QLatin1Char('='), 1);
        const auto parsed = operations::parseDims(value.toStdString());
        if (!parsed)
            return QStringLiteral("--dims: “%1” is no OP=AxBxC, such as matmul=512x512x512").arg(text);
        if (!chosen.contains(id))
            return QStringLiteral("--dims: “%1” is not among the chosen operations (%2)").arg(id, commas(chosen));
        if (dims.contains(id))
            return QStringLiteral("--dims: “%1” has dims twice").arg(id);
        dims[id] = QList<qint64>(parsed->begin(), parsed->end());
    }
    return {};
}

QString dimsHelp()
{
    QStringList parts;
    for (const operations::Operation &operation : operations::catalogue()) {
        QStringList names;
        for (const std::string &name : operation.dimNames)
            names.append(QString::fromStdString(name));
        parts.append(QStringLiteral("%1 %2, by default %3")
                         .arg(QString::fromStdString(operation.id), names.join(QLatin1Char('x')),
                              QString::fromStdString(operations::dimsText(operation.defaultDims))));
    }
    return parts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

} // namespace stagecraft::commands
