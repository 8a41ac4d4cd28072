// SPDX-License-Identifier: GPL-3.0-or-later
#include "docktitle.h"

#include "themedicon.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace stagecraft::window {

DockTitle::DockTitle(QDockWidget *dock) : QWidget(dock)
{
    setObjectName(QStringLiteral("dockTitle"));
    setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->setSpacing(0);
    layout->addWidget(new QLabel(dock->windowTitle(), this), 1);
    QToolButton *floating = createButton(QStringLiteral("float"), tr("Float or dock the %1 panel"));
    QToolButton *close = createButton(QStringLiteral("close"), tr("Hide the %1 panel; the View menu shows it again"));
    for (QToolButton *button : {floating, close}) {
        button->setToolTip(button->toolTip().arg(dock->windowTitle()));
        button->setAccessibleName(button->toolTip());
        layout->addWidget(button);
    }
    connect(floating, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
}

QToolButton *DockTitle::createButton(const QString &icon, const QString &toolTip)
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setIcon(themedIcon(icon, QPalette::PlaceholderText));
    button->setIconSize(QSize(14, 14));
    button->setToolTip(toolTip);
    button->setFocusPolicy(Qt::NoFocus);
    return button;
}

} // namespace stagecraft::window
