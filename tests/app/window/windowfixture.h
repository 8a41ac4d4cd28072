// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "actions.h"
#include "evidencedesk.h"
#include "evidencedock.h"
#include "evidencelistmodel.h"
#include "figurepane.h"
#include "figureview.h"
#include "mainwindow.h"
#include "messagebar.h"
#include "plandock.h"
#include "planmodel.h"
#include "protocolpanel.h"
#include "rundesk.h"
#include "valuetableview.h"

#include <QAction>
#include <QApplication>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

// A window with settings and runs of its own.
class WindowFixture
{
public:
    explicit WindowFixture(const QString &settingsFile = {}, const QString &stagesDirectory = {})
        : m_store(settingsFile.isEmpty() ? m_directory.filePath("settings.ini") : settingsFile, QSettings::IniFormat),
          m_settings(m_store),
          m_theme(*qApp),
          window({m_settings, m_theme, m_directory.filePath("runs"), false, stagesDirectory})
    {
    }

    // Shown, evidence read, workers asked.
    bool begin(const QStringList &namespaces = {})
    {
        window.show();
        window.begin(namespaces);
        return QTest::qWaitFor([&] { return ready(); }, 60'000);
    }

    bool ready() const { return !window.runDesk()->isSurveying() && !window.evidenceDesk()->isLoading(); }

    // The page that shows what is checked now.
    bool waitForPage()
    {
        QSignalSpy shown(window.figures(), &stagecraft::window::FigurePane::pageShown);
        window.figures()->refresh();
        // A page that was being built already can come first.
        return shown.wait(30'000) && QTest::qWaitFor([&] { return samePage(); }, 30'000);
    }

    QString runs() const { return m_directory.filePath("runs"); }
    QString path(const QString &name) const { return m_directory.filePath(name); }

private:
    bool samePage() const
    {
        const auto &page = window.figures()->page();
        return page.view == window.figures()->view() &&
               (page.figures.isEmpty() || page.figures.size() == window.evidence()->shown().size());
    }

    QTemporaryDir m_directory;
    QSettings m_store;
    stagecraft::window::SessionSettings m_settings;
    stagecraft::window::WindowTheme m_theme;

public:
    stagecraft::window::MainWindow window; // last: it uses the others
};

inline QStringList barTexts(const stagecraft::widgets::Figure &figure)
{
    QStringList texts;
    for (const auto &row : figure.rows) {
        for (const auto &panel : row.panels) {
            for (const auto &bar : panel.bars)
                texts.append(bar.value ? bar.valueText : bar.stateText);
        }
    }
    return texts;
}
