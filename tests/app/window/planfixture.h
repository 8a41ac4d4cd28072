// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "planmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

// Workers' answers, and where what they make of a plan stands in it.
namespace planfixture {

using namespace stagecraft;
using namespace stagecraft::window;

inline protocol::Implementation implementation(const std::string &id, bool available,
                                               std::vector<std::string> operations = {})
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

inline Availability hostOnly()
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

inline Availability withGpu()
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

inline QList<run::CatalogueStage> threeStages(const std::string &text = "text")
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

inline QModelIndex below(const PlanModel &model, const QModelIndex &parent, const QString &id, int column)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        if (model.index(row, 0, parent).data(PlanModel::IdRole) == id)
            return model.index(row, column, parent);
    }
    return {};
}

inline QModelIndex child(const PlanModel &model, int operation, const QString &id, int column = PlanModel::NameColumn)
{
    return below(model, model.index(operation, 0), id, column);
}

// One of those that are unavailable.
inline QModelIndex away(const PlanModel &model, int operation, const QString &id, int column = PlanModel::NameColumn)
{
    return below(model, child(model, operation, "unavailable/*"), id, column);
}

inline void answer(Availability &availability, const QString &worker, const std::vector<protocol::Implementation> &what,
                   const std::vector<protocol::Device> &devices = {})
{
    run::WorkerReport report;
    report.worker = worker;
    report.answered = true;
    report.description.implementations = what;
    report.description.devices = devices;
    availability.add(report);
}

inline protocol::Device gpu(const std::string &uuid)
{
    protocol::Device device;
    device.name = "NVIDIA H200";
    device.computeCapability = "9.0";
    device.uuid = uuid;
    return device;
}

// Every implementation that a machine with a GPU, PyTorch and Triton has.
inline Availability everything(const run::WorkerSetup &setup = {})
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

} // namespace planfixture
