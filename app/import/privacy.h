// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

// Foreign files hold host names, user names and paths. Readers take only what they know to be harmless; what they take
// goes through these.
namespace stagecraft::import {

// Without the components of a path that name a user or a host, in any place: NAME after the folder of homes on POSIX or
// Windows (up to three words, where a path goes on behind them), "~NAME", "user@host:" and addresses. Each becomes
// `replacement`. C++'s destructors ("~Name(") stay.
QString withoutHomes(const QString &text, const QString &replacement = {});

// The users that the home directories in a path or command line name.
QStringList usersIn(const QString &text);

// A host's name as words to hide: the whole and its first label.
QStringList hostWords(const QString &host);

// Absolute paths, of POSIX and of Windows, cut to their last component: "…{lambda at /data/src/x.cu:3}" becomes
// "…{lambda at x.cu:3}". Control characters are dropped and white space is joined. Any length.
QString withoutPaths(const QString &text);

// withoutPaths(), and without `words`: what a file itself records as its host's and users' names. Words of one or two
// letters and those that many machines share (root, user, nvidia) tell nothing and stay.
QString publicText(const QString &text, const QStringList &words);

// What a file is called in evidence: its name without folder and suffixes, of letters, digits, '.', '_' and '-', at
// most 48 characters. The host name that PyTorch's trace handler puts in front is dropped, as are this machine's host
// and user name, and `words`. "import" where nothing is left.
QString publicStem(const QString &path, const QStringList &words = {});

// A JSON pointer whose keys are foreign, for people: paths in its keys cut likewise, and read plainly then
// ("/cache/a.h" of "/cache/~1home~1ada~1a.h"). Any other pointer as it is.
QString publicPointer(const QString &pointer);

// The text of a problem without what a parser quotes of the file.
QString publicCause(const QString &cause);

} // namespace stagecraft::import
