// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencelistmodel.h"

#include "counted.h"
#include "evidencecommands.h"
#include "figuretext.h"
#include "plaintooltip.h"
#include "provenance.h"

#include <QUndoStack>

namespace stagecraft::window {

QString EvidenceListModel::Entry::title() const
{
    return running ? QObject::tr("this run") : widgets::printableText(evidence->name);
}

QString namespaceSubtitle(const evidence::Namespace &evidence)
{
    QStringList parts;
    parts.append(gpuText(evidence));
    const QString date = evidence.utc.left(10);
    if (!date.isEmpty())
        parts.append(date);
    return widgets::printableText(parts.join(QStringLiteral(" · ")));
}

EvidenceListModel::EvidenceListModel(QObject *parent) : QAbstractListModel(parent) {}

int EvidenceListModel::put(const NamespacePointer &evidence, const QString &path, Origin origin, bool shown)
{
    const int old = rowOf(path);
    if (old < 0)
        return insert({evidence, path, origin, shown, false});
    m_entries[old].evidence = evidence;
    m_entries[old].shown = m_entries[old].shown || shown;
    changed(old);
    return old;
}

int EvidenceListModel::putRunning(const NamespacePointer &evidence)
{
    const int old = runningRow();
    if (old < 0)
        return insert({evidence, evidence->directory, Origin::ThisRun, true, true});
    m_entries[old].evidence = evidence;
    changed(old);
    return old;
}

int EvidenceListModel::placeFor(const Entry &entry) const
{
    if (entry.origin == Origin::ThisRun)
        return 0;
    int row = 0;
    for (; row < m_entries.size(); ++row) {
        const Entry &other = m_entries.at(row);
        const bool before = entry.origin != Origin::Bundled
                                ? other.origin == Origin::Bundled
                                : other.origin == Origin::Bundled && other.evidence->name > entry.evidence->name;
        if (before)
            break;
    }
    return row;
}

int EvidenceListModel::insert(const Entry &entry)
{
    const int row = placeFor(entry);
    insertAt(row, entry);
    return row;
}

void EvidenceListModel::insertAt(int row, const Entry &entry)
{
    const int place = qBound(0, row, rowCount());
    beginInsertRows({}, place, place);
    m_entries.insert(place, entry);
    endInsertRows();
    if (entry.shown)
        emit shownChanged();
}

void EvidenceListModel::replaceAt(int row, const Entry &entry)
{
    const bool isSeen = m_entries.at(row).shown || entry.shown;
    m_entries[row] = entry;
    emit dataChanged(index(row), index(row));
    if (isSeen)
        emit shownChanged();
}

void EvidenceListModel::finishRunning()
{
    const int row = runningRow();
    if (row < 0)
        return;
    m_entries[row].running = false;
    changed(row);
}

EvidenceListModel::Entry EvidenceListModel::removeAt(int row)
{
    beginRemoveRows({}, row, row);
    const Entry removed = m_entries.takeAt(row);
    endRemoveRows();
    if (removed.shown)
        emit shownChanged();
    return removed;
}

void EvidenceListModel::setShown(int row, bool shown)
{
    if (m_entries.at(row).shown == shown)
        return;
    m_entries[row].shown = shown;
    emit dataChanged(index(row), index(row));
    emit shownChanged();
}

void EvidenceListModel::setShown(const QMap<QString, bool> &shown)
{
    bool isChanged = false;
    for (int row = 0; row < m_entries.size(); ++row) {
        const auto wanted = shown.constFind(m_entries.at(row).path);
        if (wanted == shown.constEnd() || m_entries.at(row).shown == *wanted)
            continue;
        m_entries[row].shown = *wanted;
        isChanged = true;
    }
    if (!isChanged)
        return;
    emit dataChanged(index(0), index(rowCount() - 1));
    emit shownChanged();
}

void EvidenceListModel::showOnly(int row)
{
    QMap<QString, bool> shown;
    for (int i = 0; i < m_entries.size(); ++i)
        shown.insert(m_entries.at(i).path, i == row);
    setShown(shown);
}

void EvidenceListModel::markSaved(const NamespacePointer &evidence)
{
    m_saved.insert(evidence);
    const auto entry = std::ranges::find(m_entries, evidence, &Entry::evidence);
    if (entry == m_entries.end())
        return;
    const QModelIndex saved = index(static_cast<int>(entry - m_entries.begin()));
    emit dataChanged(saved, saved);
}

bool EvidenceListModel::isUnsaved(const Entry &entry) const
{
    return entry.origin == Origin::Imported && !m_saved.contains(entry.evidence);
}

int EvidenceListModel::rowOf(const QString &path) const
{
    for (int row = 0; row < m_entries.size(); ++row) {
        if (m_entries.at(row).path == path)
            return row;
    }
    return -1;
}

int EvidenceListModel::runningRow() const
{
    for (int row = 0; row < m_entries.size(); ++row) {
        if (m_entries.at(row).running)
            return row;
    }
    return -1;
}

QList<EvidenceListModel::Entry> EvidenceListModel::shown() const
{
    QList<Entry> shown;
    std::ranges::copy_if(m_entries, std::back_inserter(shown), &Entry::shown);
    return shown;
}

bool EvidenceListModel::mixesGpus() const
{
    QSet<QString> gpus;
    for (const Entry &entry : m_entries) {
        if (entry.shown)
            gpus.insert(gpuText(*entry.evidence));
    }
    return gpus.size() > 1;
}

int EvidenceListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant EvidenceListModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Entry &entry = m_entries.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return entry.title();
    case SubtitleRole:
        return isUnsaved(entry) ? tr("not saved · %1").arg(namespaceSubtitle(*entry.evidence))
                                : namespaceSubtitle(*entry.evidence);
    case Qt::CheckStateRole:
        return entry.shown ? Qt::Checked : Qt::Unchecked;
    case Qt::ToolTipRole:
        return toolTip(entry);
    case Qt::AccessibleTextRole:
        return tr("%1, %2").arg(entry.title(), index.data(SubtitleRole).toString());
    case OriginRole:
        return static_cast<int>(entry.origin);
    case UnsavedRole:
        return isUnsaved(entry);
    case ProblemCountRole:
        return static_cast<int>(std::ranges::count_if(entry.evidence->problems, &evidence::Problem::fatal));
    default:
        return {};
    }
}

