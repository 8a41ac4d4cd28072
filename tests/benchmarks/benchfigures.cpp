// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"
#include "figureview.h"
#include "viewcatalogue.h"

#include <QApplication>
#include <QImage>
#include <QScrollBar>
#include <QTextStream>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <random>

// stagecraft-bench-figures: redraws every view of the largest bundled namespace, and the samples of a namespace of ten
// million, in a view of 1280 × 800 at two pixels a unit; then zooms into those samples and moves through them. Exits 1
// where a redraw computes for longer than 30 ms: of any part that scrolling shows, after a step of zooming too. How
// long figure and table take to build (off the event loop) is printed beside it.

using namespace stagecraft;
using evidence::Namespace;

namespace {

constexpr double limitMs = 30;
constexpr QSize viewSize(1280, 800);
constexpr double pixelRatio = 2;
constexpr int repetitions = 5;
constexpr int rounds = 5;
constexpr int samplesPerRound = 1'000'000; // two implementations: ten million

// Of this thread: drawing waits for nothing, so that is how long it takes on a machine that has nothing else to do.
double computedMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

template <typename Work>
double onceMs(Work work)
{
    const double before = computedMs();
    work();
    return computedMs() - before;
}

template <typename Work>
double medianMs(Work work)
{
    std::array<double, repetitions> times{};
    for (double &time : times)
        time = onceMs(work);
    std::ranges::sort(times);
    return times[repetitions / 2];
}

class Canvas
{
public:
    Canvas() : m_image(viewSize * pixelRatio, QImage::Format_ARGB32_Premultiplied)
    {
        m_image.setDevicePixelRatio(pixelRatio);
        m_view.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_view.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_view.resize(viewSize);
        m_view.show();
    }

    widgets::FigureView &view() { return m_view; }
    void paint() { m_view.viewport()->render(&m_image); }

    // The slowest of the parts that scrolling shows.
    double slowestMs()
    {
        double slowest = 0;
        QScrollBar *bar = m_view.verticalScrollBar();
        for (int at = 0;; at += viewSize.height()) {
            bar->setValue(at);
            slowest = std::max(slowest, medianMs([this] { paint(); }));
            if (at >= bar->maximum())
                break;
        }
        bar->setValue(0);
        return slowest;
    }

private:
    widgets::FigureView m_view;
    QImage m_image;
};

// Times of a steady kernel with a slow drift and a stall now and then.
evidence::Measurement measurement(double level, std::minstd_rand &random)
{
    std::normal_distribution<double> noise(0, level / 100);
    evidence::Measurement measurement;
    measurement.samplesUs.reserve(samplesPerRound);
    for (int i = 0; i < samplesPerRound; ++i) {
        const double drift = level * 0.02 * std::sin(i / 50'000.0);
        measurement.samplesUs.append(level + drift + std::abs(noise(random)) + (random() % 100'000 == 0 ? level : 0));
    }
    measurement.correctness.emplace().passed = true;
    measurement.source = QStringLiteral("event");
    measurement.arithmetic = QStringLiteral("fp32");
    return measurement;
}

Namespace tenMillion()
{
    std::minstd_rand random(1); // the same each time
    evidence::OperationResult result;
    result.operation = QStringLiteral("matmul");
    result.dims = {1024, 1024, 1024};
    for (int i = 0; i < rounds; ++i) {
        evidence::Round round;
        round.index = i;
        round.implementations.insert(QStringLiteral("cuda"), measurement(24, random));
        round.implementations.insert(QStringLiteral("cublas"), measurement(31, random));
        result.rounds.append(round);
    }
    Namespace evidence;
    evidence.name = QStringLiteral("ten million samples");
    evidence.gpu = QStringLiteral("NVIDIA H200");
    evidence.results.append(result);
    return evidence;
}

bool report(const QString &what, double ms, const QString &more = {})
{
    QTextStream out(stdout);
    out << qSetFieldWidth(44) << Qt::left << what << qSetFieldWidth(0) << QString::number(ms, 'f', 1) << " ms"
        << (ms > limitMs ? "  too slow" : "") << more << '\n';
    return ms <= limitMs;
}

bool measureView(Canvas &canvas, const Namespace &evidence, const views::ViewInfo &info)
{
    widgets::Figure figure;
    const double figureMs = onceMs([&] { figure = views::buildFigure(info.id, evidence); });
    const double tableMs = onceMs([&] { views::buildTable(info.id, evidence); });
    canvas.view().setFigure(figure);
    return report(
        info.name, canvas.slowestMs(),
        QStringLiteral("   (figure built in %1 ms, table in %2 ms)").arg(figureMs, 0, 'f', 1).arg(tableMs, 0, 'f', 1));
}

// A step and its redraw, as the event loop has to do them.
bool measureMoves(Canvas &canvas)
{
    widgets::FigureView &view = canvas.view();
    const auto last = static_cast<double>(view.plots()[0].last);
    bool fast = true;
    for (const double share : {1.0, 0.3, 0.01, 1e-4, 1e-6}) {
        const auto width = static_cast<qsizetype>(std::max(9.0, last * share));
        double at = last / 3;
        fast &= report(QStringLiteral("  %1 samples wide, a step sideways").arg(width), medianMs([&] {
                           at = std::min(last - double(width), at + double(width) / 10 + 1);
                           const auto first = static_cast<qsizetype>(std::max(0.0, at));
                           view.setPlotRange(0, widgets::PlotRange{first, first + width, false});
                           canvas.paint();
                       }));
    }
    view.resetPlots();
    fast &= report(QStringLiteral("  all samples, a step of zooming"), medianMs([&] {
                       view.zoomPlotIn();
                       canvas.paint();
                   }));
    return fast;
}

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    if (qEnvironmentVariableIsEmpty("STAGECRAFT_RESOURCES"))
        qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources");
    Canvas canvas;
    bool fast = true;
    const Namespace largest = evidence::readNamespace(evidence::bundledPath(QStringLiteral("h200-kernels")));
    QTextStream(stdout) << "redraws of " << largest.name << " (limit " << limitMs << " ms each)\n";
    for (const views::ViewInfo &info : views::viewCatalogue())
        fast &= measureView(canvas, largest, info);
    const Namespace many = tenMillion();
    QTextStream(stdout) << "redraws of " << many.name << '\n';
    for (const views::ViewInfo &info : views::viewCatalogue())
        if (info.id == views::ViewId::Samples)
            fast &= int(measureView(canvas, many, info)) & int(measureMoves(canvas));
    return fast ? 0 : 1;
}
