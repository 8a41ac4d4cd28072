// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runplan.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace stagecraft::window {

// How often and how everything is measured: rounds, warm-up, iterations, cache, arithmetic, capture, counters, seed.
class ProtocolPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ProtocolPanel(QWidget *parent = nullptr);

    void setProtocol(const run::RunPlan &plan); // takes the protocol's fields of a plan
    void applyTo(run::RunPlan &plan) const;     // and puts them into one
    void setLocked(bool locked);

signals:
    void changed();

private:
    QSpinBox *addSpinBox(QFormLayout *form, const QString &label, int minimum, const QString &toolTip);
    void addPresets(QFormLayout *form);
    // Of a plan's words, each under a name of its own; `changed` as it is chosen.
    QComboBox *addWords(QFormLayout *form, const QString &label, const QStringList &words, const QStringList &names,
                        const QString &toolTip);
    void addCapture(QFormLayout *form);
    void addCounters(QFormLayout *form);
    QString countersLack() const; // why there can be none as things stand; empty where there can
    void offerCounters();
    void addSeed(QFormLayout *form);
    void choosePreset(int index);
    void noteChange();

    QComboBox *m_preset = nullptr, *m_cache = nullptr, *m_arithmetic = nullptr;
    QSpinBox *m_runs = nullptr, *m_rounds = nullptr, *m_warmup = nullptr, *m_iterations = nullptr,
             *m_captureIterations = nullptr;
    QCheckBox *m_capture = nullptr, *m_counters = nullptr;
    bool m_wantsCounters = false; // also while there can be none
    QLineEdit *m_seed = nullptr;
};

} // namespace stagecraft::window
