// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend.h"
#include "bytefile.h"
#include "measuredspan.h"
#include "requestqueue.h"
#include "samplering.h"

#include <csignal>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>

using namespace stagecraft;
using worker::RequestQueue;
using worker::SampleRing;

namespace {

protocol::Request request(int id)
{
    return {id, "measure", {}};
}

int idOf(const std::optional<protocol::Request> &found)
{
    return found ? found->id.get<int>() : -1;
}

} // namespace

class ServerPartsTest : public QObject
{
    Q_OBJECT

private slots:
    void ringKeepsEverySampleInOrder();
    void ringTakesAtMostWhatIsAsked();
    void cancelEndsTheWaitForRoom();
    void aSpanIsAboveZero();
    void queueKeepsTheOrder();
    void cancelReachesTheRequestInProgress();
    void cancelReachesARequestThatHasNotBegun();
    void cancelDoesNotReachLaterRequests();
    void closeDropsWhatWaits();
    void aFullDiskIsToldFromAWrongPlace();
    void halfAFileIsRemoved();
};

// Through a ring far smaller than the number of samples, so that the producer has to wait for the consumer.
void ServerPartsTest::ringKeepsEverySampleInOrder()
{
    constexpr int count = 20'000;
    const std::atomic<bool> never = false;
    SampleRing ring(1024, never);
    bool allTaken = true;
    std::thread producer([&] {
        for (int i = 0; i < count; ++i)
            allTaken = ring.put(i) && allTaken;
    });
    std::vector<double> batch;
    std::size_t expected = 0;
    bool inOrder = true;
    while (expected < count) {
        inOrder = inOrder && ring.take(batch, 1000) == expected;
        for (const double value : batch)
            inOrder = inOrder && value == static_cast<double>(expected++);
    }
    producer.join();
    QVERIFY(inOrder);
    QVERIFY(allTaken);
    ring.take(batch, 1000);
    QVERIFY(batch.empty());
}

void ServerPartsTest::ringTakesAtMostWhatIsAsked()
{
    const std::atomic<bool> never = false;
    SampleRing ring(8, never);
    for (int i = 0; i < 5; ++i)
        QVERIFY(ring.put(i));
    std::vector<double> batch;
    QCOMPARE(ring.take(batch, 2), std::size_t{0});
    QCOMPARE(batch, (std::vector<double>{0, 1}));
    QCOMPARE(ring.take(batch, 2), std::size_t{2});
    QCOMPARE(ring.take(batch, 2), std::size_t{4});
    QCOMPARE(batch, (std::vector<double>{4}));
}

// Nobody takes: put() comes back all the same, and what was there before is kept.
void ServerPartsTest::cancelEndsTheWaitForRoom()
{
    std::atomic<bool> cancel = false;
    SampleRing ring(2, cancel);
    QVERIFY(ring.put(0) && ring.put(1));
    std::atomic<bool> taken = true;
    std::thread producer([&] { taken = ring.put(2); });
    cancel = true;
    producer.join();
    QVERIFY(!taken);
    std::vector<double> batch;
    QCOMPARE(ring.take(batch, 8), std::size_t{0});
    QCOMPARE(batch, (std::vector<double>{0, 1}));
    QVERIFY(ring.put(3)); // there is room: a cancelled measure's last sample is not lost
}

void ServerPartsTest::aSpanIsAboveZero()
{
    QCOMPARE(worker::measuredSpan(0.001, "clock"), 0.001);
    QVERIFY_EXCEPTION_THROWN(worker::measuredSpan(0, "clock"), worker::WorkerError);
    QVERIFY_EXCEPTION_THROWN(worker::measuredSpan(-1, "clock"), worker::WorkerError);
}

void ServerPartsTest::queueKeepsTheOrder()
{
    RequestQueue queue;
    queue.push(request(1));
    queue.push(request(2));
    QCOMPARE(idOf(queue.next()), 1);
    QVERIFY(!queue.cancelRequested());
    QCOMPARE(idOf(queue.next()), 2);
}

void ServerPartsTest::cancelReachesTheRequestInProgress()
{
    RequestQueue queue;
    queue.push(request(1));
    queue.next();
    queue.cancel();
    QVERIFY(queue.cancelRequested());
}

void ServerPartsTest::cancelReachesARequestThatHasNotBegun()
{
    RequestQueue queue;
    queue.push(request(1));
    queue.cancel();
    queue.next();
    QVERIFY(queue.cancelRequested());
}

void ServerPartsTest::cancelDoesNotReachLaterRequests()
{
    RequestQueue queue;
    queue.cancel();
    queue.push(request(1));
    queue.next();
    QVERIFY(!queue.cancelRequested());
    queue.cancel();
    queue.push(request(2));
    queue.next();
    QVERIFY(!queue.cancelRequested());
}

void ServerPartsTest::closeDropsWhatWaits()
{
    RequestQueue queue;
    queue.push(request(1));
    queue.close();
    QCOMPARE(idOf(queue.next()), -1);
    QVERIFY(queue.cancelRequested());
}

void ServerPartsTest::aFullDiskIsToldFromAWrongPlace()
{
    const std::vector<std::byte> bytes(100'000);
    const auto fixFor = [&](const std::string &file) {
        try {
            worker::writeBytes(file, bytes, "the result");
        } catch (const worker::WorkerError &error) {
            return QString::fromStdString(error.fix);
        }
        return QString();
    };
    QCOMPARE(fixFor("/dev/full"), QString("make room on its disk"));
    QVERIFY(QFile::exists("/dev/full"));
    QCOMPARE(fixFor("/dev/null/result"), QString("name a file in a folder that can be written to"));
}

// A limit of the file's size is what a test can set of a disk that is full.
void ServerPartsTest::halfAFileIsRemoved()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath("result");
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit;
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit small{1000, limit.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    bool thrown = false;
    try {
        worker::writeBytes(file.toStdString(), std::vector<std::byte>(100'000), "the result");
    } catch (const worker::WorkerError &) {
        thrown = true;
    }
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, before);
    QVERIFY(thrown);
    QVERIFY(!QFile::exists(file));
}

QTEST_APPLESS_MAIN(ServerPartsTest)
#include "tst_serverparts.moc"
