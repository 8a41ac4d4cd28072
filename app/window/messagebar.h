// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QPushButton;
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

    // Something to do about it, as a button; the message goes when it is done.
    struct Choice
    {
        QString text;
        std::function<void()> act;
    };

    explicit MessageBar(QWidget *parent = nullptr);

    void showMessage(Severity severity, const QString &title, const QString &text = {},
                     const QList<Choice> &choices = {}, const QString &subject = {});
    // In one line, its title; a button shows the text, too.
    void showFolded(Severity severity, const QString &title, const QString &text);
    void dismiss(const QString &subject); // hides the message if it is about this
    QString title() const;
    QString text() const;

signals:
    void dismissed(); // by the user

private:
    QPushButton *createFoldButton();
    QToolButton *createCloseButton();
    void showText();
    void setChoices(const QList<Choice> &choices);
    QLabel *m_icon, *m_text;
    QPushButton *m_fold = nullptr;
    QHBoxLayout *m_buttons;
    QString m_title, m_body, m_subject;
};

} // namespace stagecraft::window
