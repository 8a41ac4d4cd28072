// SPDX-License-Identifier: GPL-3.0-or-later
#include "ownstages.h"

#include "catalogue.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>
#include <QStandardPaths>

#include <optional>

namespace stagecraft::window {

namespace {

constexpr qsizetype longestId = 64;

QString jsonText(const QString &value)
{
    return QString::fromStdString(nlohmann::json(value.toStdString()).dump());
}

// Where the front matter's JSON lies in the text.
struct Span
{
    qsizetype begin = 0, end = 0;
};

std::optional<Span> frontMatter(const QString &text)
{
    static const QRegularExpression opening(QStringLiteral("/\\*\\s*stage\\s*\\{"));
    const QRegularExpressionMatch start = opening.match(text);
    const qsizetype end = start.hasMatch() ? text.indexOf(QLatin1String("*/"), start.capturedEnd()) : -1;
    if (end < 0)
        return std::nullopt;
    return Span{start.capturedEnd(), end};
}

// A key with its text value; the first group is what stands before the value.
QString textMember(const QString &key)
{
    return QStringLiteral("(\"%1\"\\s*:\\s*)\"(?:[^\"\\\\]|\\\\.)*\"").arg(key);
}

// Replaces the text value of a key in the front matter; a key that is not there is put in front of the others. The text
// around it stays as its author wrote it, which writing the JSON anew would not leave.
void setFrontMatterText(QString &text, const QString &key, const QString &value)
{
    const std::optional<Span> span = frontMatter(text);
    if (!span)
        return;
    const QRegularExpressionMatch found = QRegularExpression(textMember(key)).match(text, span->begin);
    if (found.hasMatch() && found.capturedStart() < span->end)
        text.replace(found.capturedStart(), found.capturedLength(), found.captured(1) + jsonText(value));
    else
        text.insert(span->begin, QStringLiteral("\n  \"%1\": %2,").arg(key, jsonText(value)));
}

// With the comma that parts it from the member after it, or from that before it.
void removeFrontMatterText(QString &text, const QString &key)
{
    const std::optional<Span> span = frontMatter(text);
    if (!span)
        return;
    const QRegularExpression member(QStringLiteral("%1\\s*,\\s*|,\\s*%1").arg(textMember(key)));
    const QRegularExpressionMatch found = member.match(text, span->begin);
    if (found.hasMatch() && found.capturedStart() < span->end)
        text.remove(found.capturedStart(), found.capturedLength());
}

// What was measured of the original says nothing of the copy. The paragraph ends at an empty comment line or with the
// comment.
void forgetMeasuredEffect(QString &text)
{
    static const QRegularExpression paragraph(QStringLiteral("^// Measured effect\\..*(\\n//[ \\t]*[^\\s].*)*$"),
                                              QRegularExpression::MultilineOption);
    text.replace(paragraph, QStringLiteral("// Measured effect. Not measured yet."));
}

} // namespace

QString suggestedStagesFolder()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
        .filePath(QStringLiteral("Stagecraft/stages"));
}

QString stagePath(const QString &folder, const QString &operation, const QString &id)
{
    return QDir(folder).filePath(QStringLiteral("%1/%2.cu").arg(operation, id));
}

bool holdsStages(const QString &folder)
{
    return std::ranges::any_of(operations::catalogue(), [&](const operations::Operation &operation) {
        const QDir directory(QDir(folder).filePath(QString::fromStdString(operation.id)));
        return !directory.entryList({QStringLiteral("*.cu")}, QDir::Files).isEmpty();
    });
}

QString stageIdProblem(const QString &id, const QString &operation, const run::StageCatalogue &catalogue)
{
    static const QRegularExpression pattern(QStringLiteral("^[a-z0-9][a-z0-9-]*$"));
    if (id.isEmpty())
        return QObject::tr("Write a name for the stage, for example my-tiles.");
    if (!pattern.match(id).hasMatch())
        return QObject::tr("“%1” is no stage name: use lower-case letters, digits and “-”.").arg(id);
    if (id.size() > longestId)
        return QObject::tr("A stage's name has at most %1 characters.").arg(longestId);
    const bool broken = std::ranges::any_of(catalogue.problems, [&](const run::StageProblem &problem) {
        return problem.operation == operation && problem.id == id;
    });
    if (catalogue.find(operation, id) || broken)
        return QObject::tr("There is a stage %1/%2 already: choose another name.").arg(operation, id);
    return {};
}

QString freeStageId(const run::CatalogueStage &from, const run::StageCatalogue &catalogue)
{
    for (int i = 2;; ++i) {
        const QString id = QStringLiteral("%1-%2").arg(from.id().left(longestId - 8)).arg(i);
        if (stageIdProblem(id, from.operation(), catalogue).isEmpty())
            return id;
    }
}

QString copiedStageText(const run::CatalogueStage &from, const QString &id, const QString &title)
{
    QString text = QString::fromStdString(from.stage.text);
    setFrontMatterText(text, QStringLiteral("label"), id);
    setFrontMatterText(text, QStringLiteral("status"), QStringLiteral("attempt"));
    setFrontMatterText(text, QStringLiteral("after"), from.id());
    setFrontMatterText(text, QStringLiteral("change"),
                       QObject::tr("A copy of %1. Say here what you changed, and why.").arg(from.id()));
    setFrontMatterText(text, QStringLiteral("title"), title);
    removeFrontMatterText(text, QStringLiteral("source"));
    forgetMeasuredEffect(text);
    return text;
}

QString writeStageFile(const QString &path, const QString &text)
{
    const QString name = QFileInfo(path).fileName();
    if (!QDir().mkpath(QFileInfo(path).absolutePath()))
        return QObject::tr("%1 cannot be written: its folder cannot be created. Check permissions, or choose another "
                           "stages folder.")
            .arg(name);
    QSaveFile file(path);
    const QByteArray bytes = text.toUtf8();
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return {};
    return QObject::tr("%1 cannot be written: %2.").arg(name, file.errorString());
}

} // namespace stagecraft::window
