// SPDX-License-Identifier: GPL-3.0-or-later
#include "machinecodepanel.h"

#include "counted.h"
#include "linemarks.h"
#include "valuetableview.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

namespace stagecraft::window {

namespace {

constexpr int mostKinds = 4; // said of a line; the tool tip has all

} // namespace

MachineCodePanel::MachineCodePanel(QWidget *parent) : QWidget(parent)
{
    setMinimumWidth(280);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_stack = new QStackedWidget(this);
    layout->addWidget(createBar());
    layout->addWidget(m_stack, 1);
    layout->addWidget(createFoot());
    createListing(SassTab, sassLanguage(), tr("Machine code of the stage"));
    createListing(PtxTab, ptxLanguage(), tr("PTX of the stage"));
    createTables();
    setFocusProxy(m_tabs);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_stack->setCurrentIndex(tab);
        mark(m_pages[tab]);
        showWords();
    });
    setGap({});
}

QWidget *MachineCodePanel::createBar()
{
    auto *bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("paneBar"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 0);
    row->setSpacing(8);
    m_tabs = new QTabBar(bar);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("SASS"));
    m_tabs->addTab(tr("PTX"));
    m_tabs->addTab(tr("Mix"));
    m_tabs->addTab(tr("Lines"));
    m_tabs->setTabToolTip(SassTab, tr("The GPU's own instructions, as nvdisasm prints them"));
    m_tabs->setTabToolTip(PtxTab, tr("The virtual instructions that the machine code was made from"));
    m_tabs->setTabToolTip(MixTab, tr("How many instructions of each kind there are"));
    m_tabs->setTabToolTip(LinesTab, tr("Where the warps wait, by line of the source, as sampled on the GPU"));
    m_tabs->setAccessibleName(tr("What the stage was compiled to"));
    m_caption = new QLabel(bar);
    m_caption->setProperty("muted", true);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_caption->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_local = new QToolButton(bar);
    m_local->setAutoRaise(true);
    m_local->setToolTip(tr("Go to the next line that touches local memory"));
    connect(m_local, &QToolButton::clicked, this, &MachineCodePanel::goToNextLocal);
    row->addWidget(m_tabs);
    row->addWidget(m_caption, 1);
    row->addWidget(m_local);
    return bar;
}

QWidget *MachineCodePanel::createFoot()
{
    auto *foot = new QWidget(this);
    auto *row = new QHBoxLayout(foot);
    row->setContentsMargins(12, 2, 8, 2);
    m_line = new QLabel(foot);
    m_line->setProperty("muted", true);
    m_line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sample = new QToolButton(foot);
    connect(m_sample, &QToolButton::clicked, this, &MachineCodePanel::sampleClicked);
    row->addWidget(m_line, 1);
    row->addWidget(m_sample, 0, Qt::AlignRight);
    setSampling({});
    return foot;
}

void MachineCodePanel::createTables()
{
    m_mix = new widgets::ValueTableView(this);
    m_mix->setFrameShape(QFrame::NoFrame);
    m_mix->setAccessibleName(tr("Instruction mix of the stage"));
    createPage(MixTab, m_mix);
    auto *page = new QWidget(this);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_linesText = new QLabel(page);
    m_linesText->setProperty("muted", true);
    m_linesText->setContentsMargins(12, 6, 12, 6);
    m_linesText->setWordWrap(true);
    m_linesText->setTextFormat(Qt::PlainText);
    m_linesText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lines = new widgets::ValueTableView(page);
    m_lines->setFrameShape(QFrame::NoFrame);
    m_lines->setAccessibleName(tr("Where warps wait, by line of the source"));
    connect(m_lines, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        if (const int line = index.siblingAtColumn(0).data().toString().toInt(); line > 0)
            emit sourceLineChosen(line);
    });
    layout->addWidget(m_linesText);
    layout->addWidget(m_lines, 1);
    createPage(LinesTab, page);
}

