// SPDX-License-Identifier: GPL-3.0-or-later
#include "disassembler.h"

#include "disassemblerplaces.h"
#include "publictext.h"

#include <QFutureWatcher>
#include <QProcess>
#include <QtConcurrent>
#include <QTimer>

namespace stagecraft::run {

namespace {

constexpr int usualLimitMs = 30'000;
constexpr qsizetype mostBytes = 64 << 20;
constexpr qsizetype mostErrorBytes = 4096;

DisassemblyResult failure(const QString &reason, const QString &fix)
{
    DisassemblyResult result;
    result.reason = reason;
    result.fix = fix;
    return result;
}

DisassemblyResult outOfOrder(const QString &reason, const QString &fix)
{
    DisassemblyResult result = failure(reason, fix);
    result.isOut = true;
    return result;
}

DisassemblyResult readText(const QByteArray &bytes)
{
    DisassemblyResult result;
    result.text = withoutFolders(QString::fromUtf8(bytes));
    result.code = parseDisassembly(result.text);
    if (result.code.instructions() == 0)
        return failure(QStringLiteral("nvdisasm printed no instructions"),
                       QStringLiteral("use the nvdisasm of the CUDA release that NVRTC is from, or a newer one"));
    return result;
}

} // namespace

class Disassembler::Private
{
public:
    explicit Private(Disassembler *disassembler) : q(disassembler) {}

    void look(const QString &cubin);
    void start(const DisassemblerProgram &program, const QString &cubin);
    void collect();
    void collectErrors();
    void end(int exitCode, QProcess::ExitStatus status);
    void endEarly(const DisassemblyResult &result); // the process is killed
    void drop();
    template <typename Result>
    void onPool(std::function<Result()> work, std::function<void(const Result &)> then);

    Disassembler *q;
    QString python;
    int timeLimitMs = usualLimitMs;
    int generation = 0; // what was begun for an earlier one is dropped
    std::unique_ptr<QProcess> process;
    QByteArray output, errors;
};

Disassembler::Disassembler(QObject *parent) : QObject(parent), d(std::make_unique<Private>(this)) {}

Disassembler::~Disassembler()
{
    d->drop();
}

void Disassembler::setPython(const QString &python)
{
    d->python = python;
}

void Disassembler::setTimeLimit(int ms)
{
    d->timeLimitMs = ms;
}

void Disassembler::disassemble(const QString &cubin)
{
    d->drop();
    d->look(cubin);
}

void Disassembler::cancel()
{
    d->drop();
}

template <typename Result>
void Disassembler::Private::onPool(std::function<Result()> work, std::function<void(const Result &)> then)
{
    auto *watcher = new QFutureWatcher<Result>(q);
    QObject::connect(watcher, &QFutureWatcher<Result>::finished, q, [this, watcher, then, begun = generation] {
        watcher->deleteLater();
        if (begun == generation)
            then(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(work));
}

void Disassembler::Private::look(const QString &cubin)
{
    onPool<DisassemblerProgram>([python = python] { return findDisassembler(python); },
                                [this, cubin](const DisassemblerProgram &program) { start(program, cubin); });
}

void Disassembler::Private::start(const DisassemblerProgram &program, const QString &cubin)
{
    if (program.path.isEmpty()) {
        emit q->finished(failure(program.reason, program.fix));
        return;
    }
    process = std::make_unique<QProcess>();
    process->setProgram(program.path);
    // Code only, and the source lines with what they are inlined at.
    process->setArguments({QStringLiteral("-c"), QStringLiteral("-gi"), cubin});
    process->setStandardInputFile(QProcess::nullDevice());
    QObject::connect(process.get(), &QProcess::readyReadStandardOutput, q, [this] { collect(); });
    QObject::connect(process.get(), &QProcess::readyReadStandardError, q, [this] { collectErrors(); });
    QObject::connect(process.get(), &QProcess::finished, q,
                     [this](int exitCode, QProcess::ExitStatus status) { end(exitCode, status); });
    QObject::connect(process.get(), &QProcess::errorOccurred, q, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            endEarly(
                outOfOrder(QStringLiteral("nvdisasm cannot be started: %1").arg(publicText(process->errorString())),
                           QStringLiteral("check that the nvdisasm that is found first may be executed")));
    });
    QTimer::singleShot(timeLimitMs, process.get(), [this, begun = generation] {
        if (begun == generation) // a process that is dropped lives on until it has ended
            endEarly(outOfOrder(QStringLiteral("nvdisasm did not come to an end within %1 s").arg(timeLimitMs / 1000.0),
                                QStringLiteral("try again, or use a newer nvdisasm")));
    });
    process->start();
}

void Disassembler::Private::collect()
{
    output += process->readAllStandardOutput();
    if (output.size() > mostBytes)
        endEarly(failure(QStringLiteral("nvdisasm printed more than %1 MiB").arg(mostBytes >> 20),
                         QStringLiteral("look for far too much unrolled code")));
}

// The first words of an error are its cause; what more there is of it is read and dropped.
void Disassembler::Private::collectErrors()
{
    errors += process->readAllStandardError();
    errors.truncate(mostErrorBytes);
}

void Disassembler::Private::end(int exitCode, QProcess::ExitStatus status)
{
    collect();
    if (!process)
        return;
    collectErrors();
    const QString said = publicText(QString::fromUtf8(errors));
    if (status != QProcess::NormalExit || exitCode != 0)
        return endEarly(failure(status == QProcess::NormalExit
                                    ? QStringLiteral("nvdisasm ended with status %1: %2").arg(exitCode).arg(said)
                                    : QStringLiteral("nvdisasm died"),
                                QStringLiteral("use the nvdisasm of the CUDA release that NVRTC is from, or a newer "
                                               "one")));
    process.release()->deleteLater();
    onPool<DisassemblyResult>([bytes = std::exchange(output, {})] { return readText(bytes); },
                              [this](const DisassemblyResult &result) { emit q->finished(result); });
}

void Disassembler::Private::endEarly(const DisassemblyResult &result)
{
    drop();
    emit q->finished(result);
}

void Disassembler::Private::drop()
{
    ++generation;
    output.clear();
    errors.clear();
    if (!process)
        return;
    process->disconnect();
    process->kill();
    // It may be what is calling here; and its end is waited for without blocking.
    QProcess *ending = process.release();
    if (ending->state() == QProcess::NotRunning)
        ending->deleteLater();
    else
        QObject::connect(ending, &QProcess::finished, ending, &QObject::deleteLater);
}

} // namespace stagecraft::run
