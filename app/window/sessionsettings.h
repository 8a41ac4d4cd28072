// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runplan.h"

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

class QSettings;

namespace stagecraft::window {

enum class ThemeChoice
{
    System,
    Dark,
    Light
};

// What the window remembers between starts. The store is the caller's, so that tests and the screenshot mode use their
// own. Values that do not make sense come back as the defaults.
class SessionSettings
{
public:
    explicit SessionSettings(QSettings &store);

    QByteArray geometry() const;
    QByteArray windowState() const;
    void setWindow(const QByteArray &geometry, const QByteArray &windowState);

    QByteArray splitter(const QString &name) const;
    void setSplitter(const QString &name, const QByteArray &state);

    ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);

    QStringList recentFiles() const; // newest first, at most ten
    void addRecentFile(const QString &path);
    void removeRecentFile(const QString &path);
    void clearRecentFiles();

    QJsonObject plan() const; // as PlanModel::save()
    void setPlan(const QJsonObject &plan);
    run::RunPlan protocol() const; // only the protocol's fields are meant
    void setProtocol(const run::RunPlan &plan);

    // With external programs that cannot be used, say because a later version took their names: Settings shows why.
    run::WorkerSetup workers() const;
    void setWorkers(const run::WorkerSetup &workers);

    QString folder(const QString &purpose) const; // the last one used for "open", "save", "export"
    void setFolder(const QString &purpose, const QString &path);

    QString stagesFolder() const; // the user's own stages; empty: none chosen yet
    void setStagesFolder(const QString &folder);
    QString editorCommand() const; // that opens a stage's file outside; empty: the desktop's own choice
    void setEditorCommand(const QString &command);
    bool machineCodeShown() const; // beside the sources of stages
    void setMachineCodeShown(bool shown);
    QByteArray stagesState() const; // of the docks while stages are shown
    void setStagesState(const QByteArray &state);

    QJsonObject exportChoice() const;
    void setExportChoice(const QJsonObject &choice);

private:
    QJsonObject json(const QString &key) const;
    void setJson(const QString &key, const QJsonObject &value);

    QSettings &m_store;
};

} // namespace stagecraft::window
