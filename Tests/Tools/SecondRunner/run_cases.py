#!/usr/bin/env python3
"""Runs the conformance cases of `Protocol/` against any command that speaks the protocol.

    python3 Tests/Tools/SecondRunner/run_cases.py -- .build/debug/daybook

The second, independent runner: Python's standard library only, so that the case format is proven
not to be an accident of one implementation. `Protocol/README.md` is its specification.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from casefile import Case, CaseError, read_cases, read_fixture  # noqa: E402
from conversation import Seen  # noqa: E402
from coverage import Coverage, declared_reach  # noqa: E402
from play import AS_IS, BYTEWISE, ONE_WRITE, Failed, Play, detect_build  # noqa: E402
from schema import Protocol  # noqa: E402
from wire import WireError  # noqa: E402

USAGE = "run_cases.py [OPTION…] -- COMMAND [ARGUMENT…]"
DEFAULT_PROTOCOL = Path(__file__).resolve().parents[3] / "Protocol"


@dataclass
class Outcome:
    """How a case went in all its runs."""

    case: Case
    seen: Seen = field(default_factory=Seen)
    runs: int = 0
    failures: List[str] = field(default_factory=list)


@dataclass
class Baseline:
    """What is known to fail, and what is known to be out of reach of any case."""

    cases: Set[str] = field(default_factory=set)
    items: Set[Tuple[str, str]] = field(default_factory=set)


def read_baseline(path: Path) -> Baseline:
    """Reads `cases/baseline.txt`: names of cases, and `coverage: KIND NAME`."""
    baseline = Baseline()
    if not path.exists():
        return baseline
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        line = line.partition("#")[0].strip()
        if line.startswith("coverage:"):
            words = line.split()
            if len(words) != 3:
                raise CaseError(path, number, "expected `coverage: KIND NAME`")
            baseline.items.add((words[1], words[2]))
        elif line:
            baseline.cases.add(line)
    return baseline


def runs_of(case: Case, framing: str, variants: str) -> List[Tuple[str, str]]:
    """The framings and ways of writing a case is run in."""
    framings = ["header", "newline"] if case.framing == "both" else [case.framing]
    ways = [AS_IS] if "plain" in (case.variants, variants) else [AS_IS, BYTEWISE, ONE_WRITE]
    return [(f, w) for f in framings if framing in ("both", f) for w in ways]


class Runner:
    """Runs cases side by side and gathers their outcomes."""

    def __init__(self, protocol: Protocol, command: List[str], options: argparse.Namespace):
        self.protocol, self.command, self.options = protocol, command, options
        self._fixtures: Dict[str, List[str]] = {}

    def prepare(self, cases: List[Case]) -> None:
        """Reads the fixtures that the cases name."""
        for name in {case.fixture for case in cases}:
            self._fixtures[name] = read_fixture(self.protocol.folder, name)[1]

    def run(self, cases: List[Case]) -> List[Outcome]:
        """Runs every case in all its ways."""
        outcomes = {id(case): Outcome(case) for case in cases}
        with ThreadPoolExecutor(max_workers=self.options.jobs) as pool:
            pending = {}
            for case in cases:
                for framing, way in runs_of(case, self.options.framing, self.options.variants):
                    future = pool.submit(self._one, case, framing, way)
                    pending[future] = (case, framing, way)
            for future in as_completed(pending):
                case, framing, way = pending[future]
                self._gather(outcomes[id(case)], f"{framing}, {way}", future)
        return [outcomes[id(case)] for case in cases]

    def _one(self, case: Case, framing: str, way: str) -> Seen:
        fixture = self._fixtures[case.fixture]
        return Play(case, framing, way, self.protocol, self.command, fixture).run()

    def _gather(self, outcome: Outcome, label: str, future) -> None:
        outcome.runs += 1
        try:
            outcome.seen.add(future.result())
            verdict = "ok"
        except Failed as error:
            outcome.failures.append(f"[{label}] {error}")
            verdict = "FAILED"
        if self.options.verbose:
            print(f"{verdict:6} {outcome.case.name} [{label}]", flush=True)


def report(outcomes: List[Outcome], skipped: List[Case], baseline: Baseline, protocol: Protocol,
           partial: bool) -> bool:
    """Prints what failed and the coverage table; whether everything is as it should be."""
    coverage, good = Coverage(protocol), True
    for outcome in outcomes:
        name, known = outcome.case.name, outcome.case.name in baseline.cases
        if outcome.failures and not known:
            good = False
            print(f"\nFAILED {name} ({len(outcome.failures)} of {outcome.runs} runs)")
            for text in sorted(outcome.failures):
                print("  " + text.replace("\n", "\n  "))
        elif known and not outcome.failures:
            good = False
            print(f"\nFAILED {name}: it passes, but baseline.txt lists it; take it out")
        if not outcome.failures:
            coverage.add(outcome.case, outcome.seen)
    for case in skipped:
        coverage.add(case, declared_reach(case, protocol))
    names = {outcome.case.name for outcome in outcomes} | {case.name for case in skipped}
    if not partial:
        for name in sorted(baseline.cases - names):
            good = False
            print(f"\nFAILED baseline.txt lists {name}, which is no case")
        good = _report_coverage(coverage, baseline) and good
    failed = sum(1 for outcome in outcomes if outcome.failures)
    print(f"\n{len(outcomes)} cases in {sum(o.runs for o in outcomes)} runs: "
          f"{len(outcomes) - failed} passed, {failed} failed; {len(skipped)} for another build")
    return good


def _report_coverage(coverage: Coverage, baseline: Baseline) -> bool:
    print()
    for line in coverage.table():
        print(line)
    good, uncovered = True, set(coverage.uncovered())
    for kind, name in sorted(uncovered - baseline.items):
        good = False
        print(f"UNCOVERED {kind} {name}")
    for kind, name in sorted(baseline.items - uncovered):
        good = False
        print(f"FAILED baseline.txt lists the {kind} {name} as uncovered; it is covered or unknown")
    return good


def read_options(arguments: List[str]) -> Tuple[argparse.Namespace, List[str]]:
    """Splits the command line at `--` into options and the command to run."""
    parser = argparse.ArgumentParser(usage=USAGE, description=__doc__.split("\n")[0])
    parser.add_argument("--protocol", type=Path, default=DEFAULT_PROTOCOL, metavar="DIR")
    parser.add_argument("--framing", choices=("header", "newline", "both"), default="both")
    parser.add_argument("--variants", choices=("all", "plain"), default="all")
    parser.add_argument("--build", choices=("debug", "release"),
                        help="which build it is, instead of asking it")
    parser.add_argument("--only", metavar="SUBSTRING", help="cases whose name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--verbose", action="store_true", help="a line for every run")
    if "--" not in arguments:
        parser.parse_args(arguments)
        parser.error("no command; expected `-- COMMAND [ARGUMENT…]`")
    split = arguments.index("--")
    options, command = parser.parse_args(arguments[:split]), arguments[split + 1:]
    if not command:
        parser.error("no command after `--`")
    if options.jobs < 1:
        parser.error("--jobs takes a number from 1 on")
    return options, command


def main(arguments: Optional[List[str]] = None) -> int:
    """The program: 0 when all is well, 1 when a case fails, 2 when nothing can be run."""
    options, command = read_options(sys.argv[1:] if arguments is None else arguments)
    try:
        protocol = Protocol(options.protocol)
        baseline = read_baseline(options.protocol / "cases" / "baseline.txt")
        everything = read_cases(protocol)
        build = options.build or detect_build(command, protocol)
        cases = [case for case in everything if case.build in ("any", build)]
        skipped = [case for case in everything if case.build not in ("any", build)]
        if options.only:
            cases = [case for case in cases if options.only in case.name]
        runner = Runner(protocol, command, options)
        runner.prepare(cases)
    except (CaseError, WireError, ValueError, OSError) as error:
        print(f"run_cases: {error}", file=sys.stderr)
        return 2
    print(f"{len(cases)} cases against a {build} build: {' '.join(command)}", flush=True)
    partial = bool(options.only) or options.framing != "both"
    good = report(runner.run(cases), skipped, baseline, protocol, partial)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
