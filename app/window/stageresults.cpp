// SPDX-License-Identifier: GPL-3.0-or-later
#include "stageresults.h"

#include "actions.h"
#include "architectures.h"
#include "themedicon.h"
#include "valuetableview.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace stagecraft::window {

namespace {

constexpr int lineRole = Qt::UserRole + 1;
constexpr int mostColumnWidth = 280;
constexpr int rowHeight = 28, mostMessages = 3, mostCompiledRows = 3;
constexpr int roomForBoth = 1240;

void setTable(widgets::ValueTableView *view, const widgets::ValueTable &table)
{
    view->setTable(table);
    const QAbstractItemView *items = view; // where a column's size hint is public
    QHeaderView *header = view->horizontalHeader();
    for (int column = 0; column < header->count(); ++column)
        view->setColumnWidth(
            column,
            std::min(std::max(header->sectionSizeHint(column), items->sizeHintForColumn(column)), mostColumnWidth));
}

QIcon severityIcon(widgets::SourceMessage::Severity severity, widgets::Theme theme)
{
    const widgets::ThemeColors &colors = widgets::themeColors(theme);
    switch (severity) {
    case widgets::SourceMessage::Error:
        return tintedIcon(QStringLiteral("error"), colors.danger);
    case widgets::SourceMessage::Warning:
        return tintedIcon(QStringLiteral("warning"), colors.attention);
    case widgets::SourceMessage::Note:
        break;
    }
    return tintedIcon(QStringLiteral("info"), colors.muted);
}

} // namespace

StageResults::StageResults(Actions *actions, QWidget *parent) : QWidget(parent), m_splitter(new QSplitter(this))
{
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(createCompiled());
    m_splitter->addWidget(createHistory());
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_detail = new QLabel(this);
    m_detail->setWordWrap(true);
    m_detail->setTextFormat(Qt::PlainText);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_detail->setContentsMargins(12, 8, 12, 8);
    m_detail->hide();
    layout->addWidget(createBar(actions));
    layout->addWidget(m_detail);
    layout->addWidget(m_splitter, 1);
}

void StageResults::addButton(QHBoxLayout *row, QAction *action)
{
    auto *button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIconSize(QSize(16, 16));
    button->setAccessibleName(action->statusTip());
    row->addWidget(button);
}

QWidget *StageResults::createBar(Actions *actions)
{
    auto *bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("paneBar"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 4, 8, 4);
    row->setSpacing(4);
    m_summary = new QLabel(bar);
    m_summary->setProperty("heading", true);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(m_summary, 1);
    m_architecture = new QComboBox(bar);
    m_architecture->setToolTip(tr("The architecture that stages are compiled for"));
    m_architecture->setAccessibleName(tr("Compile for"));
    m_architecture->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_architecture, &QComboBox::activated, this, [this] {
        m_chosen = true;
        emit architectureChosen();
    });
    row->addWidget(m_architecture);
    addButton(row, actions->compileStage);
    addButton(row, actions->measureStage);
    fillArchitectures();
    return bar;
}

QWidget *StageResults::createCompiled()
{
    auto *area = new QWidget(this);
    auto *layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_messages = new QListWidget(area);
    m_messages->setAccessibleName(tr("Compile messages"));
    m_messages->setFrameShape(QFrame::NoFrame);
    m_messages->setIconSize(QSize(16, 16));
    m_messages->setTextElideMode(Qt::ElideRight);
    m_messages->hide();
    const auto activate = [this](const QListWidgetItem *item) { emit messageActivated(item->data(lineRole).toInt()); };
    connect(m_messages, &QListWidget::itemClicked, this, activate);
    connect(m_messages, &QListWidget::itemActivated, this, activate);
    m_compiled = new widgets::ValueTableView(area);
    m_compiled->setFrameShape(QFrame::NoFrame);
    m_compiled->setAccessibleName(tr("What the compiler says of the stage"));
    layout->addWidget(m_messages);
    layout->addWidget(m_compiled, 1);
    return area;
}

QWidget *StageResults::createHistory()
{
    auto *area = new QWidget(this);
    auto *layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_history = new widgets::ValueTableView(area);
    m_history->setFrameShape(QFrame::NoFrame);
    m_history->setAccessibleName(tr("This session's saves of the stage"));
    m_noHistory =
        new QLabel(tr("Each save of a stage of yours gets a line here: its state, its times, and whether it is "
                      "faster than the stage before it."),
                   area);
    m_noHistory->setProperty("muted", true);
    m_noHistory->setWordWrap(true);
    m_noHistory->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_noHistory->setContentsMargins(12, 8, 12, 8);
    layout->addWidget(m_history, 1);
    layout->addWidget(m_noHistory, 1);
    return area;
}

