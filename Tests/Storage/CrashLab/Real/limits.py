"""Process limits: files that must not grow (ulimit -f), files that must not be opened (ulimit -n)."""

from __future__ import annotations

import os
import resource
import shutil
from typing import Any, Dict, List, Tuple

from answers import Answers, Author
from checker import read_with, verify
from folder import quiet
from kill_sweeps import LONG, many_meals, some_meals, stages_of
from lab import Lab, Violation, check
from service import Service, refusal
from tracing import Tracer

KIB = 1024
MOST_KIB = 48


def _limit(service: Service, kind: int, value: int) -> None:
    """Sets only the soft limit, so that it can be raised again."""
    _, hard = resource.prlimit(service.pid, kind)
    resource.prlimit(service.pid, kind, (value if hard < 0 else min(value, hard), hard))


def _lift(service: Service, kind: int) -> None:
    _, hard = resource.prlimit(service.pid, kind)
    resource.prlimit(service.pid, kind, (hard, hard))


def _reads_truly(service: Service, author: Author) -> None:
    reading = read_with(service)
    if problems := author.answers.problems(reading.meals):
        raise Violation(f"reads work, but return wrong data: {problems[0]}")


@check("file-size", "ulimit -f at every KiB: SIGXFSZ kills nothing, writes get typed refusals, reads work")
def file_size(lab: Lab) -> str:
    refused: List[str] = []
    stage, = stages_of(lab, many_meals)
    chance = lab.random("limits")

    def point(label: str, limit: int, is_large: bool) -> None:
        folder = lab.path("data")
        if is_large:
            shutil.copytree(stage.template, folder)
        service = Service(lab, folder)
        service.result("server/info")
        author = Author(service, stage.answers.copied() if is_large else Answers(1), lab.random(label))
        _limit(service, resource.RLIMIT_FSIZE, limit)
        for _ in range(6):
            for _ in range(8 if not is_large else 5):
                author.add(LONG if is_large else author.chance.randint(1, 1700))
            # Some one by one, some together.
            names = author.settle()
            refused.extend(names)
            if wrong := [name for name in names if name != "diskFull"]:
                raise Violation(f"a write was refused with {wrong[0]}; {service.tail()}")
            if names:
                _reads_truly(service, author)
        if is_large:
            quiet(folder, 0.3)
        _lift(service, resource.RLIMIT_FSIZE)
        author.add()
        if names := author.settle():
            raise Violation(f"the limit is lifted, but a write is refused: {names[0]}; {service.tail()}")
        service.end()
        verify(lab, folder, [author.answers], label)
        shutil.rmtree(folder, ignore_errors=True)

    # Also a few bytes more or less, so that lines are cut at every place.
    small = [(number, number * KIB + (chance.randrange(KIB) if number % 2 else 0)) for number in range(1, MOST_KIB + 1)]
    points = [(f"{number} KiB", limit, False) for number, limit in small]
    points += [(f"large, {number}", chance.randrange(KIB, 700 * KIB), True) for number in range(8)]
    lab.sweep((label, lambda label=label, limit=limit, large=large: point(label, limit, large))
              for label, limit, large in points)
    return f"{len(refused)} writes refused"


@check("open-files", "ulimit -n: no descriptors left; typed answers, and everything works once there are some")
def open_files(lab: Lab) -> str:
    refused: List[str] = []
    stage, = stages_of(lab, many_meals)

    def point(label: str, spare: int, is_opened: bool, is_new: bool) -> None:
        folder = lab.path("data")
        if not is_new:
            shutil.copytree(stage.template, folder)
        service = Service(lab, folder)
        service.result("meals/list" if is_opened else "server/info")
        author = Author(service, Answers(1) if is_new else stage.answers.copied(), lab.random(label))
        _limit(service, resource.RLIMIT_NOFILE, len(os.listdir(f"/proc/{service.pid}/fd")) + spare)
        for count in (1, 12, 18):
            for _ in range(count):
                author.add(LONG)
            names = author.settle()
            refused.extend(names)
            service.result("server/info")
            if (name := service.refusal("meals/list", limit=3)) not in ("", "storeUnavailable", "storeInUse"):
                raise Violation(f"a read was refused with {name}; {service.tail()}")
            # Slow work has its own threads.
            for method in ("store/health", "backup/list"):
                if (name := service.refusal(method)) not in ("", "storeUnavailable"):
                    raise Violation(f"{method} was refused with {name}; {service.tail()}")
            quiet(folder, 0.2)
        _lift(service, resource.RLIMIT_NOFILE)
        author.add()
        author.add(50)
        if names := author.settle():
            raise Violation(f"the limit is lifted, but a write is refused: {names[0]}; {service.tail()}")
        _reads_truly(service, author)
        service.end()
        verify(lab, folder, [author.answers], label)
        shutil.rmtree(folder, ignore_errors=True)

    points = [(f"{spare} spare, {'opened' if opened else 'unopened'}, {'new' if new else 'there'}", spare, opened, new)
              for spare in range(6) for opened in (True, False) for new in (True, False)]
    lab.sweep((point_[0], lambda point_=point_: point(*point_)) for point_ in points)
    return f"{len(refused)} writes refused"


