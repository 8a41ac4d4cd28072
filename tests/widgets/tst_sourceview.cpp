// SPDX-License-Identifier: GPL-3.0-or-later
#include "sourceview.h"

#include <QLineEdit>
#include <Qsci/qscilexercpp.h>
#include <Qsci/qsciscintilla.h>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace stagecraft::widgets;

namespace {

const QString text = QStringLiteral("#include \"stagecraft.cuh\"\n"
                                    "extern \"C\" __global__ void kernel(STAGE_ARGS)\n"
                                    "{\n"
                                    "    const int x = threadIdx.x; // 42\n"
                                    "    out[x] = float4(1);\n"
                                    "}\n");

QString longText(int lines)
{
    QString result;
    for (int i = 1; i <= lines; ++i)
        result += QStringLiteral("int line%1;\n").arg(i);
    return result;
}

// Of the first occurrence of the word.
int styleOf(const SourceView &view, const QString &word)
{
    QsciScintilla *editor = view.editor();
    editor->recolor();
    const auto position = static_cast<unsigned long>(view.text().indexOf(word));
    return static_cast<int>(editor->SendScintilla(QsciScintillaBase::SCI_GETSTYLEAT, position));
}

// How the annotation of a line is drawn, by what Scintilla itself holds.
struct Look
{
    QColor ink, ground;
    QString font;
    int size = 0; // hundredths of a point
    bool operator==(const Look &) const = default;
};

QColor colorOf(long bgr)
{
    return QColor(static_cast<int>(bgr & 255), static_cast<int>(bgr >> 8 & 255), static_cast<int>(bgr >> 16 & 255));
}

// From 0; empty where no style or one without a number is set.
Look annotationLook(const SourceView &view, int line)
{
    QsciScintilla *editor = view.editor();
    const auto at = static_cast<unsigned long>(line);
    QByteArray styles(editor->SendScintilla(QsciScintillaBase::SCI_ANNOTATIONGETTEXT, at, static_cast<void *>(nullptr)),
                      '\0');
    editor->SendScintilla(QsciScintillaBase::SCI_ANNOTATIONGETSTYLES, at, static_cast<void *>(styles.data()));
    if (styles.isEmpty() || styles.count(styles.front()) != styles.size())
        return {};
    const auto style =
        static_cast<unsigned long>(static_cast<unsigned char>(styles.front())) +
        static_cast<unsigned long>(editor->SendScintilla(QsciScintillaBase::SCI_ANNOTATIONGETSTYLEOFFSET));
    QByteArray font(256, '\0');
    editor->SendScintilla(QsciScintillaBase::SCI_STYLEGETFONT, style, static_cast<void *>(font.data()));
    return {colorOf(editor->SendScintilla(QsciScintillaBase::SCI_STYLEGETFORE, style)),
            colorOf(editor->SendScintilla(QsciScintillaBase::SCI_STYLEGETBACK, style)),
            QString::fromUtf8(font.constData()),
            static_cast<int>(editor->SendScintilla(QsciScintillaBase::SCI_STYLEGETSIZEFRACTIONAL, style))};
}

// Ten, of all severities, on the lines 1 to 10.
QList<SourceMessage> tenMessages(int round)
{
    QList<SourceMessage> messages;
    for (int i = 0; i < 10; ++i)
        messages.append({i + 1, static_cast<SourceMessage::Severity>(i % 3),
                         QStringLiteral("message %1 of round %2").arg(i).arg(round)});
    return messages;
}

bool caretIsSeen(const SourceView &view)
{
    QsciScintilla *editor = view.editor();
    const long row = editor->SendScintilla(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE,
                                           static_cast<unsigned long>(view.currentLine() - 1)) -
                     editor->firstVisibleLine();
    return row >= 0 && row < editor->SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN);
}

} // namespace

