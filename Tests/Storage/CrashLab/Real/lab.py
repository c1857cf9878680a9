"""What every check shares: options, a scratch folder, seeded randomness, points, and complete clean-up."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import os
import pathlib
import random
import shutil
import threading
import time
from typing import Any, Callable, Iterable, List, Optional, Tuple

TIME_SCALE = float(os.environ.get("TIME_SCALE", "1"))
HANG_GUARD = 60.0 * TIME_SCALE
MOST_VIOLATIONS = 5


class Violation(Exception):
    """Something happened that must never happen."""


class Skipped(Exception):
    """Why a check cannot run here. A missing program can be installed; a missing permission cannot be obtained."""

    def __init__(self, reason: str, is_program: bool = False) -> None:
        super().__init__(reason)
        self.is_program = is_program


@dataclasses.dataclass
class Check:
    """A named check: a description and its function."""

    name: str
    what: str
    run: Callable[["Lab"], Optional[str]]


CHECKS: List[Check] = []


def check(name: str, what: str) -> Callable[[Callable[["Lab"], Optional[str]]], Callable[["Lab"], Optional[str]]]:
    """Registers a function as a check."""

    def register(function: Callable[["Lab"], Optional[str]]) -> Callable[["Lab"], Optional[str]]:
        CHECKS.append(Check(name, what, function))
        return function

    return register


def program(name: str) -> str:
    """The path of an installed program."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/bin:/bin")
    if not found:
        raise Skipped(f"no {name} (install.sh gets it)", is_program=True)
    return found


class Lab:
    """The environment of one check; everything it started or mounted is removed at its end."""

    def __init__(self, name: str, options: Any) -> None:
        self.name = name
        self.options = options
        self.daybook = str(options.daybook)
        self.scratch = pathlib.Path(options.scratch, name.replace("/", "-"))
        self.scratch.mkdir(mode=0o755, parents=True)
        self.violations: List[Tuple[str, str]] = []
        self.points = 0
        self._serial = 0
        self._guard = threading.Lock()
        self._endings: List[Callable[[], None]] = []

    def random(self, label: str) -> random.Random:
        """Randomness derived from the seed, the check and the point only."""
        return random.Random(f"{self.options.seed}:{self.name}:{label}")

    def path(self, name: str) -> str:
        """An unused path in the scratch folder."""
        with self._guard:
            self._serial += 1
            return str(self.scratch / f"{self._serial}-{name}")

    def at_end(self, function: Callable[[], None]) -> None:
        """Calls the function at the end of the check, however it ends; the last one first."""
        with self._guard:
            self._endings.append(function)

    def close(self) -> None:
        """Ends and removes everything."""
        while self._endings:
            try:
                self._endings.pop()()
            except OSError:
                pass
        shutil.rmtree(self.scratch, ignore_errors=True)

    def count(self, points: int = 1) -> None:
        """Counts points that were tried."""
        with self._guard:
            self.points += points

    def point(self, label: str, function: Callable[[], None]) -> None:
        """Tries one point; a violation is recorded under its label."""
        if self.options.point is not None and self.options.point != label:
            return
        if len(self.violations) >= MOST_VIOLATIONS:
            return
        try:
            function()
        except Violation as violation:
            with self._guard:
                self.violations.append((label, str(violation)))
        self.count()

    def sweep(self, points: Iterable[Tuple[str, Callable[[], None]]], jobs: Optional[int] = None) -> None:
        """Tries many points, several at a time."""
        pool = concurrent.futures.ThreadPoolExecutor(jobs or self.options.jobs)
        try:
            for future in [pool.submit(self.point, label, function) for label, function in points]:
                future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    def keep(self, folder: str, label: str) -> str:
        """Copies a folder with a problem to the `--keep` directory, if given."""
        if self.options.keep is None or not os.path.isdir(folder):
            return ""
        target = pathlib.Path(self.options.keep, f"{self.name}-{label}-{time.time_ns()}".replace("/", "-"))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(folder, target, symlinks=True, ignore=_special)
        return f"; the folder is kept as {target}"


def _special(folder: str, names: List[str]) -> List[str]:
    return [name for name in names if not (os.path.isfile(f"{folder}/{name}") or os.path.isdir(f"{folder}/{name}"))]


def until(what: str, condition: Callable[[], Any], patience: float = HANG_GUARD) -> Any:
    """Waits for a condition and returns its value; the timeout is a hang guard, not a measurement."""
    deadline = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Violation(f"hangs: waited {patience:g} s for {what}")
        time.sleep(0.002)
