"""The answers log of a process: what was sent, what was acknowledged, and which states of the store that allows."""

from __future__ import annotations

import copy
import dataclasses
import random
from typing import Any, Dict, List, Optional, Set, Tuple

from lab import Violation
from service import REFUSALS, Service, refusal

# Day, name, calories, note; None when there is no such meal.
Content = Optional[Tuple[str, str, int, str]]
DONE = "done"
# Refusals which promise that nothing was changed.
UNCHANGED = {"diskFull", "notFound", "storeInUse", "storeBusy", "requestCancelled"}


@dataclasses.dataclass
class Op:
    """One write request."""

    kind: str
    id: str
    content: Content
    # The number of the process it was sent to; the order of sending holds within one process.
    group: int
    request: int
    outcome: Optional[str] = None
    revision: int = 0
    # The client's transaction id, with which it may be retried.
    transaction: Optional[str] = None


class Answers:
    """Everything that one author sent, to one process after another."""

    def __init__(self, author: int) -> None:
        self.author = author
        self.ops: List[Op] = []

    def copied(self) -> "Answers":
        """A copy of the log that continues independently."""
        return copy.deepcopy(self)

    @property
    def acknowledged(self) -> List[Op]:
        """The acknowledged writes."""
        return [op for op in self.ops if op.outcome == DONE]

    def doubt(self, group: int, certain: Set[int]) -> None:
        """Treats a process's other answers as not given, because they may have come too late."""
        for op in self.ops:
            if op.group == group and op.outcome == DONE and op.request not in certain:
                op.outcome, op.revision = None, 0

    def problems(self, seen: Dict[str, Content]) -> List[str]:
        """What in the store contradicts the answers. Of the unanswered writes, a prefix may be stored."""
        pending: Dict[int, int] = {}
        by_id: Dict[str, List[Tuple[Op, int]]] = {}
        for op in self.ops:
            if op.outcome is None:
                pending[op.group] = pending.get(op.group, 0) + 1
            by_id.setdefault(op.id, []).append((op, pending.get(op.group, 0)))
        problems: List[str] = []
        votes: Dict[int, List[Tuple[str, List[Tuple[int, int]]]]] = {}
        for id, ops in by_id.items():
            group, ranges = _admissible(ops, seen.get(id), pending)
            if not ranges:
                problems.append(f"{describe(seen.get(id))} contradicts {history(ops)}")
            elif group is not None:
                votes.setdefault(group, []).append((id, ranges))
        for group, cast in votes.items():
            counts = [sum(any(low <= cut <= high for low, high in ranges) for _, ranges in cast)
                      for cut in range(pending[group] + 1)]
            if max(counts) < len(cast):
                problems.append(f"of {pending[group]} unanswered writes, later ones are stored, earlier ones are not")
        return problems


def _admissible(
    ops: List[Tuple[Op, int]], seen: Content, pending: Dict[int, int]
) -> Tuple[Optional[int], List[Tuple[int, int]]]:
    """How many of a process's unanswered writes may be stored, as ranges, judged by one record's state."""
    groups = {op.group for op, _ in ops if op.outcome is None}
    ranges: List[Tuple[int, int, Set[Content]]] = []
    current: Set[Content] = {None}
    low = 0
    for op, number in ops:
        if op.outcome == DONE:
            ranges, current, low = [], {op.content}, 0
        elif op.outcome is None:
            ranges.append((low, number - 1, current))
            # Without a record there is nothing to update.
            current = {op.content} | ({None} if op.kind == "update" and None in current else set())
            low = number
        elif op.outcome not in UNCHANGED:
            # Refused after it may have reached the disk: complete or absent.
            current = current | {op.content}
    if len(groups) == 1:
        group = groups.pop()
        ranges.append((low, pending[group], current))
        return group, [(low, high) for low, high, states in ranges if seen in states]
    return None, [(0, 0)] if any(seen in states for states in (current, *(states for _, _, states in ranges))) else []


def describe(content: Content) -> str:
    """A short description of a meal."""
    if content is None:
        return "no meal"
    return f"“{content[1]}” of {content[0]} with {content[2]} kcal and a note of {len(content[3])}"


