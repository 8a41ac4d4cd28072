// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

// Foreign files hold host names, user names and paths. Readers take only what they know to be harmless; what they take
// goes through these.
namespace stagecraft::import {

// Absolute paths, of POSIX and of Windows, cut to their last component: "…{lambda at /data/src/x.cu:3}" becomes
// "…{lambda at x.cu:3}". Control characters are dropped and white space is joined. Any length.
QString withoutPaths(const QString &text);

// What a file is called in evidence: its name without folder and suffixes, of letters, digits, '.', '_' and '-', at
// most 48 characters. The host name that PyTorch's trace handler puts in front is dropped, as are this machine's host
// and user name. "import" where nothing is left.
QString publicStem(const QString &path);

// A JSON pointer whose keys are foreign, for people: paths in its keys cut likewise, and read plainly then ("/cache/a.h"
// of "/cache/~1home~1ada~1a.h"). Any other pointer as it is.
QString publicPointer(const QString &pointer);

// The text of a problem without what a parser quotes of the file.
QString publicCause(const QString &cause);

} // namespace stagecraft::import