void MachineCodePanel::createListing(Tab tab, const widgets::SourceLanguage &language, const QString &name)
{
    Page &page = m_pages[tab];
    page.view = new widgets::SourceView(this);
    page.view->setLanguage(language);
    page.view->setLineNumbersShown(false);
    page.view->setReadOnly(true);
    page.view->setAccessibleName(name);
    page.marks = new widgets::LineMarks(page.view);
    connect(page.marks, &widgets::LineMarks::cursorMoved, this, [this, tab](int line) { noteCursor(tab, line); });
    createPage(tab, page.view);
}

void MachineCodePanel::createPage(Tab tab, QWidget *content)
{
    Page &page = m_pages[tab];
    page.stack = new QStackedWidget(m_stack);
    auto *gap = new QWidget(page.stack);
    auto *layout = new QVBoxLayout(gap);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    page.gap = new QLabel(gap);
    page.gap->setWordWrap(true);
    page.gap->setTextFormat(Qt::PlainText);
    page.gap->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    page.again = new QToolButton(gap);
    page.again->setText(tr("Look again"));
    connect(page.again, &QToolButton::clicked, this, &MachineCodePanel::lookAgainRequested);
    layout->addWidget(page.gap);
    layout->addWidget(page.again, 0, Qt::AlignLeft);
    layout->addStretch(1);
    page.stack->addWidget(gap);
    page.stack->addWidget(content);
    m_stack->addWidget(page.stack);
}

void MachineCodePanel::setCaption(const QString &what, const QString &detail)
{
    m_caption->setText(what);
    m_caption->setToolTip(detail.isEmpty() ? what : detail);
}

QString MachineCodePanel::caption() const
{
    return m_caption->text();
}

void MachineCodePanel::showGap(Page &page, const Gap &gap)
{
    page.listing = {};
    page.gap->setText(gap.fix.isEmpty() ? gap.text : QStringLiteral("%1\n\n%2").arg(gap.text, gap.fix));
    page.again->setVisible(gap.canLookAgain);
    page.stack->setCurrentIndex(0);
}

void MachineCodePanel::setGap(const Gap &gap)
{
    for (Page &page : m_pages)
        showGap(page, gap);
    showWords();
}

void MachineCodePanel::setSassGap(const Gap &gap)
{
    showGap(m_pages[SassTab], gap);
    showGap(m_pages[MixTab], gap);
    showGap(m_pages[LinesTab], gap);
    showWords();
}

void MachineCodePanel::setLines(const widgets::ValueTable &lines, const QString &text)
{
    m_linesText->setText(text);
    m_lines->setTable(lines);
    m_lines->resizeColumnsToContents();
    m_pages[LinesTab].stack->setCurrentIndex(1);
    showWords();
}

void MachineCodePanel::setLinesGap(const Gap &gap)
{
    showGap(m_pages[LinesTab], gap);
    showWords();
}

void MachineCodePanel::setSampling(const Sampling &sampling)
{
    m_sample->setText(sampling.isRunning ? tr("Stop sampling") : tr("Sample on the GPU"));
    m_sample->setAccessibleName(sampling.isRunning ? tr("Stop sampling where the stage's warps wait")
                                                   : tr("Sample on the GPU where the stage's warps wait"));
    m_sample->setEnabled(sampling.isRunning || sampling.refusal.isEmpty());
    m_sample->setToolTip(sampling.isRunning           ? tr("The stage is being executed on the GPU")
                         : sampling.refusal.isEmpty() ? tr("Execute the stage, and find out where its warps wait")
                                                      : sampling.refusal);
    m_sample->setAccessibleDescription(m_sample->toolTip());
}

QString MachineCodePanel::linesText() const
{
    return m_linesText->text();
}

void MachineCodePanel::fill(Page &page, const CodeListing &listing)
{
    page.listing = listing;
    page.marks->setQuiet(true);
    page.view->setText(listing.text);
    page.marks->setQuiet(false);
    page.marks->setFlagged(listing.flagged);
    page.stack->setCurrentIndex(1);
}

void MachineCodePanel::setPtx(const CodeListing &listing)
{
    fill(m_pages[PtxTab], listing);
    mark(m_pages[PtxTab]);
    showWords();
}

