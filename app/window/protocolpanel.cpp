// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocolpanel.h"

#include "protocolsummary.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QValidator>

namespace stagecraft::window {

namespace {

// Beyond this a run would take days; a typing slip is likelier than a wish.
constexpr int largestCount = 100'000;
constexpr int largestRuns = 100;

class SeedValidator : public QValidator
{
public:
    using QValidator::QValidator;
    State validate(QString &text, int &) const override
    {
        bool valid = false;
        text.toULongLong(&valid);
        return valid ? Acceptable : text.isEmpty() ? Intermediate : Invalid;
    }
};

} // namespace

ProtocolPanel::ProtocolPanel(QWidget *parent) : QWidget(parent)
{
    auto *form = new QFormLayout(this);
    form->setContentsMargins(12, 8, 12, 12);
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addPresets(form);
    m_runs = addSpinBox(form, tr("R&uns"), 1,
                        tr("How often the whole protocol is repeated, each time in fresh workers: the ranges over runs "
                           "show what starting anew changes"));
    m_runs->setMaximum(largestRuns);
    m_rounds = addSpinBox(form, tr("&Rounds"), 1,
                          tr("One round is one pass over all implementations, spans then capture; the order rotates"));
    m_warmup = addSpinBox(form, tr("&Warm-up calls"), 0, tr("Calls before each measurement that are not timed"));
    m_iterations = addSpinBox(form, tr("Spans per round"), 1, tr("Timed calls per implementation and round"));
    m_cache = addWords(form, tr("C&ache"), run::cacheStates(), {tr("Warm"), tr("Cold")},
                       tr("Warm: each call finds what the one before it left in the GPU's L2. Cold: the calls rotate "
                          "through copies of the buffers that exceed it twice; what cannot be measured so is "
                          "unavailable"));
    m_arithmetic = addWords(form, tr("Arith&metic"), run::arithmeticChoices(), {tr("Any"), tr("Exact FP32 only")},
                            tr("What stages may compute in. Exact FP32 only: stages that split FP32 into TF32 or the "
                               "like take no part, and cuda does not choose them"));
    addCapture(form);
    addCounters(form);
    addSeed(form);
    setProtocol(run::RunPlan());
}

QSpinBox *ProtocolPanel::addSpinBox(QFormLayout *form, const QString &label, int minimum, const QString &toolTip)
{
    auto *box = new QSpinBox(this);
    box->setRange(minimum, largestCount);
    box->setAlignment(Qt::AlignRight);
    box->setToolTip(toolTip);
    box->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    connect(box, &QSpinBox::valueChanged, this, &ProtocolPanel::noteChange);
    form->addRow(label, box);
    return box;
}

void ProtocolPanel::addPresets(QFormLayout *form)
{
    m_preset = new QComboBox(this);
    for (const ProtocolPreset &preset : protocolPresets()) {
        m_preset->addItem(preset.title);
        m_preset->setItemData(m_preset->count() - 1, preset.toolTip, Qt::ToolTipRole);
    }
    m_preset->addItem(tr("Custom"));
    m_preset->setToolTip(tr("A protocol under a name; changing a number below makes it custom"));
    m_preset->setAccessibleName(tr("Protocol preset"));
    connect(m_preset, &QComboBox::activated, this, &ProtocolPanel::choosePreset);
    form->addRow(tr("&Protocol"), m_preset);
}

QComboBox *ProtocolPanel::addWords(QFormLayout *form, const QString &label, const QStringList &words,
                                   const QStringList &names, const QString &toolTip)
{
    auto *box = new QComboBox(this);
    for (qsizetype i = 0; i < words.size(); ++i)
        box->addItem(names.at(i), words.at(i));
    box->setToolTip(toolTip);
    box->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    connect(box, &QComboBox::currentIndexChanged, this, &ProtocolPanel::noteChange);
    form->addRow(label, box);
    return box;
}

void ProtocolPanel::addCapture(QFormLayout *form)
{
    m_capture = new QCheckBox(tr("Capture kernel records"), this);
    m_capture->setToolTip(
        tr("Measures GPU kernel time and launches in passes of their own; off leaves the device to another profiler"));
    form->addRow(QString(), m_capture);
    m_captureIterations =
        addSpinBox(form, tr("Captured calls"), 1, tr("Calls per capture over which kernel time is averaged"));
    connect(m_capture, &QCheckBox::toggled, m_captureIterations, &QWidget::setEnabled);
    connect(m_capture, &QCheckBox::toggled, this, &ProtocolPanel::noteChange);
}

void ProtocolPanel::addCounters(QFormLayout *form)
{
    m_counters = new QCheckBox(tr("Hardware counters"), this);
    m_counters->setAccessibleName(tr("Hardware counters"));
    form->addRow(QString(), m_counters);
    connect(m_counters, &QCheckBox::toggled, this, [this](bool checked) {
        m_wantsCounters = checked;
        noteChange();
    });
}

QString ProtocolPanel::countersLack() const
{
    if (!m_capture->isChecked())
        return tr("Not without captured kernel records: counters need the same instrument, which is then left to "
                  "another profiler");
    if (m_cache->currentData().toString() != run::cacheStates().first())
        return tr("Not with a cold cache: each kernel runs several times on the same arrays for its counters, and so "
                  "finds them in the cache");
    return {};
}

// Unchecked and with the reason where there can be none; as it was wished where there can again.
void ProtocolPanel::offerCounters()
{
    const QString lack = countersLack();
    const QSignalBlocker quiet(m_counters);
    m_counters->setEnabled(lack.isEmpty());
    m_counters->setChecked(m_wantsCounters && lack.isEmpty());
    m_counters->setToolTip(lack.isEmpty() ? tr("Counts what one call of each implementation does on the GPU: "
                                               "instructions, memory traffic, stalls. Each kernel runs some 14 times "
                                               "for it, after everything that is timed")
                                          : lack);
    m_counters->setAccessibleDescription(lack);
}

void ProtocolPanel::addSeed(QFormLayout *form)
{
    m_seed = new QLineEdit(this);
    m_seed->setValidator(new SeedValidator(m_seed));
    m_seed->setAlignment(Qt::AlignRight);
    m_seed->setToolTip(tr("Equal seeds make equal inputs on every machine"));
    m_seed->setAccessibleName(tr("Seed"));
    connect(m_seed, &QLineEdit::textChanged, this, &ProtocolPanel::noteChange);
    form->addRow(tr("&Seed"), m_seed);
}

void ProtocolPanel::setProtocol(const run::RunPlan &plan)
{
    {
        const QSignalBlocker quiet(this);
        m_runs->setValue(plan.runs);
        m_rounds->setValue(plan.rounds);
        m_warmup->setValue(plan.warmup);
        m_iterations->setValue(plan.iterations);
        m_captureIterations->setValue(plan.captureIterations);
        m_cache->setCurrentIndex(m_cache->findData(plan.cache));
        m_arithmetic->setCurrentIndex(m_arithmetic->findData(plan.arithmetic));
        m_capture->setChecked(plan.capture);
        m_captureIterations->setEnabled(plan.capture);
        m_wantsCounters = plan.counters;
        m_seed->setText(QString::number(plan.seed));
    }
    noteChange();
}

void ProtocolPanel::applyTo(run::RunPlan &plan) const
{
    plan.runs = m_runs->value();
    plan.rounds = m_rounds->value();
    plan.warmup = m_warmup->value();
    plan.iterations = m_iterations->value();
    plan.captureIterations = m_captureIterations->value();
    plan.cache = m_cache->currentData().toString();
    plan.arithmetic = m_arithmetic->currentData().toString();
    plan.capture = m_capture->isChecked();
    plan.counters = m_counters->isChecked();
    if (m_seed->hasAcceptableInput())
        plan.seed = m_seed->text().toULongLong();
}

void ProtocolPanel::setLocked(bool locked)
{
    setEnabled(!locked);
}

void ProtocolPanel::choosePreset(int index)
{
    if (index >= protocolPresets().size())
        return;
    run::RunPlan plan;
    applyTo(plan);
    applyPreset(protocolPresets().at(index), plan);
    setProtocol(plan);
}

void ProtocolPanel::noteChange()
{
    offerCounters();
    run::RunPlan plan;
    applyTo(plan);
    const int preset = presetIndex(plan);
    m_preset->setCurrentIndex(preset < 0 ? m_preset->count() - 1 : preset);
    emit changed();
}

} // namespace stagecraft::window
