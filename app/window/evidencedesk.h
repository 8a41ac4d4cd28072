// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidenceopening.h"
#include "viewexport.h"

class QMainWindow;
class QMimeData;

namespace stagecraft::window {

class Actions;
class EvidenceDock;
class FigurePane;
class LoadingBar;
class MessageBar;
class SessionSettings;
struct ExportChoice;

struct EvidenceParts
{
    QMainWindow *window = nullptr;
    Actions *actions = nullptr;
    EvidenceListModel *evidence = nullptr;
    EvidenceDock *dock = nullptr;
    FigurePane *figures = nullptr;
    MessageBar *messages = nullptr;
    LoadingBar *loading = nullptr;
    QUndoStack *undo = nullptr;
};

// Evidence in and out of the window: opening, importing, recent files, dropping, saving a run elsewhere, exporting.
// Reading and writing happen on the thread pool.
class EvidenceDesk : public QObject
{
    Q_OBJECT
public:
    EvidenceDesk(const EvidenceParts &parts, SessionSettings &settings, QObject *parent = nullptr);

    // What the program starts with: these, and the bundled evidence, of which one is shown where these are none.
    void begin(const QStringList &paths);
    void open(const QStringList &paths); // namespaces, folders of them, files of other tools
    bool isLoading() const { return m_opening.isLoading(); }

    static bool accepts(const QMimeData *data);
    void drop(const QMimeData *data); // stagesDropped() for a folder of stages

    void saveRun(const NamespacePointer &evidence, const QString &directory);
    void removeSelected();
    void startExport(const ExportChoice &choice);

signals:
    void loadingFinished();
    void stagesDropped(const QString &folder);
    void evidenceOpened(const QString &path); // by the user
    void saved(const QString &error);         // empty: it is there
    void exported(const stagecraft::views::ExportResult &result);

private:
    void connectActions();
    void connectOpening();
    void connectList();
    void updateActions();
    void receive(int row, const EvidenceSource &source);
    void report(const OpeningReport &report);
    void chooseAndOpen();
    void chooseAndImport();
    void openChosen(const QString &title, const QStringList &filters);
    void chooseAndSave();
    void chooseAndExport();
    void rebuildRecentMenu();
    void showSelected(bool only);
    int rowToSave() const; // −1: nothing is only here

    EvidenceParts m_parts;
    SessionSettings &m_settings;
    EvidenceOpening m_opening;
};

} // namespace stagecraft::window
