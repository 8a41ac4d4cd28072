// SPDX-License-Identifier: GPL-3.0-or-later
#include "planfixture.h"

using namespace planfixture;

class tst_PlanWishes : public QObject
{
    Q_OBJECT

private slots:
    void keepsWishesWhileAnImplementationIsAway()
    {
        PlanModel model;
        model.setAvailability(hostOnly());
        QVERIFY(model.setData(child(model, 0, "host"), Qt::Unchecked, Qt::CheckStateRole));
        Availability asking;
        asking.reset();
        model.setAvailability(asking);
        QCOMPARE(model.plannedMeasurements(), 0);
        model.setAvailability(hostOnly());
        QCOMPARE(model.plannedMeasurements(), 4);
        QCOMPARE(child(model, 0, "host").data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    }

    void savesAndRestores()
    {
        PlanModel model;
        model.setAvailability(hostOnly());
        model.setData(model.index(0, PlanModel::DetailColumn), "64x32x16", Qt::EditRole);
        model.setData(model.index(1, 0), Qt::Unchecked, Qt::CheckStateRole);
        model.setData(child(model, 2, "host"), Qt::Unchecked, Qt::CheckStateRole);

        PlanModel restored;
        const QAbstractItemModelTester tester(&restored);
        restored.restore(model.save());
        restored.setAvailability(hostOnly());
        const QList<run::PlannedOperation> planned = restored.plannedOperations();
        QCOMPARE(planned.size(), 3);
        QCOMPARE(planned.at(0).dims, QList<qint64>({64, 32, 16}));
        QCOMPARE(planned.at(1).operation, QStringLiteral("triangle"));
        restored.restoreDefaults();
        QCOMPARE(restored.plannedMeasurements(), 5);
    }

    void stagesOfOtherArithmeticAreLeftOutWithTheReason()
    {
        QList<run::CatalogueStage> stages = threeStages();
        stages[1].stage.arithmetic = "3xtf32"; // matmul/mine
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        model.setAvailability(withGpu());
        model.setStages(stages);
        const auto stage = [&](const QString &id, int column = PlanModel::NameColumn) {
            return below(model, child(model, 0, "cuda/*"), id, column);
        };
        QVERIFY(model.setData(child(model, 0, "cuda/*"), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(model.plannedStages().size(), 2);
        QCOMPARE(stage("cuda/mine", PlanModel::DetailColumn).data().toString(), QStringLiteral("3xtf32"));
        QVERIFY(stage("cuda/mine").data(PlanModel::ProblemRole).toString().isEmpty());

        QSignalSpy changed(&model, &PlanModel::planChanged);
        model.setArithmetic("fp32");
        QCOMPARE(changed.size(), 1);
        QCOMPARE(model.plannedOperations().first().implementations, QStringList({"cublas", "cuda", "cuda/tiled"}));
        QCOMPARE(model.plannedStages().size(), 1);
        QCOMPARE(stage("cuda/mine").data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QVERIFY(!(stage("cuda/mine").flags() & Qt::ItemIsUserCheckable));
        QVERIFY(!model.setData(stage("cuda/mine"), Qt::Checked, Qt::CheckStateRole));
        const QString reason = stage("cuda/mine").data(PlanModel::ProblemRole).toString();
        QVERIFY2(reason.contains("matmul/mine computes in 3xtf32"), qPrintable(reason));
        QVERIFY(stage("cuda/mine").data(Qt::ToolTipRole).toString().contains(reason));
        QVERIFY(stage("cuda/mine", PlanModel::DetailColumn).data().toString().contains("left out"));
        QCOMPARE(child(model, 0, "cuda/*").data(Qt::CheckStateRole).toInt(), int(Qt::Checked)); // of those offered

        model.setArithmetic("any"); // the wish was kept
        QCOMPARE(model.plannedStages().size(), 2);
    }

    void damagedSettingsLeaveTheDefaults()
    {
        PlanModel model;
        model.restore({{"matmul", QJsonObject{{"dims", "junk"}, {"checked", "maybe"}}}, {"gelu", 7}});
        model.setAvailability(hostOnly());
        QCOMPARE(model.plannedMeasurements(), 5);
        QCOMPARE(model.plannedOperations().first().dims, QList<qint64>({1024, 1024, 1024}));
    }

    void whatIsComparedOnAGpuIsCheckedAtFirst()
    {
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        model.setAvailability(everything({{}, {}, {{"mine", "/program", {}}}}));
        const QList<run::PlannedOperation> planned = model.plannedOperations();
        QCOMPARE(planned.at(0).implementations,
                 QStringList({"pytorch", "triton", "cublas", "cublaslt", "cuda", "mine"}));
        QCOMPARE(planned.at(1).implementations, QStringList({"pytorch", "triton", "cuda", "mine"}));
        QCOMPARE(planned.at(4).implementations, QStringList({"pytorch", "triton", "cusparse", "cuda", "mine"}));
        QVERIFY(child(model, 0, "host").isValid()); // there, and not checked
        QVERIFY(!child(model, 0, "unavailable/*").isValid());
    }

    void withoutAGpuTheCpuIsCheckedAtFirst()
    {
        Availability availability;
        availability.reset();
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        answer(availability, "host", {implementation("host", true)});
        model.setAvailability(availability);
        QCOMPARE(model.plannedMeasurements(), 0); // a GPU may turn up yet
        answer(availability, "cuda", {implementation("cuda", false)});
        answer(availability, "python", {implementation("pytorch", false), implementation("pytorch-cpu", true)});
        model.setAvailability(availability);
        QCOMPARE(model.plannedOperations().first().implementations, QStringList({"pytorch-cpu", "host"}));
    }

    void whatIsRememberedComesBeforeTheFirstChoice()
    {
        PlanModel model;
        model.setAvailability(everything());
        QVERIFY(model.setData(child(model, 0, "host"), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(model.setData(child(model, 0, "triton"), Qt::Unchecked, Qt::CheckStateRole));
        model.setCheckedEverywhere("triton-tuned", true);
        PlanModel restored;
        restored.restore(model.save());
        restored.setAvailability(everything());
        const QList<run::PlannedOperation> planned = restored.plannedOperations();
        QCOMPARE(planned.at(0).implementations,
                 QStringList({"pytorch", "triton-tuned", "cublas", "cublaslt", "host", "cuda"}));
        QCOMPARE(planned.at(1).implementations, QStringList({"pytorch", "triton", "triton-tuned", "cuda"}));
        restored.restoreDefaults();
        QCOMPARE(restored.plannedOperations().at(1).implementations, QStringList({"pytorch", "triton", "cuda"}));
    }

    void selectsExactly()
    {
        PlanModel model;
        model.select({"gelu", "triangle"}, {"host"});
        model.setAvailability(hostOnly());
        QCOMPARE(model.plannedMeasurements(), 2);
        QCOMPARE(model.plannedOperations().first().operation, QStringLiteral("gelu"));
    }

    void uncheckingTheLastOfASelectionLeavesNone()
    {
        PlanModel model;
        model.select({}, {"host"});
        model.setAvailability(everything());
        QCOMPARE(model.plannedMeasurements(), 5);
        model.setCheckedEverywhere("host", false);
        QCOMPARE(model.plannedMeasurements(), 0);
        model.select({"gelu"}, {}); // leaves the implementations as they are
        QCOMPARE(model.plannedMeasurements(), 0);
        model.setCheckedEverywhere("cuda", true);
        QCOMPARE(model.plannedOperations().size(), 1);
    }
};

QTEST_GUILESS_MAIN(tst_PlanWishes)
#include "tst_planwishes.moc"
