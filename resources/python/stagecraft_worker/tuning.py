# SPDX-License-Identifier: MIT
"""Triton's own tuner over a stated set of sizes."""

import inspect
import math

import triton
import triton.testing

from . import tiles


def _config(chosen):
    options = {"num_warps": chosen.warps}
    if chosen.stages is not None:
        options["num_stages"] = chosen.stages
    return triton.Config(dict(chosen.sizes), **options)


def _milliseconds(timing):
    """The tuner keeps a list of quantiles, or one infinity for what could not be launched."""
    return timing[0] if isinstance(timing, (list, tuple)) else timing


def _outcome(tuner, tried):
    """The sizes that won, and how many of the set ran at all."""
    best = tuner.best_config
    timings = getattr(tuner, "configs_timings", None) or {}
    ran = sum(1 for timing in timings.values() if math.isfinite(_milliseconds(timing)))
    return tiles.Tiles(dict(best.kwargs), best.num_warps, best.num_stages), ran or tried


def _bound(tuner, launch, wide):
    start, arguments, output = tuner[launch.grid], launch.arguments, launch.output

    def call():
        start(*arguments, WIDE=wide)
        return output

    return call


def _warm_timing():
    """Arguments for triton.autotune, and what to say of them. By itself it empties the cache before each call and times
    calls with events: a choice for cold data that is noise for kernels of a few microseconds. In a CUDA graph calls
    follow each other on warm data, as those do that are measured here. Releases before 3.2 take no other timing."""
    if "do_bench" not in inspect.signature(triton.autotune).parameters:
        return {}, ", timed with an emptied cache"
    return {"do_bench": triton.testing.do_bench_cudagraph}, ", timed in CUDA graphs on warm data"


def tune(launches, operation, wide, progress):
    """Returns a tuned call for each launch and a sentence on what won. They are launches of the same kernel on copies
    of the same tensors, so the tuner measures the first and knows the others. A call goes through the tuner, as its
    users' calls do."""
    first = launches[0]
    configs = [_config(chosen) for chosen in tiles.TUNED[operation]]
    timing, how = _warm_timing() if len(launches) == 1 else ({}, "")
    tuner = triton.autotune(configs=configs, key=list(first.dims), **timing)(first.kernel)
    calls = [_bound(tuner, launch, wide) for launch in launches]
    with progress.during(f"tuning {operation} with triton.autotune over {len(configs)} configurations"):
        calls[0]()
    winner, ran = _outcome(tuner, len(configs))
    report = f"{winner.text()}: the fastest of {ran} configurations by triton.autotune{how}"
    if ran < len(configs):
        report += f" ({len(configs) - ran} more could not be launched)"
    progress.say(f"triton-tuned {operation}: {report}")
    return calls, report
