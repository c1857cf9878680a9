"""A write without changes relies on another process's lines: while they are made durable, calls fail."""

from __future__ import annotations

import shutil
import signal
from typing import List

from answers import DONE, Answers, Author, Op
from checker import read_with, verify
from kill_sweeps import some_meals, stages_of
from lab import Lab, Violation, check, until
from many_processes import BUSY
from service import Service
from tracing import Tracer, store_paths

FAILURES = {"storeReadOnly", "diskFull", "storeUnavailable"}
TRANSACTION = "5a5a5a5a-0000-4000-8000-00000000000"
# A write that changes nothing, and its outcome when nothing fails.
IDLE = {"deletion of nothing": "notFound", "same meal": DONE, "same transaction": DONE}
INJECTIONS = [f"fdatasync:error={error}:when={when}" for error in ("EIO", "ENOSPC", "EDQUOT")
              for when in ("1", "1..2", "1+")]
INJECTIONS += [f"openat:error={error}:when={when}" for error in ("EMFILE", "ENFILE") for when in ("1", "1..2", "1+")]


def _idle(kind: str, author: Author, other: Author) -> Op:
    if kind == "deletion of nothing":
        return author.delete("dddddddd-0000-4000-8000-000000000000")
    return author.again(other.answers.ops[-1])


def _problem(kind: str, op: Op, tracer: Tracer) -> str:
    """What is wrong with an answer that is neither a typed refusal nor came after the lines were made durable."""
    if op.outcome in FAILURES:
        return ""
    if op.outcome != IDLE[kind]:
        return f"a write without changes was answered with {op.outcome}; "
    syncs = tracer.syncs()
    if syncs and syncs[-1]:
        return ""
    return f"a write without changes was answered with {op.outcome} though no sync of the journal succeeded; "


def _require_true_events(service: Service, answers: Answers) -> None:
    """Notifications report only what was stored, or may have been; the last change is reported."""
    known = {op.id for op in answers.ops if op.outcome not in ("diskFull", "notFound")}
    stored = read_with(service).meals.keys()
    told = {change["id"] for event in service.events("mealsChanged") for change in event["changes"]}
    if wrong := sorted(told - stored) or sorted(told - known):
        raise Violation(f"a notification reports {wrong[0]}, which is not stored")
    if answers.ops[-1].outcome == DONE and answers.ops[-1].id not in told:
        raise Violation("no notification reports the last change")


@check("shared-proof", "calls fail while a write makes another process's lines durable: refused by name, or answered "
       "after a sync that succeeded; the session goes on")
def shared_proof(lab: Lab) -> str:
    stage, = stages_of(lab, some_meals)
    outcomes: List[str] = []

    def point(label: str, kind: str, inject: str, state: str, by_signal: bool) -> None:
        folder = lab.path("data")
        shutil.copytree(stage.template, folder)
        other = Author(Service(lab, folder), Answers(2), lab.random(label))
        # One log for both, since one repeats what the other did.
        author = Author(Service(lab, folder), other.answers, lab.random(label + "/idle"))
        author.group = 2
        service = author.service
        service.result("meals/list", limit=1)
        service.result("events/subscribe")
        if state == "has written":
            # So that it has opened the lock file and a journal.
            author.add()
            if refused := author.settle():
                raise Violation(f"a write was refused: {refused[0]}; {service.tail()}")
        for number in range(3):
            other.add(transaction=f"{TRANSACTION}{number}" if kind == "same transaction" else None)
        if refused := other.settle():
            raise Violation(f"a write was refused: {refused[0]}; {other.service.tail()}")
        if state != "has not read":
            service.result("meals/list", limit=1)
        tracer = Tracer(lab, service, [inject], store_paths(folder))
        op = _idle(kind, author, other)
        others = [service.post(method) for method in ("server/info", "server/status", "meals/list")]
        author.settle()
        problem = _problem(kind, op, tracer)
        outcomes.append(op.outcome or "")
        try:
            go_on(author, other, tracer, others, by_signal)
            verify(lab, folder, [stage.answers, author.answers], label)
        except Violation as violation:
            raise Violation(problem + str(violation)) from None
        if problem:
            raise Violation(problem.rstrip("; "))
        shutil.rmtree(folder, ignore_errors=True)

    def go_on(author: Author, other: Author, tracer: Tracer, others: List[int], by_signal: bool) -> None:
        """The session answers everything, and writes again once the calls work."""
        service = author.service
        # A write that changes something.
        author.add()
        if wrong := [name for name in author.settle() if name not in FAILURES]:
            raise Violation(f"a write was refused with {wrong[0]}; {service.tail()}")
        for number in (*others, service.post("server/info"), service.post("server/status"), service.post("meals/list")):
            service.answer(number)
        tracer.detach()
        # A process whose retry in a new file failed too may stay read-only.
        allowed = {"storeReadOnly"} if tracer.syncs().count(False) > 1 else set()
        author.add()
        if refused := [name for name in author.settle() if name not in allowed]:
            raise Violation(f"the calls work again, but a write is refused: {refused[0]}; {service.tail()}")
        _require_true_events(service, author.answers)
        if by_signal:
            service.process.send_signal(signal.SIGTERM)
            if (status := service.wait()) != 1:
                raise Violation(f"SIGTERM ended it with status {status}; {service.tail()}")
        else:
            service.end()
        other.service.end()

    def held(label: str, kind: str) -> None:
        """The other process is stopped between its write and its sync, holding the lock."""
        folder = lab.path("data")
        shutil.copytree(stage.template, folder)
        other = Author(Service(lab, folder), Answers(2), lab.random(label))
        author = Author(Service(lab, folder), other.answers, lab.random(label + "/idle"))
        author.group = 2
        for service in (other.service, author.service):
            service.result("meals/list", limit=1)
        holder = Tracer(lab, other.service, ["fdatasync:error=EIO:signal=STOP:when=1"], store_paths(folder))
        other.add(transaction=f"{TRANSACTION}9" if kind == "same transaction" else None)
        until("the other to stand still", holder.injections)
        tracer = Tracer(lab, author.service, [], store_paths(folder))
        op = _idle(kind, author, other)
        author.settle()
        problem = "" if op.outcome in BUSY else _problem(kind, op, tracer)
        tracer.detach()
        other.service.kill()
        holder.detach()
        if problem:
            raise Violation(problem.rstrip("; "))
        author.add()
        if refused := author.settle():
            raise Violation(f"the lock is free, but a write is refused: {refused[0]}; {author.service.tail()}")
        author.service.end()
        verify(lab, folder, [stage.answers, author.answers], label)

    points = [(f"{kind}, {state}: {inject}", kind, inject, state)
              for kind in IDLE for inject in INJECTIONS for state in ("has read", "has not read", "has written")]
    lab.sweep((one[0], lambda one=one, number=number: point(*one, bool(number % 2)))
              for number, one in enumerate(points))
    lab.sweep((f"{kind}, held", lambda kind=kind: held(f"{kind}, held", kind)) for kind in IDLE)
    return f"{sum(name in FAILURES for name in outcomes)} refused, {len(outcomes)} answered"
