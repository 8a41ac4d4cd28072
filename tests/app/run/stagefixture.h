// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "frontmatter.h"
#include "runfixture.h"

#include <nlohmann/json.hpp>

// A stage of matmul as the fake worker takes it. `marks` is what it shall do: "us=20", "compile-error" (fakestage.h).
struct FakeStageFile
{
    QString id, after = {};
    bool isAttempt = false;
    QStringList marks = {};
    std::map<std::string, double> counts = {};
    QString arithmetic = {}; // "3xtf32"; empty: FP32
};

inline stagecraft::stagefile::Stage fakeStage(const FakeStageFile &file)
{
    using nlohmann::json;
    json front = {{"title", "title of " + file.id.toStdString()},
                  {"change", "change of " + file.id.toStdString()},
                  {"status", file.isAttempt ? "attempt" : "retained"},
                  {"label", file.id.toStdString()},
                  {"launches",
                   {{{"entry", "fake"},
                     {"block", {16, 16}},
                     {"grid", {{{"cover", "n"}, {"by", 16}}, {{"cover", "m"}, {"by", 16}}}}}}}};
    if (!file.after.isEmpty())
        front["after"] = file.after.toStdString();
    if (!file.arithmetic.isEmpty())
        front["arithmetic"] = file.arithmetic.toStdString();
    if (!file.counts.empty())
        front["counts"] = file.counts;
    std::string text = "/* stage\n" + front.dump(1) + "\n*/\n";
    for (const QString &mark : file.marks)
        text += "// fake: " + mark.toStdString() + "\n";
    return stagecraft::stagefile::parseStage("matmul", file.id.toStdString(),
                                             text + "extern \"C\" __global__ void fake(STAGE_ARGS) {}\n");
}

// All of them by name, in this order, and what else is to run.
inline stagecraft::run::RunPlan stagePlan(const FakeWorkers &workers, const QList<FakeStageFile> &files,
                                          QStringList implementations = {})
{
    QList<stagecraft::stagefile::Stage> stages;
    for (const FakeStageFile &file : files) {
        stages.append(fakeStage(file));
        implementations.append("cuda/" + file.id);
    }
    stagecraft::run::RunPlan plan = smallPlan(workers, implementations);
    plan.stages = stages;
    return plan;
}

// Three stages of which the first is retained, improved by the second, and an attempt that makes half as many reads
// again as the second and takes half as long again.
inline QList<FakeStageFile> threeStages()
{
    return {{"tile",
             "registers",
             true,
             {"us=30"},
             {{"reads", 0.75}, {"outputs", 16}, {"outputs per thread", 8}, {"shared bytes", 8192}}},
            {"tiled", {}, false, {"us=40", "registers=28"}, {{"reads", 2}}},
            {"registers",
             "tiled",
             false,
             {"us=20"},
             {{"reads", 0.5}, {"outputs", 16}, {"outputs per thread", 16}, {"shared bytes", 16384}}}};
}
