// SPDX-License-Identifier: GPL-3.0-or-later
#include "helpwindow.h"

#include <QDesktopServices>
#include <QDir>
#include <QPointer>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>

using namespace stagecraft::window;

class tst_HelpWindow : public QObject
{
    Q_OBJECT

public slots:
    void takeUrl(const QUrl &url) { m_opened.append(url); }

private slots:
    void initTestCase()
    {
        qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources");
        QDesktopServices::setUrlHandler("https", this, "takeUrl");
    }

    void cleanupTestCase() { QDesktopServices::unsetUrlHandler("https"); }

    void pagesAreThere() { QVERIFY(QDir(helpFolder()).exists("index.md")); }

    void showsPagesAsTextNotAsMarkup()
    {
        HelpWindow window(helpFolder());
        const QString text = window.browser()->toPlainText();
        QVERIFY2(text.startsWith("Stagecraft"), qPrintable(text.left(80)));
        QVERIFY(!text.contains("SPDX"));
        QVERIFY(!text.contains("]("));
        QVERIFY(window.browser()->document()->firstBlock().blockFormat().headingLevel() == 1);
    }

    void linksBetweenPagesWorkAndOthersOpenOutside()
    {
        HelpWindow window(helpFolder());
        QTextBrowser *browser = window.browser();
        emit browser->anchorClicked(QUrl("stages.md"));
        QCOMPARE(browser->source().fileName(), QStringLiteral("stages.md"));
        QVERIFY(browser->toPlainText().contains("own stage"));
        QVERIFY(browser->isBackwardAvailable());
        emit browser->anchorClicked(QUrl("https://example.org/"));
        QCOMPARE(m_opened, QList<QUrl>{QUrl("https://example.org/")});
        QCOMPARE(browser->source().fileName(), QStringLiteral("stages.md"));
        browser->backward();
        QCOMPARE(browser->source().fileName(), QStringLiteral("index.md"));
    }

    void everyLinkOfEveryPageLeadsToAPage()
    {
        for (const QString &page : QDir(helpFolder()).entryList({"*.md"})) {
            HelpWindow window(helpFolder());
            window.browser()->setSource(QUrl::fromLocalFile(helpFolder() + '/' + page));
            for (QTextBlock block = window.browser()->document()->begin(); block.isValid(); block = block.next()) {
                for (auto fragment = block.begin(); !fragment.atEnd(); ++fragment) {
                    const QString link = fragment.fragment().charFormat().anchorHref();
                    if (link.endsWith(".md"))
                        QVERIFY2(QFile::exists(helpFolder() + '/' + link), qPrintable(page + ": " + link));
                }
            }
        }
    }

    void escapeClosesIt()
    {
        QPointer<HelpWindow> window = new HelpWindow(helpFolder());
        window->show();
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window));
        QTest::keyClick(window->browser(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!window, 30'000); // and it goes, as by its own close button
    }

private:
    QList<QUrl> m_opened;
};

QTEST_MAIN(tst_HelpWindow)
#include "tst_helpwindow.moc"