class tst_SourceView : public QObject
{
    Q_OBJECT

private slots:
    void theWordsOfTheLanguageAreHighlighted()
    {
        SourceView view;
        view.setText(text);
        QCOMPARE(styleOf(view, "threadIdx"), int(QsciLexerCPP::Identifier));
        view.setLanguage({{"__global__"}, {"threadIdx", "float4"}, {"STAGE_ARGS"}});
        QCOMPARE(styleOf(view, "__global__"), int(QsciLexerCPP::Keyword));
        QCOMPARE(styleOf(view, "const"), int(QsciLexerCPP::Keyword));
        QCOMPARE(styleOf(view, "threadIdx"), int(QsciLexerCPP::KeywordSet2));
        QCOMPARE(styleOf(view, "float4"), int(QsciLexerCPP::KeywordSet2));
        QCOMPARE(styleOf(view, "STAGE_ARGS"), int(QsciLexerCPP::GlobalClass));
        QCOMPARE(styleOf(view, "// 42"), int(QsciLexerCPP::CommentLine));
        QCOMPARE(styleOf(view, "#include"), int(QsciLexerCPP::PreProcessor));
    }

    void bothThemesColourGroundAndWords()
    {
        for (const Theme theme : {Theme::Dark, Theme::Light}) {
            SourceView view;
            view.setLanguage({{"__global__"}, {}, {}});
            view.setTheme(theme);
            view.setText(text);
            const ThemeColors &colors = themeColors(theme);
            const QsciLexer *lexer = view.editor()->lexer();
            QCOMPARE(lexer->paper(QsciLexerCPP::Default), colors.ground);
            QCOMPARE(lexer->color(QsciLexerCPP::Keyword), colors.accent);
            for (const int style : {int(QsciLexerCPP::Identifier), int(QsciLexerCPP::Keyword),
                                    int(QsciLexerCPP::KeywordSet2), int(QsciLexerCPP::GlobalClass),
                                    int(QsciLexerCPP::CommentLine), int(QsciLexerCPP::DoubleQuotedString)})
                QVERIFY(contrastRatio(lexer->color(style), colors.ground) >= 4.5);
            view.resize(400, 300);
            view.show();
            QVERIFY(QTest::qWaitForWindowExposed(&view));
            const QImage image = view.editor()->viewport()->grab().toImage();
            QCOMPARE(image.pixelColor(image.width() - 4, image.height() - 4), colors.ground);
        }
    }

    void messagesStandAtTheirLines()
    {
        SourceView view;
        view.setText(text);
        const QList<SourceMessage> messages{{4, SourceMessage::Error, "identifier \"y\" is undefined"},
                                            {4, SourceMessage::Note, "declared here"},
                                            {5, SourceMessage::Warning, "never used"},
                                            {99, SourceMessage::Error, "beyond the end"}};
        view.setMessages(messages);
        QCOMPARE(view.messages(), messages);
        QsciScintilla *editor = view.editor();
        QCOMPARE(editor->annotation(3), QStringLiteral("error: identifier \"y\" is undefined\nnote: declared here"));
        QCOMPARE(editor->annotation(4), QStringLiteral("warning: never used"));
        QVERIFY(editor->annotation(0).isEmpty());
        QCOMPARE(editor->markersAtLine(3), 1u << SourceMessage::Error);
        QCOMPARE(editor->markersAtLine(4), 1u << SourceMessage::Warning);
        // Underlined from its first letter on.
        const auto value = [&](int line, int index) {
            return editor->SendScintilla(QsciScintillaBase::SCI_INDICATORVALUEAT, SourceMessage::Error,
                                         static_cast<long>(editor->positionFromLineIndex(line, index)));
        };
        QCOMPARE(value(3, 4), 1);
        QCOMPARE(value(3, 3), 0);
        QCOMPARE(value(2, 0), 0);
        view.setMessages({});
        QVERIFY(editor->annotation(3).isEmpty());
        QCOMPARE(editor->markersAtLine(3), 0u);
        QCOMPARE(value(3, 4), 0);
    }

