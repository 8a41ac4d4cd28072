// SPDX-License-Identifier: GPL-3.0-or-later
#include "loadingbar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace stagecraft::window {

namespace {
constexpr int patienceMs = 300; // what is done by then would only flicker
}

LoadingBar::LoadingBar(QWidget *parent)
    : QFrame(parent), m_text(new QLabel(this)), m_progress(new QProgressBar(this)), m_cancel(new QPushButton(this))
{
    setObjectName(QStringLiteral("messageBar")); // it looks like one
    setProperty("severity", QStringLiteral("info"));
    setAccessibleName(tr("Loading of evidence"));
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    m_progress->setAccessibleName(tr("How much of the evidence is loaded"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setFocusPolicy(Qt::TabFocus); // it hides once clicked, and would hand the focus to a stranger
    m_cancel->setToolTip(tr("Stop loading; what is in the list stays"));
    connect(m_cancel, &QPushButton::clicked, this, &LoadingBar::cancelled);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 8, 8, 8);
    layout->setSpacing(12);
    layout->addWidget(m_text);
    layout->addWidget(m_progress, 1);
    layout->addWidget(m_cancel);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, &QWidget::show);
    hide();
}

void LoadingBar::showProgress(int done, int total)
{
    m_text->setText(total > 1 ? tr("Loading %1 of %2").arg(qMin(done + 1, total)).arg(total) : tr("Loading"));
    m_progress->setRange(0, total > 1 ? total : 0); // of one there is no telling how far it is
    m_progress->setValue(done);
    if (done >= total) {
        m_patience.stop();
        hide();
    } else if (!isVisible() && !m_patience.isActive()) {
        m_patience.start();
    }
}

QString LoadingBar::text() const
{
    return m_text->text();
}

} // namespace stagecraft::window
