// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QTextBrowser;

namespace stagecraft::window {

// The help pages, as they lie beside the program. Links between them work; others open outside. Escape closes it.
class HelpWindow : public QWidget
{
    Q_OBJECT
public:
    // `folder` holds index.md.
    explicit HelpWindow(const QString &folder, QWidget *parent = nullptr);

    void showPage(const QString &file); // "external-programs.md"; the contents where there is no such page

    QTextBrowser *browser() const { return m_browser; }

private:
    QString m_folder;
    QTextBrowser *m_browser;
};

QString helpFolder(); // empty where the pages are missing

// Brings the one help window to the front, with this page where one is named.
void showHelp(QWidget *parent, const QString &page = {});

} // namespace stagecraft::window
