"""System calls that fail, are interrupted or slow: typed answers, reads work, nothing acknowledged is lost."""

from __future__ import annotations

import dataclasses
import random
import re
import shutil
from typing import Callable, Dict, List, Optional, Tuple

from answers import Author
from checker import read_with, verify
from folder import quiet
from kill_sweeps import LONG, SCENES, Stage
from lab import Lab, Violation, check
from service import Service
from tracing import CALLS, Tracer, store_paths

# The allowed outcomes of a write while calls fail.
FAILURES = {"storeReadOnly", "diskFull", "storeUnavailable", "storeBusy"}


@dataclasses.dataclass
class Case:
    """One injected failure."""

    label: str
    inject: str
    # The scene, and whether the process is traced before it opens the store.
    scene: str
    # Whether every write must succeed anyway, and whether every read must.
    writes_work: bool = False
    reads_work: bool = False
    # The only allowed refusal of a write, if there is only one.
    only: Optional[str] = None
    # Whether writes must work again in the same process once the calls do.
    heals: bool = False
    # Whether sampling its kind is enough.
    is_rare: bool = False

    @property
    def first(self) -> int:
        """The number of the first injected call, from 1."""
        match = re.search(r"when=(\d+)", self.inject)
        return int(match.group(1)) if match else 1


def _failing() -> List[Case]:
    cases: List[Case] = []
    for number in range(1, 5):
        cases.append(Case("sync fails once", f"fdatasync:error=EIO:when={number}", "daily", True, True))
    # A process that can no longer prove anything may stay read-only.
    cases.append(Case("sync fails for ever", "fdatasync:error=EIO", "daily", False, True, "storeReadOnly"))
    cases.append(Case("sync fails from some time on", "fdatasync:error=EIO:when=3+", "volume", False, True))
    for number in range(1, 6):
        for scene in ("daily", "volume", "healing"):
            cases.append(Case("no room from some time on", f"write:error=ENOSPC:when={number}+", scene, False, True,
                              "diskFull", True))
    for error in ("EDQUOT", "EFBIG"):
        cases.append(Case("no room", f"write:error={error}:when=2+", "daily", False, True, "diskFull", True))
    for number in range(1, 4):
        cases.append(Case("write fails once", f"write:error=EIO:when={number}", "daily", True, True))
        cases.append(Case("write fails for ever", f"write:error=EIO:when={number}+", "daily", False, True))
        for scene in ("daily", "opening", "volume-opening", "volume-due"):
            cases.append(Case("reading fails", f"pread64:error=EIO:when={number}", scene))
            cases.append(Case("reading fails for ever", f"pread64:error=EIO:when={number}+", scene))
    errors = {"renameat": "EIO", "renameat2": "EIO", "linkat": "EIO", "unlinkat": "EIO", "openat": "EMFILE",
              "fsync": "EIO", "mkdirat": "ENOSPC", "flock": "ENOLCK", "newfstatat": "EIO", "fstat": "EIO", "statx": "EIO",
              "close": "EIO", "getdents64": "EIO", "pwrite64": "EIO", "fchmod": "EPERM"}
    for call, error in errors.items():
        for scene in ("founding", "daily", "volume", "volume-opening"):
            for when in ("1", "2", "3", "5", "1+", "4+"):
                cases.append(Case(f"{call} fails", f"{call}:error={error}:when={when}", scene, is_rare=True))
    cases.append(Case("too many files", "openat:error=ENFILE", "volume"))
    cases.append(Case("names are taken", "linkat:error=EEXIST", "volume"))
    return cases


def _harmless() -> List[Case]:
    cases: List[Case] = []
    for call in ("write", "flock", "openat", "fdatasync", "fsync", "pread64", "pwrite64", "renameat"):
        for scene in ("founding", "opening", "volume"):
            cases.append(Case(f"{call} is interrupted", f"{call}:error=EINTR:when=1+2", scene, True, True))
    for call in ("fdatasync", "flock", "renameat", "unlinkat", "fsync", "pread64"):
        for side in ("enter", "exit"):
            cases.append(Case(f"{call} is slow", f"{call}:delay_{side}=30000", "volume", True, True))
    return cases


