// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencecommands.h"

#include "counted.h"

#include <QCoreApplication>

namespace stagecraft::window {

namespace {

constexpr int openEvidenceId = 1;

QString titleOf(const EvidenceListModel &model, const QString &path)
{
    const int row = model.rowOf(path);
    return row < 0 ? QString() : model.at(row).title();
}

QString countedNamespaces(qsizetype count)
{
    return counted(count, QObject::tr("namespace"), QObject::tr("namespaces"));
}

} // namespace

OpenEvidence::OpenEvidence(EvidenceListModel &model, const EvidenceListModel::Entry &entry, int batch)
    : m_model(model), m_items{{entry, std::nullopt}}, m_batch(batch)
{
    describe();
}

void OpenEvidence::describe()
{
    const EvidenceListModel::Entry &first = m_items.first().entry;
    const QString what = m_items.size() > 1 ? countedNamespaces(m_items.size()) : first.evidence->name;
    const bool imported = std::ranges::all_of(
        m_items, [](const Item &item) { return item.entry.origin == EvidenceListModel::Origin::Imported; });
    setText(imported ? QObject::tr("import %1").arg(what) : QObject::tr("open %1").arg(what));
}

int OpenEvidence::id() const
{
    return openEvidenceId;
}

bool OpenEvidence::mergeWith(const QUndoCommand *other)
{
    const auto *later = static_cast<const OpenEvidence *>(other); // of the same id
    if (later->m_batch != m_batch)
        return false;
    m_items += later->m_items;
    describe();
    return true;
}

void OpenEvidence::redo()
{
    for (Item &item : m_items) {
        const int row = m_model.rowOf(item.entry.path);
        item.before = row < 0 ? std::nullopt : std::optional(m_model.at(row));
        m_model.put(item.entry.evidence, item.entry.path, item.entry.origin, item.entry.shown);
    }
}

void OpenEvidence::undo()
{
    for (auto item = m_items.crbegin(); item != m_items.crend(); ++item) {
        const int row = m_model.rowOf(item->entry.path);
        if (row < 0 || m_model.at(row).running)
            continue;
        if (item->before)
            m_model.replaceAt(row, *item->before);
        else
            m_model.removeAt(row);
    }
}

RemoveEvidence::RemoveEvidence(EvidenceListModel &model, const QStringList &paths) : m_model(model), m_paths(paths)
{
    setText(QObject::tr("remove %1")
                .arg(paths.size() == 1 ? titleOf(model, paths.first()) : countedNamespaces(paths.size())));
}

void RemoveEvidence::redo()
{
    m_removed.clear();
    for (const QString &path : std::as_const(m_paths)) {
        const int row = m_model.rowOf(path);
        if (row < 0 || m_model.at(row).running)
            continue;
        const QString next = row + 1 < m_model.rowCount() ? m_model.at(row + 1).path : QString();
        m_removed.append({m_model.removeAt(row), next});
    }
}

void RemoveEvidence::undo()
{
    for (auto item = m_removed.crbegin(); item != m_removed.crend(); ++item) {
        // What a session on the stages page measured meanwhile stands in the list again already.
        if (m_model.rowOf(item->entry.path) >= 0)
            continue;
        const int next = m_model.rowOf(item->next);
        m_model.insertAt(next < 0 ? m_model.rowCount() : next, item->entry);
    }
}

ShowEvidence::ShowEvidence(EvidenceListModel &model, int row, bool shown)
    : ShowEvidence(model, {{model.at(row).path, shown}},
                   (shown ? QObject::tr("show %1") : QObject::tr("hide %1")).arg(model.at(row).title()))
{
}

ShowEvidence::ShowEvidence(EvidenceListModel &model, const QMap<QString, bool> &shown, const QString &text)
    : QUndoCommand(text), m_model(model), m_after(shown)
{
    for (auto wanted = shown.constBegin(); wanted != shown.constEnd(); ++wanted) {
        const int row = model.rowOf(wanted.key());
        if (row >= 0)
            m_before.insert(wanted.key(), model.at(row).shown);
    }
}

void ShowEvidence::redo()
{
    m_model.setShown(m_after);
}

void ShowEvidence::undo()
{
    m_model.setShown(m_before);
}

} // namespace stagecraft::window
