// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "capturefile.h"

#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

// The capture library in somebody's program (capturehost.cpp), loaded by a made-up driver (fakedriver.cpp), with a
// libcupti of the test's own.
namespace captureinjection {

using namespace stagecraft::capture;

class Fixture : public QObject
{
    Q_OBJECT

private slots:
    void init();

protected:
    void run(const QStringList &steps);
    std::vector<CaptureFile> files() const { return readCaptureDirectory(m_output->path().toStdString()); }
    CaptureBracket onlyBracket() const;
    QStringList kernels(const CaptureBracket &bracket) const;

    std::unique_ptr<QTemporaryDir> m_output;
    QProcessEnvironment m_environment;
    qint64 m_pid = 0;
    QString m_printed, m_errors;
};

inline void Fixture::init()
{
    m_output = std::make_unique<QTemporaryDir>();
    m_environment = QProcessEnvironment::systemEnvironment();
    m_environment.insert("CUDA_INJECTION64_PATH", STAGECRAFT_CAPTURE_INJECTION);
    m_environment.insert("STAGECRAFT_CAPTURE_DIRECTORY", m_output->path());
    m_environment.insert("STAGECRAFT_CUDA_LIBRARIES", STAGECRAFT_FAKE_CUPTI_FOLDER);
    m_environment.insert("STAGECRAFT_FAKE_DRIVER_VERSION", STAGECRAFT_FAKE_DRIVER_VERSION);
}

inline void Fixture::run(const QStringList &steps)
{
    QProcess host;
    host.setProcessEnvironment(m_environment);
    host.start(STAGECRAFT_CAPTURE_HOST, QStringList{STAGECRAFT_FAKE_DRIVER_FOLDER} + steps);
    QVERIFY2(host.waitForFinished(), qPrintable(host.errorString()));
    m_printed = QString::fromUtf8(host.readAllStandardOutput());
    m_errors = QString::fromUtf8(host.readAllStandardError());
    QVERIFY2(host.exitStatus() == QProcess::NormalExit && host.exitCode() == 0, qPrintable(m_errors));
    m_pid = m_printed.section('\n', 0, 0).toLongLong();
}

inline CaptureBracket Fixture::onlyBracket() const
{
    const auto written = files();
    return written.size() == 1 && written[0].brackets.size() == 1 ? written[0].brackets[0] : CaptureBracket();
}

inline QStringList Fixture::kernels(const CaptureBracket &bracket) const
{
    QStringList list;
    for (const auto &record : bracket.records)
        list.append(QString("%1 %2").arg(QString::fromStdString(record.kernelName)).arg(record.iteration));
    return list;
}

} // namespace captureinjection
