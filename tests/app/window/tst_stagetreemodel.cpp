// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagetreemodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

run::CatalogueStage stage(const std::string &id, bool own = false,
                          stagefile::Status status = stagefile::Status::Retained)
{
    run::CatalogueStage result;
    result.stage.operation = "matmul";
    result.stage.id = id;
    result.stage.title = "Title of " + id;
    result.stage.status = status;
    result.own = own;
    result.path = "/folder/matmul/" + QString::fromStdString(id) + ".cu";
    return result;
}

run::StageCatalogue catalogue()
{
    run::StageCatalogue result;
    result.stages = {stage("tiled"), stage("mine", true, stagefile::Status::Attempt)};
    result.problems = {{"gelu", "broken", "/folder/gelu/broken.cu", "gelu/broken.cu:1: no front matter"}};
    return result;
}

} // namespace

class tst_StageTreeModel : public QObject
{
    Q_OBJECT

private slots:
    void listsStagesBelowTheirOperations()
    {
        StageTreeModel model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 5);
        model.setCatalogue(catalogue());
        QCOMPARE(model.rowCount(model.index(0, 0)), 2);
        const QModelIndex mine = model.find("matmul", "mine");
        QCOMPARE(mine.data().toString(), QStringLiteral("mine"));
        QVERIFY(mine.data(StageTreeModel::OwnRole).toBool());
        QVERIFY(mine.data(StageTreeModel::AttemptRole).toBool());
        QVERIFY(mine.data(Qt::AccessibleTextRole).toString().contains("attempt"));
        QVERIFY(!model.find("matmul", "tiled").data(StageTreeModel::OwnRole).toBool());
        QVERIFY(!model.find("matmul", "unknown").isValid());
    }

    void aFileThatIsNoStageIsShownWithItsProblem()
    {
        StageTreeModel model;
        const QAbstractItemModelTester tester(&model);
        model.setCatalogue(catalogue());
        const QModelIndex broken = model.find("gelu", "broken");
        QVERIFY(broken.isValid());
        QCOMPARE(broken.data(StageTreeModel::KindRole).toInt(), int(StageMark::Bad));
        QVERIFY(broken.data(Qt::ToolTipRole).toString().contains("no front matter"));
        QCOMPARE(broken.siblingAtColumn(StageTreeModel::ResultColumn).data().toString(), QStringLiteral("not a stage"));
    }

    void marksOutliveANewCatalogue()
    {
        StageTreeModel model;
        const QAbstractItemModelTester tester(&model);
        model.setCatalogue(catalogue());
        const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        const QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setMark("matmul", "mine", {StageMark::Good, "80.00 µs", "faster"});
        QCOMPARE(changed.size(), 1);
        model.setMark("matmul", "mine", {StageMark::Good, "80.00 µs", "faster"});
        QCOMPARE(changed.size(), 1);
        model.setCatalogue(catalogue());
        QCOMPARE(reset.size(), 0); // nothing has changed: selection and expansion stay
        run::StageCatalogue other = catalogue();
        other.stages.append(stage("another", true));
        model.setCatalogue(other);
        QCOMPARE(reset.size(), 1);
        const QModelIndex result = model.find("matmul", "mine").siblingAtColumn(StageTreeModel::ResultColumn);
        QCOMPARE(result.data().toString(), QStringLiteral("80.00 µs"));
        QVERIFY(result.data(Qt::ToolTipRole).toString().contains("faster"));
    }
};

QTEST_GUILESS_MAIN(tst_StageTreeModel)
#include "tst_stagetreemodel.moc"
