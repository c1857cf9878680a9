"""Clocks that go back a year, stand still or are far ahead: order comes from revisions, and nothing breaks."""

from __future__ import annotations

from typing import List

from answers import Answers, Author
from checker import verify
from kill_sweeps import LONG
from lab import Lab, Violation, check
from service import Service

INSTANTS = ["2026-01-05T12:00:00Z", "2025-01-05T12:00:00Z", "2026-01-05T12:00:00Z", "2199-12-31T23:59:59Z",
            "2024-02-29T00:00:00Z", "1970-01-01T00:00:00Z", "2026-01-05T12:00:01Z"]


@check("clocks", "the clock goes back a year, stands still, is 170 years ahead, between runs with checkpoints")
def clocks(lab: Lab) -> str:
    def point(label: str, instants: List[str], note: int) -> None:
        folder = lab.path("data")
        answers = Answers(1)
        revision, updated = 0, {}
        for turn, instant in enumerate(instants):
            service = Service(lab, folder, ["--clock", instant])
            author = Author(service, answers, lab.random(f"{label}/{turn}"))
            author.group = turn + 1
            for _ in range(8):
                author.anything(note)
                if refused := author.settle():
                    raise Violation(f"at {instant} a write was refused with {refused[0]}; {service.tail()}")
            revisions = [op.revision for op in answers.ops if op.group == author.group]
            if revisions != sorted(set(revisions)) or revisions[0] <= revision:
                raise Violation(f"at {instant} the revisions are {revisions}, after {revision}")
            revision = revisions[-1]
            for meal in service.result("meals/list", limit=1000)["meals"]:
                if meal["updatedAt"] < max(meal["createdAt"], updated.get(meal["id"], "")):
                    raise Violation(f"at {instant} a meal was updated before it was: {meal}")
                updated[meal["id"]] = meal["updatedAt"]
            service.end()
        # The last reader's clock differs again.
        verify(lab, folder, [answers], label, arguments=["--clock", INSTANTS[0]])

    chance = lab.random("order")
    points = [(f"order {number}, notes of {note}", chance.sample(INSTANTS, len(INSTANTS)) if number else INSTANTS, note)
              for number in range(3) for note in (20, LONG)]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return ""
