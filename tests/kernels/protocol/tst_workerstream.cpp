// SPDX-License-Identifier: GPL-3.0-or-later
#include "workerstream.h"

#include <QTest>

using namespace stagecraft::protocol;

namespace {

const std::string helloLine = notificationLine(method::hello, Hello{version, "host", "0.1.0"});

// What the stream made of everything appended so far, one word or text an event.
QStringList eventsOf(WorkerStream &stream)
{
    QStringList events;
    for (;;) {
        try {
            const auto event = stream.next();
            if (!event)
                return events;
            if (const auto *banner = std::get_if<WorkerStream::Banner>(&*event))
                events << "banner:" + QString::fromStdString(banner->text);
            else if (const auto *hello = std::get_if<Hello>(&*event))
                events << "hello:" + QString::fromStdString(hello->worker);
            else
                events << "message" + QString::number(std::get<Envelope>(*event).index());
        } catch (const ProtocolError &error) {
            events << QString("error:") + error.what();
        }
    }
}

QStringList eventsOf(const std::string &bytes, std::size_t chunk, std::size_t maximumLine = maximumLineBytes)
{
    WorkerStream stream(maximumLine);
    QStringList events;
    for (std::size_t i = 0; i < bytes.size(); i += chunk) {
        stream.append(std::string_view(bytes).substr(i, chunk));
        events << eventsOf(stream);
    }
    return events;
}

} // namespace

class WorkerStreamTest : public QObject
{
    Q_OBJECT

private slots:
    void readsChunksOfAnySize();
    void skipsABanner_data();
    void skipsABanner();
    void namesBothVersions();
    void readsOnAfterALineThatIsNoMessage();
    void dropsALineThatIsTooLong();
    void aLineOfExactlyTheLimitIsRead();
    void boundsWhatABannerKeeps();
    void readsManyLinesInOneChunk();
};

void WorkerStreamTest::readsChunksOfAnySize()
{
    const auto bytes = "Welcome\r\n\n" + helloLine + resultLine(1, MeasureResult{1, false}) + "\r\n" +
                       notificationLine(method::samples, SamplesNote{1, 0, {1.5}}) + errorLine({2, -1, "no", "", ""});
    const QStringList expected{"banner:Welcome", "banner:", "hello:host", "message2", "message1", "message3"};
    for (std::size_t chunk = 1; chunk <= bytes.size(); ++chunk)
        QCOMPARE(eventsOf(bytes, chunk), expected);
}

void WorkerStreamTest::skipsABanner_data()
{
    QTest::addColumn<QString>("banner");
    QTest::addRow("text") << "Last login";
    QTest::addRow("json") << "{}";
    QTest::addRow("another message") << R"({"jsonrpc":"2.0","method":"log","params":{"level":"info","text":"hello"}})";
    QTest::addRow("a hello without its keys") << R"({"jsonrpc":"2.0","method":"hello","params":{}})";
    QTest::addRow("a hello as a request") << R"({"jsonrpc":"2.0","id":1,"method":"hello","params":{}})";
    QTest::addRow("the word alone") << "hello";
}

void WorkerStreamTest::skipsABanner()
{
    QFETCH(QString, banner);
    QCOMPARE(eventsOf(banner.toStdString() + "\n" + helloLine, 1000), (QStringList{"banner:" + banner, "hello:host"}));
}

void WorkerStreamTest::namesBothVersions()
{
    WorkerStream stream;
    stream.append(notificationLine(method::hello, Hello{999, "cuda", "9"}));
    const auto events = eventsOf(stream);
    QCOMPARE(events.size(), 1);
    QVERIFY2(events[0].contains("\"cuda\" speaks protocol version 999, this program speaks version 1"),
             qPrintable(events[0]));
    QVERIFY(!stream.helloReceived());
}

void WorkerStreamTest::readsOnAfterALineThatIsNoMessage()
{
    QCOMPARE(eventsOf(helloLine + "garbage\n" + resultLine(1, MeasureResult{}), 7),
             (QStringList{"hello:host", "error:the line is not valid JSON", "message2"}));
}

void WorkerStreamTest::dropsALineThatIsTooLong()
{
    const std::string tooLong(1000, 'x');
    const auto bytes = tooLong + "\n" + helloLine + tooLong + tooLong + "\n" + resultLine(1, MeasureResult{});
    const QString said = "a line is longer than 200 bytes and was dropped";
    for (const std::size_t chunk : {1, 3, 199, 200, 201, 1001, 5000})
        QCOMPARE(eventsOf(bytes, chunk, 200),
                 (QStringList{"banner:" + said, "hello:host", "error:" + said, "message2"}));
}

void WorkerStreamTest::aLineOfExactlyTheLimitIsRead()
{
    LineReader reader(5);
    reader.append("12345\n123456\n");
    QCOMPARE(reader.next().value(), std::string("12345"));
    QVERIFY_EXCEPTION_THROWN(reader.next(), ProtocolError);
    QVERIFY(!reader.next());
}

void WorkerStreamTest::boundsWhatABannerKeeps()
{
    const auto events = eventsOf(std::string(100000, 'x') + "\n" + helloLine, 100000);
    QCOMPARE(events[0].size(), 4096 + QString("banner:").size());
    QCOMPARE(events[1], "hello:host");
}

// Quadratic work would take a minute here.
void WorkerStreamTest::readsManyLinesInOneChunk()
{
    LineReader reader;
    std::string bytes;
    for (int i = 0; i < 200'000; ++i)
        bytes += "0123456789\n";
    reader.append(bytes);
    int lines = 0;
    while (reader.next())
        ++lines;
    QCOMPARE(lines, 200'000);
}

QTEST_APPLESS_MAIN(WorkerStreamTest)
#include "tst_workerstream.moc"
