// SPDX-License-Identifier: GPL-3.0-or-later
#include "targettiming.h"

#include <numeric>
#include <QSaveFile>
#include <QUuid>

namespace stagecraft::commands {

double meanOf(const std::vector<double> &samplesUs)
{
    return std::accumulate(samplesUs.begin(), samplesUs.end(), 0.0) / static_cast<double>(samplesUs.size());
}

QString writeTiming(const TargetRequest &request, const protocol::PrepareResult &prepared,
                    const std::vector<double> &samplesUs)
{
    nlohmann::json timing{{"op", request.manifest.operation},
                          {"dims", request.manifest.dims},
                          {"warmup", request.manifest.warmup.value()},
                          {"iterations", request.manifest.iterations.value()},
                          {"samples_us", samplesUs},
                          {"event_mean_us", meanOf(samplesUs)},
                          {"run_id", QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString()},
                          {"implementation", request.implementation.toStdString()},
                          {"source", prepared.timingSource}};
    if (!prepared.stage.empty())
        timing["stage"] = prepared.stage;
    QSaveFile file(request.path(request.timingName()));
    const QByteArray text = QByteArray::fromStdString(timing.dump(2) + "\n");
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit())
        return {};
    return QStringLiteral("%1 could not be written: %2").arg(request.timingName(), file.errorString());
}

} // namespace stagecraft::commands
