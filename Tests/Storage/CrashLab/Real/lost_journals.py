"""Journals that vanish or shrink between two runs: the loss is reported, and no revision is given twice."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import Callable, Dict, List, Optional, Tuple

from answers import Answers, Author, Content
from checker import read_with
from command_line import daybook
from folder import files
from kill_sweeps import many_meals, some_meals
from lab import Lab, Violation, check
from service import Service
from tracing import Tracer, store_paths

# The last durable revision, stored beside the journal and overwritten in place.
LATEST = "latest.json"
COMFORT = re.compile(r"nothing (is|was) (gone|lost)|no change (is|was) lost", re.IGNORECASE)
# Claims about an incomplete line that are wrong unless the mark shows that it was never answered.
CERTAINTY = re.compile(r"nothing that was confirmed is missing|was never answered", re.IGNORECASE)
ORDER = re.compile(r"\bis in order\b")


def _journals(folder: str) -> List[str]:
    """The journals that no checkpoint has folded, the last one last."""
    first = 1
    manifest = os.path.join(folder, "manifest.json")
    if os.path.exists(manifest):
        with open(manifest, "rb") as file:
            first = json.load(file)["journal"]
    return [os.path.join(folder, name) for name in files(folder)
            if re.fullmatch(r"journal/\d{6}\.jsonl", name) and int(name[8:14]) >= first]


def _delete_live(folder: str) -> None:
    for path in _journals(folder):
        os.unlink(path)


def _delete_all(folder: str) -> None:
    shutil.rmtree(os.path.join(folder, "journal"))


def _empty_all(folder: str) -> None:
    _delete_all(folder)
    os.mkdir(os.path.join(folder, "journal"), 0o700)


def _delete_last(folder: str) -> None:
    os.unlink(_journals(folder)[-1])


def _cut(keep: Callable[[bytes], int]) -> Callable[[str], None]:
    def act(folder: str) -> None:
        path = _journals(folder)[-1]
        with open(path, "rb") as file:
            text = file.read()
        os.truncate(path, keep(text))

    return act


def _cut_lines(count: int) -> Callable[[str], None]:
    return _cut(lambda text: len(b"".join(text.splitlines(keepends=True)[:-count])))


# The damage, and whether it can be noticed without the mark of the last durable revision.
DAMAGES: Dict[str, Tuple[Callable[[str], None], bool]] = {
    "live journals deleted": (_delete_live, True), "journal folder deleted": (_delete_all, True),
    "all journals deleted": (_empty_all, True), **{f"{n} lines cut": (_cut_lines(n), False) for n in (1, 2, 3)},
    "all lines cut": (_cut(lambda text: 0), False), "newline cut": (_cut(lambda text: len(text) - 1), False),
    "line cut": (_cut(lambda text: len(text) - 90), False),
    "all but a byte cut": (_cut(lambda text: 1), False), "later journal deleted": (_delete_last, False),
}


def _spoil(text: bytes) -> Callable[[str], None]:
    def act(path: str) -> None:
        with open(path, "r+b") as file:
            file.write(text)

    return act


LATESTS: Dict[str, Optional[Callable[[str], None]]] = {
    "there": None, "deleted": os.unlink, "emptied": lambda path: os.truncate(path, 0),
    "cut": lambda path: os.truncate(path, os.path.getsize(path) // 2), "overwritten": _spoil(b"\0" * 12),
}


def _some(lab: Lab, folder: str) -> Answers:
    return _written(lab, folder, some_meals(lab, folder), False)


def _checkpointed(lab: Lab, folder: str) -> Answers:
    return _written(lab, folder, many_meals(lab, folder), False)


def _two_journals(lab: Lab, folder: str) -> Answers:
    return _written(lab, folder, some_meals(lab, folder), True)


PREPARED: Dict[str, Callable[[Lab, str], Answers]] = {
    "few": _some, "checkpoint": _checkpointed, "two journals": _two_journals}


def template(lab: Lab, prepare: Callable[[Lab, str], Answers]) -> Tuple[str, Answers]:
    """A starting folder, and what was acknowledged in it."""
    folder = lab.path("template")
    return folder, prepare(lab, folder)


def _written(lab: Lab, folder: str, answers: Answers, has_two: bool) -> Answers:
    """Adds some meals; in two journals if the sync of the first fails."""
    author = Author(Service(lab, folder), answers, lab.random("more"))
    author.service.result("meals/list", limit=1)
    tracer = Tracer(lab, author.service, ["fdatasync:error=EIO:when=1"] if has_two else [], store_paths(folder))
    for _ in range(5):
        author.add(60)
        if refused := author.settle():
            raise Violation(f"a write was refused: {refused[0]}; {author.service.tail()}")
    tracer.detach()
    author.service.end()
    if len(_journals(folder)) != 1 + has_two:
        raise Violation(f"the journals are {_journals(folder)}")
    return answers


def _left(service: Service, problems: List[str], when: str = "") -> Dict[str, Content]:
    """The remaining meals; the process must not contradict itself about them."""
    try:
        return read_with(service).meals
    except Violation as violation:
        problems.append(f"{when}{violation}")
        return {}


def _examine(lab: Lab, folder: str, answers: Answers, damage: Optional[str], latest: str) -> List[str]:
    """Opens the folder in every way; returns the problems."""
    is_known = LATESTS[latest] is None or damage is not None and DAMAGES[damage][1]
    problems: List[str] = []
    told = daybook(lab, "doctor", folder=folder)
    service = Service(lab, folder)
    left, sent = _left(service, problems), {op.id: op.content for op in answers.ops}
    if wrong := [id for id, meal in left.items() if sent.get(id) != meal]:
        problems.append(f"the remaining meals differ from what was acknowledged: {wrong[0]}")
    # A line that lacks only its newline may be taken as valid.
    is_lost = left.keys() != sent.keys()
    health = service.result("store/health")
    said = {"doctor": told.text, "store/health": json.dumps(health, ensure_ascii=False)}
    if is_lost and is_known:
        if told.status == 0 or ORDER.search(told.text):
            problems.append(f"doctor reports that everything is in order ({told})")
        if health["state"] == "fine":
            problems.append(f"store/health is fine, at revision {health['revision']}")
    elif damage is None and (health["lostRevisions"] or latest in ("there", "deleted")
                          and (health["state"] != "fine" or told.status != 0)):
        problems.append(f"nothing is lost, but store/health is {health['state']}, doctor reports: {told}")
    author = Author(service, Answers(7), lab.random("afterwards"))
    author.add()
    author.add()
    if refused := author.settle():
        problems.append(f"a write afterwards was refused: {refused[0]}")
    given = [op.revision for op in author.answers.acknowledged]
    most = max(op.revision for op in answers.acknowledged)
    if (is_known or not is_lost) and given and min(given) <= most:
        problems.append(f"revisions {given} were given, although {most} had been acknowledged")
    service.end()
    said["repair"] = daybook(lab, "doctor", "--repair", folder=folder).text
    said["standard error"] = service.errors()
    second = Service(lab, folder)
    again = Author(second, author.answers, lab.random("again"))
    op = again.add()
    if refused := again.settle():
        problems.append(f"a write after the repair was refused: {refused[0]}")
    elif given and op.revision <= max(given):
        problems.append(f"after a repair revision {op.revision} was given, after {given}")
    new = {id: meal for id, meal in _left(second, problems, "after the repair ").items() if id not in sent}
    problems += author.answers.problems(new)[:1]
    second.end()
    for pattern in [COMFORT] * is_lost + [CERTAINTY] * (is_lost and is_known):
        problems += [f"{who} says “{match.group()}”" for who, text in said.items() if (match := pattern.search(text))]
    return problems


@check("lost-journals", "journals deleted or cut between two runs: it is reported, no revision is given twice")
def lost_journals(lab: Lab) -> str:
    templates = {name: template(lab, prepare) for name, prepare in PREPARED.items()}

    def point(label: str, name: str, damage: Optional[str], latest: str) -> None:
        folder, answers = lab.path("data"), templates[name][1]
        shutil.copytree(templates[name][0], folder)
        if (spoil := LATESTS[latest]) is not None:
            spoil(os.path.join(folder, LATEST))
        if damage is not None:
            DAMAGES[damage][0](folder)
        if problems := _examine(lab, folder, answers, damage, latest):
            raise Violation("; ".join(problems[:4]) + lab.keep(folder, label))
        shutil.rmtree(folder, ignore_errors=True)

    points = []
    for name, (folder, _) in templates.items():
        has_latest = os.path.exists(os.path.join(folder, LATEST))
        for latest in LATESTS if has_latest else ["there"]:
            # Without damage nothing is lost, even without that file.
            points += [(f"{name}, {damage or 'intact'}, {LATEST} {latest}", name, damage, latest)
                       for damage in (None, *DAMAGES) if damage != "later journal deleted" or name == "two journals"]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return ""