QString EvidenceListModel::toolTip(const Entry &entry) const
{
    QStringList lines{widgets::printableText(entry.evidence->name), namespaceSubtitle(*entry.evidence)};
    if (entry.origin == Origin::Bundled)
        lines.append(tr("Evidence of the field note, part of Stagecraft"));
    if (entry.running)
        lines.append(tr("Being measured now"));
    if (isUnsaved(entry))
        lines.append(tr("Imported from another tool's files; File › Save evidence as keeps it"));
    const auto problems = std::ranges::count_if(entry.evidence->problems, &evidence::Problem::fatal);
    if (problems > 0)
        lines.append(tr("%1, listed under Provenance").arg(counted(problems, tr("problem"), tr("problems"))));
    return widgets::plainToolTip(lines.join(QLatin1Char('\n')));
}

bool EvidenceListModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole)
        return false;
    const bool shown = value.toInt() == Qt::Checked;
    if (m_undo && shown != m_entries.at(index.row()).shown)
        m_undo->push(new ShowEvidence(*this, index.row(), shown));
    else
        setShown(index.row(), shown);
    return true;
}

Qt::ItemFlags EvidenceListModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren;
}

void EvidenceListModel::changed(int row)
{
    emit dataChanged(index(row), index(row));
    if (m_entries.at(row).shown)
        emit shownChanged();
}

} // namespace stagecraft::window
