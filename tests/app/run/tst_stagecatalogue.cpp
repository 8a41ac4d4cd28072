// SPDX-License-Identifier: GPL-3.0-or-later
#include "implementationcatalogue.h"
#include "stagecatalogue.h"
#include "stagefolderfixture.h"

#include <QTest>

using namespace stagecraft::run;

class TestStageCatalogue : public QObject
{
    Q_OBJECT

private slots:
    void init() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/kernels"); }
    void cleanup() { qunsetenv("STAGECRAFT_RESOURCES"); }

    void bundledStagesStandInOrder();
    void missingResourcesAreAProblem();
    void ownStagesJoinTheBundled();
    void problemsAreNamed_data();
    void problemsAreNamed();
    void misplacedFilesAreNamed();
    void aFolderThatIsNotThereIsAProblem();
    void namesOfStages();

private:
    static QStringList names(const StageCatalogue &catalogue)
    {
        QStringList result;
        for (const CatalogueStage &entry : catalogue.stages)
            result.append(QString::fromStdString(entry.stage.name()));
        return result;
    }
};

void TestStageCatalogue::bundledStagesStandInOrder()
{
    const StageCatalogue catalogue = stageCatalogue();
    QVERIFY2(catalogue.problems.isEmpty(), qPrintable(catalogue.problems.value(0).text));
    QVERIFY(catalogue.of("matmul").size() >= 7);
    QVERIFY(catalogue.of("layernorm").size() >= 8);
    const QStringList all = names(catalogue);
    QCOMPARE(all.first(), QString("matmul/tiled"));
    for (const CatalogueStage &entry : catalogue.stages) {
        QVERIFY(!entry.own);
        QVERIFY(QFile::exists(entry.path));
        const QString name = entry.operation() + '/' + entry.id();
        if (!entry.stage.after.empty())
            QVERIFY(all.indexOf(entry.operation() + '/' + QString::fromStdString(entry.stage.after)) <
                    all.indexOf(name));
    }
    QCOMPARE(catalogue.find("matmul", "tiled")->implementation(), QString("cuda/tiled"));
    QVERIFY(!catalogue.find("gelu", "tiled"));
}

void TestStageCatalogue::missingResourcesAreAProblem()
{
    const StageFolder empty;
    qputenv("STAGECRAFT_RESOURCES", empty.path().toUtf8());
    QVERIFY(bundledStagesFolder().isEmpty());
    const StageCatalogue catalogue = stageCatalogue();
    QVERIFY(catalogue.stages.isEmpty());
    QCOMPARE(catalogue.problems.size(), 1);
    QVERIFY(catalogue.problems.first().text.contains("STAGECRAFT_RESOURCES"));
}

void TestStageCatalogue::ownStagesJoinTheBundled()
{
    const StageFolder folder;
    const QString path = folder.write("matmul/b-mine.cu", StageFolder::text("\"after\": \"tiled\""));
    folder.write("matmul/a-mine.cu", StageFolder::text("\"after\": \"b-mine\""));
    folder.write("matmul/notes.txt", QString("no stage"));
    const StageCatalogue catalogue = stageCatalogue(folder.path());
    QVERIFY2(catalogue.problems.isEmpty(), qPrintable(catalogue.problems.value(0).text));
    const CatalogueStage *mine = catalogue.find("matmul", "b-mine");
    QVERIFY(mine && mine->own);
    QCOMPARE(mine->path, path);
    QCOMPARE(QString::fromStdString(mine->stage.fileName), QString("matmul/b-mine.cu"));
    const QStringList all = names(catalogue);
    QCOMPARE(all.indexOf("matmul/a-mine"), all.indexOf("matmul/b-mine") + 1);
    QVERIFY(all.indexOf("matmul/a-mine") < all.indexOf("gelu/one-per-thread"));
    QVERIFY(!catalogue.find("matmul", "tiled")->own);
}

