// SPDX-License-Identifier: GPL-3.0-or-later
#include "counterfixtures.h"
#include "pixelchecks.h"
#include "viewcatalogue.h"

#include <QTest>

using namespace stagecraft;

// Pictures of real evidence: bars are as long as their values, texts are whole, what is missing is marked.
class TestViewPixels : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void picturesShowTheEvidence_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<views::ViewId>("view");
        for (const char *name : {"mage-003", "h200-peers"})
            for (const views::ViewId view : {views::ViewId::KernelSpan, views::ViewId::Kernel, views::ViewId::Span,
                                             views::ViewId::Launches, views::ViewId::Resources})
                QTest::addRow("%s %s", name, qPrintable(views::viewName(view))) << QString(name) << view;
        QTest::newRow("counted limits") << fixtures::countedName << views::ViewId::Limits;
    }

    void picturesShowTheEvidence()
    {
        QFETCH(QString, name);
        QFETCH(views::ViewId, view);
        const widgets::Figure figure =
            views::buildFigure(view, name == fixtures::countedName ? fixtures::countedRun({"tiled", "k64", "quads"})
                                                                   : fixtures::note(qPrintable(name)));
        QVERIFY(figure.unavailable.isEmpty());
        for (const widgets::Layout layout : {widgets::Layout::Desktop, widgets::Layout::Mobile})
            for (const double scale : {1.0, 2.0}) {
                const QString fault = pixels::fault({figure, layout, widgets::Theme::Dark, scale});
                QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("scale %1: ").arg(scale) + fault));
            }
    }
};

QTEST_MAIN(TestViewPixels)
#include "tst_viewpixels.moc"
