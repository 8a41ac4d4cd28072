// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowapplication.h"

#include "mainwindow.h"
#include "planmodel.h"
#include "runstore.h"
#include "screenshottour.h"
#include "themedicon.h"
#include "windowoptions.h"

#include <QApplication>
#include <QJsonObject>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>

namespace stagecraft::window {

namespace {

int takeScreenshots(QApplication &application, MainWindow &window, const WindowOptions &options)
{
    ScreenshotTour tour(window, options);
    QObject::connect(&tour, &ScreenshotTour::finished, &application, &QApplication::exit);
    tour.begin();
    window.begin(options.namespaces);
    return QApplication::exec();
}

// What the command line says of the plan, laid over what is remembered.
void applyPlan(const WindowOptions &options, SessionSettings &settings)
{
    QJsonObject plan = settings.plan();
    for (auto dims = options.dims.begin(); dims != options.dims.end(); ++dims) {
        QJsonObject operation = plan.value(dims.key()).toObject();
        operation.insert(QStringLiteral("dims"), dims.value());
        plan.insert(dims.key(), operation);
    }
    settings.setPlan(plan);
    run::RunPlan protocol = settings.protocol();
    if (options.rounds > 0)
        protocol.rounds = options.rounds;
    if (options.iterations > 0)
        protocol.iterations = options.iterations;
    settings.setProtocol(protocol);
}

int openWindow(QApplication &application, const WindowOptions &options, QSettings &store, const QString &runs)
{
    SessionSettings settings(store);
    if (options.run)
        applyPlan(options, settings);
    WindowTheme theme(application);
    const bool screenshots = !options.screenshots.isEmpty();
    MainWindow window({settings, theme, runs, !screenshots, options.stagesDirectory});
    if (options.theme)
        window.setTheme(*options.theme);
    // Pictures need no screen to fit on.
    if (screenshots || !options.size.isEmpty())
        window.resize(options.size.isEmpty() ? MainWindow::usualSize : options.size);
    window.show();
    if (screenshots)
        return takeScreenshots(application, window, options);
    window.begin(options.namespaces);
    return QApplication::exec();
}

} // namespace

int runWindow(QApplication &application, const QStringList &arguments)
{
    QString error;
    const WindowOptions options = parseWindowOptions(arguments, &error);
    if (!error.isEmpty()) {
        QTextStream(stderr) << error << QLatin1Char('\n');
        return 2;
    }
    if (options.help) {
        QTextStream(stdout) << windowHelp();
        return 0;
    }
    QApplication::setWindowIcon(applicationIcon());
    if (options.screenshots.isEmpty()) {
        QSettings store;
        return openWindow(application, options, store, runsDirectory());
    }
    // Pictures neither depend on nor change what the user's window remembers.
    const QTemporaryDir scratch;
    QSettings store(scratch.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    return openWindow(application, options, store, scratch.filePath(QStringLiteral("runs")));
}

bool needsNoDisplay(const QStringList &arguments)
{
    QString error;
    const WindowOptions options = parseWindowOptions(arguments, &error);
    return options.help || !options.screenshots.isEmpty() || !error.isEmpty();
}

QString windowHelp()
{
    return windowOptionsHelp();
}

} // namespace stagecraft::window
