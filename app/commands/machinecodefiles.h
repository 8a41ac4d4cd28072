// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compiledstages.h"
#include "disassembler.h"

#include <optional>
#include <QTemporaryDir>

namespace stagecraft::commands {

// The PTX and machine code of compiled stages, written as OPERATION-ID-ARCH.ptx and .sass to the request's folder.
class MachineCodeFiles
{
public:
    explicit MachineCodeFiles(const StagesRequest &request) : m_request(request) {}

    bool wanted() const { return !m_request.machineCodeFolder.isEmpty(); }

    // What the compiler is to write for this order.
    void putInto(run::CompileOrder &order) const;

    // Disassembles what was compiled, writes it, and notes each launch's instructions; with progress on standard error.
    // What cannot be is noted in each stage with its reason.
    void finish(QList<ListedStage> &stages);

private:
    QString file(const run::CatalogueStage &entry, const QString &architecture, const char *ending) const;
    QString cubin(const run::CatalogueStage &entry, const QString &architecture) const;
    void finish(const run::CatalogueStage &entry, CompiledStage &compiled);

    const StagesRequest &m_request;
    QTemporaryDir m_cubins;                        // where none are asked for
    std::optional<run::DisassemblyResult> m_isOut; // why nvdisasm is not tried any more
};

} // namespace stagecraft::commands
