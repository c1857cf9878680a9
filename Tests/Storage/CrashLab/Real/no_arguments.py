"""Starts at which the program cannot determine its own arguments: it serves the folder named or none, never another."""

from __future__ import annotations

import os
import shutil
from typing import Dict, List, Sequence

from command_line import daybook
from folder import entries
from kill_sweeps import some_meals, stages_of
from lab import Lab, Violation, check, program
from service import Service

# Each of them names the default folder.
DEFAULTS = ("HOME", "XDG_DATA_HOME", "DAYBOOK_HOME")
COVER = 'mount -t tmpfs tmpfs /proc && exec "$@"'


def _limited(count: int) -> List[str]:
    return [program("prlimit"), f"--nofile={count}"]


def _without_proc() -> List[str]:
    return [program("unshare"), "--mount", "sh", "-c", COVER, "sh"]


def _failing(lab: Lab, number: int, error: str) -> List[str]:
    return [program("strace"), "-f", "-o", lab.path("trace"), "-e", "trace=openat",
            "-e", f"inject=openat:error={error}:when={number}"]


def _opened(lab: Lab, folder: str) -> List[int]:
    """The numbers of the files opened after the libraries during a start."""
    log = lab.path("trace")
    outcome = daybook(lab, "call", "days/get", folder=folder,
                      wrapper=[program("strace"), "-o", log, "-e", "trace=openat"])
    with open(log, errors="replace") as file:
        lines = [line for line in file if line.startswith("openat(")]
    if outcome.status != 0 or not lines:
        raise Violation(f"a start that is only traced fails: {outcome}")
    last = max((number for number, line in enumerate(lines) if ".so" in line), default=0)
    return list(range(last + 2, len(lines) + 1))


@check("no-arguments", "no descriptors, no /proc, failing calls at the start: the folder named is served, or none")
def no_arguments(lab: Lab) -> str:
    stage, = stages_of(lab, some_meals)
    outcomes: List[int] = []

    def surroundings(default: str) -> Dict[str, str]:
        home = lab.path("home")
        os.mkdir(home, 0o700)
        return {name: home if name == default else "" for name in DEFAULTS}

    def require_untouched(environment: Dict[str, str], what: str) -> None:
        if there := entries(next(path for path in environment.values() if path))[1:]:
            raise Violation(f"{what} made {', '.join(there[:4])} in the default folder")

    def age(folder: str) -> int:
        service = Service(lab, folder)
        age = service.result("settings/get")["settings"]["age"]
        service.end()
        return age

    def point(wrapper: Sequence[str], default: str) -> None:
        folder, environment = lab.path("data"), surroundings(default)
        shutil.copytree(stage.template, folder)
        serve(wrapper, folder, environment)
        for words in (["call", "days/get"], ["call", "settings/update", '{"age": 55}'], ["backup"], ["doctor"]):
            outcome = daybook(lab, *words, folder=folder, wrapper=wrapper, environment=environment)
            outcomes.append(outcome.status)
            require_untouched(environment, f"“daybook {' '.join(words[:2])}”")
            if not outcome.text.strip() or "without “shutdown”" in outcome.text:
                raise Violation(f"“daybook {' '.join(words[:2])}” gives no useful message: {outcome}")
            if words[1:2] == ["settings/update"] and outcome.status == 0 and age(folder) != 55:
                raise Violation(f"settings/update was answered, but not by the folder named: {outcome}")
        for words in (["--dta", folder], ["call", "days/get", "--date", folder], ["--no-handshak"]):
            outcome = daybook(lab, *words, wrapper=wrapper, environment=environment)
            require_untouched(environment, f"“daybook {' '.join(words[:2])}”")
            if outcome.status == 0 or not outcome.text.strip() or "without “shutdown”" in outcome.text:
                raise Violation(f"“daybook {' '.join(words[:3])}” was not refused: {outcome}")
        shutil.rmtree(folder, ignore_errors=True)

    def serve(wrapper: Sequence[str], folder: str, environment: Dict[str, str]) -> None:
        """A client that starts the program and writes at once."""
        for has_handshake in (True, False):
            service = Service(lab, folder, wrapper=wrapper, environment=environment, has_handshake=has_handshake)
            with service.together():
                if has_handshake:
                    service.post("initialize")
                    service.notify("initialized")
                number = service.post("settings/update", age=60 + has_handshake)
            answer = service.answer(number)
            is_done = "result" in (answer or {})
            service.close_input()
            status = service.wait()
            require_untouched(environment, "a session")
            if answer is None and (status == 0 or not service.errors().strip()):
                raise Violation(f"it neither answers nor says why: status {status}; {service.tail()}")
            if is_done and age(folder) != 60 + has_handshake:
                raise Violation("a write was answered, but not by the folder named")

    wrappers = {f"{count} descriptors": _limited(count) for count in range(3, 13)}
    wrappers["no /proc"] = _without_proc()
    for number in _opened(lab, stage.template):
        wrappers[f"openat {number} fails (EMFILE)"] = _failing(lab, number, "EMFILE")
    points = [(f"{name}, {default}", wrapper, default)
              for number, (name, wrapper) in enumerate(wrappers.items())
              for default in (DEFAULTS if name == "no /proc" else [DEFAULTS[number % 3]])]
    lab.sweep((one[0], lambda one=one: point(*one[1:])) for one in points)
    return f"{outcomes.count(0)} of {len(outcomes)} commands done"