void TestStageCatalogue::problemsAreNamed_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *title, const char *name, const QByteArray &text, const char *said) {
        QTest::newRow(title) << QString(name) << text << QString(said);
    };
    const auto stage = [](const char *more) { return StageFolder::text(more).toUtf8(); };
    row("no front matter", "matmul/mine.cu", "int x;", "matmul/mine.cu:1: no front matter");
    row("no JSON", "matmul/mine.cu", "/* stage {\"title\": \"t\",\n \"status\" } */", "matmul/mine.cu:2: the front");
    row("wrong key", "matmul/mine.cu", stage("\"afterr\": \"tiled\""), "afterr");
    row("same name", "matmul/tiled.cu", stage(""), "matmul/tiled.cu: a stage of this name comes with Stagecraft");
    row("unknown after", "gelu/mine.cu", stage("\"after\": \"tiled\""),
        "gelu/mine.cu: /after: there is no stage “tiled” of gelu; name one of: one-per-thread");
    row("after itself", "gelu/mine.cu", stage("\"after\": \"mine\""), "“mine” leads back to this stage");
    row("bad id", "gelu/Mine_2.cu", stage(""), "is not a stage id");
    row("not UTF-8", "gelu/mine.cu", stage("") + "// caf\xe9", "gelu/mine.cu: is not UTF-8");
    row("NUL", "gelu/mine.cu", stage("") + QByteArray("// \0", 4), "gelu/mine.cu: holds a NUL byte");
}

void TestStageCatalogue::problemsAreNamed()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const StageFolder folder;
    const QString path = folder.write(name, text);
    const StageCatalogue catalogue = stageCatalogue(folder.path());
    QCOMPARE(names(catalogue), names(stageCatalogue()));
    QCOMPARE(catalogue.problems.size(), 1);
    const StageProblem &problem = catalogue.problems.first();
    QVERIFY2(problem.text.contains(said), qPrintable(problem.text));
    QVERIFY(!problem.text.contains(folder.path()));
    QCOMPARE(problem.operation + '/' + problem.id + ".cu", name);
    QCOMPARE(problem.path, path);
}

void TestStageCatalogue::misplacedFilesAreNamed()
{
    const StageFolder folder;
    folder.write("mine.cu");
    folder.write("matmull/mine.cu");
    folder.write("attic/readme.txt", QString("kept"));
    const StageCatalogue catalogue = stageCatalogue(folder.path());
    QCOMPARE(catalogue.problems.size(), 2);
    QVERIFY(catalogue.problems[0].text.startsWith("mine.cu: belongs to no operation; a stage lies in a folder"));
    QVERIFY(catalogue.problems[1].text.startsWith("matmull: is no operation; "));
    QVERIFY(catalogue.problems[1].text.contains("matmul, gelu"));
}

void TestStageCatalogue::aFolderThatIsNotThereIsAProblem()
{
    const StageFolder folder;
    const StageCatalogue catalogue = stageCatalogue(folder.path() + "/absent");
    QVERIFY(!catalogue.stages.isEmpty());
    QCOMPARE(catalogue.problems.size(), 1);
    QVERIFY(catalogue.problems.first().text.startsWith("the stages folder “absent” does not exist"));
    folder.write("one.cu");
    const StageCatalogue file = stageCatalogue(folder.path() + "/one.cu");
    QCOMPARE(file.problems.size(), 1);
    QVERIFY(file.problems.first().text.startsWith("“one.cu” is a file, not a folder of stages"));
    QCOMPARE(stagesFolderProblem(folder.path()), QString());
}

void TestStageCatalogue::namesOfStages()
{
    QCOMPARE(findImplementation("cuda/k64"), findImplementation("cuda"));
    QCOMPARE(implementationBase("cuda/k64"), QString("cuda"));
    QCOMPARE(implementationBase("cublas"), QString("cublas"));
    QCOMPARE(stageId("cuda/k64"), QString("k64"));
    for (const char *none : {"cuda", "cuda/", "cuda/Up", "cuda/a/b", "cublas/k64", "/k64", "cuda/k64\n"})
        QCOMPARE(stageId(none), QString());
    for (const char *unknown : {"cuda/", "cuda/Up", "cublas/k64", "matmul/tiled"})
        QVERIFY(!findImplementation(unknown));
}

QTEST_GUILESS_MAIN(TestStageCatalogue)
#include "tst_stagecatalogue.moc"
