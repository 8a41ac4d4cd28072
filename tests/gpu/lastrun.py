#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The committed record of the last run of the GPU tests, tests/gpu/last-run.json.

lastrun.py sources ROOT
    Prints, as JSON, the hashes of the sources that the GPU tests cover.
lastrun.py write --report FILE --sources FILE --output FILE [--sanitizer TOOL=STATUS:LOG …]
    Puts a report of stagecraft-gpu-check, those hashes and what compute-sanitizer said together.
lastrun.py print FILE ROOT
    Says in a line or two what the record holds and whether its sources are still those under ROOT.
"""
import argparse
import datetime
import hashlib
import json
import pathlib
import re
import sys

# Not only the stages: what compiles, prepares, launches, records and judges them is what a run has shown to work.
COVERED = (
    "kernels/capture",
    "kernels/operations",
    "kernels/protocol",
    "kernels/stagefile",
    "kernels/stages",
    "kernels/worker",
    "tests/gpu",
)
RECORD = "last-run.json"
# What the tools print last: memcheck's errors, racecheck's hazards.
SUMMARY = re.compile(r"=+ (?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard).*")


def covered_files(root):
    for folder in COVERED:
        for file in (root / folder).rglob("*"):
            if file.is_file() and file.name != RECORD and "__pycache__" not in file.parts:
                yield file


def sources(root):
    """{file: sha256} and one hash over them all: of the lines "SHA256  FILE", sorted by file."""
    hashes = {
        file.relative_to(root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in covered_files(root)
    }
    hashes = dict(sorted(hashes.items()))
    lines = "".join(f"{digest}  {name}\n" for name, digest in hashes.items())
    return {"sources": hashes, "sources_sha256": hashlib.sha256(lines.encode()).hexdigest()}


def sanitizer_outcome(status, log):
    """Of one tool: `status` is what stagecraft-gpu-check under it ended with, `log` what the tool wrote."""
    found = [match for line in log.splitlines() if (match := SUMMARY.match(line))]
    if not found:
        return {"result": "failed", "detail": f"the tool wrote no summary (exit status {status})"}
    errors = sum(int(match[1] or match[2]) for match in found)
    detail = "; ".join(match[0].strip("= ") for match in found)
    if status != 0 and errors == 0:
        detail += f"; but the checks under it ended with exit status {status}"
    return {"result": "passed" if errors == 0 and status == 0 else "failed", "errors": errors, "detail": detail}


def sanitizer(argument):
    tool, _, rest = argument.partition("=")
    status, _, log = rest.partition(":")
    if status == "skipped":
        return tool, {"result": "skipped", "detail": log}
    file = pathlib.Path(log)
    return tool, sanitizer_outcome(int(status), file.read_text(errors="replace") if file.exists() else "")


def write(arguments):
    report = json.loads(pathlib.Path(arguments.report).read_text())
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    record = {"date": now.isoformat().replace("+00:00", "Z"), **report}
    record["sanitizer"] = dict(map(sanitizer, arguments.sanitizer))
    record.update(json.loads(pathlib.Path(arguments.sources).read_text()))
    pathlib.Path(arguments.output).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n")
    bad = record["failed"] or any(tool["result"] == "failed" for tool in record["sanitizer"].values())
    return 1 if bad else 0


def changed_files(before, now):
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))


def summary(file, root):
    if not file.exists():
        return f"GPU tests: no run is recorded ({file.name} is not there)"
    try:
        record = json.loads(file.read_text())
        tools = ", ".join(f"{name} {tool['result']}" for name, tool in record["sanitizer"].items())
        text = (
            f"GPU tests, last run: {record['gpu']}, driver {record['driver']}, {record['date']}: "
            f"{record['passed']} passed, {record['failed']} failed, {record['skipped']} skipped"
        )
        text += f"; {tools}" if tools else ""
        changed = changed_files(record["sources"], sources(root)["sources"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return f"GPU tests: {file.name} cannot be read: {type(error).__name__}: {error}"
    if not changed:
        return text + "\n  of the sources as they are here"
    shown = ", ".join(changed[:3]) + (", …" if len(changed) > 3 else "")
    return text + f"\n  {len(changed)} of the sources have changed since: {shown}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("sources").add_argument("root", type=pathlib.Path)
    writer = commands.add_parser("write")
    for name in ("--report", "--sources", "--output"):
        writer.add_argument(name, required=True)
    writer.add_argument("--sanitizer", action="append", default=[], metavar="TOOL=STATUS:LOG")
    printer = commands.add_parser("print")
    printer.add_argument("file", type=pathlib.Path)
    printer.add_argument("root", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.command == "write":
        return write(arguments)
    if arguments.command == "sources":
        print(json.dumps(sources(arguments.root), indent=2))
    else:
        print(summary(arguments.file, arguments.root))
    return 0


if __name__ == "__main__":
    sys.exit(main())
