// SPDX-License-Identifier: GPL-3.0-or-later
#include "compareoptions.h"
#include "exportoptions.h"
#include "importcommand.h"
#include "runoptions.h"
#include "stagesoptions.h"
#include "targetoptions.h"
#include "viewcatalogue.h"

#include <QFile>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::commands;

// The help page and the manual page name what the program has.
class TestDocumentation : public QObject
{
    Q_OBJECT

private slots:
    void everyViewIsNamed()
    {
        const QString row = lineWith(page(), "| `--view "), manual = afterLine(manualPage(), ".BI --view ");
        const QString help = helpText(exportSyntax());
        for (const views::ViewInfo &view : views::viewCatalogue()) {
            QVERIFY2(row.contains('`' + view.name + '`'), qPrintable(view.name));
            QVERIFY2(manual.contains(' ' + view.name + ','), qPrintable(view.name));
            QVERIFY2(help.contains("  " + view.name + ": "), qPrintable(view.name));
        }
    }

    void everyOptionIsNamed()
    {
        for (const CommandSyntax &syntax :
             {runSyntax(), exportSyntax(), compareSyntax(), importSyntax(), stagesSyntax(), targetSyntax()}) {
            const QString section = sectionOf(page(), "## `stagecraft " + syntax.name, "\n## ");
            const QString manual = sectionOf(manualPage(), ".SH STAGECRAFT " + syntax.name.toUpper(), "\n.SH ");
            for (const QCommandLineOption &option : syntax.options) {
                const QString name = "--" + option.names().last();
                QVERIFY2(section.contains("| `" + name), qPrintable(syntax.name + ' ' + name));
                QVERIFY2(manual.contains(name), qPrintable(syntax.name + ' ' + name));
            }
        }
    }

private:
    static QString contents(const char *path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    static QString page() { return contents(STAGECRAFT_SOURCE_DIR "/resources/help/command-line.md"); }
    static QString manualPage()
    {
        return contents(STAGECRAFT_SOURCE_DIR "/packaging/stagecraft.1").replace("\\-", "-");
    }

    static QString sectionOf(const QString &text, const QString &start, const QString &end)
    {
        const qsizetype from = text.indexOf(start);
        return from < 0 ? QString() : text.mid(from, text.indexOf(end, from + 1) - from);
    }
    static QString lineWith(const QString &text, const QString &start) { return sectionOf(text, start, "\n"); }
    // Of an option: from its name to the next one's.
    static QString afterLine(const QString &text, const QString &start) { return sectionOf(text, start, "\n.TP"); }
};

QTEST_GUILESS_MAIN(TestDocumentation)
#include "tst_documentation.moc"
