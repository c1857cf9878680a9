"""The offline checker: opens a folder with fresh processes and compares what it finds with the answers logs."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterable, List, Sequence

from answers import DONE, Answers, Author, Content, content, describe
from folder import Fingerprint, differences, fingerprint, has_begun_checkpoint, wrong_modes
from lab import Lab, Violation
from service import Service, refusal

LOSS = "may be lost"


@dataclasses.dataclass
class Reading:
    """Everything a process reports about a folder."""

    meals: Dict[str, Content]
    # The latest change of each record, unless the store no longer knows them all.
    changes: Dict[str, Dict[str, Any]]
    revision: int
    errors: str


def read_with(service: Service) -> Reading:
    """Asks a running process for everything, and compares its answers with each other."""
    meals: Dict[str, Content] = {}
    page = service.result("meals/list", limit=400)
    revision, previous = page["revision"], None
    while True:
        for meal in page["meals"]:
            if meal["id"] in meals:
                raise Violation(f"meal {meal['id']} is listed twice")
            meals[meal["id"]] = content(meal)
            place = (meal["day"], meal["createdAt"], meal["id"])
            if previous is not None and place > previous:
                raise Violation(f"meals are listed out of order: {previous}, then {place}")
            previous = place
        if "nextCursor" not in page:
            break
        page = service.result("meals/list", limit=400, cursor=page["nextCursor"])
    changes = _changes(service, meals)
    days = sorted({meal[0] for meal in meals.values()})
    asked = [service.post("days/get", day=day) for day in days]
    for day, request in zip(days, asked):
        today = (service.answer(request) or {}).get("result")
        if today is None:
            raise Violation(f"days/get is not answered; {service.tail()}")
        expected = [meal[2] for meal in meals.values() if meal[0] == day]
        if (today["mealCount"], today["caloriesConsumed"]) != (len(expected), sum(expected)):
            raise Violation(f"days/get and meals/list do not agree on {day}: {today}, {expected}")
    return Reading(meals, changes, revision, "")


def _changes(service: Service, meals: Dict[str, Content]) -> Dict[str, Dict[str, Any]]:
    changes: Dict[str, Dict[str, Any]] = {}
    revision, more = 0, True
    while more:
        message = service.call("changes/since", revision=revision, limit=1000)
        if refusal(message) == "revisionTooOld":
            return {}
        if "error" in message:
            raise Violation(f"changes/since was refused: {message['error']}")
        page = message["result"]
        last = revision
        for change in page["changes"]:
            if change["id"] in changes or change["revision"] < last:
                raise Violation(f"changes/since lists a record twice or out of order: {change}")
            last = change["revision"]
            if change["domain"] == "meals":
                changes[change["id"]] = change
        revision, more = page["revision"], page["hasMore"]
    for id, change in changes.items():
        if (change["kind"] == "deleted") == (id in meals):
            raise Violation(f"changes/since and meals/list do not agree on {id}: {change}")
    if missing := meals.keys() - changes.keys():
        raise Violation(f"changes/since lacks {sorted(missing)[:3]}")
    return changes


def read_folder(lab: Lab, folder: str, arguments: Sequence[str] = (), wrapper: Sequence[str] = ()) -> Reading:
    """Reads a folder with a fresh process, which must end properly and change nothing."""
    before = fingerprint(folder)
    service = Service(lab, folder, arguments, wrapper)
    reading = read_with(service)
    service.end()
    reading.errors = service.errors()
    after = fingerprint(folder)
    if changed := differences(before, after, not has_begun_checkpoint(before, after, folder)):
        raise Violation("reading changed the folder: " + "; ".join(changed[:3]))
    return reading


def verify(
    lab: Lab, folder: str, logs: Iterable[Answers], label: str = "", *, foreign: Sequence[str] = (), modes: bool = True,
    may_be_damaged: bool = False, writes: bool = True, arguments: Sequence[str] = (), wrapper: Sequence[str] = (),
) -> Reading:
    """Reads twice, writes once and reads again; everything must match the logs. Without `modes`, modes were tampered
    with and are checked only after the write."""
    try:
        return _verify(lab, folder, list(logs), foreign, modes, may_be_damaged, writes, arguments, wrapper)
    except Violation as violation:
        raise Violation(f"{violation}{lab.keep(folder, label)}") from None


def _verify(
    lab: Lab, folder: str, logs: List[Answers], foreign: Sequence[str], modes: bool, may_be_damaged: bool, writes: bool,
    arguments: Sequence[str], wrapper: Sequence[str],
) -> Reading:
    if modes:
        _require_modes(folder, foreign)
    first = read_folder(lab, folder, arguments, wrapper)
    _require(logs, first, may_be_damaged)
    second = read_folder(lab, folder, arguments, wrapper)
    if (first.meals, first.changes, first.revision) != (second.meals, second.changes, second.revision):
        raise Violation(f"a second reading differs: {_unlike(first, second)}")
    if not writes:
        return second
    service = Service(lab, folder, arguments, wrapper)
    after = Author(service, Answers(0xFFFF), lab.random("afterwards"))
    op = after.add()
    if after.settle():
        raise Violation(f"a write afterwards was refused: {op.outcome}; {service.tail()}")
    if op.revision <= first.revision:
        raise Violation(f"a write afterwards got revision {op.revision}, not above {first.revision}")
    # Deleted again, so that the folder can be checked once more.
    after.delete(op.id)
    if after.settle():
        raise Violation(f"a deletion afterwards was refused; {service.tail()}")
    service.end()
    _require_modes(folder, foreign)
    third = read_folder(lab, folder, arguments, wrapper)
    _require([*logs, after.answers], third, may_be_damaged)
    if third.meals != first.meals:
        raise Violation(f"a write afterwards changed what was there: {_unlike(first, third)}")
    return third


def _require_modes(folder: str, foreign: Sequence[str]) -> None:
    if wrong := wrong_modes(folder, foreign):
        raise Violation("; ".join(wrong[:3]))


def _require(logs: List[Answers], reading: Reading, may_be_damaged: bool) -> None:
    problems = judge(logs, reading, has_order=not may_be_damaged)
    if LOSS in reading.errors and not may_be_damaged:
        problems.append(f"it reports that changes may be lost: {reading.errors.splitlines()[:3]}")
    if problems:
        raise Violation("; ".join(problems[:3]) + (f"; and {len(problems) - 3} more" if len(problems) > 3 else ""))


def judge(logs: Iterable[Answers], reading: Reading, has_order: bool = True) -> List[str]:
    """What in a reading contradicts the answers. Without `has_order`, revisions may have been given twice, as by a
    process that could not read the existing ones."""
    problems: List[str] = []
    known = set()
    revisions: Dict[int, str] = {}
    for log in logs:
        problems += log.problems(reading.meals)
        known |= {op.id for op in log.ops}
        for op in [op for op in log.acknowledged if has_order and op.revision > 0]:
            if op.revision in revisions and revisions[op.revision] != op.id:
                problems.append(f"revision {op.revision} was given to {revisions[op.revision]} and to {op.id}")
            revisions[op.revision] = op.id
            if op.revision > reading.revision:
                problems.append(f"revision {op.revision} was acknowledged, and the store is at {reading.revision}")
        last = {op.id: op for op in log.ops}
        for id, op in last.items():
            change = reading.changes.get(id)
            if has_order and op.outcome == DONE and change is not None and change["revision"] < op.revision:
                problems.append(f"{id} was changed at {op.revision}, and its latest change is said to be {change}")
    problems += [f"a meal never sent: {id}, {describe(reading.meals[id])}" for id in reading.meals.keys() - known]
    return problems


def _unlike(one: Reading, other: Reading) -> str:
    ids = [id for id in one.meals.keys() | other.meals.keys() if one.meals.get(id) != other.meals.get(id)]
    if not ids:
        return f"revision {one.revision} or {other.revision}, {len(one.changes)} or {len(other.changes)} changes"
    return f"{ids[0]}: {describe(one.meals.get(ids[0]))}, then {describe(other.meals.get(ids[0]))}; {len(ids)} in all"


def unchanged(before: Fingerprint, folder: str, what: str) -> None:
    """The folder must be unchanged."""
    if changed := differences(before, fingerprint(folder)):
        raise Violation(f"{what}: " + "; ".join(changed[:3]))
