// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"
#include "exportdialog.h"
#include "sessionsettings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QImage>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

class tst_ExportDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources");
        for (const QString &name : QStringList{"mage-002.json", "mage-003"}) {
            EvidenceListModel::Entry entry;
            entry.evidence = NamespacePointer(new evidence::Namespace(
                evidence::readNamespace(QStringLiteral(STAGECRAFT_SOURCE_DIR "/resources/evidence/") + name)));
            entry.path = QLatin1Char('/') + entry.evidence->name;
            entry.shown = name == QLatin1String("mage-003");
            m_entries.append(entry);
        }
    }

    void offersTheShownNamespaceAndView()
    {
        QSettings store(m_directory.filePath("offer.ini"), QSettings::IniFormat);
        SessionSettings settings(store);
        const ExportDialog dialog(m_entries, views::ViewId::Span, settings);
        const views::ExportRequest request = dialog.choice().request;
        QCOMPARE(request.namespaces.size(), 1);
        QCOMPARE(request.namespaces.first()->name, QStringLiteral("mage-003"));
        QCOMPARE(request.views, QList<views::ViewId>{views::ViewId::Span});
        QCOMPARE(request.formats, QStringList({"png", "csv"}));
        QCOMPARE(request.theme, widgets::Theme::Page);
        QCOMPARE(request.scale, 2.0);
    }

    void verdictsAreAgainstWhatTheScreenHas()
    {
        QSettings store(m_directory.filePath("reference.ini"), QSettings::IniFormat);
        SessionSettings settings(store);
        ExportDialog dialog(m_entries, views::ViewId::Verdicts, settings);
        QCOMPARE(dialog.choice().request.options.reference, QString());
        dialog.setReference("cublas");
        QCOMPARE(dialog.choice().request.options.reference, QStringLiteral("cublas"));
    }

    void remembersTheLastChoice()
    {
        QSettings store(m_directory.filePath("remember.ini"), QSettings::IniFormat);
        SessionSettings settings(store);
        {
            ExportDialog dialog(m_entries, views::ViewId::Span, settings);
            for (QCheckBox *box : dialog.findChildren<QCheckBox *>()) {
                if (box->text() == "SVG figure" || box->text() == "Launches")
                    box->setChecked(true);
            }
            dialog.findChild<QComboBox *>()->setCurrentText("Light");
            dialog.findChild<QDoubleSpinBox *>()->setValue(4);
            dialog.setDirectory(m_directory.filePath("remembered"));
            dialog.accept();
        }
        const ExportDialog dialog(m_entries, views::ViewId::Kernel, settings);
        const views::ExportRequest request = dialog.choice().request;
        QCOMPARE(request.views, (QList<views::ViewId>{views::ViewId::Span, views::ViewId::Launches}));
        QVERIFY(request.formats.contains("svg"));
        QCOMPARE(request.theme, widgets::Theme::Light);
        QCOMPARE(request.scale, 4.0);
        QCOMPARE(request.directory, m_directory.filePath("remembered"));
    }

    void aComparisonIsOneFigureOfAllThatIsChosen()
    {
        QSettings store(m_directory.filePath("compare.ini"), QSettings::IniFormat);
        SessionSettings settings(store);
        ExportDialog dialog(m_entries, views::ViewId::Compare, settings);
        const QPushButton *button = dialog.findChild<QPushButton *>("primaryButton");
        QVERIFY(!button->isEnabled()); // with one namespace there is nothing to compare
        for (QCheckBox *box : dialog.findChildren<QCheckBox *>())
            box->setChecked(box->isChecked() || box->text() == "mage-002" || box->text() == "Report page");
        QVERIFY(button->isEnabled());
        dialog.setComparison({QStringLiteral("/mage-003"), {}, {}});
        dialog.setDirectory(m_directory.filePath("compared"));
        const ExportChoice choice = dialog.choice();
        QVERIFY(choice.request.views.isEmpty());
        QCOMPARE(choice.comparisons.size(), 2); // the report, and figure and table
        const views::ExportRequest &compared = choice.comparisons.last();
        QCOMPARE(compared.namespaces.first()->name, QStringLiteral("mage-002"));
        QCOMPARE(compared.options.baselines.first()->name, QStringLiteral("mage-003"));
        const views::ExportResult result = views::writeExport(compared);
        QCOMPARE(result.errors, QStringList());
        QCOMPARE(result.files, (QStringList{"compare-desktop.png", "compare.csv"}));
        QCOMPARE(views::writeExport(choice.comparisons.first()).errors, QStringList());
        QCOMPARE(QDir(m_directory.filePath("compared")).entryList({"*report*.html"}, QDir::Files),
                 QStringList{"mage-002-report.html"});
    }

    // Each namespace has one report, the newest one's with the comparison; where reports are all that is asked for,
    // nothing else is.
    void eachNamespaceHasOneReport()
    {
        QSettings store(m_directory.filePath("reports.ini"), QSettings::IniFormat);
        SessionSettings settings(store);
        ExportDialog dialog(m_entries, views::ViewId::Compare, settings);
        const QStringList wanted{"mage-002", "mage-003", "Compare", "Launches", "Report page", "Desktop layout"};
        for (QCheckBox *box : dialog.findChildren<QCheckBox *>())
            box->setChecked(wanted.contains(box->text()));
        QVERIFY(dialog.findChild<QPushButton *>("primaryButton")->isEnabled());
        dialog.setDirectory(m_directory.filePath("reports"));
        const ExportChoice choice = dialog.choice();
        QVERIFY(choice.request.formats.isEmpty());
        QStringList files;
        for (const views::ExportRequest &request : choice.comparisons) {
            const views::ExportResult result = views::writeExport(request);
            QCOMPARE(result.errors, QStringList());
            QVERIFY(!result.files.isEmpty());
            files += result.files;
        }
        files.sort();
        QCOMPARE(files, (QStringList{"mage-002-report.html", "mage-003-report.html"}));
        const auto comparisons = [this](const QString &name) {
            QFile file(m_directory.filePath("reports/") + name);
            return file.open(QIODevice::ReadOnly) ? file.readAll().count("<section id=\"compare\"") : -1;
        };
        QCOMPARE(comparisons("mage-002-report.html"), 0);
        QCOMPARE(comparisons("mage-003-report.html"), 1);
    }

    void cannotExportNothing()
    {
        QSettings store(m_directory.filePath("nothing.ini"), QSettings::IniFormat);
        SessionSettings settings(store);
        const ExportDialog dialog(m_entries, views::ViewId::Span, settings);
        const QPushButton *button = dialog.findChild<QPushButton *>("primaryButton");
        QVERIFY(button && button->isEnabled());
        for (QCheckBox *box : dialog.findChildren<QCheckBox *>())
            box->setChecked(false);
        QVERIFY(!button->isEnabled());
    }

    void namespacesOfOneNameAreNotMixed()
    {
        QSettings store(m_directory.filePath("same.ini"), QSettings::IniFormat);
        SessionSettings settings(store);
        auto entries = m_entries;
        entries.append(m_entries.last());
        const ExportDialog dialog(entries, views::ViewId::Span, settings);
        QVERIFY(!dialog.findChild<QPushButton *>("primaryButton")->isEnabled());
    }

    void theChoiceIsWhatIsWritten()
    {
        QSettings store(m_directory.filePath("write.ini"), QSettings::IniFormat);
        SessionSettings settings(store);
        ExportDialog dialog(m_entries, views::ViewId::Kernel, settings);
        for (QCheckBox *box : dialog.findChildren<QCheckBox *>())
            box->setChecked(box->isChecked() || box->text() == "mage-002");
        dialog.setDirectory(m_directory.filePath("new/folder"));
        const views::ExportResult result = views::writeExport(dialog.choice().request);
        QCOMPARE(result.errors, QStringList());
        QCOMPARE(result.files.size(), 4); // PNG and CSV of two namespaces
        QCOMPARE(QImage(m_directory.filePath("new/folder/mage-003-kernel-desktop.png")).width(), 2 * 740);
    }

private:
    QTemporaryDir m_directory;
    QList<EvidenceListModel::Entry> m_entries;
};

QTEST_MAIN(tst_ExportDialog)
#include "tst_exportdialog.moc"
