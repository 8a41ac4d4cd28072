// SPDX-License-Identifier: GPL-3.0-or-later
#include "planfixture.h"

using namespace planfixture;

class tst_PlanModel : public QObject
{
    Q_OBJECT

private slots:
    void listsOperationsInCatalogueOrder()
    {
        const PlanModel model;
        QStringList ids;
        for (int row = 0; row < model.rowCount(); ++row)
            ids.append(model.index(row, 0).data(PlanModel::IdRole).toString());
        QCOMPARE(ids, QStringList({"matmul", "gelu", "layernorm", "triangle", "neighbor"}));
        QCOMPARE(model.index(0, PlanModel::DetailColumn).data().toString(),
                 QStringLiteral("1024\u2009×\u20091024\u2009×\u20091024"));
    }

    void showsWhatIsUnavailableAndWhy()
    {
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        model.setAvailability(hostOnly());
        QVERIFY(!child(model, 0, "cuda").isValid());
        const QModelIndex group = child(model, 0, "unavailable/*");
        QCOMPARE(group.row(), model.rowCount(model.index(0, 0)) - 1);
        QVERIFY(group.data(Qt::ToolTipRole).toString().contains("no NVIDIA driver"));
        QVERIFY(!(group.flags() & Qt::ItemIsUserCheckable));
        const QModelIndex cuda = away(model, 0, "cuda");
        QVERIFY(cuda.isValid());
        QCOMPARE(cuda.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QVERIFY(!(cuda.flags() & Qt::ItemIsUserCheckable));
        QVERIFY(cuda.data(PlanModel::MutedRole).toBool());
        QVERIFY(cuda.data(Qt::ToolTipRole).toString().contains("no NVIDIA driver"));
        QVERIFY(cuda.data(Qt::ToolTipRole).toString().contains("Install the driver."));
        QCOMPARE(away(model, 0, "cuda", PlanModel::DetailColumn).data().toString(), QStringLiteral("unavailable"));
        QVERIFY(away(model, 0, "cublas").isValid());
        QVERIFY(!away(model, 1, "cublas").isValid());
        QCOMPARE(child(model, 0, "host").data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QCOMPARE(model.plannedMeasurements(), 5);
        QCOMPARE(model.plannedOperations().first().implementations, QStringList({"host"}));
    }

    void dims_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("taken");
        QTest::newRow("plain") << "512x256x128" << true;
        QTest::newRow("as shown") << "512 × 256\u2009×\u2009128" << true;
        QTest::newRow("one") << "1x1x1" << true;
        QTest::newRow("too few") << "512x256" << false;
        QTest::newRow("zero") << "0x256x128" << false;
        QTest::newRow("negative") << "-4x256x128" << false;
        QTest::newRow("words") << "large" << false;
        QTest::newRow("empty") << "" << false;
        QTest::newRow("beyond 64 bits") << "99999999999999999999x1x1" << false;
    }

    void dims()
    {
        QFETCH(QString, text);
        QFETCH(bool, taken);
        PlanModel model;
        model.setAvailability(hostOnly());
        const QSignalSpy rejected(&model, &PlanModel::dimsRejected);
        const QSignalSpy changed(&model, &PlanModel::planChanged);
        QCOMPARE(model.setData(model.index(0, PlanModel::DetailColumn), text, Qt::EditRole), taken);
        QCOMPARE(rejected.size(), taken ? 0 : 1);
        QCOMPARE(changed.size(), taken ? 1 : 0);
        const QList<qint64> dims = model.plannedOperations().first().dims;
        QCOMPARE(dims == QList<qint64>({1024, 1024, 1024}), !taken);
        if (!taken)
            QVERIFY(!rejected.first().first().toString().isEmpty());
    }

    void nothingCanBeEditedDuringARun()
    {
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        model.setAvailability(hostOnly());
        model.setLocked(true);
        QVERIFY(!model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(!model.setData(model.index(0, PlanModel::DetailColumn), "8x8x8", Qt::EditRole));
        QVERIFY(!(model.flags(model.index(0, PlanModel::DetailColumn)) & Qt::ItemIsEditable));
        model.setRunning("matmul", "host", "spans");
        QCOMPARE(child(model, 0, "host", PlanModel::DetailColumn).data().toString(), QStringLiteral("spans"));
        QVERIFY(child(model, 0, "host").data(PlanModel::RunningRole).toBool());
        QVERIFY(!child(model, 1, "host").data(PlanModel::RunningRole).toBool());
    }

    void stagesStandBehindCudaAndAreNotRunUnlessAskedFor()
    {
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        model.setStages(threeStages());
        QVERIFY(!child(model, 0, "cuda/*").isValid()); // nothing to stand behind yet
        model.setAvailability(withGpu());
        const QModelIndex all = child(model, 0, "cuda/*");
        QCOMPARE(all.row(), child(model, 0, "cuda").row() + 1);
        QCOMPARE(model.rowCount(all), 2);
        QCOMPARE(model.rowCount(child(model, 1, "cuda/*")), 1);
        QVERIFY(!child(model, 2, "cuda/*").isValid());
        QCOMPARE(all.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        QVERIFY(model.plannedStages().isEmpty());
        QCOMPARE(model.plannedOperations().first().implementations, QStringList({"cublas", "cuda"}));
    }

    void oneStageOrAllOfThemCanBeChecked()
    {
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        model.setAvailability(withGpu());
        model.setStages(threeStages());
        const QModelIndex all = child(model, 0, "cuda/*");
        const QModelIndex mine = model.index(1, 0, all);
        QCOMPARE(mine.data(PlanModel::IdRole).toString(), QStringLiteral("cuda/mine"));
        QVERIFY(model.setData(mine, Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(all.data(Qt::CheckStateRole).toInt(), int(Qt::PartiallyChecked));
        QCOMPARE(model.plannedOperations().first().implementations, QStringList({"cublas", "cuda", "cuda/mine"}));
        QCOMPARE(model.plannedStages().size(), 1);
        QVERIFY(model.setData(all, Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(all.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QCOMPARE(model.plannedStages().size(), 2);
        // A newer text of a stage is the one that is run; what is checked stays.
        model.setStages(threeStages("newer"));
        QCOMPARE(model.plannedStages().size(), 2);
        QCOMPARE(model.plannedStages().first().text, std::string("newer"));
        model.setRunning("matmul", "cuda/mine", "spans");
        QVERIFY(model.index(1, 0, child(model, 0, "cuda/*")).data(PlanModel::RunningRole).toBool());

        PlanModel restored;
        restored.restore(model.save());
        restored.setAvailability(withGpu());
        restored.setStages(threeStages());
        QCOMPARE(restored.plannedStages().size(), 2);
        restored.restoreDefaults();
        QVERIFY(restored.plannedStages().isEmpty());
    }

    void withoutAGpuNoStageIsPlanned()
    {
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        model.setAvailability(hostOnly());
        model.setStages(threeStages());
        QVERIFY(!child(model, 0, "cuda/*").isValid());
        QVERIFY(model.plannedStages().isEmpty());
    }

    void aPythonThatDoesNotStartSaysSoInItsRows()
    {
        Availability availability;
        availability.reset();
        answer(availability, "host", {implementation("host", true)});
        run::WorkerReport python;
        python.worker = "python";
        python.reason = "python3 worker.py ended with status 3 before it said hello";
        python.fix = "look at the log";
        availability.add(python);
        availability.finish();
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        model.setAvailability(availability);
        for (const char *id : {"pytorch", "pytorch-compile", "pytorch-cpu", "triton", "triton-tuned"}) {
            const QModelIndex row = away(model, 2, id);
            QVERIFY2(row.data(Qt::ToolTipRole).toString().contains("status 3"), id);
            QVERIFY2(row.data(PlanModel::ProblemRole).toString().contains("look at the log"), id);
        }
        QCOMPARE(model.plannedOperations().size(), 5); // on the host
    }

    void aRowThatStaysKeepsItsPlace()
    {
        PlanModel model;
        const QAbstractItemModelTester tester(&model);
        model.setAvailability(everything());
        const QPersistentModelIndex row = child(model, 0, "cuda");
        const QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        model.setAvailability(everything());
        QVERIFY(removed.isEmpty());
        QVERIFY(row.isValid());
        Availability asking;
        asking.reset();
        model.setAvailability(asking);
        QVERIFY(row.isValid());
        QCOMPARE(QModelIndex(row).siblingAtColumn(PlanModel::DetailColumn).data().toString(),
                 QStringLiteral("asking…"));
    }

    void aCollapsedOperationCountsItsStagesToo()
    {
        PlanModel model;
        model.setAvailability(withGpu());
        model.setStages(threeStages());
        const QModelIndex matmul = model.index(0, 0);
        QCOMPARE(matmul.data(PlanModel::CheckedRole).toInt(), 2);
        QVERIFY(model.setData(child(model, 0, "cuda/*"), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(matmul.data(PlanModel::CheckedRole).toInt(), 4);
        QVERIFY(matmul.data(Qt::ToolTipRole).toString().contains("2 of 2 available implementations checked, 2 stages"));
        model.setAvailability(hostOnly()); // where no stage can be measured
        QCOMPARE(matmul.data(PlanModel::CheckedRole).toInt(), 1);
    }
};

QTEST_GUILESS_MAIN(tst_PlanModel)
#include "tst_planmodel.moc"
