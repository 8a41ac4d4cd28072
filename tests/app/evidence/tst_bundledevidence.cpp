// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"

#include <limits>

// The bundled evidence is the field note's. Every value of its files stands once more under golden/, so that no number
// can change unnoticed.
using namespace stagecraft::evidence;
using nlohmann::json;

namespace {

struct BundledFile
{
    const char *path, *golden;
};
constexpr BundledFile bundledFiles[] = {
    {"mage-001.json", "mage-001.txt"},
    {"mage-002.json", "mage-002.txt"},
    {"mage-003/summary.json", "mage-003-summary.txt"},
    {"mage-003/progression.json", "mage-003-progression.txt"},
};

// One line per value, in the order of keys: "pointer TAB value", doubles with the digits that identify them.
QByteArray canonical(const json &document)
{
    QByteArray lines;
    const json flat = document.flatten();
    for (const auto &[pointer, value] : flat.items())
        lines += QByteArray::fromStdString(pointer + '\t' + value.dump() + '\n');
    return lines;
}

QList<QByteArray> sortedLines(const QByteArray &text)
{
    QList<QByteArray> lines = text.split('\n');
    std::sort(lines.begin(), lines.end());
    return lines;
}

bool equalsGolden(const json &document, const QByteArray &golden)
{
    return sortedLines(canonical(document)) == sortedLines(golden);
}

json changed(const json &number)
{
    if (number.is_number_float())
        return std::nextafter(number.get<double>(), std::numeric_limits<double>::infinity());
    return number.get<qint64>() + 1;
}

QByteArray goldenText(const char *name)
{
    return fixtures::contents(QStringLiteral(STAGECRAFT_SOURCE_DIR "/tests/app/evidence/golden/") +
                              QLatin1String(name));
}

} // namespace

class TestBundledEvidence : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void everyValueIsTheGoldenOne_data() { files(); }
    void everyValueIsTheGoldenOne()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, golden);
        QVERIFY(!golden.isEmpty());
        const QList<QByteArray> expected = sortedLines(golden);
        const QList<QByteArray> found = sortedLines(canonical(json::parse(text.toStdString())));
        for (qsizetype i = 0; i < std::min(found.size(), expected.size()); ++i)
            QCOMPARE(found[i], expected[i]);
        QCOMPARE(found.size(), expected.size());
    }

    void aChangeOfAnyNumberIsNoticed_data() { files(); }
    void aChangeOfAnyNumberIsNoticed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, golden);
        json document = json::parse(text.toStdString());
        int numbers = 0;
        const json flat = document.flatten();
        for (const auto &[pointer, value] : flat.items()) {
            if (!value.is_number())
                continue;
            ++numbers;
            json &place = document[json::json_pointer(pointer)];
            place = changed(value);
            QVERIFY2(!equalsGolden(document, golden), pointer.c_str());
            place = value;
        }
        QVERIFY(numbers > 80);
        QVERIFY(equalsGolden(document, golden));
    }

    void bundledNamespacesAreSound_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"mage-001", "mage-002", "mage-003"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void bundledNamespacesAreSound()
    {
        QFETCH(QString, name);
        const Namespace evidence = readNamespace(bundledPath(name));
        QVERIFY2(evidence.problems.isEmpty(), qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.name, name);
        QCOMPARE(evidence.gpu, QStringLiteral("NVIDIA GeForce RTX 4090"));
        QCOMPARE(evidence.timestampMode, QStringLiteral("reduced precision"));
        QCOMPARE(evidence.captureBackend, QStringLiteral("nsys"));
        QCOMPARE(evidence.precision, QStringLiteral("FP32"));
        QCOMPARE(evidence.driver, QStringLiteral("unknown"));
        QVERIFY(evidence.summary);
        QCOMPARE(evidence.summary->rounds, 3);
        QCOMPARE(evidence.summary->samples, 300);
        QCOMPARE(evidence.progression.has_value(), name == QLatin1String("mage-003"));
        QVERIFY(evidence.missing.contains(QStringLiteral("comparison-results.json")));
    }

    void theNotesNamespacesComeFirst()
    {
        const QStringList names = bundledNames();
        QCOMPARE(names.mid(0, 3), QStringList({"mage-001", "mage-002", "mage-003"}));
    }

    void stagesStandInTheRowsOfTheNotesKernels()
    {
        const Namespace evidence = readNamespace(bundledPath(QStringLiteral("mage-003")));
        for (const SummaryRow &row : evidence.summary->rows) {
            QVERIFY(row.measurements.value("rust").stage.startsWith(row.operation + QLatin1Char('/')));
            QVERIFY(row.measurements.value("python").stage.isEmpty());
        }
    }

    void withoutResourcesThereIsNone()
    {
        qputenv("STAGECRAFT_RESOURCES", "/nonexistent");
        QVERIFY(bundledDirectory().isEmpty());
        QVERIFY(bundledNames().isEmpty());
        QVERIFY(bundledPath(QStringLiteral("mage-001")).isEmpty());
        fixtures::useSourceResources();
    }

    void resourcesLieRelativeToTheExecutable()
    {
        qunsetenv("STAGECRAFT_RESOURCES");
        const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/stagecraft/evidence");
        QCOMPARE(bundledDirectory(), QDir(beside).exists() ? QDir::cleanPath(beside) : QString());
        fixtures::useSourceResources();
    }

private:
    static void files()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("golden");
        for (const BundledFile &file : bundledFiles)
            QTest::newRow(file.path) << fixtures::contents(bundledDirectory() + QLatin1Char('/') +
                                                           QLatin1String(file.path))
                                     << goldenText(file.golden);
    }
};

QTEST_GUILESS_MAIN(TestBundledEvidence)
#include "tst_bundledevidence.moc"
