"""A checker that finds nothing proves nothing: here it gets false data and must notice every time."""

from __future__ import annotations

import os
import random
import re
import shutil
from typing import Callable, Dict, List

from answers import DONE, Answers, Author, Op
from checker import Reading, judge, read_folder, verify
from folder import files
from lab import Lab, Violation, check
from service import Service


def _forget(log: Answers, folder: str) -> None:
    del log.ops[3]


def _invent(log: Answers, folder: str) -> None:
    log.ops.append(Op("add", "00000001-0000-4000-8000-00000000abcd", ("2026-01-05", "x", 1, ""), 1, 0, DONE, 9))


def _alter(log: Answers, folder: str) -> None:
    day, name, calories, note = log.ops[2].content
    log.ops[2].content = (day, name, calories, note[:-1])


def _undelete(log: Answers, folder: str) -> None:
    del log.ops[-1]


def _raise_revision(log: Answers, folder: str) -> None:
    log.ops[-1].revision += 5


def _open_file(log: Answers, folder: str) -> None:
    os.chmod(os.path.join(folder, files(folder)[0]), 0o644)


def _link(log: Answers, folder: str) -> None:
    os.symlink("store.json", os.path.join(folder, "link"))


def _flip(log: Answers, folder: str) -> None:
    for name in files(folder):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            text = file.read()
        with open(path, "wb") as file:
            file.write(re.sub(rb'"name":"Meal 2', b'"name":"Meat 2', text))


def _truncate(log: Answers, folder: str) -> None:
    # Only the reserve's length matters.
    named = (name for name in files(folder) if name.startswith(("journal/", "segments/")))
    largest = max((os.path.join(folder, name) for name in named), key=os.path.getsize)
    os.truncate(largest, os.path.getsize(largest) * 2 // 3)


LIES: Dict[str, Callable[[Answers, str], None]] = {
    "a meal nobody sent": _forget, "a meal that is not there": _invent, "other content": _alter,
    "a deletion that was not sent": _undelete, "a revision that never was": _raise_revision, "an open file": _open_file,
    "a symbolic link": _link, "a flipped byte": _flip, "a truncated file": _truncate,
}


@check("checker", "the checker gets false data and must notice")
def checker(lab: Lab) -> str:
    folder = lab.path("data")
    service = Service(lab, folder)
    author = Author(service, Answers(1), lab.random("data"))
    ids = [author.add().id for _ in range(8)]
    author.update(ids[5])
    author.delete(ids[7])
    author.settle()
    service.end()
    verify(lab, folder, [author.answers], writes=False)
    reading = read_folder(lab, folder)

    def lie(name: str) -> None:
        copy, log = lab.path("copy"), author.answers.copied()
        shutil.copytree(folder, copy)
        LIES[name](log, copy)
        try:
            verify(lab, copy, [log], writes=False)
        except Violation:
            return
        raise Violation(f"the checker does not notice {name}")

    lab.sweep((name, lambda name=name: lie(name)) for name in LIES)
    lab.point("unanswered writes", lambda: _unanswered(author.answers, reading, lab.random("unanswered")))
    return ""


def _unanswered(answers: Answers, reading: Reading, chance: random.Random) -> None:
    """Only a prefix of the unanswered writes may be stored."""
    for number in range(len(answers.ops)):
        log = answers.copied()
        for op in log.ops[number:]:
            op.outcome, op.revision = None, 0
        for stored in range(number, len(log.ops) + 1):
            seen = _after(log.ops[:stored])
            if problems := judge([log], Reading(seen, {}, 99, "")):
                raise Violation(f"{stored} of {len(log.ops)} stored, {number} answered: {problems[0]}")
        left_out = log.ops[number]
        is_only = sum(op.id == left_out.id for op in log.ops) == 1
        if is_only and not judge([log], Reading(_after([op for op in log.ops if op is not left_out]), {}, 99, "")):
            raise Violation(f"a gap among the unanswered writes after {number} is not noticed")
        if number > 0 and not judge([log], Reading(_after(log.ops[:number - 1]), {}, 99, "")):
            raise Violation(f"the loss of write {number} is not noticed")
    if judge([answers], reading):
        raise Violation("correct data is rejected")


def _after(ops: List[Op]) -> Dict[str, object]:
    """The meals that exist after exactly these writes."""
    meals = {}
    for op in ops:
        meals.pop(op.id, None)
        if op.content is not None:
            meals[op.id] = op.content
    return meals
