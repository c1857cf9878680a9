#!/usr/bin/env python3
"""The crash lab on the real kernel: what no crash, error, full disk, power cut or neighbour may bring about."""

from __future__ import annotations

import argparse
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path.insert(0, str(HERE))

import lab as laboratory  # noqa: E402

MODULES = ["self_check", "kill_sweeps", "call_errors", "limits", "full_disk", "power_cut", "endings", "replaced_files",
           "permissions", "clocks", "sync_tools", "many_processes", "shared_trouble", "shared_proof", "moved_folders",
           "formats", "lost_journals", "wanted_losses", "exports_inside", "no_arguments",
           "after_shutdown", "starts", "mixed_use", "start_cost", "slow_disk"]
# Passed to the second start of this program, which runs in its own mount namespace.
INSIDE = "CRASHLAB_INSIDE"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a check, or the beginning of its name (all)")
    parser.add_argument("--daybook", type=pathlib.Path, default=ROOT / ".build/debug/daybook", metavar="PATH")
    parser.add_argument("--require", action="store_true", help="a missing program is a failure")
    parser.add_argument("--list", action="store_true", help="print the checks")
    parser.add_argument("--seed", type=int, default=None, help="replays a run (a new one each time)")
    parser.add_argument("--point", metavar="LABEL", help="only this point of the given checks")
    parser.add_argument("--seconds", type=float, default=10, help="how long eight processes write (10)")
    parser.add_argument("--kills", type=int, default=150, help="points of the kill sweeps (150)")
    parser.add_argument("--errors", type=int, default=90, help="points of failing calls (90)")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of each power cut, SIGSTOP and the like (2)")
    parser.add_argument("--starts", type=int, default=5000, help="starts and ends, many at a time (5000)")
    parser.add_argument("--requests", type=int, default=100000, help="requests of a day of mixed use (100000; 1000000)")
    parser.add_argument("--connections", type=int, default=100, help="other processes of that day (100; 1000)")
    parser.add_argument("--imports", type=int, default=20, help="imports of that day (20; 100)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="points tried at a time")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="copy folders that fail to here")
    options = parser.parse_args()
    options.daybook = options.daybook.absolute()
    options.keep = options.keep and options.keep.absolute()
    if options.seed is None:
        options.seed = secrets.randbelow(1 << 31)
    return options


def enter_namespace() -> None:
    """Restarts in a private mount namespace, whose mounts vanish with this process however it ends; as root of a user
    namespace if not run as root."""
    unshare = shutil.which("unshare")
    if os.environ.get(INSIDE) or not unshare:
        return
    flags = ["--mount"] if os.geteuid() == 0 else ["--user", "--map-root-user", "--mount"]
    if subprocess.run([unshare, *flags, "true"], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0:
        os.environ[INSIDE] = "1"
        os.execv(unshare, [unshare, *flags, sys.executable, *sys.argv])


def run(one: laboratory.Check, options: argparse.Namespace) -> str:
    """Runs one check and prints its line; returns passed, failed or skipped."""
    place = laboratory.Lab(one.name, options)
    started, note, outcome = time.monotonic(), "", "passed"
    try:
        note = one.run(place) or ""
    except laboratory.Skipped as reason:
        outcome = "failed" if reason.is_program and options.require else "skipped"
        note = f"SKIPPED: {reason}" if outcome == "skipped" else f"failed: {reason}"
    except laboratory.Violation as violation:
        place.violations.append(("", str(violation)))
    except Exception:  # A defect of the lab counts as a failure, and the other checks continue.
        place.violations.append(("", traceback.format_exc()))
    finally:
        place.close()
    if options.point is not None and outcome == "passed" and place.points == 0:
        place.violations.append((options.point, "there is no such point"))
    seconds = time.monotonic() - started
    result = f"{outcome}, {seconds:.1f} s"
    if place.violations:
        outcome, result = "failed", f"failed, {seconds:.1f} s"
    elif outcome != "passed":
        result = note
    else:
        result = f"{note + ': ' if note else ''}{result}"
    print(f"{one.name:<18} {one.what}: {place.points} points: {' '.join(result.split())}", flush=True)
    for label, text in place.violations:
        print(f"    {label or 'at all'}: {text}")
        point = f" --point '{label}'" if label else ""
        print(f"    again: run.py --daybook {options.daybook} --seed {options.seed} {one.name}{point}", flush=True)
    return outcome


def main() -> int:
    options = arguments()
    for name in MODULES:
        __import__(name)
    checks = [c for c in laboratory.CHECKS if not options.names or any(c.name.startswith(n) for n in options.names)]
    if options.list:
        print("\n".join(f"{one.name:<18} {one.what}" for one in checks))
        return 0
    if unknown := [n for n in options.names if not any(c.name.startswith(n) for c in laboratory.CHECKS)]:
        sys.exit(f"no such check: {', '.join(unknown)}")
    if not os.access(options.daybook, os.X_OK):
        sys.exit(f"no {options.daybook}; swift build --product daybook makes it")
    enter_namespace()
    print(f"seed {options.seed}", flush=True)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    options.scratch = tempfile.mkdtemp(prefix="daybook-crashlab-")
    os.chmod(options.scratch, 0o755)
    try:
        outcomes = [run(one, options) for one in checks]
    finally:
        shutil.rmtree(options.scratch, ignore_errors=True)
    print(", ".join(f"{outcomes.count(kind)} {kind}" for kind in ("passed", "failed", "skipped")))
    return 1 if "failed" in outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
