// SPDX-License-Identifier: GPL-3.0-or-later
#include "headerbar.h"

#include "actions.h"
#include "protocolsummary.h"
#include "statistics.h"
#include "themedicon.h"

#include <QAction>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

namespace stagecraft::window {

QString progressWhat(const run::Progress &progress)
{
    // Between measurements (writing the evidence, reading the GPU's state) there is only a phase.
    if (progress.operation.isEmpty()) {
        if (progress.phase == QLatin1String("floors"))
            return QObject::tr("Measuring floors…");
        return progress.phase == QLatin1String("write") ? QObject::tr("Writing the evidence…") : progress.phase;
    }
    QStringList parts{evidence::operationLabel(progress.operation)};
    if (!progress.implementation.isEmpty())
        parts.append(evidence::implementationLabel(progress.implementation));
    if (!progress.stage.isEmpty())
        parts.last() += QStringLiteral(" (%1)").arg(progress.stage);
    if (!progress.phase.isEmpty())
        parts.append(progress.phase);
    return parts.join(QStringLiteral(" · "));
}

QString progressHowFar(const run::Progress &progress)
{
    QStringList parts;
    if (progress.round > 0)
        parts.append(QObject::tr("round %1 of %2").arg(progress.round).arg(progress.rounds));
    if (progress.remainingMs >= 0)
        parts.append(QObject::tr("%1 left").arg(durationText(progress.remainingMs)));
    return parts.join(QStringLiteral(" · "));
}

bool isPreparation(const run::Progress &progress)
{
    static const QStringList phases{QStringLiteral("start"), QStringLiteral("inputs"), QStringLiteral("prepare"),
                                    QStringLiteral("check")};
    return phases.contains(progress.phase);
}

HeaderBar::HeaderBar(Actions *actions, QWidget *parent) : QToolBar(tr("Run"), parent), m_actions(actions)
{
    setObjectName(QStringLiteral("headerBar"));
    setMovable(false);
    setFloatable(false);
    toggleViewAction()->setEnabled(false); // without it nothing could be started
    setContextMenuPolicy(Qt::PreventContextMenu);
    // One widget with a layout of its own: a tool bar's spacing is the style's, not the window's.
    auto *content = new QWidget(this);
    m_row = new QHBoxLayout(content);
    m_row->setContentsMargins(12, 8, 12, 8);
    m_row->setSpacing(8);
    createRunButton();
    createDeviceChoice();
    createProtocolButton();
    createProgress();
    createPageSwitch();
    addWidget(content);
}

void HeaderBar::createRunButton()
{
    m_button = new QPushButton(this);
    m_button->setObjectName(QStringLiteral("primaryButton"));
    m_button->setMinimumWidth(96);
    m_row->addWidget(m_button);
    for (QAction *action : {m_actions->run, m_actions->stop})
        connect(action, &QAction::changed, this, [this] { m_button->setEnabled(m_buttonAction->isEnabled()); });
    connect(m_button, &QPushButton::clicked, this, [this] { m_buttonAction->trigger(); });
    setButtonAction(m_actions->run);
}

void HeaderBar::setButtonAction(QAction *action)
{
    const bool isRun = action == m_actions->run;
    m_buttonAction = action;
    m_button->setText(isRun ? tr("Run") : tr("Stop"));
    m_button->setIcon(themedIcon(isRun ? QStringLiteral("run") : QStringLiteral("stop"), QPalette::HighlightedText));
    m_button->setToolTip(action->toolTip());
    m_button->setAccessibleName(m_button->text());
    m_button->setAccessibleDescription(action->statusTip());
    m_button->setEnabled(action->isEnabled());
}

void HeaderBar::createDeviceChoice()
{
    m_device = new QComboBox(this);
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_device->setAccessibleName(tr("Device"));
    connect(m_device, &QComboBox::activated, this, [this] {
        m_chosen = m_device->currentData().toInt();
        emit deviceChosen(m_chosen);
    });
    m_row->addWidget(m_device);
    setAvailability(Availability(), true);
}

void HeaderBar::createProtocolButton()
{
    m_protocol = new QToolButton(this);
    m_protocol->setObjectName(QStringLiteral("protocolButton"));
    m_protocol->setPopupMode(QToolButton::InstantPopup);
    m_protocol->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_protocol->setToolTip(tr("The protocol: rounds × spans per round, warm-up calls, cache state, arithmetic"));
    auto *menu = new QMenu(m_protocol);
    for (int i = 0; i < protocolPresets().size(); ++i) {
        QAction *action = menu->addAction(protocolPresets().at(i).title);
        action->setToolTip(protocolPresets().at(i).toolTip);
        connect(action, &QAction::triggered, this, [this, i] { emit presetChosen(i); });
    }
    menu->setToolTipsVisible(true);
    menu->addSeparator();
    menu->addAction(m_actions->editProtocol);
    m_protocol->setMenu(menu);
    m_row->addWidget(m_protocol);
}

void HeaderBar::createProgress()
{
    auto *area = new QWidget(this);
    auto *layout = new QGridLayout(area);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->setHorizontalSpacing(12);
    layout->setVerticalSpacing(4);
    m_what = new QLabel(area);
    m_what->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_howFar = new QLabel(area);
    m_howFar->setProperty("muted", true);
    m_progress = new QProgressBar(area);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    m_progress->setAccessibleName(tr("Progress of the run"));
    layout->addWidget(m_what, 0, 0);
    layout->addWidget(m_howFar, 0, 1, Qt::AlignRight);
    layout->addWidget(m_progress, 1, 0, 1, 2);
    layout->setColumnStretch(0, 1);
    m_row->addWidget(area, 1);
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &HeaderBar::showTexts);
    showIdle(QString());
}

