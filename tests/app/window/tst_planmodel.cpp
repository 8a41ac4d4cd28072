// SPDX-License-Identifier: GPL-3.0-or-later
#include "planmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

protocol::Implementation implementation(const std::string &id, bool available, std::vector<std::string> operations = {})
{
    protocol::Implementation result;
    result.id = id;
    result.available = available;
    result.operations = std::move(operations);
    if (!available) {
        result.reason = "no NVIDIA driver";
        result.fix = "Install the driver.";
    }
    return result;
}

Availability hostOnly()
{
    Availability availability;
    availability.reset();
    run::WorkerReport host;
    host.worker = QStringLiteral("host");
    host.answered = true;
    host.description.implementations = {implementation("host", true)};
    availability.add(host);
    run::WorkerReport cuda;
    cuda.worker = QStringLiteral("cuda");
    cuda.answered = true;
    cuda.description.implementations = {implementation("cuda", false), implementation("cublas", false, {"matmul"})};
    availability.add(cuda);
    availability.finish();
    return availability;
}

Availability withGpu()
{
    Availability availability;
    availability.reset();
    run::WorkerReport cuda;
    cuda.worker = QStringLiteral("cuda");
    cuda.answered = true;
    cuda.description.implementations = {implementation("cuda", true), implementation("cublas", true, {"matmul"})};
    availability.add(cuda);
    availability.finish();
    return availability;
}

QList<run::CatalogueStage> threeStages(const std::string &text = "text")
{
    QList<run::CatalogueStage> stages;
    for (const auto &[operation, id] : {std::pair("matmul", "tiled"), {"matmul", "mine"}, {"gelu", "quads"}}) {
        run::CatalogueStage stage;
        stage.stage.operation = operation;
        stage.stage.id = id;
        stage.stage.text = text;
        stages.append(stage);
    }
    return stages;
}

QModelIndex below(const PlanModel &model, const QModelIndex &parent, const QString &id, int column)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        if (model.index(row, 0, parent).data(PlanModel::IdRole) == id)
            return model.index(row, column, parent);
    }
    return {};
}

QModelIndex child(const PlanModel &model, int operation, const QString &id, int column = PlanModel::NameColumn)
{
    return below(model, model.index(operation, 0), id, column);
}

// One of those that are unavailable.
QModelIndex away(const PlanModel &model, int operation, const QString &id, int column = PlanModel::NameColumn)
{
    return below(model, child(model, operation, "unavailable/*"), id, column);
}

void answer(Availability &availability, const QString &worker, const std::vector<protocol::Implementation> &what,
            const std::vector<protocol::Device> &devices = {})
{
    run::WorkerReport report;
    report.worker = worker;
    report.answered = true;
    report.description.implementations = what;
    report.description.devices = devices;
    availability.add(report);
}

protocol::Device gpu(const std::string &uuid)
{
    protocol::Device device;
    device.name = "NVIDIA H200";
    device.computeCapability = "9.0";
    device.uuid = uuid;
    return device;
}

// Every implementation that a machine with a GPU, PyTorch and Triton has.
Availability everything(const run::WorkerSetup &setup = {})
{
    Availability availability;
    availability.reset(setup);
    answer(availability, "host", {implementation("host", true)});
    answer(availability, "cuda",
           {implementation("cuda", true), implementation("cublas", true, {"matmul", "triangle"}),
            implementation("cublaslt", true, {"matmul"}), implementation("cusparse", true, {"neighbor"})},
           {gpu("GPU-1")});
    answer(availability, "python",
           {implementation("pytorch", true), implementation("pytorch-compile", true),
            implementation("pytorch-cpu", true), implementation("triton", true), implementation("triton-tuned", true)},
           {gpu("1")});
    for (const run::ExternalProgram &external : setup.externals)
        answer(availability, "external/" + external.name, {implementation(external.name.toStdString(), true)});
    availability.finish();
    return availability;
}

} // namespace

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

    void damagedSettingsLeaveTheDefaults()
    {
        PlanModel model;
        model.restore({{"matmul", QJsonObject{{"dims", "junk"}, {"checked", "maybe"}}}, {"gelu", 7}});
        model.setAvailability(hostOnly());
        QCOMPARE(model.plannedMeasurements(), 5);
        QCOMPARE(model.plannedOperations().first().dims, QList<qint64>({1024, 1024, 1024}));
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

    void selectsExactly()
    {
        PlanModel model;
        model.select({"gelu", "triangle"}, {"host"});
        model.setAvailability(hostOnly());
        QCOMPARE(model.plannedMeasurements(), 2);
        QCOMPARE(model.plannedOperations().first().operation, QStringLiteral("gelu"));
    }
};

QTEST_GUILESS_MAIN(tst_PlanModel)
#include "tst_planmodel.moc"
