"""Processes that write all the time, each from its own thread."""

from __future__ import annotations

import threading
from typing import Any, Callable, Dict, List, Optional, Set

from answers import Answers, Author
from checker import verify
from kill_sweeps import LONG
from lab import TIME_SCALE, Lab, Violation
from service import Service


class Worker:
    """A thread that writes through its own process until it is stopped, and restarts a killed process."""

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
        # Writes that the previous process did not answer are sent again with the same ids.
        last = {op.id: op for op in self.answers.ops}
        unsettled = [op for op in last.values() if op.outcome is None and op.kind == "add"]
        self.author = author
        for op in unsettled:
            author.again(op)

    def begin(self) -> "Worker":
        """Starts writing."""
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
                        # Its descriptors are closed with it.
                        self.service.kill()
                        self._start()
                elif self.chance.random() < 0.1:
                    self._look()
        except BaseException as failure:
            self.failure = failure

    def _look(self) -> None:
        """It sees its own writes, despite the others' writes."""
        there: Set[str] = set()
        page: Dict[str, Any] = {}
        while not there or "nextCursor" in page:
            after = {"cursor": page["nextCursor"]} if page else {}
            message = self.service.answer(self.service.post("meals/list", limit=10000, **after))
            if message is None or self._may_fail and "error" in message:
                return
            if "error" in message:
                raise Violation(f"a read was refused: {message['error']}; {self.service.tail()}")
            page = message["result"]
            there |= {meal["id"] for meal in page["meals"]}
            if not page["meals"]:
                break
        if missing := [id for id in self.author.living() if id not in there]:
            raise Violation(f"a process does not see its own writes: {missing[:3]}")

    def kill(self) -> None:
        """Kills it at any moment; then it starts again."""
        self.service.is_killed = True
        self.service.process.kill()
        self.may_start.set()

    def stop(self) -> None:
        """Waits for all answers, and ends the process."""
        self.is_stopping.set()
        self.may_start.set()
        self._thread.join(90 * TIME_SCALE)
        if self._thread.is_alive():
            raise Violation(f"hangs: worker {self.answers.author} does not end; {self.service.tail()}")
        if self.failure is not None:
            raise self.failure
        if self.service.is_killed:
            self.service.kill()
        else:
            self.author.settle()
            self.service.end()


def finish(
    lab: Lab, folder: str, workers: List[Worker], label: str, most_refused: float = 0.02, damaged: bool = False
) -> int:
    """Ends all workers and checks the folder; returns how many writes were acknowledged."""
    for worker in workers:
        worker.stop()
    acknowledged = sum(len(worker.answers.acknowledged) for worker in workers)
    refused = [name for worker in workers for name in worker.refused if name != "notFound"]
    if len(refused) > most_refused * (acknowledged + len(refused)):
        raise Violation(f"{len(refused)} writes were refused, {acknowledged} were not: {sorted(set(refused))}; "
                        f"{workers[-1].service.tail()}")
    if idle := [worker.answers.author for worker in workers if not worker.answers.acknowledged]:
        raise Violation(f"processes {idle} wrote nothing")
    verify(lab, folder, [worker.answers for worker in workers], label, may_be_damaged=damaged)
    return acknowledged


def together(lab: Lab, label: str, count: int, body: Callable[[List[Worker]], None], **more: object) -> int:
    """Runs some workers on a new folder while `body` disturbs them."""
    folder = lab.path("data")
    workers = [Worker(lab, folder, number + 1, label).begin() for number in range(count)]
    body(workers)
    return finish(lab, folder, workers, label, **more)
