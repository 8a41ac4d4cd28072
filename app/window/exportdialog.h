// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparisonplan.h"
#include "viewexport.h"

#include <QDialog>
#include <QJsonObject>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace stagecraft::window {

class SessionSettings;

// What was asked for. It keeps the namespaces, which the request only points to, alive while files are written.
struct ExportChoice
{
    QList<NamespacePointer> namespaces;
    views::ExportRequest request; // no views, or no formats: all that was asked for is below
    // Of all chosen namespaces as the Compare page has it: a report that includes it, the others' reports, and its
    // figures and tables; as far as they were asked for.
    QList<views::ExportRequest> comparisons;
};

// Asks what to export and where to; remembers the answer.
class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    // `current` is checked among the views where nothing is remembered yet.
    ExportDialog(const QList<EvidenceListModel::Entry> &entries, views::ViewId current, SessionSettings &settings,
                 QWidget *parent = nullptr);

    ExportChoice choice() const;
    void setDirectory(const QString &directory);
    // As the screen has them: what verdicts are against, and how namespaces are compared.
    void setReference(const QString &reference) { m_reference = reference; }
    void setComparison(const ComparisonState &comparison) { m_comparison = comparison; }

public slots:
    void accept() override;

private:
    template <typename Key>
    struct Choice
    {
        Key key;
        QCheckBox *box;
    };

    QCheckBox *addChoice(QGridLayout *grid, int position, const QString &text, const QString &toolTip);
    QWidget *createNamespaces(const QList<EvidenceListModel::Entry> &entries);
    QWidget *createViews();
    QWidget *createFormats();
    QWidget *createLook();
    QWidget *createFolder();
    void restore(views::ViewId current);
    QJsonObject save() const;
    static void separateComparison(const ComparisonPlan &plan, ExportChoice &choice);
    void browse();
    QString problem(const ExportChoice &wanted) const; // why it cannot be written, as a sentence
    void validate();

    SessionSettings &m_settings;
    QString m_reference;
    ComparisonState m_comparison;
    QList<Choice<EvidenceListModel::Entry>> m_namespaces;
    QList<Choice<views::ViewId>> m_views;
    QList<Choice<QString>> m_formats;
    QCheckBox *m_desktop = nullptr, *m_mobile = nullptr;
    QComboBox *m_theme = nullptr;
    QDoubleSpinBox *m_scale = nullptr;
    QLineEdit *m_folder = nullptr;
    QLabel *m_problem = nullptr;
    QPushButton *m_export = nullptr;
};

} // namespace stagecraft::window
