// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace stagecraft::window {

// One message that stands above the figure until it is dealt with: what happened, why, what to do.
class MessageBar : public QFrame
{
    Q_OBJECT
public:
    enum class Severity
    {
        Info,
        Warning,
        Error
    };

    explicit MessageBar(QWidget *parent = nullptr);

    void showMessage(Severity severity, const QString &title, const QString &text = {});
    QString title() const;
    QString text() const;

private:
    QToolButton *createCloseButton();
    QLabel *m_icon, *m_text;
    QString m_title, m_body;
};

} // namespace stagecraft::window
