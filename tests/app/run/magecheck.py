#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a directory in mage's form as whoever knows mage's format alone would: magecheck.py DIR LANGUAGE…

The five operations in each of the languages, every round and every sample, one capture for each case. Prints what is
wrong, one line each; the exit status is 1 where anything is.
"""
import json
import math
import pathlib
import statistics
import sys

OPERATIONS = {"matmul": 3, "gelu": 2, "layernorm": 2, "triangle": 2, "neighbor": 3}
INPUTS = {
    "matmul": {"a.bin", "b.bin"},
    "gelu": {"a.bin", "b.bin"},
    "layernorm": {"a.bin", "b.bin", "c.bin"},
    "triangle": {"a.bin", "b.bin"},
    "neighbor": {"a.bin", "b.bin", "rowptr.bin", "indices.bin"},
}
RESULTS = {
    "experiment_id", "utc", "gpu", "cuda", "platform", "precision", "timing", "excluded", "rounds",
    "iterations_per_round", "warmup_per_round", "source_sha256", "gpu_state_before", "gpu_state_after", "results",
}
RESULT = {"op", "dims", "input_hashes", "rounds"}
ROUND = {"index", "order", "gpu_state", "implementations"}
MEASUREMENT = {"samples_us", "event_mean_us", "event_median_us", "warmup", "iterations", "correctness"}
CORRECTNESS = {"passed", "max_abs_error", "rtol", "atol", "checked_elements"}
PROFILES = {"experiment_id", "backend", "timestamp_mode", "timing", "captures"}
CAPTURE = {
    "operation", "language", "backend", "launches", "requested_iterations", "kernel_names", "status", "kernel_metrics",
}
METRICS = {"kernel_name", "duration_us", "grid_size", "block_size", "registers_per_thread", "shared_mem_bytes"}

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def keys(place, value, expected):
    expect(isinstance(value, dict) and set(value) == expected,
           f"{place}: keys {sorted(set(value) ^ expected)} are missing or unknown")


def positive(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def is_hash(text):
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


def extent(text):
    parts = text.split(",") if isinstance(text, str) else []
    return len(parts) == 3 and all(part.isdigit() and int(part) > 0 for part in parts)


def check_measurement(place, value, declared):
    keys(place, value, MEASUREMENT)
    samples = value["samples_us"]
    expect(len(samples) == declared["iterations_per_round"] == value["iterations"],
           f"{place}: {len(samples)} samples of {declared['iterations_per_round']}")
    expect(value["warmup"] == declared["warmup_per_round"], f"{place}: another warmup than declared")
    expect(all(map(positive, samples)), f"{place}: a sample that is no time")
    expect(math.isclose(value["event_mean_us"], statistics.fmean(samples), rel_tol=1e-9), f"{place}: mean")
    expect(math.isclose(value["event_median_us"], statistics.median(samples), rel_tol=1e-9), f"{place}: median")
    correctness = value["correctness"]
    keys(place + "/correctness", correctness, CORRECTNESS)
    expect(correctness["passed"] is True, f"{place}: the check did not pass")
    expect(correctness["rtol"] == correctness["atol"] == 1e-4, f"{place}: another tolerance than 1e-4")
    expect(correctness["checked_elements"] > 0, f"{place}: nothing was checked")


def check_result(result, declared, languages):
    operation = result["op"]
    keys(operation, result, RESULT)
    expect(len(result["dims"]) == OPERATIONS.get(operation), f"{operation}: dims")
    hashes = result["input_hashes"]
    keys(operation + "/input_hashes", hashes, {"seed", "sha256"})
    expect(set(hashes["sha256"]) == INPUTS[operation] and all(map(is_hash, hashes["sha256"].values())),
           f"{operation}: input hashes")
    rounds = result["rounds"]
    expect([each["index"] for each in rounds] == list(range(declared["rounds"])), f"{operation}: rounds")
    counts = dict.fromkeys(languages, 0)
    for each in rounds:
        place = f"{operation}/{each['index']}"
        keys(place, each, ROUND)
        expect(each["gpu_state"].count("\n") == 1, f"{place}: gpu_state is no CSV of a heading and a line")
        expect(sorted(each["order"]) == sorted(languages) == sorted(each["implementations"]), f"{place}: who took part")
        for language in set(languages) & set(each["implementations"]):
            check_measurement(f"{place}/{language}", each["implementations"][language], declared)
            counts[language] += len(each["implementations"][language]["samples_us"])
    for language, count in counts.items():
        expect(count == declared["rounds"] * declared["iterations_per_round"],
               f"{operation}/{language}: {count} samples")
    starts = [each["order"][0] for each in rounds if each["order"]]
    expect(len(set(starts)) == min(len(languages), len(rounds)), f"{operation}: the order does not rotate")


def check_results(document, languages):
    keys("results", document, RESULTS)
    for name in ("experiment_id", "utc", "gpu", "cuda", "platform", "precision", "timing"):
        expect(isinstance(document[name], str) and document[name], f"{name} is empty")
    expect(document["excluded"] == [], f"excluded: {document['excluded']}")
    expect(document["source_sha256"] and all(map(is_hash, document["source_sha256"].values())), "source_sha256")
    for name in ("gpu_state_before", "gpu_state_after"):
        expect(document[name].count("\n") == 1, name)
    expect([each["op"] for each in document["results"]] == list(OPERATIONS), "the five operations, in order")
    for result in document["results"]:
        check_result(result, document, languages)


def check_capture(place, capture):
    keys(place, capture, CAPTURE)
    launches, iterations, records = capture["launches"], capture["requested_iterations"], capture["kernel_metrics"]
    expect(capture["status"] == "ok" and capture["backend"] in ("cupti", "nsys"), f"{place}: status or backend")
    expect(iterations > 0 and launches > 0 and launches % iterations == 0, f"{place}: launches per iteration")
    expect(len(records) == launches, f"{place}: {len(records)} records of {launches} launches")
    expect({each["kernel_name"] for each in records} == set(capture["kernel_names"]), f"{place}: kernel names")
    for each in records:
        keys(place + "/kernel_metrics", each, METRICS)
        expect(positive(each["duration_us"]) and extent(each["grid_size"]) and extent(each["block_size"]),
               f"{place}: a record without its time or extents")


def check_profiles(document, results, languages):
    keys("profiles", document, PROFILES)
    expect(document["experiment_id"] == results["experiment_id"], "two experiment ids")
    expect(document["backend"] and document["timestamp_mode"] and document["timing"], "backend, timestamp_mode, timing")
    cases = sorted((each["operation"], each["language"]) for each in document["captures"])
    expect(cases == sorted((operation, language) for operation in OPERATIONS for language in languages),
           f"{len(cases)} captures: {cases}")
    for each in document["captures"]:
        check_capture(f"{each['operation']}/{each['language']}", each)
    iterations = {each["requested_iterations"] for each in document["captures"]}
    expect(len(iterations) == 1 and iterations.pop() % results["rounds"] == 0, "iterations of the captures")


def main():
    folder, languages = pathlib.Path(sys.argv[1]), sys.argv[2:]
    try:
        results = json.loads((folder / "comparison-results.json").read_text(encoding="utf-8"))
        check_results(results, languages)
        profiles = json.loads((folder / "comparison-profiles.json").read_text(encoding="utf-8"))
        check_profiles(profiles, results, languages)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        problems.append(f"{type(error).__name__}: {error}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
