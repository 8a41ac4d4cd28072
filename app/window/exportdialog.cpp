// SPDX-License-Identifier: GPL-3.0-or-later
#include "exportdialog.h"

#include "comparepage.h"
#include "sessionsettings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QGroupBox>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>

namespace stagecraft::window {

namespace {

constexpr int choiceColumns = 3;
const QString reportFormat = QStringLiteral("report");

QString formatTitle(const QString &format)
{
    static const QHash<QString, QString> titles{
        {QStringLiteral("png"), QObject::tr("PNG figure")},    {QStringLiteral("svg"), QObject::tr("SVG figure")},
        {QStringLiteral("csv"), QObject::tr("CSV table")},     {QStringLiteral("md"), QObject::tr("Markdown table")},
        {QStringLiteral("html"), QObject::tr("HTML table")},   {QStringLiteral("json"), QObject::tr("JSON table")},
        {QStringLiteral("report"), QObject::tr("Report page")}};
    return titles.value(format);
}

QString formatToolTip(const QString &format)
{
    return format == reportFormat
               ? QObject::tr(
                     "One HTML page of each namespace with the chosen views, their tables, method and limits; it "
                     "opens without a network")
               : QString();
}

// As it is remembered.
QString themeName(widgets::Theme theme)
{
    switch (theme) {
    case widgets::Theme::Dark:
        return QStringLiteral("dark");
    case widgets::Theme::Light:
        return QStringLiteral("light");
    case widgets::Theme::Page:
        break;
    }
    return QStringLiteral("page");
}

QString repeatedName(const QList<const evidence::Namespace *> &namespaces)
{
    QSet<QString> names;
    for (const evidence::Namespace *evidence : namespaces) {
        if (names.contains(evidence->name))
            return evidence->name;
        names.insert(evidence->name);
    }
    return {};
}

QGridLayout *choiceGrid(QWidget *group)
{
    auto *grid = new QGridLayout(group);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    for (int column = 0; column < choiceColumns; ++column)
        grid->setColumnStretch(column, 1);
    return grid;
}

} // namespace

ExportDialog::ExportDialog(const QList<EvidenceListModel::Entry> &entries, views::ViewId current,
                           SessionSettings &settings, QWidget *parent)
    : QDialog(parent), m_settings(settings)
{
    setWindowTitle(tr("Export"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(createNamespaces(entries));
    layout->addWidget(createViews());
    layout->addWidget(createFormats());
    layout->addWidget(createLook());
    layout->addWidget(createFolder());
    m_problem = new QLabel(this);
    m_problem->setProperty("muted", true);
    layout->addWidget(m_problem);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_export = new QPushButton(tr("Export"), buttons);
    m_export->setObjectName(QStringLiteral("primaryButton"));
    buttons->addButton(m_export, QDialogButtonBox::AcceptRole);
    m_export->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    restore(current);
    validate();
}

QCheckBox *ExportDialog::addChoice(QGridLayout *grid, int position, const QString &text, const QString &toolTip)
{
    auto *box = new QCheckBox(text, grid->parentWidget());
    box->setToolTip(toolTip);
    connect(box, &QCheckBox::toggled, this, &ExportDialog::validate);
    grid->addWidget(box, position / choiceColumns, position % choiceColumns);
    return box;
}

QWidget *ExportDialog::createNamespaces(const QList<EvidenceListModel::Entry> &entries)
{
    auto *group = new QGroupBox(tr("Evidence"), this);
    QGridLayout *grid = choiceGrid(group);
    for (const EvidenceListModel::Entry &entry : entries) {
        QCheckBox *box =
            addChoice(grid, static_cast<int>(m_namespaces.size()), entry.title().replace(u'&', QLatin1String("&&")),
                      namespaceSubtitle(*entry.evidence));
        box->setChecked(entry.shown);
        m_namespaces.append({entry, box});
    }
    return group;
}

QWidget *ExportDialog::createViews()
{
    auto *group = new QGroupBox(tr("Views"), this);
    QGridLayout *grid = choiceGrid(group);
    for (const views::ViewInfo &view : views::viewCatalogue())
        m_views.append({view.id, addChoice(grid, static_cast<int>(m_views.size()), view.title, view.toolTip)});
    return group;
}

QWidget *ExportDialog::createFormats()
{
    auto *group = new QGroupBox(tr("Formats"), this);
    QGridLayout *grid = choiceGrid(group);
    for (const QString &format : views::exportFormats()) {
        m_formats.append(
            {format, addChoice(grid, static_cast<int>(m_formats.size()), formatTitle(format), formatToolTip(format))});
    }
    return group;
}

QWidget *ExportDialog::createLook()
{
    auto *group = new QGroupBox(tr("Figures"), this);
    QGridLayout *grid = choiceGrid(group);
    m_desktop = addChoice(grid, 0, tr("Desktop layout"), tr("Panels beside each other"));
    m_mobile = addChoice(grid, 1, tr("Mobile layout"), tr("365 px wide, panels below each other"));
    m_theme = new QComboBox(group);
    m_theme->addItem(tr("For any page"), static_cast<int>(widgets::Theme::Page));
    m_theme->addItem(tr("Dark"), static_cast<int>(widgets::Theme::Dark));
    m_theme->addItem(tr("Light"), static_cast<int>(widgets::Theme::Light));
    m_theme->setToolTip(
        tr("Ground and colours of the figures; those for any page can be read on white and on dark ones"));
    m_theme->setAccessibleName(tr("Theme of the figures"));
    grid->addWidget(m_theme, 0, 2);
    m_scale = new QDoubleSpinBox(group);
    m_scale->setRange(views::leastExportScale, views::mostExportScale);
    m_scale->setSingleStep(0.5);
    m_scale->setDecimals(1);
    m_scale->setPrefix(tr("PNG at "));
    m_scale->setSuffix(QStringLiteral("×"));
    m_scale->setToolTip(tr("Pixels per unit of the figure; 2 suits screens, 4 suits print"));
    m_scale->setAccessibleName(tr("Scale of PNG figures"));
    grid->addWidget(m_scale, 1, 2);
    return group;
}

QWidget *ExportDialog::createFolder()
{
    auto *area = new QWidget(this);
    auto *layout = new QHBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto *label = new QLabel(tr("&Folder"), area);
    m_folder = new QLineEdit(area);
    m_folder->setMinimumWidth(360);
    m_folder->setAccessibleName(tr("Folder to write to"));
    m_folder->setToolTip(tr("Created where it does not exist; files of the same name are replaced"));
    label->setBuddy(m_folder);
    auto *browseButton = new QPushButton(tr("Choose…"), area);
    connect(browseButton, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::validate);
    layout->addWidget(label);
    layout->addWidget(m_folder, 1);
    layout->addWidget(browseButton);
    return area;
}

void ExportDialog::restore(views::ViewId current)
{
    const QJsonObject saved = m_settings.exportChoice();
    const QStringList views = saved.value(QStringLiteral("views")).toVariant().toStringList();
    for (const auto &[view, box] : m_views) {
        const auto info = std::ranges::find(views::viewCatalogue(), view, &views::ViewInfo::id);
        box->setChecked(views.isEmpty() ? view == current : views.contains(info->name));
    }
    const QStringList formats = saved.value(QStringLiteral("formats")).toVariant().value<QStringList>();
    for (const auto &[format, box] : m_formats) {
        box->setChecked(formats.isEmpty() ? format == QLatin1String("png") || format == QLatin1String("csv")
                                          : formats.contains(format));
    }
    m_desktop->setChecked(saved.value(QStringLiteral("desktop")).toBool(true));
    m_mobile->setChecked(saved.value(QStringLiteral("mobile")).toBool(false));
    for (int i = 0; i < m_theme->count(); ++i) {
        const auto theme = static_cast<widgets::Theme>(m_theme->itemData(i).toInt());
        if (saved.value(QStringLiteral("theme")).toString() == themeName(theme))
            m_theme->setCurrentIndex(i);
    }
    m_scale->setValue(saved.value(QStringLiteral("scale")).toDouble(2));
    const QString folder = m_settings.folder(QStringLiteral("export"));
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    setDirectory(folder.isEmpty() ? QDir(documents).filePath(QStringLiteral("stagecraft-out")) : folder);
}

QJsonObject ExportDialog::save() const
{
    QStringList views, formats;
    for (const auto &[view, box] : m_views) {
        if (box->isChecked())
            views.append(std::ranges::find(views::viewCatalogue(), view, &views::ViewInfo::id)->name);
    }
    for (const auto &[format, box] : m_formats) {
        if (box->isChecked())
            formats.append(format);
    }
    return {{QStringLiteral("views"), QJsonArray::fromStringList(views)},
            {QStringLiteral("formats"), QJsonArray::fromStringList(formats)},
            {QStringLiteral("desktop"), m_desktop->isChecked()},
            {QStringLiteral("mobile"), m_mobile->isChecked()},
            {QStringLiteral("scale"), m_scale->value()},
            {QStringLiteral("theme"), themeName(static_cast<widgets::Theme>(m_theme->currentData().toInt()))}};
}

// The comparison is one figure and one table of all that is chosen. It is part of the newest namespace's report; the
// others' reports are without it, so that each namespace has one.
void ExportDialog::separateComparison(const ComparisonPlan &plan, ExportChoice &choice)
{
    views::ExportRequest compared = choice.request;
    compared.namespaces = {plan.others.last().evidence.get()};
    compared.options = comparisonOptions(plan);
    choice.request.views.removeAll(views::ViewId::Compare);
    if (compared.formats.removeAll(reportFormat) > 0) {
        choice.request.formats.removeAll(reportFormat);
        views::ExportRequest report = compared;
        report.formats = {reportFormat};
        report.isOneOfSeveral = true;
        choice.comparisons.append(report);
        report.namespaces = choice.request.namespaces;
        report.namespaces.removeAll(compared.namespaces.first());
        report.views = choice.request.views;
        report.options = choice.request.options;
        if (!report.views.isEmpty())
            choice.comparisons.append(report);
    }
    compared.views = {views::ViewId::Compare};
    if (!compared.formats.isEmpty())
        choice.comparisons.append(compared);
}

ExportChoice ExportDialog::choice() const
{
    ExportChoice choice;
    views::ExportRequest &request = choice.request;
    QList<EvidenceListModel::Entry> entries;
    for (const auto &[entry, box] : m_namespaces) {
        if (box->isChecked()) {
            entries.append(entry);
            choice.namespaces.append(entry.evidence);
            request.namespaces.append(entry.evidence.get());
        }
    }
    for (const auto &[view, box] : m_views) {
        if (box->isChecked())
            request.views.append(view);
    }
    for (const auto &[format, box] : m_formats) {
        if (box->isChecked())
            request.formats.append(format);
    }
    request.layouts.clear();
    if (m_desktop->isChecked())
        request.layouts.append(widgets::Layout::Desktop);
    if (m_mobile->isChecked())
        request.layouts.append(widgets::Layout::Mobile);
    request.theme = static_cast<widgets::Theme>(m_theme->currentData().toInt());
    request.scale = m_scale->value();
    request.directory = QDir::cleanPath(QDir::fromNativeSeparators(m_folder->text().trimmed()));
    request.options.reference = m_reference;
    request.options.programVersion = QCoreApplication::applicationVersion();
    const std::optional<ComparisonPlan> plan = comparisonPlan(entries, m_comparison);
    if (plan && request.views.contains(views::ViewId::Compare))
        separateComparison(*plan, choice);
    return choice;
}

void ExportDialog::setDirectory(const QString &directory)
{
    m_folder->setText(QDir::toNativeSeparators(directory));
}

void ExportDialog::accept()
{
    m_settings.setExportChoice(save());
    m_settings.setFolder(QStringLiteral("export"), choice().request.directory);
    QDialog::accept();
}

void ExportDialog::browse()
{
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder to write to"), m_folder->text());
    if (!chosen.isEmpty())
        setDirectory(chosen);
}

QString ExportDialog::problem(const ExportChoice &wanted) const
{
    const views::ExportRequest &request = wanted.request;
    const bool figures = std::ranges::any_of(request.formats, views::isFigureFormat);
    if (request.namespaces.isEmpty())
        return tr("Choose at least one namespace.");
    if (const QString name = repeatedName(request.namespaces); !name.isEmpty())
        return tr("Two of the chosen namespaces are called %1: their files would have the same names.").arg(name);
    if (request.views.contains(views::ViewId::Compare))
        return tr("Compare needs two namespaces: choose another, or leave that view out.");
    if (request.views.isEmpty() && wanted.comparisons.isEmpty())
        return tr("Choose at least one view.");
    if (std::ranges::none_of(m_formats, [](const auto &format) { return format.box->isChecked(); }))
        return tr("Choose at least one format.");
    if (figures && request.layouts.isEmpty())
        return tr("Choose at least one layout for the figures.");
    if (m_folder->text().trimmed().isEmpty())
        return tr("Choose a folder.");
    return {};
}

void ExportDialog::validate()
{
    if (!m_export)
        return;
    const QString text = problem(choice());
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
    m_export->setEnabled(text.isEmpty());
}

} // namespace stagecraft::window
