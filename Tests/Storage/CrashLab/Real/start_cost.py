"""The cost of a start up to its first answer in instructions and page faults: unlike times, these can be budgeted."""

from __future__ import annotations

import os
import pathlib
import platform
import shutil
import subprocess
from typing import Dict, List, NamedTuple

from lab import HANG_GUARD, Lab, Skipped, Violation, check, program
from service import Service


class Cost(NamedTuple):
    """The program's own instructions, and page faults that needed no reading."""
    instructions: int
    faults: int


# As counted when they were recorded, on x86-64; lower them when a start gets cheaper.
BUDGET: Dict[str, Cost] = {"no folder": Cost(540_000, 138), "a few meals": Cost(700_000, 141)}
# The excess over the budget that counts as a violation.
SLACK = Cost(5, 10)
HELLO = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'


def _begin(command: List[str]) -> subprocess.Popen:
    """Starts a process that has answered `initialize`."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(HELLO), HELLO))
    process.stdin.flush()
    if not process.stdout.readline().startswith(b"Content-Length"):
        process.kill()
        raise Violation("“initialize” is not answered")
    return process


def _faults(command: List[str]) -> int:
    process = _begin(command)
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[7])
    finally:
        process.kill()
        process.communicate()


def _instructions(lab: Lab, command: List[str]) -> int:
    out = lab.path("callgrind")
    process = _begin([program("valgrind"), "--tool=callgrind", f"--callgrind-out-file={out}", "-q", *command])
    try:
        # The count so far, while it waits for the next message.
        asked = subprocess.run([program("callgrind_control"), "-d", str(process.pid)], capture_output=True,
                               timeout=HANG_GUARD)
        if asked.returncode != 0 or not os.path.exists(f"{out}.1"):
            raise Skipped(f"valgrind does not respond: {asked.stderr.decode().strip()}")
        lines = pathlib.Path(f"{out}.1").read_text(errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("totals:")).split()[1])
    finally:
        process.kill()
        process.communicate()


@check("start-cost", "a start up to its first answer costs no more instructions and page faults than were recorded")
def start_cost(lab: Lab) -> str:
    if platform.machine() != "x86_64":
        raise Skipped("the budget is for x86-64")
    folder = lab.path("data")
    service = Service(lab, folder)
    if service.refusal("debug/work") != "methodNotFound":
        raise Skipped("the budget is for a release build")
    for number in range(4):
        service.result("meals/add", name=f"Meal {number}", calories=350)
    service.end()
    # Whether so short a process has come to write it depends on how busy the machine is.
    pathlib.Path(folder, "flags.json").unlink(missing_ok=True)
    notes = []
    # How many pages a fault maps depends on how a file entered the page cache: a linker leaves single pages, a copy
    # large ones.
    copy = shutil.copy(lab.daybook, lab.path("daybook"))
    for name, data in [("no folder", lab.path("none")), ("a few meals", folder)]:
        command = [copy, "--data", data]
        # Once before, to load the file into memory; then the minimum, as pages may be mapped singly or together.
        faults = min(_faults(command) for _ in range(5))
        cost = Cost(_instructions(lab, command), faults)
        notes.append(f"{name}: {cost.instructions} instructions, {cost.faults} faults")

        def compare(cost: Cost = cost, budget: Cost = BUDGET[name]) -> None:
            for what, spent, allowed, slack in zip(Cost._fields, cost, budget, SLACK):
                if spent > allowed * (100 + slack) // 100:
                    raise Violation(f"{spent} {what}, but the budget is {allowed}")

        lab.point(name, compare)
    return "; ".join(notes)
