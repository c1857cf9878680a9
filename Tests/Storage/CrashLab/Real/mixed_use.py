"""A day of mixed use, compressed: a long-lived process must not need more memory or descriptors at its end."""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import pathlib
from typing import Any, List, NamedTuple

from lab import Lab, Violation, check, until
from service import Service

PARTS = 10
# Requests in flight at once.
BATCH = 64
MEALS = 200
# Memory that varies with checkpoints, in bytes.
ROOM = 6 << 20
# The maximum number of changes that a process keeps for the changes feed, and the bytes of each.
KEPT, KEPT_BYTES = 131_072, 100


class Needs(NamedTuple):
    """A process's use of system resources; of descriptors, those that do not depend on the latest writes."""
    resident: int
    anonymous: int
    descriptors: int
    threads: int

    def __str__(self) -> str:
        return (f"{self.resident / 2**20:.1f} MB resident, {self.anonymous / 2**20:.1f} MB of it anonymous, "
                f"{self.descriptors} descriptors, {self.threads} threads")


def _needs(pid: int) -> Needs:
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    status = {name: value.split() for name, value in (line.split(":", 1) for line in lines if ":" in line)}
    return Needs(int(status["VmRSS"][0]) * 1024, int(status["RssAnon"][0]) * 1024,
                 len(_links(pid)), int(status["Threads"][0]))


def _links(pid: int) -> List[str]:
    """The open files, unordered. Files closed meanwhile are left out, as is `ahead.jsonl`: it is open once, or not at
    all after another process's write."""
    links = []
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            links.append(os.readlink(f"/proc/{pid}/fd/{name}"))
    copies = [link for link in links if link.endswith("/ahead.jsonl")]
    if len(copies) > 1:
        raise Violation(f"ahead.jsonl is open {len(copies)} times: {links}")
    return [link for link in links if link not in copies]


class Day:
    """The long-lived process, and everything done with it."""

    def __init__(self, lab: Lab) -> None:
        self.lab, self.folder, self.export = lab, lab.path("data"), lab.path("export.jsonl")
        self.service = Service(lab, self.folder)
        self.meals = [self.service.result("meals/add", name=f"Meal {number}", calories=number, day=self._day(number))
                      ["meal"]["id"] for number in range(MEALS)]
        self.service.result("data/export", path=self.export)
        self.requests = 0

    @staticmethod
    def _day(number: int) -> str:
        return f"20{10 + number % 16:02}-{1 + number % 12:02}-{1 + number % 28:02}"

    def send(self) -> int:
        """Sends the next request of the mix: mostly reads, every fourth changes a meal, and a few are refused."""
        number, self.requests = self.requests, self.requests + 1
        meal, day = self.meals[number % MEALS], self._day(number)
        kinds = [
            lambda: self.service.post("session/get"), lambda: self.service.post("days/get", day=day),
            lambda: self.service.post("meals/list", day=day),
            lambda: self.service.post("meals/update", id=meal, calories=number % 2000),
            lambda: self.service.post("streaks/get"), lambda: self.service.post("meals/get", id=meal),
            lambda: self.service.post("foods/search", query="meal"),
            lambda: self.service.post("meals/update", id=meal, note=f"as it was {number}"),
            lambda: self.service.post("changes/since", revision=max(1, number // 4 - 10), limit=10),
            lambda: self.service.post("meals/add", name=""), lambda: self.service.post("changes/undo"),
            lambda: self.service.post("store/health"),
        ]
        return kinds[number % len(kinds)]()

    def work(self, requests: int) -> None:
        """Sends that many requests, many at once, each answered."""
        for start in range(0, requests, BATCH):
            with self.service.together():
                sent = [self.send() for _ in range(min(BATCH, requests - start))]
            for number in sent:
                if self.service.answer(number) is None:
                    raise Violation(f"ended without an answer; {self.service.tail()}")
            self.service.forget()

    def connect(self, number: int) -> None:
        """Another process on the folder starts, reads, changes something and ends."""
        other = Service(self.lab, self.folder)
        other.result("days/get", day=self._day(number))
        if number % 4 == 0:
            other.call("meals/update", id=self.meals[number % MEALS], calories=number % 500)
        other.end()

    def imports(self, number: int) -> None:
        """Imports the export again."""
        self.service.result("data/import", path=self.export, mode="merge")


@check("mixed-use", "a day of mixed use: memory and descriptors of a long-lived process do not grow")
def mixed_use(lab: Lab) -> str:
    day, options = Day(lab), lab.options
    needs: List[Needs] = []
    changes: List[int] = []
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    for part in range(PARTS):
        others = [pool.submit(day.connect, number) for number in range(part, options.connections, PARTS)]
        for number in range(part, options.imports, PARTS):
            day.imports(number)
        day.work(options.requests // PARTS)
        for other in others:
            other.result()
        until("the end of background work", lambda: _needs(day.service.pid).threads <= _most_threads(needs)
              and not any(link.endswith("/checkpoint.lock") for link in _links(day.service.pid)))
        needs.append(_needs(day.service.pid))
        changes.append(day.service.result("session/get")["revision"])
        lab.count(options.requests // PARTS)
    pool.shutdown()
    second, last = needs[1], needs[-1]
    told = f"after a fifth {second}; at the end, with {changes[-1]} changes, {last}"
    if last.descriptors > second.descriptors:
        raise Violation(f"descriptors stay open: {told}: {_links(day.service.pid)}")
    before, after = max(need.anonymous for need in needs[1:4]), min(need.anonymous for need in needs[-3:])
    kept = max(0, min(changes[-1], KEPT) - changes[1]) * KEPT_BYTES
    if after > before + kept + ROOM:
        raise Violation(f"memory grows: {'; '.join(map(str, needs))}")
    day.service.end()
    return told


def _most_threads(needs: List[Needs]) -> Any:
    """The number of threads allowed when idle: as many as after the second part."""
    return needs[1].threads if len(needs) > 1 else float("inf")