void MachineCodePanel::setSass(const CodeListing &listing, const run::Disassembly &code)
{
    fill(m_pages[SassTab], listing);
    m_mix->setTable(mixTable(code));
    m_mix->resizeColumnsToContents();
    m_pages[MixTab].stack->setCurrentIndex(1);
    setLinesGap({tr("Not sampled: where the warps of this stage wait, only its execution on a GPU says."),
                 tr("“Sample on the GPU” below executes it there.")});
    mark(m_pages[SassTab]);
    showWords();
}

void MachineCodePanel::mark(Page &page) const
{
    if (!page.marks)
        return;
    const QList<int> lines = page.listing.linesOf.value(m_sourceLine);
    page.marks->setRelated(lines);
    // What the reader has gone to does not move away.
    if (!lines.isEmpty() && !m_isChoosing)
        page.marks->reveal(lines.first());
}

void MachineCodePanel::showSourceLine(int line)
{
    m_sourceLine = line;
    mark(m_pages[tab()]);
    showWords();
}

void MachineCodePanel::noteCursor(Tab tab, int line)
{
    const int source = m_pages[tab].listing.sourceLines.value(line);
    if (source == 0)
        return;
    m_isChoosing = true;
    emit sourceLineChosen(source);
    m_isChoosing = false;
}

void MachineCodePanel::goToNextLocal()
{
    const Page &page = m_pages[tab()];
    if (!page.marks)
        return;
    if (const int line = page.marks->nextFlagged(page.view->currentLine())) {
        page.view->goToLine(line);
        page.view->setFocus(Qt::OtherFocusReason);
    }
}

void MachineCodePanel::showWords()
{
    const Page &page = m_pages[tab()];
    const qsizetype local = page.listing.flagged.size();
    m_local->setVisible(local > 0);
    m_local->setText(tr("▲ %1 local memory").arg(local));
    m_local->setAccessibleName(tr("%1 lines touch local memory: go to the next").arg(local));
    const qsizetype made = page.listing.linesOf.value(m_sourceLine).size();
    QString text, all;
    if (page.view && m_sourceLine > 0 && !gapText(tab()).isEmpty())
        text = QString();
    else if (page.view && m_sourceLine > 0 && made == 0)
        text = tr("line %1: no instruction comes from it").arg(m_sourceLine);
    else if (page.view && m_sourceLine > 0)
        text = tr("line %1: %2").arg(m_sourceLine).arg(counted(made, tr("instruction"), tr("instructions")));
    if (const auto mix = page.listing.mixes.constFind(m_sourceLine); mix != page.listing.mixes.cend()) {
        all = QStringLiteral("%1: %2").arg(text, run::mixText(*mix));
        text = QStringLiteral("%1: %2").arg(text, run::mixText(*mix, mostKinds));
    }
    m_line->setText(text);
    m_line->setToolTip(all);
    m_line->setVisible(!text.isEmpty());
}

void MachineCodePanel::setTab(Tab tab)
{
    m_tabs->setCurrentIndex(tab);
}

MachineCodePanel::Tab MachineCodePanel::tab() const
{
    return static_cast<Tab>(m_tabs->currentIndex());
}

widgets::SourceView *MachineCodePanel::view(Tab tab) const
{
    return m_pages[tab].view;
}

widgets::LineMarks *MachineCodePanel::marks(Tab tab) const
{
    return m_pages[tab].marks;
}

QString MachineCodePanel::lineText() const
{
    return m_line->text();
}

QString MachineCodePanel::gapText(Tab tab) const
{
    const Page &page = m_pages[tab];
    return page.stack->currentIndex() == 0 ? page.gap->text() : QString();
}

void MachineCodePanel::setTheme(widgets::Theme theme)
{
    for (const Page &page : m_pages) {
        if (!page.view)
            continue;
        page.view->setTheme(theme);
        page.marks->setTheme(theme);
    }
    m_mix->setTheme(theme);
    m_lines->setTheme(theme);
}

} // namespace stagecraft::window
