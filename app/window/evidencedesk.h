// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidenceloader.h"
#include "viewexport.h"

#include <QObject>

class QMainWindow;
class QMimeData;

namespace stagecraft::window {

class Actions;
class EvidenceDock;
class FigurePane;
struct ExportChoice;
class MessageBar;
class SessionSettings;

struct EvidenceParts
{
    QMainWindow *window = nullptr;
    Actions *actions = nullptr;
    EvidenceListModel *evidence = nullptr;
    EvidenceDock *dock = nullptr;
    FigurePane *figures = nullptr;
    MessageBar *messages = nullptr;
};

// Evidence in and out of the window: opening, recent files, dropping, saving a run elsewhere, exporting. Reading and
// writing happen on the thread pool.
class EvidenceDesk : public QObject
{
    Q_OBJECT
public:
    EvidenceDesk(const EvidenceParts &parts, SessionSettings &settings, QObject *parent = nullptr);

    void openBundled(bool shown); // the field note's namespaces; one of them shown
    void open(const QStringList &paths);
    bool isLoading() const { return m_loader.pending() > 0; }

    static bool accepts(const QMimeData *data);
    void drop(const QMimeData *data); // stagesDropped() for a folder of stages

    void saveRun(const NamespacePointer &evidence, const QString &directory);
    void startExport(const ExportChoice &choice);

signals:
    void loadingFinished();
    void stagesDropped(const QString &folder);
    void evidenceOpened(const QString &path); // by the user
    void saved(const QString &error);         // empty: it is there
    void exported(const stagecraft::views::ExportResult &result);

private:
    void receive(const QString &path, const NamespacePointer &evidence, EvidenceListModel::Origin origin, bool shown);
    void reportProblems(const evidence::Namespace &evidence);
    void chooseAndOpen();
    void chooseAndSave();
    void chooseAndExport();
    void rebuildRecentMenu();
    NamespacePointer runToSave() const;

    EvidenceParts m_parts;
    SessionSettings &m_settings;
    EvidenceLoader m_loader;
};

} // namespace stagecraft::window
