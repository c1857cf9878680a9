"""What a start costs up to its first answer, in instructions and page faults: counts, which unlike times can be held to a budget."""

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
    """Instructions of the program itself, and page faults that needed no reading."""
    instructions: int
    faults: int


# As counted when they were recorded, on x86-64; who makes a start cheaper lowers them.
BUDGET: Dict[str, Cost] = {"no folder": Cost(540_000, 142), "a few meals": Cost(793_000, 151)}
# How much more than that counts as a slip.
SLACK = Cost(5, 10)
HELLO = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'


def _begin(command: List[str]) -> subprocess.Popen:
    """A process that has answered `initialize`."""
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
        # What it has counted so far; it waits for the next message.
        asked = subprocess.run([program("callgrind_control"), "-d", str(process.pid)], capture_output=True,
                               timeout=HANG_GUARD)
        if asked.returncode != 0 or not os.path.exists(f"{out}.1"):
            raise Skipped(f"valgrind cannot be asked: {asked.stderr.decode().strip()}")
        lines = pathlib.Path(f"{out}.1").read_text(errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("totals:")).split()[1])
    finally:
        process.kill()
        process.communicate()


@check("start-cost", "a start up to its first answer costs no more instructions and page faults than were recorded")
def start_cost(lab: Lab) -> str:
    if platform.machine() != "x86_64":
        raise Skipped("the figures are of x86-64")
    folder = lab.path("data")
    service = Service(lab, folder)
    if service.refusal("debug/work") != "methodNotFound":
        raise Skipped("the figures are of a release build")
    for number in range(4):
        service.result("meals/add", name=f"Meal {number}", calories=350)
    service.end()
    notes = []
    # How many pages one fault maps depends on how a file came into memory: a linker leaves single pages, a copy large ones.
    copy = shutil.copy(lab.daybook, lab.path("daybook"))
    for name, data in [("no folder", lab.path("none")), ("a few meals", folder)]:
        command = [copy, "--data", data]
        # Once before, so that the file is in memory; the least of several, as pages may be mapped one by one or together.
        faults = min(_faults(command) for _ in range(5))
        cost = Cost(_instructions(lab, command), faults)
        notes.append(f"{name}: {cost.instructions} instructions, {cost.faults} faults")

        def compare(cost: Cost = cost, budget: Cost = BUDGET[name]) -> None:
            for what, spent, allowed, slack in zip(Cost._fields, cost, budget, SLACK):
                if spent > allowed * (100 + slack) // 100:
                    raise Violation(f"{spent} {what}, recorded were {allowed}")

        lab.point(name, compare)
    return "; ".join(notes)
