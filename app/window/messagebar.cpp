// SPDX-License-Identifier: GPL-3.0-or-later
#include "messagebar.h"

#include "themedicon.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

namespace stagecraft::window {

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_buttons(new QHBoxLayout)
{
    setObjectName(QStringLiteral("messageBar"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 8, 8, 8);
    layout->setSpacing(8);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1);
    m_buttons->setSpacing(8);
    layout->addLayout(m_buttons);
    layout->addWidget(createCloseButton(), 0, Qt::AlignTop);
    hide();
}

QToolButton *MessageBar::createCloseButton()
{
    auto *close = new QToolButton(this);
    close->setIcon(themedIcon(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setIconSize(QSize(16, 16));
    close->setToolTip(tr("Dismiss this message"));
    close->setAccessibleName(tr("Dismiss message"));
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        emit dismissed();
    });
    return close;
}

void MessageBar::setChoices(const QList<Choice> &choices)
{
    while (const QLayoutItem *item = m_buttons->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // this may be called by its own click
        delete item;
    }
    for (const Choice &choice : choices) {
        auto *button = new QPushButton(choice.text, this);
        connect(button, &QPushButton::clicked, this, [this, act = choice.act] {
            hide();
            act();
        });
        m_buttons->addWidget(button, 0, Qt::AlignTop);
    }
}

void MessageBar::showMessage(Severity severity, const QString &title, const QString &text, const QList<Choice> &choices,
                             const QString &subject)
{
    setChoices(choices);
    static const QStringList names{QStringLiteral("info"), QStringLiteral("warning"), QStringLiteral("error")};
    const QString name = names.at(static_cast<int>(severity));
    m_title = title;
    m_body = text;
    m_subject = subject;
    const QPalette::ColorRole role = severity == Severity::Info ? QPalette::WindowText : QPalette::BrightText;
    m_icon->setPixmap(themedIcon(name, role).pixmap(QSize(20, 20), devicePixelRatioF()));
    m_text->setText(QStringLiteral("<b>%1</b>%2")
                        .arg(title.toHtmlEscaped(),
                             text.isEmpty() ? QString()
                                            : QStringLiteral("<br>") + text.toHtmlEscaped().replace(
                                                                           QLatin1Char('\n'), QLatin1String("<br>"))));
    setAccessibleName(title);
    setAccessibleDescription(text);
    // The style sheet colours the bar by this property.
    setProperty("severity", name);
    style()->unpolish(this);
    style()->polish(this);
    show();
}

void MessageBar::dismiss(const QString &subject)
{
    if (m_subject == subject)
        hide();
}

QString MessageBar::title() const
{
    return m_title;
}

QString MessageBar::text() const
{
    return m_body;
}

} // namespace stagecraft::window
