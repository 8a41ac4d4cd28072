// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inputs.h"
#include "workerclient.h"

#include <QTemporaryDir>
#include <QTest>

// The worker of external programs as a child process, with one of the programs beside this test.
namespace external {

using namespace stagecraft::protocol;

inline QString program(const char *name)
{
    return QStringLiteral(STAGECRAFT_BINARY_DIR "/bin-tests/") + QString::fromUtf8(name);
}

inline QString misbehaving()
{
    return program("stagecraft-misbehaving-program");
}

// For what a worker that is killed at a test's end leaves behind.
inline const QTemporaryDir &temporary()
{
    static const QTemporaryDir folder;
    return folder;
}

// A driver, as a machine with a GPU has one: programs may then say that they have their times from events.
inline void addDriver(QProcessEnvironment &environment)
{
    const QString others = environment.value("LD_LIBRARY_PATH");
    environment.insert("LD_LIBRARY_PATH", QStringLiteral(STAGECRAFT_BINARY_DIR "/bin-tests/driver-stand-in") +
                                              (others.isEmpty() ? QString() : ":" + others));
}

inline void start(WorkerClient &client, const QStringList &arguments,
                  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment())
{
    environment.insert("TMPDIR", temporary().path());
    addDriver(environment);
    client.start("bin/stagecraft-worker-external", arguments, environment);
    QVERIFY(client.waitForHello());
}

// The program named "odd", told these words.
inline void startOdd(WorkerClient &client, const QStringList &words,
                     const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment())
{
    start(client, QStringList{"odd", misbehaving()} + words, environment);
}

inline PrepareParams paramsFor(const char *operation, const std::vector<std::int64_t> &dims,
                               const char *implementation = "odd")
{
    PrepareParams params;
    params.operation = operation;
    params.dims = dims;
    params.seed = 1;
    params.implementation = implementation;
    return params;
}

// A small matmul, prepared.
inline std::int64_t prepare(WorkerClient &client)
{
    return client.get<PrepareResult>(method::prepare, paramsFor("matmul", {3, 4, 5})).handle;
}

inline QString text(const ErrorReply &error)
{
    return QString::fromStdString(error.reason + ". What to do: " + error.fix);
}

} // namespace external
