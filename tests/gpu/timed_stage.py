# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of a stage that measures itself by the GPU's own clock (%globaltimer): from the first block's begin to the
last block's end, without any instrument of the driver's. What a launch takes before and after is not in it, and the last
stores may still be under way at its end, so it is a figure beside that of an empty kernel measured likewise."""
import array
import json
import math
import re

KEPT = 64  # calls, of which the result's first elements hold the times

_FRONT = re.compile(r"/\*\s*stage\s*(\{.*?\})\s*\*/", re.DOTALL)
_ENTRY = re.compile(
    r'extern\s+"C"\s+__global__\s+void\s+(?P<bounds>(?:__launch_bounds__\([^)]*\)\s*)?)(?P<name>\w+)\s*\(STAGE_ARGS\)'
)
_INPUTS = {"layernorm": "a, b, c", "neighbor": "a, b, rowptr, indices"}

_CLOCK = """
__device__ unsigned long long timed_begin = ~0ull, timed_end = 0;
__device__ float timed_us[%(kept)d];
__device__ unsigned timed_calls = 0;

__device__ __forceinline__ unsigned long long timed_now()
{
    unsigned long long now;
    asm volatile("mov.u64 %%0, %%globaltimer;" : "=l"(now)::"memory");
    return now;
}
"""
_WRAPPER = """
extern "C" __global__ void %(bounds)s%(name)s(STAGE_ARGS)
{
    const bool timed_first = threadIdx.x + threadIdx.y + threadIdx.z == 0;
    if (timed_first)
        atomicMin(&timed_begin, timed_now());
    timed_body(%(arguments)s);
    __syncthreads();
    if (timed_first)
        atomicMax(&timed_end, timed_now());
}

extern "C" __global__ void timed_collect(STAGE_ARGS)
{
    if (threadIdx.x == 0) {
        timed_us[timed_calls++ %% %(kept)d] = float(timed_end - timed_begin) / 1000.0f;
        timed_begin = ~0ull;
        timed_end = 0;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < %(kept)d; i += blockDim.x)
        out[i] = timed_us[i];
}
"""


class NotTimed(Exception):
    """Why a stage cannot be timed in this way."""


def instrumented(source, operation):
    """The source of the copy. Raises NotTimed."""
    front = _FRONT.search(source)
    if not front:
        raise NotTimed("it has no front matter")
    facts = json.loads(front.group(1))
    if len(facts["launches"]) != 1 or facts.get("tensor_maps"):
        raise NotTimed("only stages of one launch without tensor maps can be timed by their blocks")
    entries = list(_ENTRY.finditer(source))
    if len(entries) != 1:
        raise NotTimed("its kernel is not declared as stages are")
    entry = entries[0]
    cover = facts["launches"][0]["grid"][0].get("cover")
    if cover is None:
        raise NotTimed("its grid covers no dims")
    facts["launches"].append({"entry": "timed_collect", "block": 32, "grid": [{"cover": cover, "by": 1 << 31}]})
    arguments = _INPUTS.get(operation, "a, b") + ", out" + (", scratch" if facts.get("scratch") else "")
    words = {**entry.groupdict(), "arguments": arguments, "kept": KEPT}
    code = source[front.end() : entry.start()], source[entry.end() :]
    body = code[0] + "__device__ __forceinline__ void timed_body(STAGE_ARGS)" + code[1]
    head = f"/* stage {json.dumps(facts)} */\n"
    return head + body + _CLOCK % words + _WRAPPER % words


def times(file):
    """µs of the last calls, as the result's first elements hold them; the very last, which followed a poisoning, too."""
    values = array.array("f", file.read_bytes())[:KEPT]
    if len(values) < KEPT or not all(math.isfinite(us) and us > 0 for us in values):
        raise NotTimed("the GPU's clock gave no times: it may tick too slowly")
    return list(values)
