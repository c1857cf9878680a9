"""The command line of the conformance runner."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import List, Optional

from case import CaseError
from casefile import Suite
from coverage import Coverage, Demand
from runner import detect_build, play_all
from verdict import Verdict, read_baseline
from wire import Unstartable, WireError

USAGE = "python3 Protocol/conformance [OPTION…] [--] COMMAND [ARGUMENT…]"
DESCRIPTION = """\
Plays every case and every example of the folder Protocol/ against a service, which is started by COMMAND (a program,
then its arguments), followed by --data DIR --clock 2026-01-05T12:00:00Z --seed 1. Each case is run in both framings,
each time as written, with one write per byte, and with one write up to the next expectation. Needs only Python 3.9 or
later."""
EPILOGUE = """\
Coverage is the union of a debug run and a release run: every method, notification, type, error and requirement has a
case, or the run fails. Only items that could not have been covered are exempt: those only the debug build has, and
those that cases for the other build mention (the requirements they prove, the methods, types and errors in them),
unless that build's run is added by --coverage-in; and those that cases/baseline.txt lists as “coverage: KIND NAME”.

  python3 Protocol/conformance --coverage-out debug.json .build/debug/daybook
  python3 Protocol/conformance --coverage-in debug.json .build/release/daybook

cases/baseline.txt may list the names of cases that are known to fail; one that passes fails the run.
The timeout of every wait is a minute times TIME_SCALE of the environment.

Every failure begins with FAILED at the start of a line; indented lines belong to it. The last line has the totals.
Exit status: 0 all passed; 1 something failed; 2 wrong usage, an error in Protocol/, or a command that does not
start."""
# Interval of progress reports.
SECONDS_BETWEEN_NEWS = 10


def _jobs(text: str) -> int:
    jobs = int(text)
    if not 1 <= jobs <= 64:
        raise ValueError
    return jobs


def _own_folder() -> Path:
    """The folder of this file, relative to the working directory if possible."""
    folder = Path(__file__).resolve().parents[1]
    return folder.relative_to(Path.cwd()) if Path.cwd() in folder.parents else folder


def read_options(arguments: List[str]) -> argparse.Namespace:
    """The options; the first word that is not an option begins the command, with or without `--` before it."""
    parser = argparse.ArgumentParser(prog="conformance", usage=USAGE, description=DESCRIPTION, epilog=EPILOGUE,
                                     allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--protocol", type=Path, default=_own_folder(), metavar="DIR",
                        help="the folder Protocol/ (the one this is in)")
    parser.add_argument("--framing", choices=("header", "newline", "both"), default="both", help="(both)")
    parser.add_argument("--variants", choices=("all", "plain"), default="all",
                        help="all ways of writing, or plain: as it stands only (all)")
    parser.add_argument("--build", choices=("debug", "release"), help="(what the service answers to server/info)")
    parser.add_argument("--only", metavar="TEXT",
                        help="only cases whose name contains TEXT; coverage is not looked at then")
    parser.add_argument("--jobs", type=_jobs, default=min(64, max(4, os.cpu_count() or 1)), metavar="N",
                        help="so many services at a time, 1 to 64 (the processors, at least 4)")
    parser.add_argument("--coverage-in", type=Path, action="append", default=[], metavar="FILE",
                        help="add the coverage of an earlier run; may be given several times")
    parser.add_argument("--coverage-out", type=Path, metavar="FILE",
                        help="write the coverage of this run, with what was added")
    parser.add_argument("--list", action="store_true", help="print the names of the cases and run nothing")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell of every run, and count every item")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="the service")
    options = parser.parse_args(arguments)
    if options.command[:1] == ["--"]:
        del options.command[0]
    if not options.command and not options.list:
        parser.error("no command was given")
    return options


def main(arguments: Optional[List[str]] = None) -> int:
    """The program: returns 0 if all passed, 1 if something failed, 2 if nothing could be run."""
    options = read_options(sys.argv[1:] if arguments is None else arguments)
    # Names have letters that a terminal's encoding may lack.
    sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    try:
        suite = Suite(options.protocol)
        if options.list:
            for case in suite.cases:
                if not options.only or options.only in case.name:
                    print(case.name)
            return 0
        return run(options, suite)
    except (CaseError, Unstartable, ValueError, KeyError, OSError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    except WireError as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


class News:
    """Reports the progress of the run periodically."""

    def __init__(self, runs: int) -> None:
        self._runs, self._done = runs, 0
        self._begun = self._told = time.monotonic()

    def add(self, runs: int, failed: int) -> None:
        """Counts runs that have ended."""
        self._done += runs
        now = time.monotonic()
        if now - self._told >= SECONDS_BETWEEN_NEWS:
            self._told = now
            print(f"  {self._done} of {self._runs} runs after {now - self._begun:.0f} s, {failed} failed")


def run(options: argparse.Namespace, suite: Suite) -> int:
    """Plays the selected cases and prints the results."""
    baseline = read_baseline(options.protocol / "cases" / "baseline.txt")
    build = options.build or detect_build(options.command)
    coverage = Coverage(build)
    for path in options.coverage_in:
        coverage.add_file(path)
    fitting, left_out = [], []
    for case in suite.cases:
        runs = case.runs(options.framing, options.variants) if case.build in ("any", build) else []
        (fitting if runs else left_out).append((case, runs))
    work = [(case, runs) for case, runs in fitting if not options.only or options.only in case.name]
    if not work:
        raise CaseError(options.protocol / "cases", 1, "no case is selected")
    print(f"{len(work)} cases of {options.protocol} against the {build} build of {' '.join(options.command)}")
    verdict = Verdict(baseline)
    news = News(sum(len(runs) for _, runs in work))
    for outcome in play_all(work, options.protocol, options.command, suite.fixtures, options.jobs):
        failed = {run_ for run_, _ in outcome.failures}
        for run_ in outcome.runs if options.verbose else ():
            print(f"  {'failed' if run_ in failed else 'ok':6} {outcome.case.name} [{', '.join(run_)}]")
        for line in verdict.judge(outcome):
            print(line)
        if not outcome.failures:
            coverage.add(outcome.case, outcome.seen)
        news.add(len(outcome.runs), verdict.failed)
    if not options.only:
        demand = Demand(suite.protocol, coverage, baseline.items, [case for case, _ in left_out])
        for line in verdict.close({case.name for case in suite.cases}, coverage, demand, options.verbose):
            print(line)
    for line in verdict.last_lines():
        print(line)
    if options.coverage_out:
        coverage.write(options.coverage_out)
    return 1 if verdict.failed else 0
