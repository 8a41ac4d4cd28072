// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewrows.h"

// Floors as figures say and draw them. Internal to the views.
namespace stagecraft::views {

struct KnownFloor
{
    double us = 0;
    QString what, arithmetic; // an empty arithmetic: of any
    bool operator==(const KnownFloor &) const = default;
};
std::optional<KnownFloor> floorOf(const evidence::ValueRow &row);

// "floor 3.7 µs: L2-warm copy of the same bytes".
QString floorWords(const widgets::FigureLimit &floor);

// The floors of bars that stand on one scale. Bars of different arithmetic have different ones: each is named by it
// then, "fp32 floor 32.1 µs".
class FloorLines
{
public:
    FloorLines(bool namesArithmetic, int decimals) : m_namesArithmetic(namesArithmetic), m_decimals(decimals) {}

    int add(const std::optional<KnownFloor> &floor); // FigureBar::floor; each floor once
    const QList<widgets::FigureLimit> &lines() const { return m_lines; }

private:
    bool m_namesArithmetic;
    int m_decimals;
    QList<KnownFloor> m_floors;
    QList<widgets::FigureLimit> m_lines;
};

// What an arithmetic is where none is named: FP32.
QString plainArithmetic(const QString &arithmetic);

// Whether rows compute in more than one arithmetic.
bool mixesArithmetic(const QList<evidence::ValueRow> &rows);

// What a floor is, and what none is known of: may be empty.
QString floorMeaning(const QStringList &unknown);

// What a floor is, and of which of the rows that have kernel time none is known; nothing where none is known at all.
QStringList floorCaptions(const QList<evidence::ValueRow> &rows);

// That what is marked with another arithmetic than FP32 is not exact FP32; empty where there is none.
QString arithmeticCaption(const QStringList &arithmetics);

} // namespace stagecraft::views
