"""Several processes on one folder: each write is durable when acknowledged, and seen by all at their next request."""

from __future__ import annotations

import os
import signal
import time
from typing import List

from answers import DONE, Answers, Author
from checker import read_with, verify
from kill_sweeps import LONG
from lab import Lab, Violation, check
from service import Service
from workers import Worker, together

# The allowed outcomes of a write that waited too long for the lock.
BUSY = ("storeBusy", "storeInUse")


@check("shared-eight", "eight processes write, checkpoint, are killed, start again; acknowledged writes are there once")
def eight(lab: Lab) -> str:
    notes: List[str] = []

    def point() -> None:
        chance = lab.random("kills")
        kills = 0

        def body(workers: List[Worker]) -> None:
            nonlocal kills
            end = time.monotonic() + lab.options.seconds
            while time.monotonic() < end:
                time.sleep(chance.random() * 0.2)
                chance.choice(workers).kill()
                kills += 1

        acknowledged = together(lab, "eight", 8, body)
        notes.append(f"{acknowledged} acknowledged writes, {kills} kills")

    lab.point("eight", point)
    return "".join(notes)


@check("shared-reads", "in turns, each process sees at its next request what another had acknowledged")
def shared_reads(lab: Lab) -> str:
    def point(label: str, count: int, turns: int) -> None:
        folder, chance = lab.path("data"), lab.random(label)
        services = [Service(lab, folder) for _ in range(count)]
        authors = [Author(service, Answers(number + 1), chance) for number, service in enumerate(services)]
        for service in services:
            service.result("days/get")
        for turn in range(turns):
            author = chance.choice(authors)
            op = author.anything(LONG if turn % 2 else 30)
            if author.do(op) != DONE:
                raise Violation(f"turn {turn}: a write was answered with {op.outcome}; {author.service.tail()}")
            service = chance.choice([service for service in services if service is not author.service])
            page = service.result("changes/since", revision=op.revision - 1)
            if [change["id"] for change in page["changes"]] != [op.id] or page["revision"] != op.revision:
                raise Violation(f"turn {turn}: after {op.kind} {op.id} at {op.revision} another process reads {page}")
            reading = read_with(service)
            problems = [text for one in authors for text in one.answers.problems(reading.meals)]
            if problems or reading.revision != op.revision:
                raise Violation(f"turn {turn}: another process reads something else: {problems or reading.revision}")
            if op.content is not None and turn % 3 == 0:
                stale = service.refusal("meals/update", id=op.id, calories=1, revision=op.revision - 1)
                if stale != "conflict":
                    raise Violation(f"turn {turn}: an edit based on an older revision was answered with {stale!r}")
        for service in services:
            service.end()
        verify(lab, folder, [author.answers for author in authors], label)

    lab.sweep((f"{count} processes", lambda count=count: point(f"{count} processes", count, 60)) for count in (2, 4))
    return ""


@check("shared-founding", "many processes create the folder at once, and it is one store")
def founding(lab: Lab) -> str:
    def point(label: str) -> None:
        folder = lab.path("data")
        services = [Service(lab, folder) for _ in range(6)]
        for service in services:
            service.result("server/info")
        authors = [Author(service, Answers(number + 1), lab.random(label)) for number, service in enumerate(services)]
        for author in authors:
            author.add()
            author.add()
        for author in authors:
            if refused := author.settle():
                raise Violation(f"a write was refused with {refused[0]}; {author.service.tail()}")
            author.service.end()
        verify(lab, folder, [author.answers for author in authors], label)

    lab.sweep((f"round {number}", lambda number=number: point(f"round {number}")) for number in range(8))
    return ""


def _holds_lock(folder: str, pid: int) -> bool:
    inode = os.stat(os.path.join(folder, "lock")).st_ino
    with open("/proc/locks") as locks:
        return any(f" FLOCK  ADVISORY  WRITE {pid} " in line and f":{inode} " in line and "->" not in line
                   for line in locks)


@check("shared-stopped", "SIGSTOP in the middle of writes: the others read, and write or learn who holds the lock")
def stopped(lab: Lab) -> str:
    held: List[bool] = []
    outcomes: List[str] = []

    def point(label: str, is_long: bool) -> None:
        folder, chance = lab.path("data"), lab.random(label)
        sleeper = Worker(lab, folder, 1, label).begin()
        author = Author(Service(lab, folder), Answers(2), chance)
        author.add()
        require_typed(author)
        for _ in range(1 if is_long else 6):
            time.sleep(0.05 + chance.random() * 0.1)
            _stop_well(sleeper, folder, is_long)
            held.append(_holds_lock(folder, sleeper.service.pid))
            op = author.add()
            # Reads wait for nobody. The read comes from a process with nothing else to do.
            reader = Service(lab, folder)
            reader.result("meals/list", limit=5)
            reader.end()
            if is_long:
                author.settle()
            else:
                time.sleep(0.1 + chance.random() * 0.2)
            sleeper.service.process.send_signal(signal.SIGCONT)
            require_typed(author)
            outcomes.append(op.outcome or "")
            author.add()
            author.settle()
            if author.answers.ops[-1].outcome != DONE:
                raise Violation(f"the process continues, but a write is refused; {author.service.tail()}")
        author.service.end()
        sleeper.stop()
        verify(lab, folder, [sleeper.answers, author.answers], label)

    for number in range(lab.options.rounds):
        lab.point(f"round {number}", lambda number=number: point(f"round {number}", False))
    lab.point("until the other is answered", lambda: point("until the other is answered", True))
    return f"{len(held)} stops, {sum(held)} of a lock's holder; {sum(name in BUSY for name in outcomes)} named it"


def require_typed(author: Author) -> None:
    """Everything was answered, with success or with the name of the lock's holder."""
    author.settle()
    if wrong := [op.outcome for op in author.answers.ops if op.outcome not in (DONE, *BUSY)]:
        raise Violation(f"a write was answered with {wrong[0]}; {author.service.tail()}")


def _stop_well(sleeper: Worker, folder: str, holds: bool) -> None:
    """Stops the process, if possible while it holds the lock."""
    for _ in range(200):
        sleeper.service.process.send_signal(signal.SIGSTOP)
        if not holds or _holds_lock(folder, sleeper.service.pid):
            return
        sleeper.service.process.send_signal(signal.SIGCONT)
        time.sleep(0.002)


@check("shared-killed", "kill -9 of processes that hold the lock; the others continue at once")
def killed(lab: Lab) -> str:
    holders: List[bool] = []

    def point(label: str) -> None:
        chance = lab.random(label)

        def body(workers: List[Worker]) -> None:
            for _ in range(12):
                time.sleep(0.03 + chance.random() * 0.05)
                victim = chance.choice(workers[1:])
                victim.service.process.send_signal(signal.SIGSTOP)
                try:
                    holders.append(_holds_lock(victim.folder, victim.service.pid))
                except FileNotFoundError:
                    pass
                victim.kill()

        together(lab, label, 3, body)

    for number in range(lab.options.rounds):
        lab.point(f"round {number}", lambda number=number: point(f"round {number}"))
    return f"{len(holders)} kills, {sum(holders)} of a lock's holder"
