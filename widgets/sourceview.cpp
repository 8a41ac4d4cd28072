// SPDX-License-Identifier: GPL-3.0-or-later
#include "sourceview.h"

#include "sourcefindbar.h"
#include "sourcelexer.h"

#include <QInputDialog>
#include <QMap>
#include <QResizeEvent>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>
#include <Qsci/qscistyledtext.h>
#include <QScrollBar>
#include <QShortcut>
#include <QTimer>
#include <QVBoxLayout>

namespace stagecraft::widgets {

namespace {

constexpr int numberMargin = 0, messageMargin = 1;
constexpr int annotationWidth = 96; // characters; a compiler's sentence is read in the text's own width
constexpr int indentation = 4;
// Between Scintilla's own styles, which end at 39, and the lexer's for inactive code, which begin at 64. Fixed numbers,
// since those that QsciStyle hands out are 24 for the whole process.
constexpr int firstMessageStyle = 60;

// Marker and indicator of a severity have its own number.
int markOf(SourceMessage::Severity severity)
{
    return static_cast<int>(severity);
}

constexpr int allMarks = 0b111;

QColor blended(const QColor &over, const QColor &under, float share)
{
    return QColor::fromRgbF(share * over.redF() + (1 - share) * under.redF(),
                            share * over.greenF() + (1 - share) * under.greenF(),
                            share * over.blueF() + (1 - share) * under.blueF());
}

QString wrapped(const QString &text)
{
    QStringList lines;
    QString line;
    for (const QString &word : text.split(QLatin1Char(' '))) {
        if (!line.isEmpty() && line.size() + word.size() >= annotationWidth) {
            lines.append(line);
            line = QStringLiteral("  ") + word;
        } else {
            line += line.isEmpty() ? word : QLatin1Char(' ') + word;
        }
    }
    lines.append(line);
    return lines.join(QLatin1Char('\n'));
}

QString severityName(SourceMessage::Severity severity)
{
    switch (severity) {
    case SourceMessage::Error:
        return SourceView::tr("error");
    case SourceMessage::Warning:
        return SourceView::tr("warning");
    case SourceMessage::Note:
        break;
    }
    return SourceView::tr("note");
}

} // namespace

SourceView::SourceView(QWidget *parent)
    : QWidget(parent),
      m_editor(new QsciScintilla(this)),
      m_lexer(new SourceLexer(m_editor)),
      m_find(new SourceFindBar(m_editor, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_editor, 1);
    layout->addWidget(m_find);
    setFocusProxy(m_editor);
    setUpEditor();
    setUpMargins();
    setUpMessageMarks();
    setUpShortcuts();
    setTheme(m_theme);
    m_editor->installEventFilter(this);
    connect(m_editor, &QsciScintilla::modificationChanged, this, &SourceView::modifiedChanged);
}

SourceView::~SourceView() = default;

void SourceView::setUpEditor()
{
    m_editor->setFrameShape(QFrame::NoFrame);
    m_editor->setUtf8(true);
    m_editor->setEolMode(QsciScintilla::EolUnix);
    m_editor->setLexer(m_lexer);
    m_editor->setFolding(QsciScintilla::NoFoldStyle);
    m_editor->setIndentationsUseTabs(false);
    m_editor->setIndentationWidth(indentation);
    m_editor->setTabWidth(indentation);
    m_editor->setAutoIndent(true);
    m_editor->setBackspaceUnindents(true);
    m_editor->setBraceMatching(QsciScintilla::SloppyBraceMatch);
    m_editor->setCaretLineVisible(true);
    m_editor->setScrollWidth(1);
    m_editor->setScrollWidthTracking(true);
    m_editor->setAnnotationDisplay(QsciScintilla::AnnotationStandard);
    m_editor->setAccessibleName(tr("Source"));
}

void SourceView::setUpMargins()
{
    m_editor->setMarginType(numberMargin, QsciScintilla::NumberMargin);
    m_editor->setMarginType(messageMargin, QsciScintilla::SymbolMargin);
    m_editor->setMarginMarkerMask(messageMargin, allMarks);
    m_editor->setMarginWidth(messageMargin, 4 * kSpacing);
    connect(m_editor, &QsciScintilla::linesChanged, this, &SourceView::fitNumbers);
    fitNumbers();
}

void SourceView::fitNumbers()
{
    const int digits = qMax(3, int(QString::number(m_editor->lines()).size()));
    if (m_hasNumbers)
        m_editor->setMarginWidth(numberMargin, QString(digits + 1, QLatin1Char('9')));
    else
        m_editor->setMarginWidth(numberMargin, 0);
}

void SourceView::setLineNumbersShown(bool shown)
{
    m_hasNumbers = shown;
    fitNumbers();
}

void SourceView::setUpMessageMarks()
{
    const std::pair<SourceMessage::Severity, QsciScintilla::MarkerSymbol> marks[] = {
        {SourceMessage::Error, QsciScintilla::Circle},
        {SourceMessage::Warning, QsciScintilla::RightTriangle},
        {SourceMessage::Note, QsciScintilla::SmallRectangle}};
    for (const auto &[severity, symbol] : marks) {
        m_editor->markerDefine(symbol, markOf(severity));
        m_editor->indicatorDefine(QsciScintilla::SquiggleIndicator, markOf(severity));
    }
}

void SourceView::setUpShortcuts()
{
    const auto add = [this](const QKeySequence &keys, auto receiver, auto slot) {
        auto *shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, receiver, slot);
    };
    add(QKeySequence::Find, this, &SourceView::showFind);
    add(QKeySequence(Qt::Key_F3), m_find, &SourceFindBar::findNext);
    add(QKeySequence(Qt::SHIFT | Qt::Key_F3), m_find, &SourceFindBar::findPrevious);
    add(QKeySequence(Qt::CTRL | Qt::Key_G), this, &SourceView::askForLine);
}

