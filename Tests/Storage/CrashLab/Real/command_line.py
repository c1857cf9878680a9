"""The executable as a command: arguments in; status, output and standard error out."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
from typing import Mapping, Optional, Sequence

from lab import HANG_GUARD, Lab, Violation
from service import is_crash


@dataclasses.dataclass
class Outcome:
    """The result of a command."""

    status: int
    output: str
    errors: str

    @property
    def text(self) -> str:
        """Everything it printed."""
        return self.output + self.errors

    def __str__(self) -> str:
        return f"status {self.status}; {' | '.join(self.text.splitlines()[-3:])[:300] or '(no output)'}"


def daybook(
    lab: Lab, *words: str, folder: Optional[str] = None, wrapper: Sequence[str] = (),
    environment: Optional[Mapping[str, str]] = None,
) -> Outcome:
    """Runs a command to its end, with empty standard input."""
    command = [*wrapper, lab.daybook, *words, *(["--data", folder] if folder is not None else [])]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, cwd="/", timeout=HANG_GUARD,
            env={**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8", **(environment or {})})
    except subprocess.TimeoutExpired:
        raise Violation(f"hangs: {' '.join(words)} does not end") from None
    outcome = Outcome(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
    if is_crash(outcome.status, outcome.errors):
        raise Violation(f"{' '.join(words)} crashed with {signal.Signals(-outcome.status).name}")
    return outcome
