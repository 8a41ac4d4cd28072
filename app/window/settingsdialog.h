// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner.h"

#include <QDialog>

#include <memory>

class QLineEdit;
class QPushButton;
class QTabWidget;

namespace stagecraft::window {

class ExternalProgramsPanel;
class PythonPanel;

struct SettingsValues
{
    run::WorkerSetup workers;
    QString stagesFolder;  // empty: none chosen yet
    QString editorCommand; // empty: the desktop's own choice

    bool operator==(const SettingsValues &) const = default;
};

// What the user chooses once: the programs that measure, and what belongs to stages. Nothing is changed before
// applied(). The Python worker is asked in a process of its own while the dialog is open.
class SettingsDialog : public QDialog
{
    Q_OBJECT
public:
    enum Page
    {
        PythonPage,
        ExternalPage,
        WorkersPage,
        StagesPage
    };

    explicit SettingsDialog(const SettingsValues &values, QWidget *parent = nullptr);
    ~SettingsDialog() override; // ends the worker that is being asked

    void showPage(Page page);
    // What is known of the remembered interpreter already; with nullptr it is asked.
    void begin(const run::WorkerReport *python);
    // While a run goes, a worker that starts up would disturb what is measured: nothing is asked.
    void setMayAsk(bool may);
    void setDevice(int device) { m_device = device; } // that Python is asked about

    SettingsValues values() const;
    QString problem() const; // why they cannot be used; empty: they can

    PythonPanel *python() const { return m_python; }
    ExternalProgramsPanel *programs() const { return m_programs; }
    QLineEdit *prefix() const { return m_prefix; }
    QPushButton *applyButton() const { return m_apply; }

public slots:
    void accept() override;
    void apply();

signals:
    // `again`: the workers shall be asked though nothing of them was changed.
    void applied(const stagecraft::window::SettingsValues &values, bool again);
    void helpRequested();
    void askingChanged(bool asking);                        // a worker is starting up, or has ended
    void logged(const QString &level, const QString &text); // what that worker prints

private:
    QWidget *createPythonPage();
    QWidget *createExternalPage();
    QWidget *createWorkersPage();
    QWidget *createStagesPage();
    QWidget *createButtons();
    void browseStages();
    void askPython();
    void setAsking(bool asking);
    void validate();

    SettingsValues m_applied;
    int m_device = 0;
    bool m_mayAsk = true, m_askedAgain = false;
    bool m_asking = false, m_askDue = false; // due: it was not allowed, or was broken off
    QTabWidget *m_tabs = nullptr;
    PythonPanel *m_python = nullptr;
    ExternalProgramsPanel *m_programs = nullptr;
    QLineEdit *m_prefix = nullptr, *m_stagesFolder = nullptr, *m_editor = nullptr;
    QPushButton *m_ok = nullptr, *m_apply = nullptr;
    std::unique_ptr<run::Surveyor> m_surveyor; // of the question that is open
};

} // namespace stagecraft::window
