// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagecatalogue.h"

#include "frontmatter.h"
#include "stagefolder.h"

#include <algorithm>
#include <QCoreApplication>
#include <QDir>
#include <QStringDecoder>

namespace stagecraft::run {

namespace {

QString operationNames()
{
    QStringList names;
    for (const operations::Operation &operation : operations::catalogue())
        names.append(QString::fromStdString(operation.id));
    return names.join(QStringLiteral(", "));
}

// A stage's text travels in messages, which are UTF-8, and is compiled as a C string: other bytes would reach the
// compiler as another source than the one that is hashed here.
void requireText(const stagefile::Stage &stage)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder.decode(QByteArrayView(stage.text.data(), static_cast<qsizetype>(stage.text.size())));
    if (decoder.hasError())
        throw stagefile::StageError(stage.fileName + ": is not UTF-8; save it in that encoding");
    if (text.contains(QChar::Null))
        throw stagefile::StageError(stage.fileName + ": holds a NUL byte; remove it");
}

// Reads the stages of one folder into the catalogue.
class FolderReader
{
public:
    FolderReader(StageCatalogue &catalogue, const QString &folder, bool own)
        : m_catalogue(catalogue), m_folder(folder), m_own(own)
    {
    }

    void read()
    {
        if (const QString text = stagesFolderProblem(m_folder.path()); !text.isEmpty())
            return problem({}, {}, m_folder.path(), text);
        reportMisplacedFiles();
        for (const operations::Operation &operation : operations::catalogue())
            readOperation(QString::fromStdString(operation.id));
    }

private:
    void problem(const QString &operation, const QString &id, const QString &path, const QString &text)
    {
        m_catalogue.problems.append({operation, id, path, text});
    }

    // A file in the wrong place would otherwise just not be there.
    void reportMisplacedFiles()
    {
        const QString advice =
            QStringLiteral("a stage lies in a folder that is named after its operation (%1)").arg(operationNames());
        for (const QFileInfo &file : m_folder.entryInfoList({QStringLiteral("*.cu")}, QDir::Files, QDir::Name))
            problem({}, file.completeBaseName(), file.filePath(),
                    QStringLiteral("%1: belongs to no operation; %2").arg(file.fileName(), advice));
        for (const QFileInfo &folder : m_folder.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            const bool holdsStages =
                !QDir(folder.filePath()).entryList({QStringLiteral("*.cu")}, QDir::Files).isEmpty();
            if (holdsStages && !operations::findOperation(folder.fileName().toStdString()))
                problem({}, {}, folder.filePath(),
                        QStringLiteral("%1: is no operation; %2").arg(folder.fileName(), advice));
        }
    }

    void readOperation(const QString &operation)
    {
        QList<CatalogueStage> waiting;
        const QDir folder(m_folder.filePath(operation));
        for (const QFileInfo &file : folder.entryInfoList({QStringLiteral("*.cu")}, QDir::Files, QDir::Name))
            readFile(operation, file, waiting);
        // Each stands after the one that it names; what names nothing that is there can never be placed.
        const auto ready = [&](const CatalogueStage &entry) {
            return entry.stage.after.empty() || m_catalogue.find(operation, QString::fromStdString(entry.stage.after));
        };
        for (auto next = std::ranges::find_if(waiting, ready); next != waiting.end();
             next = std::ranges::find_if(waiting, ready)) {
            m_catalogue.stages.append(*next);
            waiting.erase(next);
        }
        for (const CatalogueStage &entry : std::as_const(waiting))
            reportUnplaced(entry, waiting);
    }

    void readFile(const QString &operation, const QFileInfo &file, QList<CatalogueStage> &stages)
    {
        const QString id = file.completeBaseName();
        try {
            stagefile::Stage stage =
                stagefile::readStage(m_folder.path().toStdString(), operation.toStdString(), id.toStdString());
            requireText(stage);
            if (m_catalogue.find(operation, id))
                throw stagefile::StageError(stage.fileName + ": a stage of this name comes with Stagecraft, and "
                                                             "evidence could not tell them apart; rename the file");
            stages.append({std::move(stage), m_own, file.absoluteFilePath()});
        } catch (const stagefile::StageError &error) {
            problem(operation, id, file.absoluteFilePath(), QString::fromStdString(error.what()));
        }
    }

    void reportUnplaced(const CatalogueStage &entry, const QList<CatalogueStage> &unplaced)
    {
        const QString after = QString::fromStdString(entry.stage.after);
        QStringList known;
        for (const CatalogueStage &stage : m_catalogue.of(entry.operation()))
            known.append(stage.id());
        const QString cause =
            std::ranges::any_of(unplaced, [&](const CatalogueStage &other) { return other.id() == after; })
                ? QStringLiteral("“%1” leads back to this stage, or to one that is not there").arg(after)
                : QStringLiteral("there is no stage “%1” of %2").arg(after, entry.operation());
        problem(entry.operation(), entry.id(), entry.path,
                QStringLiteral("%1: /after: %2; name one of: %3")
                    .arg(QString::fromStdString(entry.stage.fileName), cause, known.join(QStringLiteral(", "))));
    }

    StageCatalogue &m_catalogue;
    QDir m_folder;
    bool m_own;
};

} // namespace

const CatalogueStage *StageCatalogue::find(const QString &operation, const QString &id) const
{
    const auto found = std::ranges::find_if(
        stages, [&](const CatalogueStage &entry) { return entry.operation() == operation && entry.id() == id; });
    return found == stages.end() ? nullptr : &*found;
}

QList<CatalogueStage> StageCatalogue::of(const QString &operation) const
{
    QList<CatalogueStage> own;
    std::ranges::copy_if(stages, std::back_inserter(own),
                         [&](const CatalogueStage &entry) { return entry.operation() == operation; });
    return own;
}

QString bundledStagesFolder()
{
    const QString named = qEnvironmentVariable("STAGECRAFT_RESOURCES");
    const QString directory =
        named.isEmpty() ? QCoreApplication::applicationDirPath() + QStringLiteral("/../share/stagecraft/stages")
                        : named + QStringLiteral("/stages");
    return QDir(directory).exists() ? QDir::cleanPath(directory) : QString();
}

QString stagesFolderProblem(const QString &folder)
{
    const QFileInfo found(folder);
    const QString name = QDir(folder).dirName();
    if (found.isDir())
        return {};
    if (found.exists())
        return QStringLiteral("“%1” is a file, not a folder of stages; name the folder that holds OPERATION/ID.cu")
            .arg(name);
    return QStringLiteral("the stages folder “%1” does not exist; create it, or choose another").arg(name);
}

StageCatalogue stageCatalogue(const QString &ownFolder)
{
    StageCatalogue catalogue;
    const QString bundled = bundledStagesFolder();
    if (bundled.isEmpty())
        catalogue.problems.append({{},
                                   {},
                                   {},
                                   QStringLiteral("the stages that come with Stagecraft are not there; install it "
                                                  "again, or correct STAGECRAFT_RESOURCES")});
    else
        FolderReader(catalogue, bundled, false).read();
    if (ownFolder.isEmpty())
        return catalogue;
    FolderReader(catalogue, ownFolder, true).read();
    const auto place = [](const CatalogueStage &entry) {
        return std::ranges::find(operations::catalogue(), entry.stage.operation, &operations::Operation::id);
    };
    std::ranges::stable_sort(catalogue.stages, {}, place);
    return catalogue;
}

} // namespace stagecraft::run
