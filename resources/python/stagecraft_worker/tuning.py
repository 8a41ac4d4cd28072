# SPDX-License-Identifier: MIT
"""Triton's own tuner over a stated set of sizes."""

import math

import triton

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


def tune(launches, operation, wide, progress):
    """Returns a tuned call for each launch and a sentence on what won. They are launches of the same kernel on copies
    of the same tensors, so the tuner measures the first and knows the others. A call goes through the tuner, as its
    users' calls do."""
    first = launches[0]
    configs = [_config(chosen) for chosen in tiles.TUNED[operation]]
    tuner = triton.autotune(configs=configs, key=list(first.dims))(first.kernel)
    calls = [_bound(tuner, launch, wide) for launch in launches]
    with progress.during(f"tuning {operation} with triton.autotune over {len(configs)} configurations"):
        calls[0]()
    winner, ran = _outcome(tuner, len(configs))
    report = f"{winner.text()}: the fastest of {ran} configurations by triton.autotune"
    if ran < len(configs):
        report += f" ({len(configs) - ran} more could not be launched)"
    progress.say(f"triton-tuned {operation}: {report}")
    return calls, report
