// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocolpanel.h"

#include <algorithm>
#include <QCheckBox>
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

    void countersAreOfferedWhereTheyCanBe()
    {
        ProtocolPanel panel;
        QCheckBox *const counters = check(panel, "Hardware counters"), *const capture =
                                                                           check(panel, "Capture kernel records");
        QVERIFY(counters->isEnabled() && !counters->isChecked()); // each kernel runs many times for them
        QVERIFY2(counters->toolTip().contains("after everything that is timed"), qPrintable(counters->toolTip()));
        QCOMPARE(counters->accessibleName(), QStringLiteral("Hardware counters"));
        QSignalSpy changed(&panel, &ProtocolPanel::changed);
        counters->click();
        QCOMPARE(changed.size(), 1);
        QVERIFY(applied(panel).counters);

        capture->click();
        QVERIFY(!counters->isEnabled() && !counters->isChecked() && !applied(panel).counters);
        QVERIFY2(counters->toolTip().contains("another profiler"), qPrintable(counters->toolTip()));
        QCOMPARE(counters->accessibleDescription(), counters->toolTip());
        capture->click();
        QVERIFY(counters->isEnabled() && applied(panel).counters); // as it was wished

        choose(panel, "Cache", "Cold");
        QVERIFY(!counters->isEnabled() && !applied(panel).counters);
        QVERIFY2(counters->toolTip().contains("cold cache"), qPrintable(counters->toolTip()));
        choose(panel, "Cache", "Warm");
        QVERIFY(applied(panel).counters);
        panel.setProtocol(run::RunPlan());
        QVERIFY(!applied(panel).counters);
        run::RunPlan plan;
        plan.counters = true;
        panel.setProtocol(plan);
        QVERIFY(applied(panel).counters);
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

    static QCheckBox *check(const ProtocolPanel &panel, const QString &text)
    {
        const auto boxes = panel.findChildren<QCheckBox *>();
        const auto found = std::ranges::find(boxes, text, &QCheckBox::text);
        if (found == boxes.end())
            qFatal("there is no box %s", qPrintable(text));
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
