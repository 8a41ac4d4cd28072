// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"
#include "protocolerror.h"

// JSON of the messages, found by nlohmann::json through their namespace: `nlohmann::json j = params;` and
// `j.get<PrepareParams>()`. Reading checks presence, type and range (integers are whole, not negative and fit the
// field; numbers are finite; durations are not negative) and throws ProtocolError with the key at fault. Keys that are
// not known are passed over, so that a later version can add some. What a message may lack is not written where it is
// empty or 0.
namespace stagecraft::protocol {

#define STAGECRAFT_MESSAGE(Type)                                                                                       \
    void to_json(nlohmann::json &json, const Type &message);                                                           \
    void from_json(const nlohmann::json &json, Type &message);

STAGECRAFT_MESSAGE(Hello)
STAGECRAFT_MESSAGE(Device)
STAGECRAFT_MESSAGE(Library)
STAGECRAFT_MESSAGE(Implementation)
STAGECRAFT_MESSAGE(CaptureSupport)
STAGECRAFT_MESSAGE(SelfTest)
STAGECRAFT_MESSAGE(DescribeParams)
STAGECRAFT_MESSAGE(DescribeResult)
STAGECRAFT_MESSAGE(CompileParams)
STAGECRAFT_MESSAGE(KernelResources)
STAGECRAFT_MESSAGE(CompileResult)
STAGECRAFT_MESSAGE(PrepareParams)
STAGECRAFT_MESSAGE(HandleParams)
STAGECRAFT_MESSAGE(CheckParams)
STAGECRAFT_MESSAGE(Launch)
STAGECRAFT_MESSAGE(PrepareResult)
STAGECRAFT_MESSAGE(CheckResult)
STAGECRAFT_MESSAGE(MeasureParams)
STAGECRAFT_MESSAGE(SamplesNote)
STAGECRAFT_MESSAGE(MeasureResult)
STAGECRAFT_MESSAGE(CaptureParams)
STAGECRAFT_MESSAGE(KernelRecord)
STAGECRAFT_MESSAGE(CaptureResult)
STAGECRAFT_MESSAGE(CountersParams)
STAGECRAFT_MESSAGE(Metric)
STAGECRAFT_MESSAGE(MissingMetric)
STAGECRAFT_MESSAGE(CountedKernel)
STAGECRAFT_MESSAGE(CountersResult)
STAGECRAFT_MESSAGE(SampleParams)
STAGECRAFT_MESSAGE(SampledInstruction)
STAGECRAFT_MESSAGE(SampledKernel)
STAGECRAFT_MESSAGE(SampleResult)
STAGECRAFT_MESSAGE(FloorsOperation)
STAGECRAFT_MESSAGE(FloorsParams)
STAGECRAFT_MESSAGE(FloorMeasurement)
STAGECRAFT_MESSAGE(OperationFloor)
STAGECRAFT_MESSAGE(FloorsResult)
STAGECRAFT_MESSAGE(LogNote)

#undef STAGECRAFT_MESSAGE

} // namespace stagecraft::protocol
