"""Several processes on one folder, all reading and writing: each write is durable when acknowledged, and seen by all at their
next request."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Callable, List, Optional

from answers import DONE, Answers, Author
from checker import read_with, verify
from kill_sweeps import LONG
from lab import TIME_SCALE, Lab, Violation, check, until
from mounts import DROP_LOG, FLUSH_LOG, Image, require_loop_devices
from service import Service
from tracing import Tracer


class Worker:
    """A thread that writes through a process of its own until it is told to stop, and starts it again when it is killed."""

    def __init__(self, lab: Lab, folder: str, number: int, label: str, note: int = 60, may_fail: bool = False) -> None:
        self.lab = lab
        self.folder = folder
        self.answers = Answers(number)
        self.chance = lab.random(f"{label}/worker {number}")
        self.incarnations = 0
        self.refused: List[str] = []
        self.failure: Optional[BaseException] = None
        self.is_stopping = threading.Event()
        self.may_start = threading.Event()
        self._note = note
        self._may_fail = may_fail
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._start()

    def _start(self) -> None:
        self.service = Service(self.lab, self.folder)
        self.incarnations += 1
        author = Author(self.service, self.answers, self.chance)
        author.group = self.incarnations
        # What the process before did not answer is sent again, with the same ids.
        last = {op.id: op for op in self.answers.ops}
        unsettled = [op for op in last.values() if op.outcome is None and op.kind == "add"]
        self.author = author
        for op in unsettled:
            author.again(op)

    def begin(self) -> "Worker":
        """Lets it write."""
        self._thread.start()
        return self

    def _run(self) -> None:
        try:
            while not self.is_stopping.is_set():
                for _ in range(self.chance.choice((1, 1, 3, 12))):
                    self.author.anything(LONG if self.chance.random() < 0.03 else self._note)
                self.refused += self.author.settle()
                if self.service.is_killed:
                    self.may_start.wait(60)
                    self.may_start.clear()
                    if not self.is_stopping.is_set():
                        self._start()
                elif self.chance.random() < 0.1:
                    self._look()
        except BaseException as failure:
            self.failure = failure

    def _look(self) -> None:
        """Its own writes are there for it, whatever the others do."""
        request = self.service.post("meals/list", limit=10000)
        message = self.service.answer(request)
        if message is None or self._may_fail and "error" in message:
            return
        if "error" in message:
            raise Violation(f"a read was refused: {message['error']}; {self.service.tail()}")
        there = {meal["id"] for meal in message["result"]["meals"]}
        if missing := [id for id in self.author.living() if id not in there]:
            raise Violation(f"a process does not see its own writes: {missing[:3]}")

    def kill(self) -> None:
        """kill -9, whatever it is doing; then it starts again."""
        self.service.is_killed = True
        self.service.process.kill()
        self.may_start.set()

    def stop(self) -> None:
        """Waits until all is answered, and ends the process."""
        self.is_stopping.set()
        self.may_start.set()
        self._thread.join(90 * TIME_SCALE)
        if self._thread.is_alive():
            raise Violation(f"hangs: worker {self.answers.author} does not come to an end; {self.service.tail()}")
        if self.failure is not None:
            raise self.failure
        if self.service.is_killed:
            self.service.kill()
        else:
            self.author.settle()
            self.service.end()


def _finish(lab: Lab, folder: str, workers: List[Worker], label: str, most_refused: float = 0.02, damaged: bool = False) -> int:
    """Ends all workers and checks the folder; returns how many writes were acknowledged."""
    for worker in workers:
        worker.stop()
    acknowledged = sum(len(worker.answers.acknowledged) for worker in workers)
    refused = [name for worker in workers for name in worker.refused if name != "notFound"]
    if len(refused) > most_refused * (acknowledged + len(refused)):
        raise Violation(f"{len(refused)} writes were refused, {acknowledged} were not: {sorted(set(refused))}; "
                        f"{workers[-1].service.tail()}")
    if idle := [worker.answers.author for worker in workers if not worker.answers.acknowledged]:
        raise Violation(f"processes {idle} got nothing written")
    verify(lab, folder, [worker.answers for worker in workers], label, may_be_damaged=damaged)
    return acknowledged


def _together(lab: Lab, label: str, count: int, body: Callable[[List[Worker]], None], **more: object) -> int:
    """Some workers on a new folder while something happens to them."""
    folder = lab.path("data")
    workers = [Worker(lab, folder, number + 1, label).begin() for number in range(count)]
    body(workers)
    return _finish(lab, folder, workers, label, **more)


@check("shared-eight", "eight processes write, checkpoint, are killed and started again; all that was acknowledged is there once")
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

        acknowledged = _together(lab, "eight", 8, body)
        notes.append(f"{acknowledged} acknowledged writes, {kills} kills")

    lab.point("eight", point)
    return "".join(notes)


@check("shared-reads", "turn by turn, each process sees at its next request what another was acknowledged")
def shared_reads(lab: Lab) -> str:
    def point(label: str, count: int, turns: int) -> None:
        folder, chance = lab.path("data"), lab.random(label)
        services = [Service(lab, folder) for _ in range(count)]
        authors = [Author(service, Answers(number + 1), chance) for number, service in enumerate(services)]
        for service in services:
            service.result("today/get")
        for turn in range(turns):
            author = chance.choice(authors)
            op = author.anything(LONG if turn % 2 else 30)
            if author.do(op) != DONE:
                raise Violation(f"turn {turn}: a write was answered with {op.outcome}; {author.service.tail()}")
            service = chance.choice([service for service in services if service is not author.service])
            page = service.result("changes/since", revision=op.revision - 1)
            if [change["id"] for change in page["changes"]] != [op.id] or page["revision"] != op.revision:
                raise Violation(f"turn {turn}: after {op.kind} {op.id} at {op.revision} another process is told {page}")
            reading = read_with(service)
            problems = [text for one in authors for text in one.answers.problems(reading.meals)]
            if problems or reading.revision != op.revision:
                raise Violation(f"turn {turn}: another process reads otherwise: {problems or reading.revision}")
            if op.content is not None and turn % 3 == 0:
                stale = service.refusal("meals/update", id=op.id, calories=1, revision=op.revision - 1)
                if stale != "conflict":
                    raise Violation(f"turn {turn}: an edit based on an older revision was answered with {stale!r}")
        for service in services:
            service.end()
        verify(lab, folder, [author.answers for author in authors], label)

    lab.sweep((f"{count} processes", lambda count=count: point(f"{count} processes", count, 60)) for count in (2, 4))
    return ""


@check("shared-founding", "many processes at once make the folder, and it is one store")
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
        return any(f" {pid} " in line and f":{inode} " in line and "FLOCK" in line and "->" not in line for line in locks)


@check("shared-stopped", "SIGSTOP in the middle of writes: the others read on, and write or are told who holds the lock")
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
            # Reading waits for nobody. The read is asked by a process with nothing else to do.
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
                raise Violation(f"the process goes on, and a write is refused; {author.service.tail()}")
        author.service.end()
        sleeper.stop()
        verify(lab, folder, [sleeper.answers, author.answers], label)

    for number in range(lab.options.rounds):
        lab.point(f"round {number}", lambda number=number: point(f"round {number}", False))
    lab.point("until the other is answered", lambda: point("until the other is answered", True))
    return f"{len(held)} stops, {sum(held)} of a lock's holder; {outcomes.count('storeInUse')} times storeInUse"


def require_typed(author: Author) -> None:
    """Everything was answered, with success or with the name of the holder."""
    author.settle()
    if wrong := [op.outcome for op in author.answers.ops if op.outcome not in (DONE, "storeInUse")]:
        raise Violation(f"a write was answered with {wrong[0]}; {author.service.tail()}")


def _stop_well(sleeper: Worker, folder: str, holds: bool) -> None:
    """Stops the process; if possible, while it has the lock."""
    for _ in range(200):
        sleeper.service.process.send_signal(signal.SIGSTOP)
        if not holds or _holds_lock(folder, sleeper.service.pid):
            return
        sleeper.service.process.send_signal(signal.SIGCONT)
        time.sleep(0.002)


@check("shared-killed", "kill -9 of processes that hold the lock; the others go on at once")
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

        _together(lab, label, 3, body)

    for number in range(lab.options.rounds):
        lab.point(f"round {number}", lambda number=number: point(f"round {number}"))
    return f"{len(holders)} kills, {sum(holders)} of a lock's holder"


@check("shared-lock-file", "the lock file is deleted and replaced while processes write: nothing acknowledged is lost")
def lock_file(lab: Lab) -> str:
    def point(label: str, act: Callable[[str], None]) -> None:
        chance = lab.random(label)

        def body(workers: List[Worker]) -> None:
            until("the lock file", lambda: os.path.exists(os.path.join(workers[0].folder, "lock")))
            for _ in range(25):
                time.sleep(chance.random() * 0.04)
                act(os.path.join(workers[0].folder, "lock"))

        # Two of them may have been at work at the same time, so the order is not proven.
        _together(lab, label, 3, body, most_refused=0.2, damaged=True)

    def delete(path: str) -> None:
        if os.path.exists(path):
            os.unlink(path)

    def replace(path: str) -> None:
        os.close(os.open(path + ".new", os.O_CREAT | os.O_WRONLY, 0o600))
        os.rename(path + ".new", path)

    for name, act in (("deleted", delete), ("replaced", replace)):
        for number in range(lab.options.rounds):
            label = f"{name}, {number}"
            lab.point(label, lambda label=label, act=act: point(label, act))
    return ""


@check("shared-failing", "one process's syncs and writes fail or are slow, and the others are not harmed")
def failing(lab: Lab) -> str:
    injections = ["fdatasync:error=EIO:when=3+7", "fdatasync:delay_enter=40000", "flock:error=EINTR:when=1+2",
                  "fdatasync:error=EIO:when=5+", "flock:delay_exit=20000"]

    def point(label: str, injection: str) -> None:
        tracers: List[Tracer] = []

        def body(workers: List[Worker]) -> None:
            tracers.append(Tracer(lab, workers[0].service, [injection]))
            time.sleep(1.0)
            tracers[0].detach()

        _together(lab, label, 3, body, most_refused=0.9 if "EIO" in injection else 0.02)

    lab.sweep(((injection, lambda injection=injection: point(injection, injection)) for injection in injections), jobs=1)
    return ""


@check("shared-power", "power cuts on ext4 while four processes write")
def shared_power(lab: Lab) -> str:
    require_loop_devices()
    image = Image(lab, "ext4", str(lab.scratch))
    image.format()
    acknowledged: List[int] = []

    def point(label: str, how: int) -> None:
        image.mount()
        folder = os.path.join(image.place, f"data-{how}-{label[-1]}")
        workers = [Worker(lab, folder, number + 1, label, may_fail=True).begin() for number in range(4)]
        time.sleep(0.3 + lab.random(label).random() * 0.5)
        certain = [worker.service.answered() for worker in workers]
        image.cut_power(how)
        for worker in workers:
            worker.is_stopping.set()
        time.sleep(0.1)
        for worker in workers:
            worker.kill()
        for worker, answered in zip(workers, certain):
            worker.stop()
            # As in one process: what was answered since may be lost.
            worker.answers.doubt(1, answered)
        image.unmount()
        image.mount()
        acknowledged.append(sum(len(worker.answers.acknowledged) for worker in workers))
        if acknowledged[-1] == 0:
            raise Violation(f"nothing was acknowledged; {workers[0].service.tail()}")
        verify(lab, folder, [worker.answers for worker in workers], label)
        image.unmount()

    for number in range(lab.options.rounds):
        name, how = (("log dropped", DROP_LOG), ("log flushed", FLUSH_LOG))[number % 2]
        label = f"{name}, {number}"
        lab.point(label, lambda label=label, how=how: point(label, how))
        image.unmount()
    return f"{sum(acknowledged)} acknowledged writes"
