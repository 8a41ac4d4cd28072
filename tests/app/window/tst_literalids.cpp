// SPDX-License-Identifier: GPL-3.0-or-later
#include "plandelegate.h"
#include "stagetreedelegate.h"

#include <QStandardItemModel>
#include <QTest>

using namespace stagecraft::window;

namespace {

template <class Delegate>
class Opened : public Delegate
{
public:
    QFont fontOf(const QModelIndex &index) const
    {
        QStyleOptionViewItem option;
        Delegate::initStyleOption(&option, index);
        return option.font;
    }
};

} // namespace

// An id such as rows-128-8x4 is drawn as it is written: no font may make a multiplication sign of its x.
class tst_LiteralIds : public QObject
{
    Q_OBJECT

private slots:
    void idsAreDrawnWithoutLigatures()
    {
        QStandardItemModel model;
        auto *operation = new QStandardItem("Matrix multiplication");
        operation->appendRow(new QStandardItem("rows-128-8x4"));
        model.appendRow(operation);
        const QModelIndex heading = model.index(0, 0), id = model.index(0, 0, heading);
        const Opened<StageTreeDelegate> tree;
        QVERIFY(tree.fontOf(id).styleStrategy() & QFont::PreferNoShaping);
        QVERIFY(!(tree.fontOf(heading).styleStrategy() & QFont::PreferNoShaping));
        const Opened<PlanDelegate> plan;
        QVERIFY(plan.fontOf(id).styleStrategy() & QFont::PreferNoShaping);
        QVERIFY(!(plan.fontOf(heading).styleStrategy() & QFont::PreferNoShaping));
    }
};

QTEST_MAIN(tst_LiteralIds)
#include "tst_literalids.moc"
