// SPDX-License-Identifier: GPL-3.0-or-later
#include "declarationchecks.h"

namespace stagecraft::evidence {

void checkResultDeclarations(const JsonNode &root, Namespace &evidence)
{
    checkSampleTotals(root, evidence);
    const bool isOwnFormat = root.member("format").exists();
    root.eachElement("results", [isOwnFormat](const JsonNode &result) {
        checkOperationName(result, "op");
        if (isOwnFormat)
            checkDimsCount(result, stringAt(result.member("op")));
    });
    if (!isOwnFormat)
        return;
    checkRounds(root, evidence);
    checkSeries(root, evidence);
    checkMeasurementWords(root, evidence);
}

void checkProfileDeclarations(const JsonNode &root, Namespace &evidence)
{
    checkKernelTotals(root, evidence);
    const bool isOwnFormat = root.member("format").exists();
    root.eachElement("captures", [isOwnFormat](const JsonNode &capture) {
        checkOperationName(capture, "operation");
        if (isOwnFormat)
            checkDimsCount(capture, stringAt(capture.member("operation")));
    });
    if (!isOwnFormat)
        return;
    checkCaptureOwners(root, evidence);
    checkCaptureWords(root, evidence);
}

} // namespace stagecraft::evidence