# Requests of all kinds, and their outcomes without a limit: "" is a result.
SINGLE: Dict[str, Tuple[str, Dict[str, Any], str]] = {
    "today": ("days/get", {}, ""), "meals": ("meals/list", {}, ""),
    "changes": ("changes/since", {"revision": 0}, ""),
    "unknown meal": ("meals/delete", {"id": "dddddddd-0000-4000-8000-000000000000"}, "notFound"),
    "health": ("store/health", {}, ""), "scrub": ("store/health", {"scrub": True}, ""),
    "backup": ("backup/create", {}, ""), "backups": ("backup/list", {}, ""), "export": ("data/export", {}, ""),
    "settings": ("settings/update", {"age": 41}, ""), "undo": ("changes/undo", {}, ""),
    "secret": ("secrets/set", {"name": "key", "value": "x"}, ""),
}
FEW_FILES = {"", "storeUnavailable", "storeReadOnly", "storeInUse", "storeBusy", "backupBusy"}


@check("open-files-single", "ulimit -n: single requests of many kinds beside a process that wrote; typed answers, and "
       "everything works once there are some")
def open_files_single(lab: Lab) -> str:
    refused: List[str] = []
    stage, = stages_of(lab, some_meals)

    def point(label: str, kind: str, spare: int, state: str) -> None:
        folder = lab.path("data")
        shutil.copytree(stage.template, folder)
        service, other = Service(lab, folder), Author(Service(lab, folder), Answers(2), lab.random(label))
        service.result("server/info" if state == "unopened" else "meals/list")
        if state == "written":
            # So that it has opened the lock file.
            service.result("settings/update", age=39)
        other.add()
        other.settle()
        # So that there is something to undo that is no meal.
        other.service.result("settings/update", age=40)
        method, params, usual = SINGLE.get(kind, ("", {}, ""))
        author = Author(service, Answers(3), lab.random(label + "/single"))
        _limit(service, resource.RLIMIT_NOFILE, len(os.listdir(f"/proc/{service.pid}/fd")) + spare)
        tracer = Tracer(lab, service, calls=["fdatasync"])
        sent = [] if kind == "meal" else [service.post(method, **params)]
        if kind == "meal":
            author.add()
        names = author.settle() + [refusal(service.answer(number)) for number in sent]
        refused.extend(name for name in names if name not in ("", usual))
        if wrong := [name for name in names if name not in {usual, *FEW_FILES}]:
            raise Violation(f"refused with {wrong[0]}; {service.tail()}")
        is_proven = names != ["notFound"] or any(tracer.syncs())
        tracer.detach()
        service.result("server/info")
        _lift(service, resource.RLIMIT_NOFILE)
        author.add()
        if names := author.settle():
            raise Violation(f"the limit is lifted, but a write is refused: {names[0]}; {service.tail()}")
        # What was undone cannot be undone again.
        if sent and kind != "undo" and (name := service.refusal(method, **params)) != usual:
            raise Violation(f"the limit is lifted, but {method} is refused with {name!r}; {service.tail()}")
        read_with(service)
        service.end()
        other.service.end()
        verify(lab, folder, [stage.answers, other.answers, author.answers], label)
        if not is_proven:
            raise Violation("it was answered although the other process's lines were not made durable")
        shutil.rmtree(folder, ignore_errors=True)

    points = [(f"{kind}, {spare} spare, {state}", kind, spare, state)
              for kind in (*SINGLE, "meal") for spare in range(4) for state in ("unopened", "opened", "written")]
    lab.sweep((point_[0], lambda point_=point_: point(*point_)) for point_ in points)
    return f"{len(refused)} requests refused"
