// SPDX-License-Identifier: GPL-3.0-or-later
#include "printabletext.h"

namespace stagecraft::evidence {

QString printable(QString text)
{
    for (QChar &c : text) {
        switch (c.category()) {
        case QChar::Other_Control:
        case QChar::Other_Format:
        case QChar::Separator_Line:
        case QChar::Separator_Paragraph:
            c = QChar::ReplacementCharacter;
            break;
        default:
            break;
        }
    }
    return text;
}

} // namespace stagecraft::evidence
