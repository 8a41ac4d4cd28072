// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocolpanel.h"

#include <algorithm>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

class tst_ProtocolPanel : public QObject
{
    Q_OBJECT

private slots:
    void cacheAndArithmeticAreChosen()
    {
        ProtocolPanel panel;
        QSignalSpy changed(&panel, &ProtocolPanel::changed);
        QCOMPARE(applied(panel).cache, QStringLiteral("warm"));
        QCOMPARE(applied(panel).arithmetic, QStringLiteral("any"));
        choose(panel, "Cache", "Cold");
        choose(panel, "Arithmetic", "Exact FP32 only");
        QCOMPARE(changed.size(), 2);
        QCOMPARE(applied(panel).cache, QStringLiteral("cold"));
        QCOMPARE(applied(panel).arithmetic, QStringLiteral("fp32"));
    }

    void aProtocolSetsThem()
    {
        ProtocolPanel panel;
        run::RunPlan plan;
        plan.cache = "cold";
        plan.arithmetic = "fp32";
        panel.setProtocol(plan);
        QCOMPARE(box(panel, "Cache")->currentText(), QStringLiteral("Cold"));
        QCOMPARE(box(panel, "Arithmetic")->currentText(), QStringLiteral("Exact FP32 only"));
        choose(panel, "Protocol preset", "Quick look: 1 round"); // says nothing of them
        QCOMPARE(applied(panel).rounds, 1);
        QCOMPARE(applied(panel).cache, QStringLiteral("cold"));
        panel.setProtocol(run::RunPlan());
        QCOMPARE(applied(panel).cache, QStringLiteral("warm"));
        QCOMPARE(applied(panel).arithmetic, QStringLiteral("any"));
    }

    void bothSayWhatTheyMean()
    {
        const ProtocolPanel panel;
        QVERIFY(box(panel, "Cache")->toolTip().contains("L2"));
        QVERIFY(box(panel, "Arithmetic")->toolTip().contains("TF32"));
    }

private:
    static QComboBox *box(const ProtocolPanel &panel, const QString &name)
    {
        const auto boxes = panel.findChildren<QComboBox *>();
        const auto found = std::ranges::find(boxes, name, &QWidget::accessibleName);
        if (found == boxes.end())
            qFatal("there is no box %s", qPrintable(name));
        return *found;
    }

    static void choose(const ProtocolPanel &panel, const QString &name, const QString &text)
    {
        QComboBox *const chosen = box(panel, name);
        chosen->setCurrentIndex(chosen->findText(text));
        emit chosen->activated(chosen->currentIndex()); // as a user does it
    }

    static run::RunPlan applied(const ProtocolPanel &panel)
    {
        run::RunPlan plan;
        panel.applyTo(plan);
        return plan;
    }
};

QTEST_MAIN(tst_ProtocolPanel)
#include "tst_protocolpanel.moc"
