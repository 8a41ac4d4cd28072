// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;

namespace stagecraft::window {

// "Loading 37 of 100" with Cancel, while evidence is read that takes longer than a moment.
class LoadingBar : public QFrame
{
    Q_OBJECT
public:
    explicit LoadingBar(QWidget *parent = nullptr);

    void showProgress(int done, int total); // nothing left to do hides it
    QString text() const;
    QPushButton *cancelButton() const { return m_cancel; }

signals:
    void cancelled();

private:
    QLabel *m_text;
    QProgressBar *m_progress;
    QPushButton *m_cancel;
    QTimer m_patience;
};

} // namespace stagecraft::window