void StageResults::fillArchitectures()
{
    const QSignalBlocker quiet(m_architecture);
    const QVariant before = m_architecture->currentData();
    m_architecture->clear();
    QStringList known = run::knownArchitectures();
    if (!m_gpuArchitecture.isEmpty()) {
        m_architecture->addItem(tr("%1 (this GPU)").arg(m_gpuArchitecture), m_gpuArchitecture);
        known.removeAll(m_gpuArchitecture);
    }
    for (const QString &architecture : std::as_const(known))
        m_architecture->addItem(architecture, architecture);
    m_architecture->addItem(tr("All architectures"), QString());
    const QString usual = m_gpuArchitecture.isEmpty() ? run::usualArchitecture() : m_gpuArchitecture;
    const int kept = m_chosen ? m_architecture->findData(before) : -1;
    m_architecture->setCurrentIndex(kept >= 0 ? kept : m_architecture->findData(usual));
}

void StageResults::setGpuArchitecture(const QString &architecture)
{
    if (m_gpuArchitecture == architecture)
        return;
    m_gpuArchitecture = architecture;
    fillArchitectures();
    emit architectureChosen();
}

void StageResults::chooseArchitecture(const QString &architecture)
{
    m_architecture->setCurrentIndex(m_architecture->findData(architecture));
    m_chosen = true;
    emit architectureChosen();
}

QStringList StageResults::architectures() const
{
    const QString chosen = m_architecture->currentData().toString();
    if (!chosen.isEmpty())
        return {chosen};
    QStringList all = run::knownArchitectures();
    if (!m_gpuArchitecture.isEmpty() && !all.contains(m_gpuArchitecture))
        all.prepend(m_gpuArchitecture);
    return all;
}

QString StageResults::mainArchitecture() const
{
    const QString chosen = m_architecture->currentData().toString();
    if (!chosen.isEmpty())
        return chosen;
    return m_gpuArchitecture.isEmpty() ? run::usualArchitecture() : m_gpuArchitecture;
}

void StageResults::setSummary(const QString &text, const QString &detail, bool bad)
{
    m_summary->setText(text);
    m_summary->setToolTip(text);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    if (m_summary->property("danger").toBool() == bad)
        return;
    m_summary->setProperty("danger", bad);
    m_summary->style()->unpolish(m_summary);
    m_summary->style()->polish(m_summary);
}

QString StageResults::summary() const
{
    return m_summary->text();
}

void StageResults::setCompiled(const widgets::ValueTable &table)
{
    const bool sameHeight = m_compiled->table().rows.size() == table.rows.size();
    setTable(m_compiled, table);
    if (!sameHeight)
        shareHeight();
}

void StageResults::setMessages(const QList<widgets::SourceMessage> &messages)
{
    m_messages->clear();
    for (const widgets::SourceMessage &message : messages) {
        auto *item = new QListWidgetItem(severityIcon(message.severity, m_theme),
                                         tr("line %1: %2").arg(message.line).arg(message.text), m_messages);
        item->setToolTip(message.text);
        item->setData(lineRole, message.line);
    }
    m_messages->setMaximumHeight(static_cast<int>(qMin<qsizetype>(messages.size(), mostMessages)) * rowHeight);
    m_messages->setVisible(!messages.isEmpty());
    shareHeight();
}

void StageResults::setHistory(const widgets::ValueTable &table)
{
    setTable(m_history, table);
    m_history->setVisible(!table.rows.isEmpty());
    m_noHistory->setVisible(table.rows.isEmpty());
}

// Side by side where both tables have their whole width, else one above the other.
void StageResults::resizeEvent(QResizeEvent *event)
{
    const Qt::Orientation wanted = width() >= roomForBoth ? Qt::Horizontal : Qt::Vertical;
    if (m_splitter->orientation() != wanted) {
        m_splitter->setOrientation(wanted);
        shareHeight();
    }
    QWidget::resizeEvent(event);
}

// One above the other, the compiler's lines take what they need and the saves have the rest.
void StageResults::shareHeight()
{
    if (m_splitter->orientation() != Qt::Vertical)
        return;
    const int rows = qBound(1, static_cast<int>(m_compiled->table().rows.size()), mostCompiledRows);
    const int messages = m_messages->isHidden() ? 0 : m_messages->maximumHeight();
    const int needed = (rows + 1) * rowHeight + 2 * widgets::kSpacing + messages;
    m_splitter->setSizes({needed, qMax(3 * rowHeight, m_splitter->height() - needed)});
}

void StageResults::setTheme(widgets::Theme theme)
{
    m_theme = theme;
    m_compiled->setTheme(theme);
    m_history->setTheme(theme);
}

} // namespace stagecraft::window
