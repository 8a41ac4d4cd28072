// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourceview.h"

#include <Qsci/qscilexercpp.h>

namespace stagecraft::widgets {

// C++ with a language's further words, in a theme's colours.
class SourceLexer : public QsciLexerCPP
{
    Q_OBJECT

public:
    explicit SourceLexer(QObject *parent);

    void setLanguage(const SourceLanguage &language);
    void setTheme(Theme theme);

    const char *keywords(int set) const override;

private:
    QByteArray m_keywords, m_builtins, m_macros;
};

// The fixed-width font of sources, in the size of the type scale.
QFont sourceFont();

} // namespace stagecraft::widgets