// What the centre shows, at the header's end where it is seen on both pages.
void HeaderBar::createPageSwitch()
{
    auto *area = new QWidget(this);
    area->setObjectName(QStringLiteral("pageSwitch"));
    auto *layout = new QHBoxLayout(area);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->setSpacing(0);
    for (QAction *action : {m_actions->showFigures, m_actions->showStages}) {
        auto *button = new QToolButton(area);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize(QSize(16, 16));
        button->setAccessibleName(action->statusTip());
        layout->addWidget(button);
    }
    m_row->addWidget(area);
}

void HeaderBar::setAvailability(const Availability &availability, bool asking)
{
    m_device->clear();
    for (const DeviceChoice &choice : availability.devices()) {
        m_device->addItem(themedIcon(QStringLiteral("chip")), choice.name, choice.index);
        m_device->setItemData(m_device->count() - 1, choice.detail, Qt::ToolTipRole);
    }
    m_device->setEnabled(m_device->count() > 0);
    if (m_device->count() > 0) {
        m_device->setCurrentIndex(qMax(0, m_device->findData(m_chosen)));
        m_device->setToolTip(m_device->currentData(Qt::ToolTipRole).toString());
        return;
    }
    const QString host = availability.hostName();
    const QString none = host.isEmpty() ? tr("No device") : tr("CPU only: %1").arg(host);
    m_device->addItem(themedIcon(QStringLiteral("chip")), asking ? tr("Looking for devices…") : none);
    m_device->setToolTip(asking ? tr("The workers are being asked what this machine can run")
                                : tr("No CUDA device: %1").arg(availability.noDeviceReason()));
}

void HeaderBar::setProtocol(const run::RunPlan &plan)
{
    m_protocol->setText(protocolSummary(plan));
    m_protocol->setAccessibleName(tr("Protocol: %1").arg(m_protocol->text()));
}

int HeaderBar::device() const
{
    return m_chosen;
}

void HeaderBar::showIdle(const QString &text)
{
    m_tick.stop();
    m_shownSince.invalidate();
    setButtonAction(m_actions->run);
    m_protocol->setEnabled(true);
    m_device->setEnabled(m_device->currentData().isValid());
    m_what->setText(text);
    m_what->setToolTip(text);
    m_howFar->clear();
    m_progress->setRange(0, 1);
    m_progress->setValue(0);
}

void HeaderBar::showRunning()
{
    m_shown = run::Progress();
    setButtonAction(m_actions->stop);
    m_device->setEnabled(false);
    m_protocol->setEnabled(false);
    m_what->setText(tr("Starting workers…"));
    m_howFar->clear();
    m_progress->setRange(0, 0);
}

void HeaderBar::showProgress(const run::Progress &progress)
{
    const auto subject = [](const run::Progress &of) {
        return std::tuple(of.operation, of.implementation, of.stage, of.phase, of.round);
    };
    const bool isNew = !m_shownSince.isValid() || subject(progress) != subject(m_shown);
    if (isNew) {
        m_shownSince.start();
        m_workerLine.clear();
    }
    m_shown = progress;
    if (!isPreparation(progress))
        m_tick.stop();
    else if (!m_tick.isActive())
        m_tick.start();
    m_progress->setRange(0, qMax(1, progress.total));
    m_progress->setValue(progress.done);
    showTexts();
    if (isNew) // a screen reader would read each second of the rest aloud
        m_progress->setAccessibleDescription(progressWhat(progress) + QStringLiteral(", ") + progressHowFar(progress));
}

void HeaderBar::showTexts()
{
    const bool prepares = isPreparation(m_shown);
    QString what = progressWhat(m_shown);
    if (prepares && !m_workerLine.isEmpty())
        what = tr("%1: %2").arg(what, m_workerLine);
    m_what->setText(what);
    m_what->setToolTip(what);
    QStringList parts{progressHowFar(m_shown)};
    if (const qint64 elapsed = m_shownSince.elapsed(); prepares && elapsed >= m_tick.interval())
        parts.prepend(tr("%1 so far").arg(durationText(elapsed)));
    parts.removeAll(QString());
    m_howFar->setText(parts.join(QStringLiteral(" · ")));
}

void HeaderBar::showWorkerLine(const QString &line)
{
    if (!m_tick.isActive())
        return;
    m_workerLine = line.section(QLatin1Char('\n'), 0, 0).simplified();
    showTexts();
}

void HeaderBar::showStopping()
{
    m_tick.stop();
    m_what->setText(isPreparation(m_shown) ? tr("Stopping the preparation…")
                                           : tr("Stopping after the current sample…"));
    m_howFar->clear();
}

} // namespace stagecraft::window