    void manyMessagesInManyViewsLookAsTheFirst()
    {
        const auto lookOf = [](const SourceView &view, int line) { return annotationLook(view, line); };
        for (const Theme theme : {Theme::Dark, Theme::Light}) {
            SourceView first;
            first.setTheme(theme);
            first.setText(longText(20));
            first.setMessages(tenMessages(0));
            const QList<Look> looks{lookOf(first, 0), lookOf(first, 1), lookOf(first, 2)};
            QCOMPARE(looks.at(0).ink, themeColors(theme).danger);
            QCOMPARE(looks.at(1).ink, themeColors(theme).attention);
            for (const Look &look : looks) {
                QVERIFY(look.size >= 800);
                QVERIFY(!look.font.isEmpty());
                QVERIFY(contrastRatio(look.ink, look.ground) >= 4.0);
            }
            for (int round = 1; round <= 200; ++round)
                first.setMessages(tenMessages(round));
            SourceView other;
            other.setText(longText(20));
            other.setMessages(tenMessages(0));
            other.setTheme(theme); // after the messages
            other.setLanguage({{"__global__"}, {}, {}});
            for (int line = 0; line < 10; ++line) {
                QVERIFY2(lookOf(first, line) == looks.at(line % 3), qPrintable(QString::number(line)));
                QVERIFY2(lookOf(other, line) == looks.at(line % 3), qPrintable(QString::number(line)));
            }
        }
    }

    void stepsFromMessageToMessage()
    {
        SourceView view;
        view.setText(longText(200));
        view.setMessages({{50, SourceMessage::Error, "a"}, {150, SourceMessage::Note, "b"}});
        view.nextMessage();
        QCOMPARE(view.currentLine(), 50);
        view.nextMessage();
        QCOMPARE(view.currentLine(), 150);
        view.nextMessage();
        QCOMPARE(view.currentLine(), 50);
        view.previousMessage();
        QCOMPARE(view.currentLine(), 150);
        view.setMessages({});
        view.nextMessage();
        QCOMPARE(view.currentLine(), 150);
    }

    void messagesMoveWithTheirLines()
    {
        SourceView view;
        view.setText(text);
        view.setMessages({{4, SourceMessage::Error, "a"}});
        view.editor()->insertAt("// one more line\n", 0, 0);
        QCOMPARE(view.editor()->markersAtLine(4), 1u << SourceMessage::Error);
        view.nextMessage();
        QCOMPARE(view.currentLine(), 5);
    }

    void reloadKeepsThePlaceAndCanBeUndone()
    {
        SourceView view;
        view.resize(400, 300);
        view.show();
        view.setText(longText(500));
        view.editor()->setCursorPosition(300, 4);
        view.editor()->setFirstVisibleLine(290);
        QSignalSpy modified(&view, &SourceView::modifiedChanged);
        const QString newer = "int first;\n" + longText(500);
        view.reload(newer);
        QCOMPARE(view.text(), newer);
        QCOMPARE(view.currentLine(), 301);
        QCOMPARE(view.editor()->firstVisibleLine(), 290);
        QVERIFY(!view.isModified());
        view.editor()->undo();
        QCOMPARE(view.text(), longText(500));
        QVERIFY(view.isModified());
        QVERIFY(!modified.isEmpty());
        QVERIFY(modified.last().first().toBool());
        // A shorter text: the cursor is at its end, not beyond.
        view.reload("int only;\n");
        QVERIFY(view.currentLine() <= 2);
    }

    void reloadKeepsTheMessagesWhoseLinesExist()
    {
        SourceView view;
        view.setText(text);
        const QList<SourceMessage> messages{{4, SourceMessage::Error, "first"},
                                            {6, SourceMessage::Warning, "second"},
                                            {9, SourceMessage::Note, "beyond the end"}};
        view.setMessages(messages);
        view.reload("int x;\n\n\nint y;\n");
        QCOMPARE(view.messages(), messages);
        QCOMPARE(view.editor()->annotation(3), QStringLiteral("error: first"));
        QCOMPARE(view.editor()->markersAtLine(3), 1u << SourceMessage::Error);
        for (const int line : {0, 1, 2, 4})
            QVERIFY(view.editor()->annotation(line).isEmpty() && view.editor()->markersAtLine(line) == 0);
        QVERIFY(!view.isModified());
        // Of a text that was not there yet when they were set.
        view.reload(longText(10));
        QCOMPARE(view.editor()->annotation(5), QStringLiteral("warning: second"));
        QCOMPARE(view.editor()->annotation(8), QStringLiteral("note: beyond the end"));
    }

