// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparepage.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace stagecraft::window {

// Asks who is compared with whom where two namespaces call their implementations differently; likely pairs are there
// from the start.
class PairDialog : public QDialog
{
    Q_OBJECT
public:
    explicit PairDialog(const ComparisonFacts &facts, QWidget *parent = nullptr);

    QList<evidence::ImplementationPair> pairs() const; // complete ones
    void addPair(const evidence::ImplementationPair &pair, bool isProposed = false);

private:
    struct Row
    {
        QWidget *area;
        QComboBox *base, *now;
    };
    QWidget *createHeading(const ComparisonPlan &plan);
    QWidget *createOffers(const QList<evidence::ImplementationPair> &likely);
    bool isTaken(const evidence::ImplementationPair &pair) const; // one side of it is in another pair
    QComboBox *createChoice(const QStringList &ids, const QString &chosen, const QString &accessibleName);
    void removeRow(const QWidget *area);
    void validate();

    QStringList m_baseIds, m_otherIds;
    QList<Row> m_rows;
    QVBoxLayout *m_rowLayout = nullptr;
    QLabel *m_problem = nullptr;
    QPushButton *m_accept = nullptr;
};

} // namespace stagecraft::window
