"""Runs cases in parallel, with one process per worker."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from case import Case
from conversation import Seen
from jsontext import to_text
from play import BASE, Failed, Failure, Play
from schema import Protocol
from wire import END, Service, WireError, arguments, environment, framed

Run = Tuple[str, str]


@dataclass
class Outcome:
    """The outcome of all runs of a case."""

    case: Case
    runs: List[Run]
    seen: Seen = field(default_factory=Seen)
    failures: List[Tuple[Run, Failure]] = field(default_factory=list)


class Worker:
    """Plays cases in the process of one worker."""

    shared: "Worker"

    def __init__(self, folder: Path, command: List[str], fixtures: Dict[str, List[str]]) -> None:
        # Messages nest up to 512 levels, and are read by recursion.
        sys.setrecursionlimit(5000)
        self.protocol, self.command, self.fixtures = Protocol(folder), command, fixtures

    def play(self, case: Case, runs: List[Run]) -> Outcome:
        """Plays a case in the given variants."""
        outcome = Outcome(case, runs)
        for framing, way in runs:
            try:
                played = Play(case, framing, way, self.protocol, self.command, self.fixtures[case.fixture])
                outcome.seen.add(played.run())
            except Failed as error:
                outcome.failures.append(((framing, way), error.failure))
        return outcome


def _begin(folder: Path, command: List[str], fixtures: Dict[str, List[str]]) -> None:
    """Prepares a worker's process, which does not outlive the runner."""
    Worker.shared = Worker(folder, command, fixtures)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


def _play(number: int, case: Case, runs: List[Run]) -> Tuple[int, Outcome]:
    outcome = Worker.shared.play(case, runs)
    # The runner already has the case.
    return number, Outcome(None, runs, outcome.seen, outcome.failures)


def play_all(work: List[Tuple[Case, List[Run]]], folder: Path, command: List[str], fixtures: Dict[str, List[str]],
             jobs: int) -> Iterator[Outcome]:
    """Plays cases, `jobs` at a time; yields their outcomes in completion order."""
    if jobs == 1:
        worker = Worker(folder, command, fixtures)
        yield from (worker.play(case, runs) for case, runs in work)
        return
    # A fresh interpreter for each worker inherits no lock or descriptor, on any system.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(work)), context, _begin, (folder, command, fixtures))
    try:
        pending = [pool.submit(_play, number, case, runs) for number, (case, runs) in enumerate(work)]
        for future in as_completed(pending):
            number, outcome = future.result()
            outcome.case = work[number][0]
            yield outcome
    finally:
        pool.shutdown(cancel_futures=True)


def detect_build(command: List[str]) -> str:
    """Asks the service how it was built."""
    folder = tempfile.mkdtemp(prefix="daybook-case-")
    try:
        command = command + arguments(os.path.join(folder, "data"))
        with Service(command, "newline", environment()) as service:
            service.send(framed(f'{BASE}"id":1,"method":"server/info"}}', "newline"))
            message = service.next_message("the answer to server/info")
            if message is END:
                raise WireError("it ended before it answered server/info: " + service.last_words())
            result = message.get("result") if isinstance(message, dict) else None
            build = result.get("build") if isinstance(result, dict) else None
            if not isinstance(build, str):
                raise WireError(f"server/info was answered {to_text(message)[:500]}")
            return build
    finally:
        shutil.rmtree(folder, ignore_errors=True)
