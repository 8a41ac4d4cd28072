# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker and an ncu that are made up, as the texts of the programs that test_ncu_agreement.py writes and starts."""

# Records its kernels as the capture library and ncu would, whichever is there. MADE_UP is {operation implementation:
# {…}}: us (per launch), ncu_us (what ncu adds, 0.7 µs unless given), ncu_first_us (to the first five iterations more),
# ncu_us_again (what it adds from the second time on), place_us (to each in memory besides
# the first), fails_again (under ncu from the second time on), ncu_grid, tuned (its grid is what a tuner found first
# and kept), dies, wrong, refuses, stage (which runs), timed_us (by the instrumented copy).
WORKER = r"""#!{python}
import array, json, os, pathlib, sys

timed = False
made_up = json.loads(os.environ.get("MADE_UP", "{{}}"))
trace = os.environ.get("FAKE_NCU_TRACE")
work = {{}}
handles = 0

def key(params):
    return params.get("stage") or params["operation"] + " " + params["implementation"]

def marker(name):
    return pathlib.Path(trace).parent / ("seen " + name.replace("/", " "))

def tuned_grid():  # another one in each process, unless one is kept
    kept = pathlib.Path(os.environ["TRITON_CACHE_DIR"]) / "grid"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(str(os.getpid()))
    return [int(kept.read_text()), 1, 1]

def records(name, iterations):
    one = dict(made_up.get(name, {{}}))
    if trace and "ncu_us_again" in one and marker(name).exists():
        one["ncu_us"] = one["ncu_us_again"]
    if list(work.values()).count(name) > 1:
        one["ncu_us"] = one.get("ncu_us", 0.7) + one.get("place_us", 0)
    times = one.get("us", [0.6] if name == "gelu/empty" else [10.0])
    for iteration in range(iterations):
        for number, us in enumerate(times):
            under = us + one.get("ncu_us", 0.7) + (iteration < 5) * one.get("ncu_first_us", 0) if trace else us
            if os.environ.get("STAGECRAFT_CAPTURE_KERNELS") == "serialized":
                under += one.get("serialized_us", 1.3)
            grid = tuned_grid() if one.get("tuned") else one.get("ncu_grid", [3, 2, 1]) if trace else [3, 2, 1]
            yield {{"kernel_name": "kernel_%d<float, 4>(int)" % number, "grid": grid, "block": [128, 1, 1],
                   "duration_us": under, "iteration": -1}}

def measure(params):
    name = work[params["handle"]]
    fails_again = made_up.get(name, {{}}).get("fails_again") and trace and marker(name).exists()
    if made_up.get(name, {{}}).get("dies") or fails_again:
        os._exit(3)
    assert params["bracket"] and os.environ["STAGECRAFT_CAPTURE"] == "off" and os.environ["TRITON_CACHE_AUTOTUNING"]
    assert not (trace and os.environ.get("CUDA_INJECTION64_PATH"))
    found = list(records(name, params["iterations"]))
    if trace:
        marker(name).touch()
        with open(trace, "a") as stream:
            for one in found:
                stream.write(json.dumps(one) + "\n")
    elif os.environ.get("CUDA_INJECTION64_PATH"):
        file = pathlib.Path(os.environ["STAGECRAFT_CAPTURE_DIRECTORY"]) / ("%d.json" % os.getpid())
        file.write_text(json.dumps({{"format": 1, "brackets": [{{"backend": "cupti", "records": found}}]}}))
    return {{"count": params["iterations"]}}

print("a banner")
for line in sys.stdin:
    request = json.loads(line)
    params, method = request["params"], request["method"]
    reply = {{"jsonrpc": "2.0", "id": request["id"], "result": {{}}}}
    if method == "describe":
        reply["result"] = {{"devices": [{{"name": "Made-up GPU", "driver_version": "580.1"}}] * int(os.environ.get("GPUS", 1))}}
    elif method == "prepare" and made_up.get(key(params), {{}}).get("refuses"):
        del reply["result"]
        reply["error"] = {{"code": -32001, "message": "no", "data": {{"reason": "it is not there", "fix": "get it"}}}}
    elif method == "prepare":
        handles += 1
        work[handles] = key(params)
        stage = made_up.get(key(params), {{}}).get("stage", "")
        reply["result"] = {{"handle": handles, "note": "made up", "stage": stage}}
        timed = "timed_body" in params.get("source", "")
    elif method == "check":
        if params.get("output"):
            assert timed and not trace and "CUDA_INJECTION64_PATH" not in os.environ
            us = made_up.get(work[params["handle"]], {{}}).get("timed_us", 0.25)
            pathlib.Path(params["output"]).write_bytes(array.array("f", [us] * 100).tobytes())
        reply["result"] = {{"passed": not made_up.get(work[params["handle"]], {{}}).get("wrong")}}
    elif method == "release":
        del work[params["handle"]]
    elif method == "measure":
        reply["result"] = {{}} if timed else measure(params)
    print(json.dumps(reply), flush=True)
    if method == "shutdown":
        break
"""

NCU = r"""#!{python}
import json, os, subprocess, sys

arguments = sys.argv[1:]
if arguments == ["--version"]:
    print("NVIDIA (R) Nsight Compute Command Line Profiler\nVersion 2025.3.1.0 (build 1) (public-release)")
    sys.exit()
def value(option):
    return arguments[arguments.index(option) + 1]

for option, expected in (("--profile-from-start", "off"), ("--page", "raw"), ("--clock-control", "none"),
                         ("--target-processes", "all"), ("--print-units", "base")):
    assert value(option) == expected, option
cycles = value("--metrics") == "gpu__time_duration.sum,sm__cycles_elapsed.max,smsp__cycles_elapsed.avg.per_second"
sparse = "--kernel-id" in arguments and value("--kernel-id") == ":::.*0"
setting = (value("--metrics"), value("--cache-control"), value("--replay-mode"))
added = {("none", "kernel"): 0, ("all", "kernel"): 3, ("none", "application"): 0.125}[setting[1:]]
assert cycles or setting[0] == "gpu__time_duration.sum"
log = arguments[arguments.index("--log-file") + 1]
trace = log + ".trace"
open(trace, "w").close()
status = subprocess.call(arguments[arguments.index("--log-file") + 2:], env=dict(os.environ, FAKE_NCU_TRACE=trace))
with open(log, "w") as out:
    out.write("==PROF== Connected to process 4711 (/somewhere/worker)\n")
    if os.environ.get("NCU_REFUSES"):
        out.write("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n")
        sys.exit(1)
    out.write('"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",'
              '"Device","CC","gpu__time_duration.sum"' +
              (',"sm__cycles_elapsed.max","smsp__cycles_elapsed.avg.per_second"' if cycles else '') + '\n' + ",".join(['""'] * 11) + ',"ns"' + (',"cycle","cycle/second"' if cycles else '') + '\n')
    for number, line in enumerate(open(trace)):
        one = json.loads(line)
        if sparse and number % 10:
            continue
        out.write('"%d","4711","worker","127.0.0.1","%s","1","7","(%d, %d, %d)","(%d, %d, %d)","0","9.0","%s"%s\n' % (
            number, one["kernel_name"].split("<")[0], *one["block"], *one["grid"],
            format(round(1000 * (one["duration_us"] + added)), ","),
            ',"%s","2,000,000,000.5"' % format(round(2000 * (one["duration_us"] - 0.25)), ",") if cycles else ""))
    out.write("==PROF== Disconnected from process 4711\n")
sys.exit(status)
"""
