// SPDX-License-Identifier: GPL-3.0-or-later
#include "coldcache.h"
#include "machine.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <unistd.h>

using namespace stagecraft;
using worker::CacheFacts;
using worker::WorkerError;

namespace {

CacheFacts facts(std::int64_t cacheBytes, std::int64_t availableBytes)
{
    return {"an", "L2", cacheBytes, "GPU memory", availableBytes};
}

// One of a processor's caches, as sysfs lists it.
struct Listed
{
    const char *cpu, *index, *level, *size, *sharedBy;
};

void list(const QTemporaryDir &folder, const Listed &cache)
{
    const QString path = folder.filePath(QStringLiteral("%1/cache/%2").arg(cache.cpu, cache.index));
    QVERIFY(QDir().mkpath(path));
    for (const auto &[name, text] :
         {std::pair("level", cache.level), {"size", cache.size}, {"shared_cpu_list", cache.sharedBy}}) {
        QFile file(path + '/' + name);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(text) + '\n') > 0);
    }
}

std::int64_t listedIn(const QTemporaryDir &folder)
{
    return worker::lastLevelCacheBytes(std::filesystem::path(folder.path().toStdString()));
}

} // namespace

// How many copies a cold cache takes, and how large the processor's is.
class TestColdCache : public QObject
{
    Q_OBJECT

private slots:
    void theFewestThatExceedTheCacheTwice_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("copies");
        QTest::newRow("just more") << qint64{100} << qint64{21};
        QTest::newRow("as many as fit") << qint64{101} << qint64{20};
        QTest::newRow("the most") << qint64{2} << qint64{1001};
        QTest::newRow("one would do") << qint64{2001} << qint64{2};
        QTest::newRow("far larger") << qint64{1'000'000} << qint64{2};
    }

    void theFewestThatExceedTheCacheTwice()
    {
        QFETCH(qint64, bytes);
        QFETCH(qint64, copies);
        const worker::ColdPlan plan = worker::planCold(bytes, facts(1000, 0));
        QCOMPARE(qint64(plan.copies), copies);
        const QString note = QStringLiteral("cold: %1 copies of ").arg(copies);
        QVERIFY2(QString::fromStdString(plan.note).startsWith(note), plan.note.c_str());
        QVERIFY2(plan.note.ends_with(" rotate through an L2 of 1000 bytes"), plan.note.c_str());
    }

    void memoryIsEnoughOrNamed()
    {
        QCOMPARE(worker::planCold(100, facts(1000, 2100)).copies, std::size_t{21});
        QVERIFY_EXCEPTION_THROWN(worker::planCold(100, facts(1000, 2099)), WorkerError);
    }

    // Each row is a message's words, as both workers take them.
    void wordsThatMeanTheDefaultAreWords()
    {
        for (const auto &[cache, arithmetic] : {std::pair("", ""), {"warm", "any"}, {"cold", "fp32"}}) {
            protocol::PrepareParams params;
            params.cache = cache;
            params.arithmetic = arithmetic;
            worker::requireKnownWords(params); // throws for those that it does not know
            QCOMPARE(worker::wantsCold(params), std::string(cache) == "cold");
            QCOMPARE(worker::wantsExactFp32(params), std::string(arithmetic) == "fp32");
        }
    }

    // Cores share the last level in groups: each group's counts once, other levels do not.
    void cachesOfTheLastLevelAreAddedUp()
    {
        const QTemporaryDir folder;
        QCOMPARE(listedIn(folder), 0);
        list(folder, {"cpu0", "index0", "1", "48K", "0"});
        list(folder, {"cpu0", "index2", "2", "1024K", "0"});
        QCOMPARE(listedIn(folder), std::int64_t{1} << 20);
        list(folder, {"cpu0", "index3", "3", "32768K", "0-1"});
        list(folder, {"cpu1", "index3", "3", "32768K", "0-1"});
        list(folder, {"cpu2", "index3", "3", "32768K", "2-3"});
        QCOMPARE(listedIn(folder), std::int64_t{64} << 20);
    }

    // A virtual machine may list a part, or nothing.
    void theLargerOfBothCounts()
    {
        const std::int64_t listed = worker::lastLevelCacheBytes("/sys/devices/system/cpu");
        const std::int64_t known = std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE));
        QCOMPARE(worker::lastLevelCacheBytes(), std::max(listed, known));
    }
};

QTEST_APPLESS_MAIN(TestColdCache)
#include "tst_coldcache.moc"
