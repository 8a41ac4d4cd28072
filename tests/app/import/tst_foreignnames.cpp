// SPDX-License-Identifier: GPL-3.0-or-later
#include "names.h"
#include "privacy.h"

#include <QRegularExpression>
#include <QTest>

using namespace stagecraft::import;

// Kernel names in all their forms, and what of names and texts is private.
class TestForeignNames : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("USER", "adalovelace"); }

    void kernelsAreGroupedByBaseName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("base");
        QTest::newRow("plain") << "ampere_sgemm_128x64_tn"
                               << "ampere_sgemm_128x64_tn";
        QTest::newRow("parameters") << "reduce(const float *, float *)"
                                    << "reduce";
        QTest::newRow("template")
            << "void at::native::vectorized_elementwise_kernel<(int)4, at::native::FillFunctor<float>, "
               "at::detail::Array<char *, (int)1>>(int, T2, T3)"
            << "vectorized_elementwise_kernel";
        QTest::newRow("anonymous") << "void (anonymous namespace)::softmax_warp<float>(float *)"
                                   << "softmax_warp";
        QTest::newRow("anonymous return") << "(anonymous namespace)::Result ns::(anonymous namespace)::scan(int)"
                                          << "scan";
        QTest::newRow("clone") << "ns::scan(int) [clone .isra.0]"
                               << "scan";
        QTest::newRow("with") << "T scan(T) [with T = float]"
                              << "scan";
        QTest::newRow("call operator") << "ns::Functor::operator()(int) const"
                                       << "operator()";
        QTest::newRow("less") << "ns::operator<(ns::A, ns::A)"
                              << "operator<";
        QTest::newRow("lambda") << "void ns::run(int)::{lambda(int)#1}"
                                << "{lambda(int)#1}";
        QTest::newRow("shift in arguments") << "void f<(1>2)>(int)"
                                            << "f";
        QTest::newRow("pointer returned") << "float *ns::alloc(int)"
                                          << "alloc";
        QTest::newRow("spaces") << "  fill  "
                                << "fill";
        QTest::newRow("no name") << "()"
                                 << "()";
        QTest::newRow("unbalanced") << "f((("
                                    << "f(((";
        QTest::newRow("closing only") << "a>)"
                                      << "a>)";
    }
    void kernelsAreGroupedByBaseName()
    {
        QFETCH(QString, name);
        QTEST(baseName(name), "base");
    }

    void mangledNamesAreRead()
    {
        QCOMPARE(demangled("_Z4fillPfi"), "fill(float*, int)");
        QCOMPARE(demangled("fill"), "fill");
        QCOMPARE(demangled("_Znonsense"), "_Znonsense");
        QCOMPARE(demangled("_ZN2ns6kernelIfLi4EEEvPT_"), "void ns::kernel<float, 4>(float*)");
    }

    void entangledNamesStay()
    {
        const auto referring = [](int references) { return "_Z1fPv" + QString("S_").repeated(references); };
        QCOMPARE(demangled(referring(2)), "f(void*, void*, void*)");
        QCOMPARE(demangled(referring(60)), referring(60));
    }

    void namesOfAnyLengthAreRead()
    {
        QString arguments = "float";
        for (int i = 0; i < 2000; ++i)
            arguments = "cutlass::Layer<" + arguments + ", " + QString::number(i) + ">";
        QCOMPARE(baseName("void cutlass::Kernel2<" + arguments + ">(cutlass::Params)"), "Kernel2");
        QCOMPARE(baseName(QString(1'000'000, '<')), QString(1'000'000, '<'));
        const QString mangled = "_Z" + QString("100000") + QString(100'000, 'a') + "v";
        QCOMPARE(demangled(mangled), mangled); // longer than is demangled: it stays
    }

    void operationsHaveNamesThatEvidenceTakes()
    {
        static const QRegularExpression form("\\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\\z");
        OperationNames names;
        QSet<QString> given;
        const QStringList texts{"fill",
                                "ns::fill",
                                "ns.fill",
                                "{lambda(int)#1}",
                                "{lambda(int)#2}",
                                "",
                                "@",
                                QString(200, 'x'),
                                QString(201, 'x'),
                                QString::fromUtf8("größe"),
                                "_hidden",
                                "/home/ada/x.cu:fill"};
        for (const QString &text : texts) {
            const QString name = names.name(text);
            QVERIFY2(form.match(name).hasMatch(), qPrintable(name));
            QVERIFY2(!given.contains(name), qPrintable(name));
            given.insert(name);
            QCOMPARE(names.name(text), name); // the same at every asking
        }
        QCOMPARE(names.name("ns::fill"), "ns.fill");
        QVERIFY(!given.contains("home-ada-x.cu-fill"));
    }

    void pathsAreCut_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("clean");
        QTest::newRow("lambda") << "f::{lambda at /home/ada/src/x.cu:12}"
                                << "f::{lambda at x.cu:12}";
        QTest::newRow("windows") << "f at C:\\Users\\ada\\x.cu:12"
                                 << "f at x.cu:12";
        QTest::newRow("share") << "\\\\server\\share\\x.cu"
                               << "x.cu";
        QTest::newRow("home") << "see ~ada/x/y.cu"
                              << "see y.cu";
        QTest::newRow("url") << "file:///home/ada/x.cu"
                             << "x.cu";
        QTest::newRow("after a colon") << "in:/home/ada/x.cu"
                                       << "in:x.cu";
        QTest::newRow("user alone") << "cannot open /home/adalovelace"
                                    << "cannot open";
        QTest::newRow("user and lambda") << "/home/bob/<lambda>"
                                         << "/<lambda>";
        QTest::newRow("user of two words") << "/Users/Bob Smith/x.cu"
                                           << "x.cu";
        QTest::newRow("user of two words alone") << "no /Users/Bob Smith"
                                                 << "no";
        QTest::newRow("option") << "-I/home/bob/x"
                                << "-Ix";
        QTest::newRow("option, elsewhere") << "k(-I/data/bob/x)"
                                           << "k(-Ix)";
        QTest::newRow("relative") << "..//home/bob/n"
                                  << "../n";
        QTest::newRow("below") << "a/home/bob/b"
                               << "a/b";
        QTest::newRow("windows user alone") << "at C:\\Users\\bob"
                                            << "at C:";
        QTest::newRow("tilde") << "home=~adalovelace"
                               << "home=";
        QTest::newRow("address") << "x@bobhost:/home/bob/e"
                                 << "e";
        QTest::newRow("copy") << "scp ada@secrethost:/scratch/ada/x failed"
                              << "scp x failed";
        QTest::newRow("destructor") << "ns::~Buffer() and ~Buffer<int>()"
                                    << "ns::~Buffer() and ~Buffer<int>()";
        QTest::newRow("no path") << "matmul/k64 at 3 / 4, operator/ and a/b"
                                 << "matmul/k64 at 3 / 4, operator/ and a/b";
        QTest::newRow("controls") << QString("a\u0007b\n c") << "ab c";
    }
    void pathsAreCut()
    {
        QFETCH(QString, text);
        QTEST(withoutPaths(text), "clean");
    }

    void filesAreCalledWithoutHostAndUser()
    {
        QCOMPARE(publicStem("/data/report 1 (final).sqlite"), "report-1-final");
        QCOMPARE(publicStem("trace.pt.trace.json.gz"), "trace");
        QCOMPARE(publicStem("secrethost_4711.1690000000000.pt.trace.json.gz"), "trace_4711");
        QCOMPARE(publicStem("secrethost_4711.1690000000000000000.pt.trace.json"), "trace_4711");
        QCOMPARE(publicStem("before-adalovelace.sqlite"), "before");
        QCOMPARE(publicStem(".sqlite"), "import");
        QVERIFY(publicStem(QString(300, 'x')).size() <= 48);
    }

    void wordsOfTheFileAreHidden()
    {
        const QStringList words = hostWords("secrethost.lan") + usersIn("/home/adal/bench --x=/Users/Bob Smith/y");
        QCOMPARE(publicText("user adal on SecretHost failed, not adalbert", words), "user  on  failed, not adalbert");
        QCOMPARE(publicText("Bob, Smith: secrethost.lan", words), ", : ");
        QCOMPARE(publicText("NVIDIA H200", {"nvidia", "root"}), "NVIDIA H200");
        QCOMPARE(publicStem("/x/before-secrethost.json", words), "before");
    }

    void manyAlikeAreNumberedAtOnce()
    {
        UniqueNames names;
        QSet<QString> given;
        for (int i = 0; i < 100'000; ++i)
            given.insert(names.of(QString(64, 'x'), 64));
        QCOMPARE(given.size(), 100'000);
        for (const char *name : {"a", "a-2", "a-3"})
            QCOMPARE(names.of("a", 64), name);
        QCOMPARE(names.of("a-2", 64), "a-2-2");
    }

    void parsersQuotesAreCut()
    {
        QCOMPARE(publicCause("Reading stopped: syntax error; last read: '\"secrethost'; expected '}'."),
                 "Reading stopped: syntax error.");
    }
};

QTEST_GUILESS_MAIN(TestForeignNames)
#include "tst_foreignnames.moc"
