// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencelistmodel.h"
#include "viewexport.h"

#include <QDialog>
#include <QJsonObject>

class QCheckBox;
class QComboBox;
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
    views::ExportRequest request;
};

// Asks what to export and where to; remembers the answer.
class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    // `current` is checked among the views where nothing is remembered yet.
    ExportDialog(const QList<EvidenceListModel::Entry> &entries, views::ViewId current, widgets::Theme theme,
                 SessionSettings &settings, QWidget *parent = nullptr);

    ExportChoice choice() const;
    void setDirectory(const QString &directory);
    void setReference(const QString &reference) { m_reference = reference; } // of verdicts, as the screen has it

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
    QWidget *createLook(widgets::Theme theme);
    QWidget *createFolder();
    void restore(views::ViewId current);
    QJsonObject save() const;
    void browse();
    void validate();

    SessionSettings &m_settings;
    QString m_reference;
    QList<Choice<NamespacePointer>> m_namespaces;
    QList<Choice<views::ViewId>> m_views;
    QList<Choice<QString>> m_formats;
    QCheckBox *m_desktop = nullptr, *m_mobile = nullptr;
    QComboBox *m_theme = nullptr;
    QLineEdit *m_folder = nullptr;
    QLabel *m_problem = nullptr;
    QPushButton *m_export = nullptr;
};

} // namespace stagecraft::window