def history(ops: List[Tuple[Op, int]]) -> str:
    """A short history of one meal."""
    return f"{ops[0][0].id}: " + ", ".join(
        f"{op.kind} of {describe(op.content)}: {op.outcome or 'unanswered'} at {op.revision}" for op, _ in ops)


class Author:
    """Sends writes to a service and keeps the log."""

    def __init__(self, service: Service, answers: Answers, chance: random.Random) -> None:
        self.service = service
        self.answers = answers
        self.chance = chance
        self.group = len({op.group for op in answers.ops}) + 1
        self._open: List[Op] = []

    def add(self, note: int = 20, transaction: Optional[str] = None) -> Op:
        """Adds a meal with a note of that many characters."""
        number = sum(op.kind == "add" for op in self.answers.ops)
        id = f"{self.answers.author:08x}-0000-4000-8000-{number:012d}"
        content = self._content(f"Meal {number} 🍲", note)
        return self._send("meals/add", "add", id, content, transaction)

    def again(self, op: Op) -> Op:
        """Sends the same meal again, as after a lost answer."""
        return self._send("meals/add", "add", op.id, op.content, op.transaction)

    def update(self, id: str, note: int = 20) -> Op:
        """Gives a meal other content."""
        return self._send("meals/update", "update", id, self._content(f"Meal {len(self.answers.ops)} “new”", note))

    def delete(self, id: str) -> Op:
        """Deletes a meal."""
        return self._send("meals/delete", "delete", id, None)

    def living(self) -> List[str]:
        """The meals that certainly exist."""
        last: Dict[str, Op] = {op.id: op for op in self.answers.ops}
        return [id for id, op in last.items() if op.outcome == DONE and op.content is not None]

    def anything(self, note: int = 20) -> Op:
        """Mostly adds a meal, otherwise updates or deletes one."""
        living = self.living() if self.chance.random() < 0.3 else []
        if not living:
            return self.add(note)
        id = self.chance.choice(living)
        return self.update(id, note) if self.chance.random() < 0.6 else self.delete(id)

    def _content(self, name: str, note: int) -> Content:
        day = f"2026-{self.chance.randint(1, 4):02d}-{self.chance.choice((5, 28)):02d}"
        text = "".join(self.chance.choices("nopqrst é\\\"", k=7)) + "n" * note
        return (day, name, self.chance.randint(0, 20000), text)

    def _send(self, method: str, kind: str, id: str, content: Content, transaction: Optional[str] = None) -> Op:
        params: Dict[str, Any] = {"id": id}
        if transaction is not None:
            params["_meta"] = {"transaction": transaction}
        if content is not None:
            params.update(day=content[0], name=content[1], calories=content[2], note=content[3])
        op = Op(kind, id, content, self.group, 0, transaction=transaction)
        self.answers.ops.append(op)
        self._open.append(op)
        op.request = self.service.post(method, **params)
        return op

    def settle(self, also: Set[str] = frozenset()) -> List[str]:
        """Waits for the answers to everything sent, and returns the refusals among them."""
        refused = []
        while self._open:
            op = self._open[0]
            self._take(op, self.service.answer(op.request), also)
            self._open.pop(0)
            if op.outcome not in (None, DONE):
                refused.append(op.outcome)
        return refused

    def do(self, op: Op) -> str:
        """Waits for the answers up to this write and returns its outcome."""
        self.settle()
        return op.outcome or ""

    def _take(self, op: Op, message: Optional[Dict[str, Any]], also: Set[str]) -> None:
        if message is None:
            return
        name = refusal(message)
        if name:
            if name not in REFUSALS | also:
                raise Violation(f"{op.kind} was answered with {message['error']}; {self.service.tail()}")
            op.outcome = name
            return
        result = message["result"]
        op.outcome = DONE
        # An existing meal is answered with the store's revision, which another author made.
        op.revision = 0 if result.get("created") is False else result["revision"]
        if op.content is not None and content(result["meal"]) != op.content:
            raise Violation(f"{op.kind} of {describe(op.content)} was answered with {result['meal']}")


def content(meal: Dict[str, Any]) -> Content:
    """The part of a meal that the author chose."""
    return (meal["day"], meal["name"], meal["calories"], meal.get("note", ""))
