// SPDX-License-Identifier: GPL-3.0-or-later
#include "sourcelexer.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QGuiApplication>
#include <QScreen>

namespace stagecraft::widgets {

namespace {

// Scintilla's numbers of keyword sets, as QsciLexerCPP counts them.
constexpr int primarySet = 1, secondarySet = 2, globalSet = 4;

QByteArray joined(const QStringList &words)
{
    return words.join(QLatin1Char(' ')).toLatin1();
}

} // namespace

QFont sourceFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (!QFontInfo(font).fixedPitch())
        font = QFont(QStringLiteral("DejaVu Sans Mono"));
    font.setStyleHint(QFont::Monospace);
    // The editor reads a font's size in points only.
    const QScreen *screen = QGuiApplication::primaryScreen();
    const qreal dpi = screen ? screen->logicalDotsPerInchY() : 96.0;
    font.setPointSizeF(textFont(TextStyle::Body).pixelSize() * 72.0 / dpi);
    font.setWeight(QFont::Normal);
    return font;
}

SourceLexer::SourceLexer(QObject *parent) : QsciLexerCPP(parent, false)
{
    setFoldComments(false);
    setFoldPreprocessor(false);
    setStylePreprocessor(true);
    setLanguage({});
    setTheme(Theme::Dark);
}

void SourceLexer::setLanguage(const SourceLanguage &language)
{
    m_keywords = QByteArray(QsciLexerCPP::keywords(primarySet)) + ' ' + joined(language.keywords);
    m_builtins = joined(language.builtins);
    m_macros = joined(language.macros);
    emit propertyChanged("", ""); // makes the editor take the words anew
}

const char *SourceLexer::keywords(int set) const
{
    switch (set) {
    case primarySet:
        return m_keywords.constData();
    case secondarySet:
        return m_builtins.constData();
    case globalSet:
        return m_macros.constData();
    default:
        return nullptr;
    }
}

void SourceLexer::setTheme(Theme theme)
{
    const ThemeColors &colors = themeColors(theme);
    const QColor types = roleColor({ColorRole::PyTorch}, theme), texts = roleColor({ColorRole::Triton}, theme);
    const QFont font = sourceFont();
    setDefaultColor(colors.ink);
    setDefaultPaper(colors.ground);
    setDefaultFont(font);
    setColor(colors.ink, -1);
    setPaper(colors.ground, -1);
    setFont(font, -1);
    const std::pair<int, QColor> styles[] = {{Comment, colors.muted},
                                             {CommentLine, colors.muted},
                                             {CommentDoc, colors.muted},
                                             {CommentLineDoc, colors.muted},
                                             {CommentDocKeyword, colors.muted},
                                             {CommentDocKeywordError, colors.muted},
                                             {PreProcessorComment, colors.muted},
                                             {Keyword, colors.accent},
                                             {KeywordSet2, types},
                                             {GlobalClass, colors.attention},
                                             {Number, colors.attention},
                                             {PreProcessor, colors.attention},
                                             {SingleQuotedString, texts},
                                             {DoubleQuotedString, texts},
                                             {RawString, texts},
                                             {UnclosedString, colors.danger}};
    for (const auto &[style, color] : styles)
        setColor(color, style);
}

} // namespace stagecraft::widgets