def _script(case: Case, author: Author, folder: str) -> List[str]:
    """Writes in every way; returns the refusals."""
    refused: List[str] = []
    refused += _step(author, author.add())
    refused += _step(author, author.add(500))
    for id in author.living()[:1]:
        refused += _step(author, author.update(id, 200))
    for id in author.living()[1:2]:
        refused += _step(author, author.delete(id))
    count, note = (29, LONG) if case.scene.startswith("volume") else (6, 900)
    for _ in range(count):
        author.add(note)
    refused += author.settle()
    if count > 6:
        quiet(folder, 0.3)
    return refused + _step(author, author.add())


def _step(author: Author, op: object) -> List[str]:
    return author.settle()


def _play(lab: Lab, case: Case, stage: Stage, label: str, seen: List[int]) -> None:
    folder = lab.path("data")
    if stage.scene.prepare:
        shutil.copytree(stage.template, folder)
    service = Service(lab, folder)
    service.result("server/info")
    author = Author(service, stage.answers.copied(), random.Random(f"{lab.options.seed}:{label}"))
    if not stage.scene.is_cold:
        service.result("meals/list", limit=1)
    # Interrupted and slow calls may also hit the standard streams.
    paths = [] if case.writes_work and "error=EIO" not in case.inject else store_paths(folder)
    tracer = Tracer(lab, service, [case.inject], paths, sorted({*CALLS, case.inject.split(":")[0]}))
    refused = _script(case, author, folder)
    if case.writes_work and refused:
        raise Violation(f"a write was refused: {refused[0]}; {service.tail()}")
    if wrong := [name for name in refused if name not in ({case.only} if case.only else FAILURES) | {"notFound"}]:
        raise Violation(f"a write was refused with {wrong[0]}; {service.tail()}")
    if case.reads_work:
        reading = read_with(service)
        if problems := author.answers.problems(reading.meals):
            raise Violation(f"reads work, but return wrong data: {problems[0]}")
    elif (refusal := service.refusal("meals/list")) not in ("", *FAILURES, "storeInUse"):
        raise Violation(f"a read was refused with {refusal}; {service.tail()}")
    service.result("server/info")
    tracer.detach()
    seen.append(tracer.injections())
    if case.heals:
        author.add()
        if refused := author.settle():
            raise Violation(f"the calls work again, but a write is refused: {refused[0]}; {service.tail()}")
    service.end()
    # If reads failed and the process kept writing, what it missed must be there now.
    verify(lab, folder, [author.answers], label, may_be_damaged=not case.reads_work)
    shutil.rmtree(folder, ignore_errors=True)


def _sweep(lab: Lab, cases: List[Case], most: Optional[int] = None) -> str:
    """Tries the cases whose call is made often enough in their scene; beyond `most`, a sample of them."""
    stages = {scene.name: Stage(lab, scene) for scene in SCENES if scene.name in {case.scene for case in cases}}
    counts = {name: _dry(lab, stage) for name, stage in stages.items()}
    cases = [case for case in cases if counts[case.scene].get(case.inject.split(":")[0], 0) >= case.first]
    possible = len(cases)
    if most is not None and lab.options.point is None:
        always = [case for case in cases if not case.is_rare]
        rare = [case for case in cases if case.is_rare]
        cases = always + lab.random("sample").sample(rare, max(0, min(len(rare), most - len(always))))
    seen: List[int] = []

    def point(case: Case) -> Tuple[str, Callable[[], None]]:
        label = f"{case.label}, {case.scene}: {case.inject}"
        return label, lambda: _play(lab, case, stages[case.scene], label, seen)

    lab.sweep(point(case) for case in cases)
    if lab.options.point is None and not any(seen):
        raise Violation("no call was injected")
    return f"of {possible} possible, {sum(seen)} calls injected"


def _dry(lab: Lab, stage: Stage) -> Dict[str, int]:
    """How often each call is made on the store's files when nothing fails."""
    folder = lab.path("data")
    if stage.scene.prepare:
        shutil.copytree(stage.template, folder)
    service = Service(lab, folder)
    author = Author(service, stage.answers.copied(), random.Random(f"{lab.options.seed}:dry"))
    service.result("server/info" if stage.scene.is_cold else "days/get")
    tracer = Tracer(lab, service, [], store_paths(folder))
    _script(Case("", "", stage.scene.name), author, folder)
    tracer.detach()
    service.end()
    return tracer.counts()


@check("errors", "system calls fail once and for ever: EIO, ENOSPC, EMFILE and others")
def errors(lab: Lab) -> str:
    return _sweep(lab, _failing(), lab.options.errors)


@check("interruptions", "system calls are interrupted (EINTR) or slow, without effect")
def interruptions(lab: Lab) -> str:
    return _sweep(lab, _harmless())
