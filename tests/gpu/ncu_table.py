# SPDX-License-Identifier: GPL-3.0-or-later
"""Our kernel times beside ncu's: what is compared, within which bound, and how it is shown."""
import re
import statistics

RELATIVE_BOUND = 0.02
ABSOLUTE_BOUND_US = 0.2


class NotComparable(Exception):
    """The two instruments saw different things."""


def per_launch(records, iterations, skipped, what):
    """The records of each launch of an iteration after the skipped ones, [[first launch of every iteration], …]."""
    if not records or len(records) % iterations:
        raise NotComparable(f"{what}: {len(records)} kernels do not divide into {iterations} iterations")
    count = len(records) // iterations
    return [records[skipped * count + i :: count] for i in range(count)]


def base_name(kernel):
    """Without namespaces, template arguments and parameters: demanglers write those differently."""
    plain = kernel.replace("<unnamed>", "").replace("(anonymous namespace)", "")
    return re.split(r"::|\s", re.split(r"[<(]", plain)[0])[-1]


def _same(values, what):
    if any(value != values[0] for value in values):
        raise NotComparable(f"{what} vary between iterations")
    return values[0]


def _mean(records):
    return statistics.fmean(record["us"] for record in records)


def median(records):
    return statistics.median(record["us"] for record in records)


def _compared(ours, again, theirs):
    """One launch: `ours` and `again` of the capture library, `theirs` of ncu, each over its iterations."""
    kernel = _same([record["kernel"] for record in ours + again], "kernel names")
    shape = _same([(record["grid"], record["block"]) for record in ours + again], "grids or blocks")
    other = _same([record["kernel"] for record in theirs], "kernel names under ncu")
    if base_name(other) != base_name(kernel):
        raise NotComparable(f"{kernel} here is {other} under ncu")
    seen = [(record["grid"], record["block"]) for record in theirs if record["grid"]]
    if any(one != shape for one in seen):
        raise NotComparable(f"{kernel} was launched with another grid or block under ncu: it chose differently there")
    return {
        "kernel": kernel,
        "grid": shape[0],
        "block": shape[1],
        "ours_us": [_mean(ours), _mean(again)],
        "ours_median_us": [median(ours), median(again)],
        "ncu_us": _mean(theirs),
        "ncu_median_us": median(theirs),
    }


def compared(ours, again, theirs, counts):
    """Each launch of an iteration. `counts` has iterations, ncu_iterations and ncu_skip. Raises NotComparable."""
    passes = [
        per_launch(ours, counts.iterations, 0, "the first pass"),
        per_launch(again, counts.iterations, 0, "the second pass"),
        per_launch(theirs, counts.ncu_iterations, counts.ncu_skip, "ncu"),
    ]
    if len({len(one) for one in passes}) != 1:
        counts = " and ".join(str(len(one)) for one in passes)
        raise NotComparable(f"the passes saw {counts} kernels per iteration")
    return [_compared(*launch) for launch in zip(*passes)]


def judge(launch, empty):
    """Adds what is left of the medians without the empty kernel's, the difference, its bound and whether it holds; and
    the difference that the means have."""
    ours = statistics.fmean(launch["ours_median_us"]) - statistics.fmean(empty["ours_median_us"])
    theirs = launch["ncu_median_us"] - empty["ncu_median_us"]
    ours_mean = statistics.fmean(launch["ours_us"]) - statistics.fmean(empty["ours_us"])
    bound = max(RELATIVE_BOUND * theirs, ABSOLUTE_BOUND_US)
    launch.update(ours_net_us=ours, ncu_net_us=theirs, difference_us=ours - theirs, bound_us=bound)
    launch["mean_difference_us"] = ours_mean - (launch["ncu_us"] - empty["ncu_us"])
    launch["within"] = launch["within_at_first"] = abs(ours - theirs) <= bound


def repeat(launch, again):
    """A launch that was beyond, judged once more in another place of memory: the median of all differences counts then.
    None: it could not be measured there, which counts as one that was asked for and did not come."""
    if launch["within_at_first"]:
        return
    launch["repeats_asked"] = launch.get("repeats_asked", 0) + 1
    if again is None:
        return
    launch.setdefault("differences_us", [launch["difference_us"]]).append(again["difference_us"])
    launch["difference_us"] = statistics.median(launch["differences_us"])
    launch["within"] = abs(launch["difference_us"]) <= launch["bound_us"]


