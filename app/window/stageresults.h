// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourceview.h"
#include "valuetable.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QListWidget;
class QSplitter;

namespace stagecraft::widgets {
class ValueTableView;
}

namespace stagecraft::window {

class Actions;

// Below a stage's source: what the compiler says of it, for which architecture, and what became of each save.
class StageResults : public QWidget
{
    Q_OBJECT
public:
    explicit StageResults(Actions *actions, QWidget *parent = nullptr);

    // The GPU's own architecture, which is offered first and chosen until the user chooses; empty: there is no GPU.
    void setGpuArchitecture(const QString &architecture);
    const QString &gpuArchitecture() const { return m_gpuArchitecture; }
    void chooseArchitecture(const QString &architecture); // empty: all
    QStringList architectures() const;                    // that are chosen
    QString mainArchitecture() const;                     // the chosen one; with all of them the GPU's or the usual

    void setSummary(const QString &text, const QString &detail, bool bad);
    void setCompiled(const widgets::ValueTable &table);
    void setMessages(const QList<widgets::SourceMessage> &messages);
    void setHistory(const widgets::ValueTable &table);
    void setTheme(widgets::Theme theme);

    QString summary() const;
    widgets::ValueTableView *compiledView() const { return m_compiled; }
    widgets::ValueTableView *historyView() const { return m_history; }
    QListWidget *messageList() const { return m_messages; }

protected:
    void resizeEvent(QResizeEvent *event) override;

signals:
    void architectureChosen();
    void messageActivated(int line);

private:
    QWidget *createBar(Actions *actions);
    QWidget *createCompiled();
    QWidget *createHistory();
    void addButton(QHBoxLayout *row, QAction *action);
    void fillArchitectures();
    void shareHeight();

    QComboBox *m_architecture = nullptr;
    QString m_gpuArchitecture;
    bool m_chosen = false; // by the user
    QLabel *m_summary = nullptr;
    widgets::ValueTableView *m_compiled = nullptr, *m_history = nullptr;
    QListWidget *m_messages = nullptr;
    QLabel *m_detail = nullptr, *m_noHistory = nullptr;
    QSplitter *m_splitter;
    widgets::Theme m_theme = widgets::Theme::Dark;
};

} // namespace stagecraft::window
