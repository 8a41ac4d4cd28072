// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"
#include "console.h"
#include "windowapplication.h"

#include <QApplication>

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <langinfo.h>
#include <optional>
#include <unistd.h>

namespace {

using namespace stagecraft;
using commands::Invocation;

// A closed standard stream's number would go to the next file that is opened, and what is printed into that file. Held
// by something that cannot be written, it fails as it should.
void holdStandardStreams()
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
        if (::fcntl(descriptor, F_GETFD) == -1)
            ::open("/dev/null", O_RDONLY);
}

// Qt needs a UTF-8 locale and complains at every start under another, such as the "C" of most containers.
void useUtf8Locale()
{
    (void)std::setlocale(LC_ALL, "");                    // NOLINT(concurrency-mt-unsafe): there is one thread yet
    if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) // NOLINT(concurrency-mt-unsafe)
        qputenv(qEnvironmentVariableIsEmpty("LC_ALL") ? "LC_CTYPE" : "LC_ALL", "C.UTF-8");
}

void describeProgram()
{
    QCoreApplication::setApplicationName(QStringLiteral("stagecraft"));
    QCoreApplication::setOrganizationName(QStringLiteral("Stagecraft"));
    QCoreApplication::setApplicationVersion(QStringLiteral(STAGECRAFT_VERSION));
}

// nullopt: an argument is no UTF-8, which has been said. Decoded all the same it would name another file.
std::optional<QStringList> argumentsOf(int argc, char **argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i) {
        arguments.append(QString::fromUtf8(argv[i]));
        if (QByteArray(argv[i]).isValidUtf8())
            continue;
        commands::complainLine(QStringLiteral("stagecraft: argument %1 (“%2”) is not UTF-8: rename the file or "
                                              "directory, or call it by another path.")
                                   .arg(i)
                                   .arg(arguments.last()));
        return std::nullopt;
    }
    return arguments;
}

bool displayIsNamed()
{
    return !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

// A display that is named but does not answer makes Qt abort while it starts; a message and an exit status say more.
void explainFailedStart(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    commands::complainLine(message);
    if (type != QtFatalMsg)
        return;
    commands::complainLine(commands::headlessHint());
    std::_Exit(commands::ExitFailed);
}

// Figures and pictures of the window are drawn without any display.
void drawOffscreen()
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

int runWithFigures(int &argc, char **argv, const Invocation &invocation)
{
    drawOffscreen();
    const QApplication application(argc, argv);
    return invocation.command->run(invocation.arguments);
}

int runWithWindow(int &argc, char **argv, const Invocation &invocation)
{
    if (window::needsNoDisplay(invocation.arguments))
        drawOffscreen();
    if (!displayIsNamed()) {
        commands::complainLine(QStringLiteral("stagecraft: there is no display to open the window on (neither DISPLAY "
                                              "nor WAYLAND_DISPLAY is set)."));
        commands::complainLine(commands::headlessHint());
        return commands::ExitFailed;
    }
    const QtMessageHandler standard = qInstallMessageHandler(explainFailedStart);
    QGuiApplication::setDesktopFileName(QStringLiteral("org.stagecraft.Stagecraft"));
    QApplication application(argc, argv);
    qInstallMessageHandler(standard);
    return window::runWindow(application, invocation.arguments);
}

int runProgram(const QStringList &arguments, char **argv)
{
    int programAlone = 1; // the arguments are this program's to interpret, not Qt's
    Invocation invocation;
    {
        const QCoreApplication application(programAlone, argv);
        invocation = commands::interpretCommandLine(arguments);
        if (invocation.kind == Invocation::Answered)
            return invocation.exitStatus;
        if (invocation.kind == Invocation::Run && !invocation.command->needsGui)
            return invocation.command->run(invocation.arguments);
    }
    return invocation.kind == Invocation::Run ? runWithFigures(programAlone, argv, invocation)
                                              : runWithWindow(programAlone, argv, invocation);
}

} // namespace

int main(int argc, char **argv)
{
    holdStandardStreams();
    useUtf8Locale();
    describeProgram();
    const std::optional<QStringList> arguments = argumentsOf(argc, argv);
    return arguments ? commands::confirmOutput(runProgram(*arguments, argv)) : commands::ExitUsage;
}