void SourceView::setLanguage(const SourceLanguage &language)
{
    m_lexer->setLanguage(language);
    m_editor->setLexer(m_lexer); // the editor asks for the words only here
    setTheme(m_theme);
}

void SourceView::setTheme(Theme theme)
{
    m_theme = theme;
    const ThemeColors &colors = themeColors(theme);
    m_lexer->setTheme(theme);
    m_editor->setColor(colors.ink);
    m_editor->setPaper(colors.ground);
    m_editor->setMarginsFont(sourceFont());
    m_editor->setMarginsForegroundColor(colors.muted);
    m_editor->setMarginsBackgroundColor(colors.raised);
    m_editor->setCaretForegroundColor(colors.ink);
    m_editor->setCaretLineBackgroundColor(colors.raised);
    m_editor->setSelectionBackgroundColor(blended(colors.accent, colors.ground, 0.35f));
    m_editor->resetSelectionForegroundColor();
    m_editor->setMatchedBraceForegroundColor(colors.ink);
    m_editor->setMatchedBraceBackgroundColor(blended(colors.accent, colors.ground, 0.35f));
    m_editor->setUnmatchedBraceForegroundColor(colors.danger);
    m_editor->setUnmatchedBraceBackgroundColor(colors.ground);
    for (const auto severity : {SourceMessage::Error, SourceMessage::Warning, SourceMessage::Note}) {
        m_editor->setMarkerForegroundColor(severityColor(severity), markOf(severity));
        m_editor->setMarkerBackgroundColor(severityColor(severity), markOf(severity));
        m_editor->setIndicatorForegroundColor(severityColor(severity), markOf(severity));
    }
    setMessages(m_messages);
}

