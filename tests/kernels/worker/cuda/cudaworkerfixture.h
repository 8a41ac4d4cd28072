// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stagefolder.h"
#include "workerclient.h"

#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

// The GPU worker as a child process, with no driver at all or with the made-up one; a fresh one for each test.
namespace cudaworker {

using Environment = std::initializer_list<std::pair<const char *, const char *>>;

inline const std::filesystem::path stages = STAGECRAFT_SOURCE_DIR "/kernels/stages";

inline const stagecraft::protocol::Library &library(const stagecraft::protocol::DescribeResult &description,
                                                    const std::string &name)
{
    return *std::ranges::find(description.libraries, name, &stagecraft::protocol::Library::name);
}

inline stagecraft::protocol::PrepareParams params(const char *operation, const std::vector<std::int64_t> &dims,
                                                  const char *implementation, const char *stage = "",
                                                  const std::string &source = {})
{
    stagecraft::protocol::PrepareParams prepare;
    prepare.operation = operation;
    prepare.dims = dims;
    prepare.seed = 1;
    prepare.implementation = implementation;
    prepare.stage = stage;
    prepare.source = source;
    return prepare;
}

inline nlohmann::json handleOnly(std::int64_t handle)
{
    return {{"handle", handle}};
}

class Fixture : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_client = std::make_unique<WorkerClient>(); }
    void cleanup() { m_client.reset(); }

protected:
    void startPlain(Environment more = {}) { start("", more); }
    void startWithFakes(Environment more = {}) { start(STAGECRAFT_FAKE_CUDA, more); }

    // With the fakes and one stage of gelu as the only one.
    void startWithStage(const std::string &text)
    {
        m_resources = std::make_unique<QTemporaryDir>();
        const auto folder = std::filesystem::path(m_resources->path().toStdString()) / "stages/gelu";
        std::filesystem::create_directories(folder);
        std::filesystem::copy_file(stages / "stagecraft.cuh", folder.parent_path() / "stagecraft.cuh");
        std::ofstream(folder / "made-up.cu") << text;
        startWithFakes({{"STAGECRAFT_RESOURCES", m_resources->path().toUtf8().constData()}});
    }

    // With the fakes, which note what they are asked.
    void startLogged(Environment more = {})
    {
        clearLog();
        qputenv("STAGECRAFT_FAKE_CUDA_LOG", m_folder.filePath("log").toUtf8()); // the worker inherits this environment
        startWithFakes(more);
        qunsetenv("STAGECRAFT_FAKE_CUDA_LOG");
    }

    // What was noted since the start or the last clearLog().
    QStringList log() const
    {
        QFile file(m_folder.filePath("log"));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    }

    void clearLog() { QFile::remove(m_folder.filePath("log")); }

    static QStringList without(const QStringList &lines, const char *pattern)
    {
        QStringList rest = lines;
        erase_if(rest, [&](const QString &line) { return line.contains(QRegularExpression(pattern)); });
        return rest;
    }

    bool hasNvrtc()
    {
        using namespace stagecraft::protocol;
        return library(m_client->get<DescribeResult>(method::describe), "NVRTC").available;
    }

    std::unique_ptr<WorkerClient> m_client;
    QTemporaryDir m_folder;

private:
    void start(const char *libraries, Environment more)
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/kernels");
        environment.insert("STAGECRAFT_CUDA_LIBRARIES", libraries);
        for (const auto &[name, value] : more)
            environment.insert(name, value);
        m_client->start("bin/stagecraft-worker-cuda", {}, environment);
        QVERIFY(m_client->waitForHello());
    }

    std::unique_ptr<QTemporaryDir> m_resources;
};

} // namespace cudaworker
