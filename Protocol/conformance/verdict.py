"""The verdict on a run: its outcomes compared with the baseline and the required coverage."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple

from case import CaseError
from coverage import KINDS, Coverage, Demand, Item
from play import Failure
from runner import Outcome


@dataclass
class Baseline:
    """Known failures, and items that no case can reach."""

    cases: Set[str] = field(default_factory=set)
    items: Set[Item] = field(default_factory=set)


def read_baseline(path: Path) -> Baseline:
    """Reads `cases/baseline.txt`: names of cases, and `coverage: KIND NAME`; `#` begins a comment."""
    baseline = Baseline()
    if not path.exists():
        return baseline
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        line = line.partition("#")[0].strip()
        if line.startswith("coverage:"):
            words = line.split()
            if len(words) != 3 or words[1] not in KINDS:
                raise CaseError(path, number, "expected `coverage: KIND NAME`")
            baseline.items.add((words[1], words[2]))
        elif line:
            baseline.cases.add(line)
    return baseline


class Verdict:
    """Counts passes and failures and reports them: every failure begins with `FAILED` at the start of a line."""

    def __init__(self, baseline: Baseline) -> None:
        self._baseline = baseline
        self.passed = self.failed = 0
        self._known: List[str] = []

    def judge(self, outcome: Outcome) -> Iterator[str]:
        """Counts an outcome; returns the lines to print immediately."""
        name, is_known = outcome.case.name, outcome.case.name in self._baseline.cases
        if not outcome.failures:
            self.passed += 1
            if is_known:
                yield self._fail(f"{name} passes now; take it out of baseline.txt")
        elif is_known:
            self._known.append(name)
        else:
            self.failed += 1
            yield from failure_lines(outcome)

    def close(self, names: Set[str], coverage: Coverage, demand: Demand, detailed: bool) -> Iterator[str]:
        """Lines about the whole suite, whose cases have these names."""
        for name in sorted(self._baseline.cases - names):
            yield self._fail(f"{name} is no case; take it out of baseline.txt")
        for kind, name in sorted(self._baseline.items):
            if coverage.counts[kind][name]:
                yield self._fail(f"{kind} {name} is covered now; take it out of baseline.txt")
            elif name not in demand.items[kind]:
                yield self._fail(f"{kind} {name} is unknown; take it out of baseline.txt")
        yield from demand.table(detailed)
        for kind, name in demand.unmet():
            yield self._fail(f"coverage: no case that passed reaches {kind} {name}")

    def last_lines(self) -> Iterator[str]:
        """The closing lines."""
        for name in sorted(self._known):
            yield f"known to fail: {name}"
        yield f"{self.passed} passed, {self.failed} failed"

    def _fail(self, text: str) -> str:
        self.failed += 1
        return f"FAILED {text}"


def failure_lines(outcome: Outcome) -> Iterator[str]:
    """The failures of a case, the first line of each not indented. Identical failures are reported once."""
    groups: Dict[Tuple[int, str], Tuple[Failure, List[str]]] = {}
    for run, failure in outcome.failures:
        groups.setdefault((failure.line, failure.reason), (failure, []))[1].append(", ".join(run))
    for failure, runs in groups.values():
        place = f"{outcome.case.path}:{failure.line}:" if failure.line else f"{outcome.case.path}:"
        title = f" {outcome.case.name}" if outcome.case.name.startswith("example ") else ""
        which = f"all {len(runs)} runs" if 1 < len(runs) == len(outcome.runs) else "; ".join(runs)
        yield f"FAILED {place}{title} [{which}]"
        yield f"  {failure.reason}"
        for name, text in (("expected", failure.expected), ("got", failure.found), ("stderr", failure.complaint),
                           ("transcript", failure.transcript)):
            if text:
                yield from _block(name, text)


def _block(title: str, text: str) -> Iterator[str]:
    head = f"  {title + ':':12} "
    for line in text.split("\n"):
        yield head + line[:3000]
        head = " " * len(head)