QColor SourceView::severityColor(SourceMessage::Severity severity) const
{
    const ThemeColors &colors = themeColors(m_theme);
    switch (severity) {
    case SourceMessage::Error:
        return colors.danger;
    case SourceMessage::Warning:
        return colors.attention;
    case SourceMessage::Note:
        break;
    }
    return roleColor({ColorRole::PyTorch}, m_theme);
}

void SourceView::setReadOnly(bool readOnly)
{
    m_editor->setReadOnly(readOnly);
}

bool SourceView::isReadOnly() const
{
    return m_editor->isReadOnly();
}

void SourceView::setText(const QString &text)
{
    m_editor->setText(text);
    m_editor->setModified(false);
    m_editor->setCursorPosition(0, 0);
}

void SourceView::replaceText(const QString &text)
{
    const bool readOnly = m_editor->isReadOnly();
    m_editor->setReadOnly(false);
    const QByteArray bytes = text.toUtf8();
    m_editor->SendScintilla(QsciScintillaBase::SCI_TARGETWHOLEDOCUMENT);
    m_editor->SendScintilla(QsciScintillaBase::SCI_REPLACETARGET, static_cast<uintptr_t>(bytes.size()),
                            bytes.constData());
    m_editor->setReadOnly(readOnly);
}

void SourceView::reload(const QString &text)
{
    int line = 0, index = 0;
    m_editor->getCursorPosition(&line, &index);
    const int top = m_editor->firstVisibleLine();
    const int left = m_editor->horizontalScrollBar()->value();
    replaceText(text);
    setMessages(m_messages); // who set them knows whether they are still right
    m_editor->setModified(false);
    m_editor->setCursorPosition(qMin(line, m_editor->lines() - 1), index);
    m_editor->setFirstVisibleLine(top);
    m_editor->horizontalScrollBar()->setValue(left);
}

QString SourceView::text() const
{
    return m_editor->text();
}

bool SourceView::isModified() const
{
    return m_editor->isModified();
}

void SourceView::setSaved()
{
    m_editor->setModified(false);
}

void SourceView::setMessages(const QList<SourceMessage> &messages)
{
    const bool follow = caretIsWithin(m_editor->viewport()->height());
    m_messages = messages;
    m_editor->clearAnnotations();
    const int lastLine = m_editor->lines() - 1;
    QMap<int, QList<SourceMessage>> byLine;
    for (const auto severity : {SourceMessage::Error, SourceMessage::Warning, SourceMessage::Note}) {
        m_editor->markerDeleteAll(markOf(severity));
        m_editor->clearIndicatorRange(0, 0, lastLine, m_editor->lineLength(lastLine), markOf(severity));
    }
    for (const SourceMessage &message : messages) {
        if (message.line >= 1 && message.line <= m_editor->lines())
            byLine[message.line - 1].append(message);
    }
    for (auto line = byLine.cbegin(); line != byLine.cend(); ++line)
        annotate(line.key(), line.value());
    if (follow)
        QTimer::singleShot(0, this, &SourceView::keepCaretInView);
}

// What is shown beside the source may take some of its height. A reader who has scrolled elsewhere stays there.
bool SourceView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_editor && event->type() == QEvent::Resize) {
        const auto *resize = static_cast<QResizeEvent *>(event);
        if (resize->size().height() < resize->oldSize().height() && caretIsWithin(resize->oldSize().height()))
            QTimer::singleShot(0, this, &SourceView::keepCaretInView); // when the editor knows its size
    }
    return QWidget::eventFilter(watched, event);
}

// The caret's line among the lines that are drawn, from 0.
int SourceView::caretRow() const
{
    return static_cast<int>(m_editor->SendScintilla(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE,
                                                    static_cast<unsigned long>(currentLine() - 1)));
}

bool SourceView::caretIsWithin(int height) const
{
    const int rows = height / m_editor->textHeight(0);
    const int row = caretRow() - m_editor->firstVisibleLine();
    return row >= 0 && row < rows;
}

