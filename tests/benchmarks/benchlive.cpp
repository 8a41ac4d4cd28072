// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions.h"
#include "eventpulse.h"
#include "evidencedesk.h"
#include "fakeworkers.h"
#include "figurepane.h"
#include "livesamples.h"
#include "mainwindow.h"
#include "plandock.h"
#include "planmodel.h"
#include "protocolpanel.h"
#include "rundesk.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>

#include <ctime>
#include <unistd.h>

// stagecraft-bench-live: a real child process delivers 20,000 samples a second over its pipe for ten seconds to the
// open window, which draws them as they arrive. Prints the longest turn of the event loop and the time from the start
// of the process to the first painted frame. Exits 1 where a turn took longer than 50 ms, samples were lost, or the
// first frame came later than 1 s or never. Turns while the window opens do not count: the first frame's limit is
// theirs.

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

constexpr double turnLimitMs = 50;
constexpr double frameLimitMs = 1000;
constexpr int samplesPerSecond = 20'000;
constexpr int rounds = 2;
constexpr int samplesPerRound = 100'000; // two rounds: ten seconds

// Since the kernel started this process, in its own resolution of some 10 ms: loading libraries counts too.
double sinceProcessStartMs()
{
    QFile file(QStringLiteral("/proc/self/stat"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    // The 22nd field is the start time in ticks; the second can hold spaces and ends with the last ')'.
    const QByteArray text = file.readAll();
    const QByteArrayList fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    const double started = fields.value(19).toDouble() / double(sysconf(_SC_CLK_TCK));
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (double(now.tv_sec) + double(now.tv_nsec) / 1e9 - started) * 1e3;
}

void planTenSeconds(MainWindow &window)
{
    window.plan()->select({QStringLiteral("matmul")}, {QStringLiteral("cuda")});
    window.plan()->setData(window.plan()->index(0, PlanModel::DetailColumn), QStringLiteral("8x6x4"), Qt::EditRole);
    run::RunPlan protocol;
    protocol.rounds = rounds;
    protocol.warmup = 0;
    protocol.iterations = samplesPerRound;
    protocol.capture = false;
    window.planDock()->protocol()->setProtocol(protocol);
    window.figures()->setView(views::ViewId::Samples);
}

int report(const EventPulse &pulse, double firstFrameMs, qsizetype samples)
{
    QTextStream out(stdout);
    out.setRealNumberNotation(QTextStream::FixedNotation);
    out.setRealNumberPrecision(1);
    out << "longest event-loop turn:        " << pulse.longestMs() << " ms (limit " << turnLimitMs << " ms), "
        << pulse.turns() << " turns seen\n"
        << "  computed by the window in it: at most " << pulse.longestCpuMs() << " ms\n"
        << "start to first painted frame:   " << firstFrameMs << " ms (limit " << frameLimitMs << " ms)\n"
        << "samples drawn:                  " << samples << " of " << rounds * samplesPerRound << "\n";
    const bool frameInTime = firstFrameMs > 0 && firstFrameMs <= frameLimitMs; // 0: none was painted
    return pulse.longestMs() <= turnLimitMs && frameInTime && samples == rounds * samplesPerRound ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    if (qEnvironmentVariableIsEmpty("STAGECRAFT_RESOURCES"))
        qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources");
    const FakeWorkers workers(QStringLiteral("--rate %1").arg(samplesPerSecond));
    const QTemporaryDir scratch;
    QSettings store(scratch.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    SessionSettings settings(store);
    WindowTheme theme(application);
    MainWindow window({settings, theme, scratch.filePath(QStringLiteral("runs")), false});
    EventPulse pulse;
    double firstFrameMs = 0;
    QObject::connect(&window, &MainWindow::painted, [&] { firstFrameMs = sinceProcessStartMs(); });
    bool started = false;
    const auto startWhenReady = [&] {
        if (started || window.runDesk()->isSurveying() || window.evidenceDesk()->isLoading())
            return;
        started = true;
        planTenSeconds(window);
        pulse.reset();
        window.runDesk()->start();
    };
    QObject::connect(window.runDesk(), &RunDesk::surveyed, &window, startWhenReady);
    QObject::connect(window.evidenceDesk(), &EvidenceDesk::loadingFinished, &window, startWhenReady);
    QObject::connect(window.runDesk(), &RunDesk::finished, &window, [&] {
        LiveSamples *live = window.figures()->liveSamples();
        const qsizetype samples = live->seriesCount() > 0 ? live->sampleCount(0) : 0;
        QApplication::exit(report(pulse, firstFrameMs, samples));
    });
    window.show();
    window.begin({});
    return QApplication::exec();
}
