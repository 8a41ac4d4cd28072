// SPDX-License-Identifier: GPL-3.0-or-later
#include "stageeditors.h"

#include "cudalanguage.h"
#include "linemarks.h"

#include <QFileInfo>
#include <QLabel>

namespace stagecraft::window {

StageEditors::StageEditors(QWidget *parent) : QStackedWidget(parent)
{
    auto *nothing =
        new QLabel(tr("Choose a stage on the left to read it.\nA copy of it (Ctrl+N) is yours to change."), this);
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
    nothing->setProperty("muted", true);
    addWidget(nothing);
}

widgets::SourceView *StageEditors::open(const QString &path, const QString &text, bool readOnly)
{
    widgets::SourceView *&view = m_views[path];
    if (!view) {
        view = new widgets::SourceView(this);
        view->setLanguage(cudaLanguage());
        view->setTheme(m_theme);
        view->setText(text);
        view->setAccessibleName(tr("Source of %1").arg(QFileInfo(path).fileName()));
        connect(view, &widgets::SourceView::modifiedChanged, this, [this, path] { emit modifiedChanged(path); });
        addWidget(view);
        auto *marks = new widgets::LineMarks(view);
        marks->setTheme(m_theme);
        connect(marks, &widgets::LineMarks::cursorMoved, this, [this, path](int line) {
            if (path == m_current)
                emit cursorMoved(line);
        });
        m_marks.insert(path, marks);
    }
    view->setReadOnly(readOnly);
    m_current = path;
    setCurrentWidget(view);
    return view;
}

void StageEditors::close(const QString &path)
{
    widgets::SourceView *view = m_views.take(path);
    if (!view)
        return;
    m_marks.remove(path);
    if (m_current == path) {
        m_current.clear();
        setCurrentIndex(0);
    }
    view->deleteLater();
}

void StageEditors::setTheme(widgets::Theme theme)
{
    m_theme = theme;
    for (widgets::SourceView *view : std::as_const(m_views))
        view->setTheme(theme);
    for (widgets::LineMarks *marks : std::as_const(m_marks))
        marks->setTheme(theme);
}

widgets::LineMarks *StageEditors::currentMarks() const
{
    return m_marks.value(m_current);
}

QStringList StageEditors::modified() const
{
    QStringList paths;
    for (auto view = m_views.cbegin(); view != m_views.cend(); ++view) {
        if (view.value()->isModified())
            paths.append(view.key());
    }
    return paths;
}

} // namespace stagecraft::window
