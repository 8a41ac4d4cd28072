// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparepage.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace stagecraft::window {

class MessageBar;

// Above the figure of the Compare page: what the namespaces differ in, which of them is the base, who is paired with
// whom by hand and what counts as unchanged.
class ComparisonBar : public QWidget
{
    Q_OBJECT
public:
    explicit ComparisonBar(QWidget *parent = nullptr);

    void setFacts(const QSharedPointer<const ComparisonFacts> &facts); // null: nothing is compared
    const QSharedPointer<const ComparisonFacts> &facts() const { return m_facts; }

    QComboBox *base() const { return m_base; }
    QToolButton *pairButton() const { return m_pair; }
    QMenu *unchangedMenu() const { return m_unchangedMenu; }
    MessageBar *differences() const { return m_differences; }
    QString words() const; // what was chosen by hand, and what counts as unchanged

signals:
    void baseChosen(const QString &path);
    void pairsRequested();
    void unchangedChosen(const QStringList &operations);
    void evidenceAsked(); // unchanged is what the evidence says

private:
    QWidget *createControls();
    QWidget *createWords();
    void showBases();
    void showDifferences();
    void showWords();
    void fillUnchangedMenu();
    void toggle(const QString &operation);

    QSharedPointer<const ComparisonFacts> m_facts;
    MessageBar *m_differences;
    QComboBox *m_base = nullptr;
    QLabel *m_others = nullptr, *m_words = nullptr;
    QToolButton *m_pair = nullptr, *m_unchanged = nullptr;
    QMenu *m_unchangedMenu = nullptr;
    QStringList m_shownDifferences; // dismissing them holds until there are others
};

} // namespace stagecraft::window
