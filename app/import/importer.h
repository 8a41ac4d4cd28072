// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <functional>

// Measurements of other tools as evidence: Nsight Systems exports, NVBench and Google Benchmark results, PyTorch
// profiler traces, Kernel Tuner caches. The files are foreign and untrusted; host names, user names and paths in them
// never reach the evidence.
namespace stagecraft::import {

// Asked between parts of the work; true ends it early. May be empty.
using Cancelled = std::function<bool()>;

struct Imported
{
    evidence::Namespace evidence; // what is sound; `problems` name file, place and cause of what is not
    QString error;                // set: nothing could be read, and why; evidence is empty
};

// One kind of foreign file.
struct Format
{
    QString id, title;    // "nsys", "Nsight Systems"
    QStringList suffixes; // for a file dialog: "sqlite", "json", "json.gz"
    // Whether the file is of this kind, by its content, from its first bytes; cheap.
    bool (*recognises)(const QString &path);
    // All files of one call become one namespace: with several files, each is a stage of a progression in their order,
    // per operation that they share.
    Imported (*read)(const QStringList &paths, const Cancelled &cancelled);
};

const QList<Format> &formats();
const Format *formatOf(const QString &path); // nullptr: of none of them

// Files of one kind; mixed or unknown kinds are an error that names them. Safe on any thread, never throws.
Imported importFiles(const QStringList &paths, const Cancelled &cancelled = {});

// The name that a namespace of these files gets where the user names none: from the file's base name, without paths.
QString importedName(const QStringList &paths);

} // namespace stagecraft::import
