"""The session ends at random moments during commits: input closed, output broken, signals."""

from __future__ import annotations

import signal
import shutil
import time
from typing import Callable, Dict, List, Tuple

from answers import Answers, Author
from checker import verify
from kill_sweeps import LONG
from lab import Lab, Violation, check, until
from service import Service

POINTS = 4


def _close_input(service: Service) -> None:
    service.close_input()


def _break_output(service: Service) -> None:
    service.break_output()


def _both(service: Service) -> None:
    service.break_output()
    service.close_input()


def _signal(number: int) -> Callable[[Service], None]:
    return lambda service: service.process.send_signal(number)


# How it is ended, and the allowed exit statuses.
ENDINGS: Dict[str, Tuple[Callable[[Service], None], List[int]]] = {
    "input closed": (_close_input, [0]),
    "output broken": (_break_output, [0, 1]),
    "both": (_both, [0, 1]),
    "SIGTERM": (_signal(signal.SIGTERM), [1]),
    "SIGINT": (_signal(signal.SIGINT), [1]),
    "SIGHUP": (_signal(signal.SIGHUP), [1]),
    "SIGKILL": (lambda service: service.kill(), [-9]),
}


@check("endings", "input closed, output broken, signals at random moments during commits and checkpoints")
def endings(lab: Lab) -> str:
    acknowledged: List[int] = []

    def point(label: str, name: str) -> None:
        folder = lab.path("data")
        answers = Answers(1)
        # The second process finds what the first left, and is ended in turn.
        for turn in range(2):
            chance = lab.random(f"{label}/{turn}")
            service = Service(lab, folder)
            author = Author(service, answers, chance)
            author.group = turn + 1
            # Before it is up, the system would handle a signal.
            service.result("server/info")
            count = chance.choice((3, 40, 40, 250))
            note = chance.choice((10, 400, LONG)) if count < 250 else 10
            sent = [author.add(note) for _ in range(count)]
            index = chance.randrange(-1, count)
            if index >= 0:
                until("an answer",
                      lambda: service.has_answered(sent[index].request) or service.process.poll() is not None)
            if chance.random() < 0.5:
                time.sleep(chance.random() * 0.01)
            act, statuses = ENDINGS[name]
            act(service)
            # A signal ends it without the queued writes; they are refused, and must then not be stored.
            author.settle({"requestCancelled"} if name.startswith("SIG") else set())
            if name == "output broken":
                # It may not have noticed while it had nothing to write.
                service.post("server/info")
            status = service.wait()
            if status not in statuses:
                raise Violation(f"ended with status {status}; {service.tail()}")
            if name == "input closed" and any(op.outcome is None for op in sent):
                raise Violation("a script's input was closed, but not everything it sent was answered")
            service.close_input()
        acknowledged.append(len(answers.acknowledged))
        verify(lab, folder, [answers], label)
        shutil.rmtree(folder, ignore_errors=True)

    labels = [(f"{name}, {number}", name) for name in ENDINGS for number in range(POINTS)]
    lab.sweep((label, lambda label=label, name=name: point(label, name)) for label, name in labels)
    return f"{sum(acknowledged)} acknowledged writes"
