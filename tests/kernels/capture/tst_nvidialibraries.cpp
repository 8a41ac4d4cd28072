// SPDX-License-Identifier: GPL-3.0-or-later
#include "nvidialibraries.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft::capture;

namespace {

// Small libraries of the C library that no program loads by itself.
constexpr auto everyMachines = "librt.so.1";
constexpr auto copied = "libutil.so.1";

} // namespace

class TestNvidiaLibraries : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { qunsetenv("STAGECRAFT_CUDA_LIBRARIES"); }
    void namedFoldersGoFirst();
    void loadedFilesAreFoundByTheirNames();
    void theLoadersSearchIsUsed();
    void damageIsToldApartFromAbsence();
    void theUsualPlaces();

private:
    QTemporaryDir m_folder;
};

void TestNvidiaLibraries::initTestCase()
{
    const SharedLibrary source = SharedLibrary::load(copied);
    QVERIFY2(source.loaded(), source.problem().c_str());
    QVERIFY(QFile::copy(QString::fromStdString(source.path()), m_folder.filePath("libmadeup.so.1")));
    QFile damaged(m_folder.filePath("libdamaged.so.1"));
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write("this is no library");
}

// Even before a soname that is preferred, but found elsewhere only.
void TestNvidiaLibraries::namedFoldersGoFirst()
{
    qputenv("STAGECRAFT_CUDA_LIBRARIES", "/no/such/folder:" + m_folder.path().toUtf8());
    const LibraryResult found = findLibrary({{everyMachines, "libmadeup.so.1"}, {}, "it"});
    QVERIFY2(found.library.loaded(), found.reason.c_str());
    QCOMPARE(QString::fromStdString(found.library.path()), m_folder.filePath("libmadeup.so.1"));
    QVERIFY(found.library.symbol("no such symbol") == nullptr);
}

// Whatever the library itself says it is called.
void TestNvidiaLibraries::loadedFilesAreFoundByTheirNames()
{
    QVERIFY(SharedLibrary::load("libmadeup.so.1", m_folder.path().toStdString()).loaded());
    const auto files = SharedLibrary::loadedFiles("libmadeup");
    QCOMPARE(files.size(), 1u);
    QCOMPARE(QString::fromStdString(files[0]), m_folder.filePath("libmadeup.so.1"));
    QVERIFY(SharedLibrary::alreadyLoaded(files[0]).loaded());
    QVERIFY(SharedLibrary::loadedFiles("libmade").empty()); // another library's name
}

void TestNvidiaLibraries::theLoadersSearchIsUsed()
{
    const LibraryResult found = findLibrary({{"libnowhere.so.9", everyMachines}, {}, "it"});
    QVERIFY2(found.library.loaded(), found.reason.c_str());
    QVERIFY(found.library.path().ends_with(everyMachines));
    QVERIFY(SharedLibrary::alreadyLoaded(everyMachines).loaded());
}

void TestNvidiaLibraries::damageIsToldApartFromAbsence()
{
    const LibraryResult absent = findLibrary({{"libnowhere.so.9", "libnowhere.so.8"}, {}, "the package"});
    QVERIFY(!absent.library.loaded());
    QCOMPARE(absent.reason, std::string("libnowhere.so.9 or libnowhere.so.8 was not found"));
    QVERIFY(absent.fix.starts_with("install the package, or name its folder in LD_LIBRARY_PATH"));

    qputenv("STAGECRAFT_CUDA_LIBRARIES", m_folder.path().toUtf8());
    const LibraryResult damaged = findLibrary({{"libdamaged.so.1"}, {}, "the package"});
    QVERIFY(!damaged.library.loaded());
    QVERIFY2(damaged.reason.starts_with("libdamaged.so.1 cannot be loaded: "), damaged.reason.c_str());
}

void TestNvidiaLibraries::theUsualPlaces()
{
    qputenv("CUDA_PATH", "/made/up");
    const auto folders = usualFolders();
    QVERIFY(folders.front().empty()); // the loader's own search
    QVERIFY(std::ranges::find(folders, "/made/up/extras/CUPTI/lib64") <
            std::ranges::find(folders, "/usr/local/cuda/lib64"));
    QVERIFY(std::ranges::find(folders, "/usr/local/nvidia/lib64") != folders.end());
    qunsetenv("CUDA_PATH");
}

QTEST_APPLESS_MAIN(TestNvidiaLibraries)
#include "tst_nvidialibraries.moc"
