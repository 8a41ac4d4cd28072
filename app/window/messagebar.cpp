// SPDX-License-Identifier: GPL-3.0-or-later
#include "messagebar.h"

#include "figuretext.h"
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
    layout->addWidget(createFoldButton(), 0, Qt::AlignTop);
    m_buttons->setSpacing(8);
    layout->addLayout(m_buttons);
    layout->addWidget(createCloseButton(), 0, Qt::AlignTop);
    hide();
}

QPushButton *MessageBar::createFoldButton()
{
    m_fold = new QPushButton(this);
    m_fold->setCheckable(true);
    m_fold->hide();
    connect(m_fold, &QPushButton::toggled, this, &MessageBar::showText);
    return m_fold;
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
    // Both may name files and namespaces, whose names can be made to turn the line round.
    m_title = widgets::printableText(title);
    m_body = widgets::printableText(text);
    m_subject = subject;
    const QPalette::ColorRole role = severity == Severity::Info ? QPalette::WindowText : QPalette::BrightText;
    m_icon->setPixmap(themedIcon(name, role).pixmap(QSize(20, 20), devicePixelRatioF()));
    m_fold->hide();
    m_fold->setChecked(true);
    showText();
    setAccessibleName(m_title);
    setAccessibleDescription(m_body);
    // The style sheet colours the bar by this property.
    setProperty("severity", name);
    style()->unpolish(this);
    style()->polish(this);
    show();
}

void MessageBar::showFolded(Severity severity, const QString &title, const QString &text)
{
    showMessage(severity, title, text);
    if (text.isEmpty())
        return;
    m_fold->show();
    m_fold->setChecked(false);
}

void MessageBar::showText()
{
    const bool whole = m_fold->isChecked();
    m_fold->setText(whole ? tr("Hide") : tr("Show"));
    m_fold->setAccessibleName(whole ? tr("Hide the rest of the message") : tr("Show the whole message"));
    QString html = QStringLiteral("<b>%1</b>").arg(m_title.toHtmlEscaped());
    if (whole && !m_body.isEmpty())
        html += QStringLiteral("<br>") + m_body.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
    m_text->setText(html);
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
