// SPDX-License-Identifier: GPL-3.0-or-later
#include "externalprogramspanel.h"

#include "externalprogrammodel.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTableView>

namespace stagecraft::window {

namespace {

// Says how to begin while it is empty.
class ProgramTable final : public QTableView
{
public:
    using QTableView::QTableView;

protected:
    void paintEvent(QPaintEvent *event) override
    {
        QTableView::paintEvent(event);
        if (model()->rowCount() > 0)
            return;
        QPainter painter(viewport());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(viewport()->rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         ExternalProgramsPanel::tr("No program yet: press Add, or drop its file here."));
    }
};

} // namespace

ExternalProgramsPanel::ExternalProgramsPanel(QWidget *parent)
    : QWidget(parent), m_model(new ExternalProgramModel(this)), m_problem(new QLabel(this))
{
    createTable();
    m_problem->setObjectName(QStringLiteral("programProblem"));
    m_problem->setWordWrap(true);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_table, 1);
    row->addWidget(createButtons());
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(row, 1);
    layout->addWidget(m_problem);
    connect(m_model, &ExternalProgramModel::programsChanged, this, &ExternalProgramsPanel::refresh);
    connect(m_model, &ExternalProgramModel::programsChanged, this, &ExternalProgramsPanel::edited);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &ExternalProgramsPanel::refresh);
    refresh();
}

void ExternalProgramsPanel::createTable()
{
    m_table = new ProgramTable(this);
    m_table->setObjectName(QStringLiteral("programTable"));
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("External programs"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::AnyKeyPressed);
    m_table->setDragDropMode(QAbstractItemView::DropOnly);
    m_table->setTabKeyNavigation(false); // Tab leaves the table, as in a form; the arrows move inside
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(28);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(ExternalProgramModel::ProgramColumn, QHeaderView::Stretch);
    m_table->setColumnWidth(ExternalProgramModel::NameColumn, 120);
    m_table->setColumnWidth(ExternalProgramModel::ArgumentsColumn, 140);
    m_table->setMinimumHeight(132);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &ExternalProgramsPanel::refresh);
    auto *removeAction = new QAction(tr("Remove"), m_table);
    removeAction->setShortcut(QKeySequence::Delete);
    removeAction->setShortcutContext(Qt::WidgetShortcut);
    connect(removeAction, &QAction::triggered, this, &ExternalProgramsPanel::remove);
    m_table->addAction(removeAction);
}

QWidget *ExternalProgramsPanel::createButtons()
{
    auto *area = new QWidget(this);
    auto *layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    const auto addButton = [&](const QString &text, const QString &toolTip, auto act) {
        auto *button = new QPushButton(text, area);
        button->setToolTip(toolTip);
        button->setAccessibleDescription(toolTip);
        button->setAutoDefault(false); // Enter in the table edits
        connect(button, &QPushButton::clicked, this, act);
        layout->addWidget(button);
        return button;
    };
    addButton(tr("&Add"), tr("Add a program; a file can also be dropped on the table"), &ExternalProgramsPanel::add);
    m_edit = addButton(tr("&Edit"), tr("Change the selected field (F2)"), &ExternalProgramsPanel::edit);
    m_browse = addButton(tr("&Browse…"), tr("Choose the file of the selected program"), &ExternalProgramsPanel::browse);
    m_remove = addButton(tr("&Remove"), tr("Remove the selected program (Delete)"), &ExternalProgramsPanel::remove);
    layout->addStretch(1);
    return area;
}

void ExternalProgramsPanel::add()
{
    const QModelIndex name = m_model->index(m_model->addProgram(QString()), ExternalProgramModel::NameColumn);
    m_table->setCurrentIndex(name);
    m_table->setFocus(Qt::OtherFocusReason);
    m_table->edit(name);
}

void ExternalProgramsPanel::edit()
{
    m_table->setFocus(Qt::OtherFocusReason);
    m_table->edit(m_table->currentIndex());
}

void ExternalProgramsPanel::browse()
{
    const QModelIndex program = m_table->currentIndex().siblingAtColumn(ExternalProgramModel::ProgramColumn);
    if (!program.isValid())
        return;
    const QString chosen = QFileDialog::getOpenFileName(this, tr("The program to run"),
                                                        QFileInfo(program.data().toString()).absolutePath());
    if (!chosen.isEmpty())
        m_model->setData(program, chosen, Qt::EditRole);
}

void ExternalProgramsPanel::remove()
{
    const int row = m_table->currentIndex().row();
    if (row >= 0)
        m_model->removeRow(row);
}

void ExternalProgramsPanel::refresh()
{
    const int current = m_table->currentIndex().row();
    for (QPushButton *button : {m_edit, m_browse, m_remove})
        button->setEnabled(current >= 0);
    // What keeps the dialog from being accepted comes first, then what is wrong with the selected one.
    QString text;
    for (int row = 0; row < m_model->rowCount() && text.isEmpty(); ++row)
        text = m_model->isNew(row) ? QString() : m_model->problem(row);
    const bool refused = !text.isEmpty();
    for (int row = 0; row < m_model->rowCount() && text.isEmpty(); ++row)
        text = m_model->hint(row);
    if (!refused && current >= 0 && !m_model->hint(current).isEmpty())
        text = m_model->hint(current);
    if (!text.startsWith(QLatin1String("stagecraft-"))) // a file's name is as it is
        text = text.left(1).toUpper() + text.mid(1);
    m_problem->setText(text.isEmpty() ? text : text + QLatin1Char('.'));
    m_problem->setVisible(!text.isEmpty());
}

} // namespace stagecraft::window
