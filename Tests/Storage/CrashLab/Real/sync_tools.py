"""What sync tools, desktops and backup programs leave behind: ignored or reported, never a crash, never touched."""

from __future__ import annotations

import os
import shutil
from typing import Dict, List

from answers import Author
from checker import verify
from folder import entries, files, quiet
from kill_sweeps import LONG, Stage, many_meals, some_meals, stages_of
from lab import Lab, Violation, check
from service import Service

NAMES = ["desktop.ini", ".DS_Store", "Thumbs.db", "Icon\r", ".stfolder/x", ".stversions/000001~20260105-120000.jsonl",
         ".dropbox.cache/a", "000001 (conflicted copy).jsonl", "000001 (Ann's conflicted copy 2026-01-05).jsonl",
         "000001.sync-conflict-20260105-120000-ABCDEFG.jsonl", "000001.jsonl.tmp", "~000001.jsonl",
         ".000001.jsonl.icloud", "000001.jsonl.part", "1.jsonl", "0000001.jsonl", "000000.jsonl", "-00001.jsonl",
         "000009.JSONL", "manifest (1).json", "manifest-x.json", "manifest-.json", "lock (1)", ".nfs0000000001",
         "store.json.sync-conflict-20260105-120000-ABCDEFG",
         "2026-01.1 (conflicted copy).jsonl", "2026-01.x.jsonl", "2026-13.1.jsonl", "all.jsonl", "n" * 255, "ü\u0308 🍲",
         "made up/deep/folder/file.jsonl"]
PAD = b"\xff\xfe name that is no text"


def _contents(folder: str) -> Dict[str, bytes]:
    """The contents of the dropped files: nothing, half of an existing file, all of it, noise."""
    largest = max((os.path.join(folder, name) for name in files(folder)), key=os.path.getsize)
    with open(largest, "rb") as file:
        text = file.read()
    return {"empty": b"", "partial copies": text[:len(text) // 2], "copies": text, "zeros": bytes(5000),
            "noise": b"\xff\x00{}\n" * 99}


def _drop(folder: str, content: bytes) -> List[str]:
    dropped: List[str] = []
    for place in [name for name in entries(folder) if os.path.isdir(os.path.join(folder, name))]:
        for name in NAMES:
            path = os.path.join(folder, place, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "xb") as file:
                file.write(content)
            dropped.append(os.path.join(place, name.split("/")[0]))
        with open(os.path.join(os.fsencode(folder), os.fsencode(place), PAD), "xb") as file:
            file.write(content)
        dropped.append(os.path.join(place, os.fsdecode(PAD)))
    return dropped


@check("sync-tools", "conflict copies, partial copies, placeholders and desktop files in every folder")
def sync_tools(lab: Lab) -> str:
    stages = stages_of(lab, some_meals, many_meals)

    def point(label: str, stage: Stage, kind: str, runs: bool) -> None:
        folder = lab.path("data")
        shutil.copytree(stage.template, folder)
        content = _contents(folder)[kind]
        author = Author(Service(lab, folder), stage.answers.copied(), lab.random(label))
        if runs:
            author.service.result("days/get")
            author.add()
            author.settle()
        foreign = _drop(folder, content)
        for turn in range(2):
            is_large = stage.scene.prepare is many_meals and turn == 0
            for _ in range(30 if is_large else 6):
                author.anything(LONG if is_large else 100)
            if refused := author.settle():
                raise Violation(f"a write was refused with {refused[0]}; {author.service.tail()}")
            quiet(folder, 0.3)
            author.service.end()
            author.service, author.group = Service(lab, folder), author.group + 1
        author.service.end()
        verify(lab, folder, [author.answers], label, foreign=foreign)
        for name in foreign:
            path = os.path.join(folder, name)
            if not os.path.lexists(path) or os.path.isfile(path) and open(path, "rb").read() != content:
                raise Violation(f"a file that is not the store's was touched: {name!r}")
        shutil.rmtree(folder, ignore_errors=True)

    kinds = ["empty", "partial copies", "copies", "zeros", "noise"]
    points = [(f"{stage.scene.name}: {kind}, {'running' if runs else 'before'}", stage, kind, runs)
              for stage in stages for kind in kinds for runs in (True, False)]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    lab.point("successor", lambda: _successor(lab, stages[0]))
    return f"{len(NAMES) + 1} names in every folder"


def _successor(lab: Lab, stage: Stage) -> None:
    """An empty file with the name of the next journal, as left by a crash or by a tool that copies names first."""
    folder = lab.path("data")
    shutil.copytree(stage.template, folder)
    last = max(int(name[:6]) for name in os.listdir(f"{folder}/journal") if name.endswith(".jsonl"))
    os.close(os.open(f"{folder}/journal/{last + 1:06d}.jsonl", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    author = Author(Service(lab, folder), stage.answers.copied(), lab.random("successor"))
    for _ in range(6):
        author.anything()
    if refused := author.settle():
        raise Violation(f"a write was refused with {refused[0]}; {author.service.tail()}")
    author.service.end()
    verify(lab, folder, [author.answers], "successor")