def counts(entries):
    launches = [launch for entry in entries for launch in entry.get("launches", [])]
    judged = [launch for launch in launches if "within" in launch]
    return {
        "kernels": len(judged),
        "within": sum(launch["within"] for launch in judged),
        "within_at_first": sum(launch["within_at_first"] for launch in judged),
        "beyond": sum(not launch["within"] for launch in judged),
        "failed": sum("problem" in entry for entry in entries),
    }


def _short(name, limit=60):
    name = name.replace("void ", "", 1)
    return (name if len(name) <= limit else name[: limit - 1] + "…").replace("|", "\\|")


def _size(extents):
    return "×".join(map(str, extents))


def _pair(first, second):
    return f"{first:.3f} · {second:.3f}"


def _row(entry, launch):
    shape = f"{_size(launch['grid'])} · {_size(launch['block'])}"
    cells = [entry["name"], f"`{_short(launch['kernel'])}`", shape]
    cells += [_pair(*both) for both in zip(launch["ours_median_us"], launch["ours_us"])]
    cells.append(_pair(launch["ncu_median_us"], launch["ncu_us"]))
    if "within" not in launch:
        return cells + ["", "", "", "", "no empty kernel to compare with"]
    cells += [f"{launch[key]:.3f}" for key in ("ours_net_us", "ncu_net_us")]
    cells += [f"{launch['difference_us']:+.3f} · {launch['mean_difference_us']:+.3f}", f"{launch['bound_us']:.3f}"]
    return cells + [("within" if launch["within"] else "**beyond**") + _repeated(launch)]


def _repeated(launch):
    """How the differences lie that the median is of, so that a kernel with two kinds of places is seen to have them."""
    if "repeats_asked" not in launch:
        return ""
    all_of_them = launch.get("differences_us", [launch["difference_us"]])
    beyond = sum(abs(one) > launch["bound_us"] for one in all_of_them)
    lacking = launch["repeats_asked"] + 1 - len(all_of_them)
    text = f", median of {len(all_of_them)}, {beyond} of them beyond: {', '.join(f'{one:+.3f}' for one in all_of_them)}"
    return text + (f"; {lacking} more could not be measured" if lacking else "")


def _third_cell(found):
    if "problem" in found:
        return "not measured: " + found["problem"].replace("\n", " ").replace("|", "\\|")
    return f"{found['net_us']:.3f} ({found['us']:.3f}, n {found['count']})"


def _third_lines(result):
    """What other instruments say of the kernels that they were asked about."""
    asked = [(entry, one) for entry in result["entries"] for one in entry.get("launches", []) if "third" in one]
    if not asked:
        return []
    names = list(dict.fromkeys(name for _, launch in asked for name in launch["third"]))
    lines = ["", "Other instruments: net of their own empty kernel (gross, number of launches), medians in µs.", ""]
    lines.append(f"| what | kernel | ours net | ncu net | {' | '.join(names)} |")
    lines.append("| --- | --- | --: | --: |" + " --: |" * len(names))
    for entry, launch in asked:
        cells = [entry["name"], f"`{_short(launch['kernel'])}`"]
        cells += [f"{launch[key]:.3f}" for key in ("ours_net_us", "ncu_net_us")]
        cells += [_third_cell(launch["third"][name]) if name in launch["third"] else "" for name in names]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def markdown(result):
    found = counts(result["entries"])
    lines = [
        f"Kernel times of the capture library beside ncu's, {result['gpu'] or 'no GPU named'}, {result['date']}.",
        "",
        f"{found['kernels']} kernels compared: {found['within']} within the larger of {RELATIVE_BOUND:.0%} and "
        f"{ABSOLUTE_BOUND_US} µs ({found['within_at_first']} of them at first, the others by the median of repeats), "
        f"{found['beyond']} beyond; {found['failed']} entries not compared.",
        f"Median · mean in µs over {result['iterations']} iterations (before and after ncu's "
        f"{result['ncu_iterations']}, without its first {result['ncu_skip']}); net: the median less the empty kernel's of the same instrument; "
        "bound: of the medians' difference. " + result["ncu"],
        "",
        "| what | kernel | grid · block | ours | ours again | ncu | ours net | ncu net | difference | bound | |",
        "| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --- |",
    ]
    for entry in result["entries"]:
        lines += ["| " + " | ".join(_row(entry, launch)) + " |" for launch in entry.get("launches", [])]
        if "problem" in entry:
            problem = entry["problem"].replace("\n", " ").replace("|", "\\|")
            lines.append(f"| {entry['name']} | not compared: {problem} | | | | | | | | | |")
    return "\n".join(lines + _third_lines(result)) + "\n"
