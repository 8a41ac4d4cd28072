#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries the Python worker on the machine at hand, without Qt and without a build: what it finds, and for every
operation and implementation the check, the spans and the kernels. Exits 1 where something that is available fails.

    python3 tests/resources/python/smoke.py [--python PYTHON] [--capture-library FILE] [--implementations a,b]
        [--operations a,b] [--dims OP=AxB,…] [--warmup N] [--iterations N] [--counters]

With --counters each implementation's hardware counters, too, after all else that it is asked.
"""

import argparse
import itertools
import os
import statistics
import sys
import time

from workerclient import ErrorReply, WorkerClient

IMPLEMENTATIONS = "pytorch,pytorch-compile,pytorch-cpu,triton,triton-tuned"
DIMS = {
    "matmul": (1024, 1024, 1024),
    "gelu": (4096, 768),
    "layernorm": (4096, 768),
    "triangle": (128, 32),
    "neighbor": (4096, 64, 65536),
}
INSTRUCTIONS = "smsp__inst_executed.sum"
UNAVAILABLE = -32001
LAUNCHES = {"matmul": 1, "gelu": 2, "layernorm": 1, "triangle": 3, "neighbor": 4}  # of eager PyTorch, as measured


def describe(client):
    description = client.call("describe", {"device": 0})
    for device in description["devices"]:
        print("device:", ", ".join(f"{key} {value}" for key, value in device.items()))
    for part in description["libraries"] + description["implementations"]:
        name = part.get("name") or part["id"]
        state = "available" if part["available"] else f"UNAVAILABLE: {part['reason']} | {part['fix']}"
        print(f"  {name}: {part.get('version', '')} {state} {part.get('note', '')}")
    print("  capture:", description["capture"])
    print("  self-test:", description["self_test"])
    return description


def kernels(client, handle, options):
    """Launches per iteration, mean kernel time and the kernels' names; or why there are none."""
    params = {"handle": handle, "warmup": options.warmup, "iterations": options.iterations}
    try:
        captured = client.call("capture", params)
    except ErrorReply as error:
        return None, f"no kernel records: {error.reason}"
    records, count = captured["records"], captured["requested_iterations"]
    total = sum(record["duration_us"] for record in records)
    names = dict.fromkeys(record["kernel_name"] for record in records)
    lines = "".join(f"\n      {name}" for name in names)
    lost = f", {captured['dropped']} dropped, {captured['invalid']} invalid" if captured["dropped"] else ""
    return len(records) / count, f"kernel {total / count:.3f} us, {len(records) / count:g} launches{lost}{lines}"


def counters(client, handle, options):
    """The kernels with what each executed; or why they are not counted. True unless counting failed."""
    begin = time.monotonic()
    try:
        counted = client.call("counters", {"handle": handle, "warmup": options.warmup})
    except ErrorReply as error:
        print(f"    no counters: {error}")
        return error.code == UNAVAILABLE
    lacks = "".join(f", without {metric['name']}" for metric in counted["missing"])
    print(f"    {len(counted['metrics'])} metrics in {counted['passes']} passes, {time.monotonic() - begin:.1f} s{lacks}")
    for kernel in counted["kernels"]:
        values = kernel["values"]
        print(f"      {len(values)} values, {values.get(INSTRUCTIONS)} instructions: {kernel['kernel_name']}")
    return bool(counted["kernels"])


def try_one(client, operation, implementation, options):
    begin = time.monotonic()
    prepared = client.prepare(operation, options.dims[operation], implementation, seed=20260910)
    print(f"{operation} {implementation}: prepared in {time.monotonic() - begin:.1f} s; {prepared['note']}")
    handle = prepared["handle"]
    check = client.call("check", {"handle": handle})
    figures = f"max abs {check.get('max_abs_error')}, relative {check.get('rel_error')}"
    print(f"    check {'passed' if check['passed'] else 'FAILED'}: {figures}, {check['bad_elements']} bad")
    client.batches.clear()
    client.call("measure", {"handle": handle, "warmup": options.warmup, "iterations": options.iterations})
    spans = client.samples()
    print(f"    span mean {statistics.mean(spans):.3f} us, median {statistics.median(spans):.3f} us, n {len(spans)}")
    launches, text = kernels(client, handle, options)
    print("    " + text)
    counted = not options.counters or counters(client, handle, options)
    client.call("release", {"handle": handle})
    expected = implementation != "pytorch" or launches in (None, LAUNCHES[operation])
    if not expected:
        print(f"    UNEXPECTED: {LAUNCHES[operation]} launches were measured elsewhere")
    return check["passed"] and expected and counted


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--capture-library")
    parser.add_argument("--implementations", default=IMPLEMENTATIONS)
    parser.add_argument("--operations", default=",".join(DIMS))
    parser.add_argument("--dims", default="")
    parser.add_argument("--warmup", type=int, default=25)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--counters", action="store_true")
    options = parser.parse_args()
    chosen = dict(text.split("=") for text in options.dims.split(",") if text)
    options.dims = {**DIMS, **{name: tuple(map(int, dims.split("x"))) for name, dims in chosen.items()}}
    return options


def start(options):
    environment = dict(os.environ)
    if options.capture_library:
        environment["STAGECRAFT_CAPTURE_LIBRARY"] = os.path.abspath(options.capture_library)
    return WorkerClient(options.python, environment=environment, on_log=lambda text: print("  log:", text))


def main():
    options = parse()
    failures = 0
    client = start(options)
    available = {each["id"] for each in describe(client)["implementations"] if each["available"]}
    chosen = [name for name in options.implementations.split(",") if name in available]
    for operation, implementation in itertools.product(options.operations.split(","), chosen):
        try:
            failures += not try_one(client, operation, implementation, options)
        except (ErrorReply, AssertionError) as error:
            failures += 1
            print(f"{operation} {implementation}: FAILED: {error}\n{getattr(error, 'log', '')}")
        if client.process.poll() is not None:
            client = start(options)
    client.__exit__()
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