    void aSmallerViewKeepsTheCaretInSight()
    {
        SourceView view;
        view.resize(500, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setText(longText(300));
        view.editor()->setCursorPosition(20, 0);
        view.editor()->setFirstVisibleLine(0);
        QVERIFY(caretIsSeen(view));
        view.resize(500, 200);
        QTRY_VERIFY_WITH_TIMEOUT(caretIsSeen(view), 30'000);
        QVERIFY(view.editor()->firstVisibleLine() > 0);
        // Messages above that push it down.
        view.resize(500, 600);
        QCoreApplication::processEvents();
        view.editor()->setFirstVisibleLine(0);
        const auto rows = view.editor()->SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN);
        view.editor()->setCursorPosition(static_cast<int>(rows) - 1, 0);
        QVERIFY(caretIsSeen(view));
        view.setMessages(tenMessages(0));
        QVERIFY(!caretIsSeen(view));
        QTRY_VERIFY_WITH_TIMEOUT(caretIsSeen(view), 30'000);
        // A reader who has scrolled elsewhere stays there.
        QCoreApplication::processEvents();
        view.editor()->setFirstVisibleLine(200);
        view.resize(500, 300);
        view.setMessages({});
        QCoreApplication::processEvents();
        QCOMPARE(view.editor()->firstVisibleLine(), 200);
    }

    void saysWhetherItIsModified()
    {
        SourceView view;
        view.setText(text);
        const QSignalSpy modified(&view, &SourceView::modifiedChanged);
        QVERIFY(!view.isModified());
        QTest::keyClicks(view.editor(), "x");
        QVERIFY(view.isModified());
        QCOMPARE(modified.last().first().toBool(), true);
        view.setSaved();
        QVERIFY(!view.isModified());
        QCOMPARE(modified.last().first().toBool(), false);
    }

    void readOnlyTextStays()
    {
        SourceView view;
        view.setText(text);
        view.setReadOnly(true);
        QTest::keyClicks(view.editor(), "x");
        QCOMPARE(view.text(), text);
        view.reload("int other;\n"); // the file is another; the reader still cannot write
        QCOMPARE(view.text(), QStringLiteral("int other;\n"));
        QVERIFY(view.isReadOnly());
    }

    void findsWhileTyping()
    {
        SourceView view;
        view.resize(600, 400);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setText(longText(300));
        view.showFind();
        auto *field = view.findChild<QLineEdit *>();
        QVERIFY(field);
        QVERIFY(field->isVisible());
        QTest::keyClicks(field, "line27");
        QCOMPARE(view.currentLine(), 27);
        QCOMPARE(view.editor()->selectedText(), QStringLiteral("line27"));
        QTest::keyClicks(field, "1");
        QCOMPARE(view.currentLine(), 271);
        field->setText(QString());
        QTest::keyClicks(field, "line3");
        QTest::keyClick(field, Qt::Key_Return);
        const int after = view.currentLine();
        QVERIFY(after != 271);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->isVisible());
    }

    void goesToALine()
    {
        SourceView view;
        view.setText(longText(100));
        view.goToLine(80);
        QCOMPARE(view.currentLine(), 80);
        view.goToLine(10'000);
        QCOMPARE(view.currentLine(), 101);
        view.goToLine(-3);
        QCOMPARE(view.currentLine(), 1);
    }

    void hasLineNumbersAndANameForAssistiveTechnology()
    {
        SourceView view;
        view.setText(text);
        QVERIFY(view.editor()->marginWidth(0) > 0);
        QVERIFY(!view.editor()->accessibleName().isEmpty());
        QCOMPARE(view.editor()->folding(), QsciScintilla::NoFoldStyle);
    }

    void unicodeStaysAsItIs()
    {
        SourceView view;
        const QString unicode = QStringLiteral("// 16×16 µs Σ 🙂\r\nint x;\n");
        view.setText(unicode);
        QCOMPARE(view.text(), unicode);
        view.reload(unicode + "// ü\n");
        QCOMPARE(view.text(), unicode + "// ü\n");
    }
};

QTEST_MAIN(tst_SourceView)
#include "tst_sourceview.moc"
