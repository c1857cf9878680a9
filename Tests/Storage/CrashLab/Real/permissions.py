"""Modes and owners: excess permissions are removed, what is denied or another user's is left alone."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from typing import List, Sequence, Tuple

from answers import Answers, Author
from checker import read_with, unchanged, verify
from folder import change_all, entries, fingerprint
from kill_sweeps import Stage, many_meals, some_meals, stages_of
from lab import Lab, Skipped, Violation, check, program
from mounts import require
from service import Service

NOBODY = 65534
READS = {"", "storeUnavailable", "storeReadOnly"}


def _stages(lab: Lab) -> List[Stage]:
    return stages_of(lab, some_meals, many_meals)


def _as_nobody(lab: Lab) -> List[str]:
    """The beginning of a command that runs a program as a user without rights."""
    wrapper = [program("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    if os.geteuid() != 0:
        raise Skipped("only root can be somebody else")
    done = subprocess.run(
        [*wrapper, lab.daybook, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"somebody else may not run it: {done.stderr.strip()[:200]}")
    return wrapper


def _give(folder: str, owner: int) -> None:
    change_all(folder, lambda path: os.chown(path, owner, owner, follow_symlinks=False))


@check("open-modes", "files and folders that others may read or write: used as they are, closed by the next write")
def open_modes(lab: Lab) -> str:
    stages = _stages(lab)

    def point(label: str, stage: Stage, names: Sequence[str], mode: int) -> None:
        folder = lab.path("data")
        shutil.copytree(stage.template, folder)
        for name in names:
            path = os.path.join(folder, name) if name else folder
            os.chmod(path, mode | (0o111 & mode >> 2 if os.path.isdir(path) else 0))
        verify(lab, folder, [stage.answers], label, modes=False)
        shutil.rmtree(folder, ignore_errors=True)

    points = []
    for stage in stages:
        names = entries(stage.template)
        for mode in (0o644, 0o666, 0o640):
            points.append((f"{stage.scene.name}: all {oct(mode)}", stage, names, mode))
        points += [(f"{stage.scene.name}: {name or 'the folder'} {oct(0o664)}", stage, [name], 0o664) for name in names]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return ""


@check("denied", "files and folders whose owner has removed permissions, used by a user without rights")
def denied(lab: Lab) -> str:
    wrapper = _as_nobody(lab)
    stages = _stages(lab)

    def point(label: str, stage: Stage, names: Sequence[str], denial: int, expected: Sequence[str]) -> None:
        folder = lab.path("data")
        shutil.copytree(stage.template, folder)
        modes = {name: stat.S_IMODE(os.lstat(os.path.join(folder, name)).st_mode) for name in entries(folder)}
        _give(folder, NOBODY)
        for name in names:
            os.chmod(os.path.join(folder, name), modes[name] & ~denial)
        before = fingerprint(folder)
        service = Service(lab, folder, wrapper=wrapper)
        author = Author(service, stage.answers.copied(), lab.random(label))
        refused = []
        for _ in range(2):
            author.add()
            refused += author.settle()
        read = service.refusal("meals/list")
        if expected and (set(refused) - {expected[0]} or len(refused) < 2 or read != expected[1]):
            raise Violation(f"writes were answered with {refused}, reads with {read!r}; {service.tail()}")
        if read not in READS:
            raise Violation(f"a read was refused with {read}; {service.tail()}")
        service.end()
        if refused and len(refused) == 2 and expected:
            unchanged(before, folder, "what was denied was changed")
        for name in modes:
            os.chmod(os.path.join(folder, name), modes[name])
        verify(lab, folder, [author.answers], label, may_be_damaged=not expected, wrapper=wrapper)
        shutil.rmtree(folder, ignore_errors=True)

    points: List[Tuple[str, Stage, Sequence[str], int, Sequence[str]]] = []
    for stage in stages:
        names = entries(stage.template)
        points.append((f"{stage.scene.name}: nothing writable", stage, names, 0o222, ["storeReadOnly", ""]))
        points.append((f"{stage.scene.name}: no folder", stage, [""], 0o777, ["storeUnavailable"] * 2))
        for name in names[1:]:
            for denial in (0o777, 0o222):
                points.append((f"{stage.scene.name}: {name} without {oct(denial)}", stage, [name], denial, []))
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return ""


@check("somebody-elses", "folders and files of another user: typed refusals, nothing is touched, nothing is lost")
def somebody_elses(lab: Lab) -> str:
    wrapper = _as_nobody(lab)
    stages = _stages(lab)

    def point(label: str, stage: Stage, name: str, is_root: bool) -> None:
        """Root opens what belongs to nobody, or nobody what is root's though everyone may write it."""
        folder = lab.path("data")
        shutil.copytree(stage.template, folder)
        if not is_root:
            _give(folder, NOBODY)
        path = os.path.join(folder, name) if name else folder
        os.chown(path, *((NOBODY, NOBODY) if is_root else (0, 0)))
        if not is_root:
            os.chmod(path, 0o777 if os.path.isdir(path) else 0o666)
        before = fingerprint(folder)
        mine: List[str] = [] if is_root else wrapper
        service = Service(lab, folder, wrapper=mine)
        author = Author(service, stage.answers.copied(), lab.random(label))
        author.add()
        refused = author.settle()
        read = service.refusal("meals/list")
        if name == "":
            require((refused, read) == (["storeUnavailable"], "storeUnavailable"),
                    f"answered with {refused} and {read!r}; {service.tail()}")
        if read not in READS:
            raise Violation(f"a read was refused with {read}; {service.tail()}")
        service.end()
        if refused:
            unchanged(before, folder, "another user's files were changed")
        _give(folder, 0 if is_root else NOBODY)
        verify(lab, folder, [author.answers], label, modes=False, may_be_damaged=True, wrapper=mine)
        shutil.rmtree(folder, ignore_errors=True)

    points = [(f"{stage.scene.name}: {name or 'the folder'}, {'nobodys' if is_root else 'roots'}", stage, name, is_root)
              for stage in stages for name in entries(stage.template) for is_root in (True, False)]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return ""


@check("own-folder", "a user without rights in their own folder: everything works")
def own_folder(lab: Lab) -> str:
    wrapper = _as_nobody(lab)

    def point() -> None:
        home = lab.path("home")
        os.mkdir(home, 0o700)
        os.chown(home, NOBODY, NOBODY)
        service = Service(lab, os.path.join(home, "a", "data"), wrapper=wrapper)
        author = Author(service, Answers(1), lab.random("own"))
        for _ in range(20):
            author.anything()
            author.settle()
        require(not author.answers.problems(read_with(service).meals), "a read returns wrong data")
        service.end()
        verify(lab, os.path.join(home, "a", "data"), [author.answers], wrapper=wrapper)

    lab.point("own", point)
    return ""
