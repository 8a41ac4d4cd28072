// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fakeworkers.h"
#include "ownstages.h"
#include "stagedesk.h"
#include "stageeditors.h"
#include "stageresults.h"
#include "stagetreemodel.h"
#include "stageworkbench.h"
#include "windowfixture.h"

#include <QAction>
#include <QPushButton>
#include <QSaveFile>
#include <Qsci/qsciscintilla.h>

// A window on its stages page, with a folder of the user's stages. The GPU worker is the fake one, which does what a
// comment "fake: …" in a stage's text says.
class StageFixture
{
public:
    explicit StageFixture(const QString &fakeOptions = {}, bool chosen = true)
        : m_workers(fakeOptions), m_fixture(QString(), chosen ? m_stages.path() : QString()), window(m_fixture.window)
    {
    }

    bool begin()
    {
        if (!m_fixture.begin() || !QTest::qWaitFor([&] { return !library().catalogue().stages.isEmpty(); }, 30'000))
            return false;
        window.actions()->showStages->trigger();
        return true;
    }

    stagecraft::window::StageFileDesk &files() { return window.stageDesk()->files(); }
    stagecraft::window::StageLibrary &library() { return files().library(); }
    const stagecraft::window::StageMeasurer &measurer() { return window.stageDesk()->measurer(); }
    stagecraft::window::StageResults &results() { return *window.workbench()->results(); }
    stagecraft::widgets::SourceView *view() { return window.workbench()->editors()->current(); }
    const FakeWorkers &workers() const { return m_workers; }
    QString folder() const { return m_stages.path(); }
    QString path(const QString &id) const { return stagecraft::window::stagePath(folder(), "matmul", id); }

    // A copy of matmul/tiled under that name, open in its editor.
    bool copy(const QString &id)
    {
        const auto *tiled = library().catalogue().find("matmul", "tiled");
        if (!tiled || !files().create(*tiled, id, "Copied tiles").isEmpty())
            return false;
        return QTest::qWaitFor([&] { return files().id() == id && view(); }, 30'000);
    }

    // As somebody does who types at the end of the text and saves.
    void typeAndSave(const QString &text)
    {
        type(text);
        QVERIFY(view()->isModified());
        QVERIFY(window.actions()->saveStage->isEnabled());
        window.actions()->saveStage->trigger();
        QVERIFY(!view()->isModified());
        QVERIFY(!window.actions()->saveStage->isEnabled());
    }

    void type(const QString &text)
    {
        auto *editor = view()->editor();
        editor->setFocus();
        QTest::keyClick(editor, Qt::Key_End, Qt::ControlModifier);
        for (const QChar character : text) {
            if (character == '\n')
                QTest::keyClick(editor, Qt::Key_Return);
            else
                QTest::keyClick(editor, character.toLatin1());
        }
    }

    // The number of saves, each of which has come to its end.
    bool waitForSaves(int count)
    {
        return QTest::qWaitFor(
            [&] {
                const auto &saves = measurer().saves();
                return saves.size() == count && std::ranges::all_of(saves, &stagecraft::window::StageSave::settled) &&
                       !window.runDesk()->isRunning();
            },
            60'000);
    }

    // As an editor does that puts another file in the place of the old one.
    static bool writeOutside(const QString &path, const QString &text)
    {
        QDir().mkpath(QFileInfo(path).absolutePath());
        QSaveFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) >= 0 && file.commit();
    }

    bool choose(const QString &text) // a button of the message bar
    {
        for (auto *button : window.workbench()->messages()->findChildren<QPushButton *>()) {
            if (button->text() == text && button->isVisible()) {
                button->click();
                return true;
            }
        }
        return false;
    }

private:
    FakeWorkers m_workers;
    QTemporaryDir m_stages;
    WindowFixture m_fixture;

public:
    stagecraft::window::MainWindow &window;
};
