"""A disk that does not respond: requests waiting for it must not fill the memory."""

from __future__ import annotations

import pathlib

from lab import Lab, Violation, check
from service import Service
from tracing import Tracer

MEALS, LISTS = 500, 600
# Twice the high-water mark of unsent answers, and the cost of making one of them.
ROOM = 24 << 20


def _peak(pid: int) -> int:
    """The peak resident memory so far, in bytes."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


@check("slow-disk", "large answers queue behind a change that waits for the disk: bounded memory, every answer comes")
def slow_disk(lab: Lab) -> str:
    said = ""

    def point() -> None:
        nonlocal said
        service = Service(lab, lab.path("data"))
        with service.together():
            adds = [service.post("meals/add", name=f"Meal {number}", calories=number, note="n" * 200, day="2026-01-05")
                    for number in range(MEALS)]
        for add in adds:
            service.answer(add)
        size = len(str(service.result("meals/list", day="2026-01-05", limit=MEALS)))
        before = _peak(service.pid)
        tracer = Tracer(lab, service, ["fdatasync:delay_enter=2000000:when=1"], calls=["fdatasync"])
        with service.together():
            change = service.post("meals/add", name="Last", calories=1, day="2026-01-05")
            lists = [service.post("meals/list", day="2026-01-05", limit=MEALS) for _ in range(LISTS)]
        service.answer(change)
        after = _peak(service.pid)
        for number in lists:
            message = service.answer(number)
            if message is None or len(message["result"]["meals"]) != MEALS:
                raise Violation(f"a list was answered with {str(message)[:200]}")
        if tracer.injections() == 0:
            raise Violation("no call was delayed")
        tracer.detach()
        said = f"{(after - before) / 2**20:.1f} MB more for {LISTS * size / 2**20:.0f} MB of answers"
        if after - before > ROOM:
            raise Violation(said)
        service.end()

    lab.point("one change", point)
    return said
