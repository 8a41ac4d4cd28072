// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problemlog.h"

#include <nlohmann/json.hpp>
#include <QByteArray>

#include <functional>

namespace stagecraft::evidence {

// Deepest nesting and most values that an evidence file may have. The formats need 10 levels; the bounds keep
// recursive operations on the document and its memory harmless.
inline constexpr std::size_t maximumDepth = 64;
inline constexpr std::size_t maximumValues = 20'000'000;

// Parses untrusted text. Where the text stops being JSON (or passes a bound), the log gets the JSON pointer at which
// parsing stopped, and the document holds everything that came before. A duplicate key is a contradiction; its last
// value stays, as in other JSON readers. Discarded (is_discarded()) when not even a first value could be read.
// Where `cancelled` says true, reading stops without a word in the log; the document is then of no use.
using Cancelled = std::function<bool()>;
nlohmann::json parseDocument(const QByteArray &text, ProblemLog &log, const Cancelled &cancelled = {});

} // namespace stagecraft::evidence
