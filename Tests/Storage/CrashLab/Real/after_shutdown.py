"""Writes that fail after “shutdown” was sent: they are answered with the true error."""

from __future__ import annotations

import os
import shutil
from typing import Dict, List, Set

from answers import DONE, Answers, Author
from checker import verify
from kill_sweeps import some_meals, stages_of
from lab import Lab, Violation, check
from service import Service, refusal
from tracing import Tracer

# The injected failure, and the allowed outcomes of the writes; the delays let shutdown arrive first.
FAILURES: Dict[str, Set[str]] = {
    "write:error=ENOSPC:when=1+": {"diskFull"}, "write:error=EDQUOT:when=1+": {"diskFull"},
    "write:error=ENOSPC:delay_enter=100000:when=1+": {"diskFull"},
    "write:error=EIO:when=1+": {"storeReadOnly", "storeUnavailable"},
    "write:error=EIO:delay_enter=100000:when=1+": {"storeReadOnly", "storeUnavailable"},
    "fdatasync:error=EIO:when=1+": {"storeReadOnly"}, "fdatasync:error=ENOSPC:when=1+": {"storeReadOnly", "diskFull"},
    "fdatasync:error=EIO:delay_enter=100000:when=1+": {"storeReadOnly"},
    "fdatasync:error=EIO:delay_enter=100000:when=1": {DONE}, "fdatasync:delay_enter=100000": {DONE},
}


@check("after-shutdown", "writes fail after shutdown was sent: they get the true error, and shutdown is answered")
def after_shutdown(lab: Lab) -> str:
    stage, = stages_of(lab, some_meals)
    outcomes: List[str] = []

    def point(label: str, inject: str, count: int) -> None:
        folder = lab.path("data")
        shutil.copytree(stage.template, folder)
        service = Service(lab, folder, has_handshake=True)
        author = Author(service, Answers(2), lab.random(label))
        journals = [os.path.join(os.path.realpath(folder), f"journal/{number:06d}.jsonl") for number in range(1, 9)]
        tracer = Tracer(lab, service, [inject], journals, ["write", "fdatasync"])
        with service.together():
            service.post("initialize")
            service.notify("initialized")
            ops = [author.add(200) for _ in range(count)]
            shutdown = service.post("shutdown")
        author.settle()
        outcomes.extend(op.outcome or "no answer" for op in ops)
        if wrong := {op.outcome for op in ops} - FAILURES[inject]:
            raise Violation(f"writes were answered with {wrong}; {service.tail()}")
        if (name := refusal(service.answer(shutdown))) or not service.has_answered(shutdown):
            raise Violation(f"shutdown was answered with {name!r}; {service.tail()}")
        tracer.detach()
        if tracer.injections() == 0:
            raise Violation("no call was injected")
        service.notify("exit")
        service.end()
        verify(lab, folder, [stage.answers, author.answers], label)
        shutil.rmtree(folder, ignore_errors=True)

    points = [(f"{count} writes: {inject}", inject, count) for inject in FAILURES for count in (1, 5, 40)]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return f"{len(outcomes)} writes, {outcomes.count(DONE)} done"