// With what is said below its line, as far as there is room.
void SourceView::keepCaretInView()
{
    const auto ask = [this](unsigned int what, unsigned long of) {
        return static_cast<int>(m_editor->SendScintilla(what, of));
    };
    const int caret = caretRow();
    const int last =
        caret + ask(QsciScintillaBase::SCI_ANNOTATIONGETLINES, static_cast<unsigned long>(currentLine() - 1));
    const int lowest = qMin(caret, last - ask(QsciScintillaBase::SCI_LINESONSCREEN, 0) + 1);
    m_editor->setFirstVisibleLine(qBound(lowest, m_editor->firstVisibleLine(), caret));
}

QsciStyle SourceView::messageStyle(SourceMessage::Severity severity) const
{
    const QColor color = severityColor(severity);
    return {firstMessageStyle + markOf(severity), severityName(severity), color,
            blended(color, themeColors(m_theme).ground, 0.12f), sourceFont()};
}

void SourceView::annotate(int line, const QList<SourceMessage> &messages)
{
    QList<QsciStyledText> texts;
    for (const SourceMessage &message : messages) {
        const QString end = texts.size() + 1 < messages.size() ? QStringLiteral("\n") : QString();
        texts.append({wrapped(QStringLiteral("%1: %2").arg(severityName(message.severity), message.text)) + end,
                      messageStyle(message.severity)});
    }
    m_editor->annotate(line, texts);
    // The worst of a line marks it.
    const auto worst = std::ranges::min_element(messages, {}, &SourceMessage::severity)->severity;
    m_editor->markerAdd(line, markOf(worst));
    const QString text = m_editor->text(line);
    qsizetype first = 0;
    while (first < text.size() && text.at(first).isSpace())
        ++first;
    m_editor->fillIndicatorRange(line, static_cast<int>(first), line, static_cast<int>(text.trimmed().size() + first),
                                 markOf(worst));
}

bool SourceView::canUndo() const
{
    return m_editor->isUndoAvailable() && !isReadOnly();
}

bool SourceView::canRedo() const
{
    return m_editor->isRedoAvailable() && !isReadOnly();
}

void SourceView::undo()
{
    if (canUndo())
        m_editor->undo();
}

void SourceView::redo()
{
    if (canRedo())
        m_editor->redo();
}

int SourceView::currentLine() const
{
    int line = 0, index = 0;
    m_editor->getCursorPosition(&line, &index);
    return line + 1;
}

void SourceView::goToLine(int line)
{
    const int wanted = qBound(1, line, m_editor->lines()) - 1;
    m_editor->setCursorPosition(wanted, 0);
    // In the upper third: what follows a line explains it more often than what comes before.
    const auto shown = static_cast<int>(m_editor->SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN));
    const auto visible = static_cast<int>(m_editor->SendScintilla(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE, wanted));
    m_editor->setFirstVisibleLine(qMax(0, visible - shown / 3));
}

void SourceView::stepToMessage(bool forward)
{
    const int line = currentLine() - 1;
    int found = forward ? m_editor->markerFindNext(line + 1, allMarks)
                        : (line > 0 ? m_editor->markerFindPrevious(line - 1, allMarks) : -1);
    if (found < 0)
        found = forward ? m_editor->markerFindNext(0, allMarks)
                        : m_editor->markerFindPrevious(m_editor->lines() - 1, allMarks);
    if (found >= 0)
        goToLine(found + 1);
}

void SourceView::nextMessage()
{
    stepToMessage(true);
}

void SourceView::previousMessage()
{
    stepToMessage(false);
}

void SourceView::showFind()
{
    m_find->open();
}

void SourceView::askForLine()
{
    bool accepted = false;
    const int line = QInputDialog::getInt(this, tr("Go to line"), tr("Line (1 to %1)").arg(m_editor->lines()),
                                          currentLine(), 1, m_editor->lines(), 1, &accepted);
    if (accepted)
        goToLine(line);
}

} // namespace stagecraft::widgets
