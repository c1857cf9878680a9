"""The data folder is renamed, removed, or replaced by a copy, a backup or another store while a process has it open."""

from __future__ import annotations

import os
import shutil
import threading
from typing import Callable, Dict, List

from answers import DONE, Answers, Author, Content
from checker import read_folder, read_with, verify
from folder import copy, entries, quiet, remove
from kill_sweeps import LONG
from lab import Lab, Violation, check
from service import Service

REFUSED = {"storeUnavailable", "storeReadOnly", "storeInUse", "storeBusy"}


def _begin(lab: Lab, label: str, note: int) -> Author:
    author = Author(Service(lab, lab.path("data")), Answers(1), lab.random(label))
    for _ in range(6 if note < LONG else 34):
        author.add(note)
    author.settle()
    quiet(author.service.folder)
    return author


def _union(lab: Lab, author: Author, *folders: str) -> None:
    """Every acknowledged write is in one of the folders, each of which is an intact store."""
    meals: Dict[str, Content] = {}
    for folder in folders:
        if os.path.isdir(folder):
            for id, content in read_folder(lab, folder).meals.items():
                meals.setdefault(id, content)
    if problems := author.answers.problems(meals):
        raise Violation(f"an acknowledged write is in no folder: {problems[0]}")


@check("moved-away", "the folder is renamed, and back, during writes: acknowledged writes are in one of the folders")
def moved_away(lab: Lab) -> str:
    outcomes: List[str] = []

    def point(label: str, note: int, comes_back: bool) -> None:
        author = _begin(lab, label, note)
        folder, aside = author.service.folder, lab.path("aside")
        timer = threading.Timer(author.chance.random() * 0.05, os.rename, (folder, aside))
        timer.start()
        for _ in range(60):
            author.add(50)
            if author.chance.random() < 0.5:
                outcomes.extend(author.settle())
        timer.join()
        outcomes.extend(author.settle())
        read_refused = author.service.refusal("meals/list")
        if read_refused not in REFUSED | {""}:
            raise Violation(f"a read was refused with {read_refused}; {author.service.tail()}")
        if comes_back:
            if os.path.isdir(folder):
                # It was created again meanwhile; then there are two.
                os.rename(folder, folder + "-second")
            os.rename(aside, folder)
            author.add()
            if refused := author.settle():
                raise Violation(f"the folder is back, but a write got {refused[0]}; {author.service.tail()}")
        author.service.end()
        if wrong := set(outcomes) - REFUSED:
            raise Violation(f"a write was refused with {wrong}")
        _union(lab, author, folder, aside, folder + "-second")

    for number in range(lab.options.rounds):
        for note in (50, LONG):
            for back in (True, False):
                label = f"round {number}, notes of {note}, {'and back' if back else 'for good'}"
                lab.point(label, lambda label=label, note=note, back=back: point(label, note, back))
    return f"{len(outcomes)} writes refused"


def _copy(author: Author, backup: str, aside: str) -> None:
    """Moves the folder away and puts an exact copy in its place."""
    os.rename(author.service.folder, aside)
    copy(aside, author.service.folder)


def _old_copy(author: Author, backup: str, aside: str) -> None:
    """Moves the folder away and puts an older state in its place."""
    os.rename(author.service.folder, aside)
    copy(backup, author.service.folder)


def _restore_within(author: Author, backup: str, aside: str) -> None:
    """Restores all files to an older state one by one, as a tool does, each under its name."""
    folder = author.service.folder
    copy(folder, aside)
    for name in reversed(entries(folder)):
        if not os.path.lexists(os.path.join(backup, name)):
            path = os.path.join(folder, name)
            (os.rmdir if os.path.isdir(path) else os.unlink)(path)
    for name in entries(backup):
        if os.path.isfile(os.path.join(backup, name)) and name != "lock":
            shutil.copy2(os.path.join(backup, name), os.path.join(folder, name + ".restoring"))
            os.rename(os.path.join(folder, name + ".restoring"), os.path.join(folder, name))


def _remove(author: Author, backup: str, aside: str) -> None:
    """Removes the folder with everything in it."""
    remove(author.service.folder)


@check("replaced-folder", "the folder is replaced by a copy, an older copy, a restored backup or nothing while it runs")
def replaced_folder(lab: Lab) -> str:
    acts: Dict[str, Callable[[Author, str, str], None]] = {
        "copy": _copy, "older copy": _old_copy, "restored within": _restore_within, "removed": _remove}

    def point(label: str, name: str, note: int) -> None:
        author = _begin(lab, label, note)
        folder, backup, aside = author.service.folder, lab.path("backup"), lab.path("aside")
        copy(folder, backup)
        saved = author.answers.copied()
        for _ in range(4):
            author.add(80)
        author.update(author.answers.ops[0].id, 30)
        author.settle()
        acts[name](author, backup, aside)
        # From here on the folder now at the path counts.
        known = author.answers.copied() if name == "copy" else Answers(1) if name == "removed" else saved
        dropped = [op for op in author.answers.ops if op.id not in {one.id for one in known.ops}]
        later = Author(author.service, Answers(2), author.chance)
        for turn in range(3):
            message = author.service.refusal("meals/list", limit=1)
            if message not in REFUSED | {""}:
                raise Violation(f"a read was refused with {message}; {author.service.tail()}")
            later.add()
            later.settle()
            if later.answers.ops[-1].outcome not in REFUSED | {DONE}:
                raise Violation(f"a write was refused with {later.answers.ops[-1].outcome}")
            if message == "" and later.answers.ops[-1].outcome == DONE:
                _same(lab, author.service, folder, f"after {turn + 1} writes")
        author.service.end()
        fresh = verify(lab, folder, [known, later.answers], label)
        if back := [op.id for op in dropped if op.id in fresh.meals]:
            raise Violation(f"meals came back that were no longer in the folder: {back[:3]}")
        if not later.answers.acknowledged:
            raise Violation(f"no write works any longer: {later.answers.ops[-1].outcome}; {author.service.tail()}")

    points = [(f"{name}, notes of {note}", name, note) for name in acts for note in (50, LONG)]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return ""


def _same(lab: Lab, service: Service, folder: str, when: str) -> None:
    """The process reports the same as a fresh one."""
    mine, other = read_with(service), Service(lab, folder)
    fresh = read_with(other)
    other.end()
    if mine.meals != fresh.meals:
        raise Violation(f"{when} the process and a fresh one do not agree: {len(mine.meals)} and {len(fresh.meals)} "
                        f"meals, {sorted(mine.meals.keys() ^ fresh.meals.keys())[:3]}")
