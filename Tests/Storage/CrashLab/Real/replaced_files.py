"""Something else has the name of a file of the store: a folder, a FIFO, a symbolic link."""

from __future__ import annotations

import os
import shutil
from typing import Callable, Dict, List

from answers import Answers, Author
from checker import unchanged, verify
from folder import entries, fingerprint
from kill_sweeps import Stage, many_meals, some_meals, stages_of
from lab import Lab, Violation, check
from service import Service

READS = {"", "storeUnavailable", "storeReadOnly", "storeInUse", "storeBusy"}


def _put_folder(place: str, aside: str) -> None:
    os.mkdir(place, 0o700)


def _put_fifo(place: str, aside: str) -> None:
    os.mkfifo(place, 0o600)


def _put_link(place: str, aside: str) -> None:
    os.symlink(aside, place)


def _put_dangling_link(place: str, aside: str) -> None:
    os.symlink(aside + "-nowhere", place)


STRANGERS: Dict[str, Callable[[str, str], None]] = {
    "folder": _put_folder, "FIFO": _put_fifo, "link": _put_link, "dangling link": _put_dangling_link,
}


def _is_same(place: str, status: os.stat_result) -> bool:
    if not os.path.lexists(place):
        return False
    present = os.lstat(place)
    return (present.st_ino, present.st_mode) == (status.st_ino, status.st_mode)


@check("strange-files", "folders, FIFOs and links instead of files, also while it runs: nothing followed or lost")
def strange_files(lab: Lab) -> str:
    stages = stages_of(lab, some_meals, many_meals)

    def point(label: str, stage: Stage, name: str, kind: str, runs: bool) -> None:
        folder, outside = lab.path("data"), lab.path("outside")
        shutil.copytree(stage.template, folder)
        os.mkdir(outside, 0o700)
        place, aside = os.path.join(folder, name), os.path.join(outside, "original")
        author = Author(Service(lab, folder), stage.answers.copied(), lab.random(label))
        if runs:
            author.service.result("days/get")
            author.add()
            author.settle()
        os.rename(place, aside)
        STRANGERS[kind](place, aside)
        status, before = os.lstat(place), fingerprint(outside)
        for turn in range(2):
            if turn > 0:
                author.service.kill()
                author.service, author.group = Service(lab, folder), author.group + 1
            for method in ("meals/list", "days/get"):
                if (refused := author.service.refusal(method)) not in READS:
                    raise Violation(f"{method} was refused with {refused}; {author.service.tail()}")
            author.add()
            author.add()
            author.settle()
            author.service.result("server/info")
            if turn > 0 or not runs:
                # A process that had the file open may keep writing to it, wherever it is now.
                unchanged(before, outside, "the target of a foreign link was changed")
            before = fingerprint(outside)
        author.service.end()
        if _is_same(place, status):
            (os.rmdir if kind == "folder" else os.unlink)(place)
            os.rename(aside, place)
        verify(lab, folder, [author.answers], label, may_be_damaged=True)
        shutil.rmtree(folder, ignore_errors=True)

    points = []
    for stage in stages:
        names = [name for name in entries(stage.template) if name]
        # One month stands for all.
        months = [name for name in names if name.startswith("segments/") and name.endswith(".jsonl")]
        for name in names:
            if name not in months[1:]:
                for kind in STRANGERS:
                    if kind == "folder" and os.path.isdir(f"{stage.template}/{name}"):
                        # An empty folder instead of a full one is a loss, not a foreign entry.
                        continue
                    for runs in (True, False):
                        label = f"{stage.scene.name}: {kind} as {name}, {'running' if runs else 'before'}"
                        points.append((label, stage, name, kind, runs))
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return ""


@check("strange-folders", "a file, a FIFO or a link instead of the data folder: typed refusals, untouched")
def strange_folders(lab: Lab) -> str:
    stage, = stages_of(lab, some_meals)

    def point(kind: str) -> None:
        place, aside = lab.path("data"), lab.path("aside")
        shutil.copytree(stage.template, aside)
        if kind == "file":
            with open(place, "w") as file:
                file.write("text")
        elif kind == "empty file":
            open(place, "w").close()
        else:
            STRANGERS[kind](place, aside)
        before = fingerprint(aside), fingerprint(place)
        service = Service(lab, place)
        author = Author(service, Answers(1), lab.random(kind))
        for _ in range(2):
            op = author.add()
            author.settle()
            names: List[str] = [op.outcome or "", service.refusal("meals/list"), service.refusal("days/get")]
            if names != ["storeUnavailable"] * 3:
                raise Violation(f"answered with {names}; {service.tail()}")
        service.end()
        unchanged(before[0], aside, "its target was changed")
        unchanged(before[1], place, "it was changed")

    lab.sweep((kind, lambda kind=kind: point(kind)) for kind in ("file", "empty file", "FIFO", "link", "dangling link"))
    return ""
