// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

// What a reason says of a fault that neither its state nor the name of a CUDA error tells. A reason goes into evidence
// as a sentence: who writes such a sentence and who looks for it share the words.
namespace stagecraft::protocol::phrase {

inline constexpr std::string_view workerHung = " worker hung: ";              // it was given up at the time limit
inline constexpr std::string_view cannotBeLaunched = " cannot be launched: "; // the GPU has not what a launch asks for

} // namespace stagecraft::protocol::phrase
