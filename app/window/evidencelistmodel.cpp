// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencelistmodel.h"

#include "counted.h"
#include "provenance.h"

#include <QSet>

namespace stagecraft::window {

QString EvidenceListModel::Entry::title() const
{
    return running ? QObject::tr("this run") : evidence->name;
}

QString namespaceSubtitle(const evidence::Namespace &evidence)
{
    QStringList parts;
    parts.append(gpuText(evidence));
    const QString date = evidence.utc.left(10);
    if (!date.isEmpty())
        parts.append(date);
    return parts.join(QStringLiteral(" · "));
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
        const bool before = entry.origin == Origin::Opened
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
    beginInsertRows({}, row, row);
    m_entries.insert(row, entry);
    endInsertRows();
    if (entry.shown)
        emit shownChanged();
    return row;
}

void EvidenceListModel::finishRunning()
{
    const int row = runningRow();
    if (row < 0)
        return;
    m_entries[row].running = false;
    changed(row);
}

void EvidenceListModel::removeAt(int row)
{
    const bool wasShown = m_entries.at(row).shown;
    beginRemoveRows({}, row, row);
    m_entries.removeAt(row);
    endRemoveRows();
    if (wasShown)
        emit shownChanged();
}

void EvidenceListModel::setShown(int row, bool shown)
{
    if (m_entries.at(row).shown == shown)
        return;
    m_entries[row].shown = shown;
    emit dataChanged(index(row), index(row));
    emit shownChanged();
}

void EvidenceListModel::showOnly(int row)
{
    for (int i = 0; i < m_entries.size(); ++i)
        m_entries[i].shown = i == row;
    emit dataChanged(index(0), index(rowCount() - 1));
    emit shownChanged();
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
        return namespaceSubtitle(*entry.evidence);
    case Qt::CheckStateRole:
        return entry.shown ? Qt::Checked : Qt::Unchecked;
    case Qt::ToolTipRole:
        return toolTip(entry);
    case Qt::AccessibleTextRole:
        return tr("%1, %2").arg(entry.title(), namespaceSubtitle(*entry.evidence));
    case OriginRole:
        return static_cast<int>(entry.origin);
    case ProblemCountRole:
        return static_cast<int>(std::ranges::count_if(entry.evidence->problems, &evidence::Problem::fatal));
    default:
        return {};
    }
}

QString EvidenceListModel::toolTip(const Entry &entry) const
{
    QStringList lines{entry.evidence->name, namespaceSubtitle(*entry.evidence)};
    if (entry.origin == Origin::Bundled)
        lines.append(tr("Evidence of the field note, part of Stagecraft"));
    if (entry.running)
        lines.append(tr("Being measured now"));
    const auto problems = std::ranges::count_if(entry.evidence->problems, &evidence::Problem::fatal);
    if (problems > 0)
        lines.append(tr("%1, listed under Provenance").arg(counted(problems, tr("problem"), tr("problems"))));
    return lines.join(QLatin1Char('\n'));
}

bool EvidenceListModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole)
        return false;
    setShown(index.row(), value.toInt() == Qt::Checked);
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
