// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpustate.h"
#include "statistics.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft::run;

namespace {

struct Answer
{
    QString text, problem;
};

Answer ask(GpuStateReader &reader)
{
    std::optional<Answer> answer;
    reader.read("GPU-1234", [&](const QString &text, const QString &problem) { answer = Answer{text, problem}; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, 20'000))
        return {{}, "no answer"};
    return *answer;
}

} // namespace

// nvidia-smi is a script of the test's own: what is tested is how the program asks and what it makes of the answer.
class tst_GpuState : public QObject
{
    Q_OBJECT

    void script(const QByteArray &text)
    {
        QFile file(m_directory.filePath("nvidia-smi"));
        file.remove();
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + text);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        qputenv("PATH", m_directory.path().toUtf8() + ":" + m_path);
    }

private slots:
    void init() { m_path = qgetenv("PATH"); }
    void cleanup() { qputenv("PATH", m_path); }

    void absentIsSaid()
    {
        qputenv("PATH", m_directory.path().toUtf8() + "/nothing");
        GpuStateReader reader;
        const Answer answer = ask(reader);
        QCOMPARE(answer.text, QString());
        QVERIFY2(answer.problem.contains("nvidia-smi was not found"), qPrintable(answer.problem));
    }

    void asksForTheOneGpu()
    {
        script("echo \"$1\"; echo \"$2\"; echo \"$3\"");
        GpuStateReader reader;
        const QStringList lines = ask(reader).text.split('\n');
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[0], QString("--id=GPU-1234"));
        for (const char *field : {"clocks.sm", "temperature.gpu", "power.draw", "reasons.active"})
            QVERIFY2(lines[1].contains(field), field);
        QCOMPARE(lines[2], QString("--format=csv"));
    }

    void olderDriversKnowAnotherName()
    {
        script("case \"$2\" in *event_reasons*) echo 'Field is not a valid field to query.'; exit 2;; esac\n"
               "echo 'name, clocks_throttle_reasons.active'; echo 'Old GPU, 0x0000000000000000'");
        GpuStateReader reader;
        const Answer answer = ask(reader);
        QCOMPARE(answer.text, QString("name, clocks_throttle_reasons.active\nOld GPU, 0x0000000000000000"));
        QCOMPARE(ask(reader).text, answer.text); // and again, with what was learned
    }

    void failureIsSaid()
    {
        script("echo 'No devices were found'; exit 6");
        GpuStateReader reader;
        const Answer answer = ask(reader);
        QCOMPARE(answer.text, QString());
        QVERIFY2(answer.problem.contains("exit status 6: No devices were found"), qPrintable(answer.problem));
    }

    void abortEndsAHang()
    {
        script("exec sleep 1000");
        GpuStateReader reader;
        bool answered = false;
        reader.read("GPU-1234", [&](const QString &text, const QString &) {
            answered = true;
            QCOMPARE(text, QString());
        });
        reader.abort();
        QTRY_VERIFY_WITH_TIMEOUT(answered, 30'000);
    }

private:
    QTemporaryDir m_directory;
    QByteArray m_path;
};

QTEST_GUILESS_MAIN(tst_GpuState)
#include "tst_gpustate.moc"
