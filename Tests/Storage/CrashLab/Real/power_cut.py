"""Power cuts on real file systems, and a disk whose sync fails once and then reports success."""

from __future__ import annotations

import os
import subprocess
import time
from typing import List

from answers import DONE, Answers, Author
from checker import read_with, verify
from lab import Lab, Skipped, Violation, check, program, until
from mounts import DROP_LOG, FLUSH_LOG, KINDS, Image, fill, require, require_loop_devices, tmpfs
from service import Service
from tracing import Tracer

TYPED = {"storeReadOnly", "storeUnavailable", "diskFull"}


def _write_until_cut(lab: Lab, image: Image, folder: str, logs: List[Answers], label: str, how: int,
                     copies: List[bool]) -> int:
    """Writes, some of them on their way when the power goes; returns how many were answered."""
    chance = lab.random(label)
    service = Service(lab, folder)
    log = Answers(len(logs) + 1)
    logs.append(log)
    author = Author(service, log, chance)
    # Writes that wait for each other are made durable by their copies.
    each = chance.random() < 0.5
    # Sometimes before the store exists, sometimes in the middle of a checkpoint.
    for _ in range(chance.choice((0, 1, 10, 40, 70))):
        author.anything(chance.choice((20, 500, 9000)))
        if each or chance.random() < 0.3:
            author.settle()
    author.settle()
    burst = [author.add(chance.choice((20, 300, 4000))) for _ in range(chance.choice((1, 20, 60)))]
    awaited = chance.randrange(len(burst) + 1)
    if awaited < len(burst):
        until("an answer", lambda: service.has_answered(burst[awaited].request) or service.process.poll() is not None)
    elif chance.random() < 0.5:
        time.sleep(chance.random() * 0.02)
    # The kernel's call is no perfect power cut: a sync that runs at that very moment may succeed and still be lost.
    certain = service.answered()
    copies.append(os.path.exists(os.path.join(folder, "ahead.jsonl")))
    image.cut_power(how)
    for name in author.settle():
        require(name in TYPED, f"after the cut a write was refused with {name}; {service.tail()}")
    service.result("server/info")
    late = author.add()
    author.settle()
    require(late.outcome in TYPED, f"a write after the cut was answered with {late.outcome}; {service.tail()}")
    service.kill()
    log.doubt(author.group, certain)
    return len(log.acknowledged)


def _cut(lab: Lab, kind: str) -> str:
    require_loop_devices()
    program(KINDS[kind][0])
    image = Image(lab, kind, str(lab.scratch))
    image.format()
    image.mount()
    image.unmount()
    answered: List[int] = []
    copies: List[bool] = []

    def rounds(number: int) -> None:
        """One folder with repeated power cuts: with the log dropped, with it flushed, and so on."""
        folder = os.path.join(image.place, f"data-{number}")
        logs: List[Answers] = []
        for turn in range(3):
            image.mount()
            answered.append(_write_until_cut(
                lab, image, folder, logs, f"{number}/{turn}", (DROP_LOG, FLUSH_LOG)[(number + turn) % 2], copies))
            image.unmount()
            image.mount()
            verify(lab, folder, logs, f"{number}-{turn}")
            image.unmount()

    for number in range(lab.options.rounds):
        lab.point(f"folder {number}", lambda number=number: rounds(number))
        image.unmount()
    return f"{len(answered)} cuts after {sum(answered)} answered writes, {sum(copies)} of them with copies"


@check("power-ext4", "power cuts on ext4 (shutdown call, log dropped or flushed) while it writes")
def power_ext4(lab: Lab) -> str:
    return _cut(lab, "ext4")


@check("power-xfs", "power cuts on XFS (shutdown call, log dropped or flushed) while it writes")
def power_xfs(lab: Lab) -> str:
    return _cut(lab, "xfs")


@check("failing-sync", "a disk whose backing store is full: fdatasync fails once, then succeeds, and bytes are lost")
def failing_sync(lab: Lab) -> str:
    require_loop_devices()
    program("mkfs.ext4")
    outcomes: List[str] = []
    syncs: List[int] = []

    def point(label: str, note: int, batch: int) -> None:
        with tmpfs(lab, "40m") as store:
            image = Image(lab, "ext4", store, 24 << 20)
            image.format("-b", "4096")
            # All blocks are allocated, the log's too, except those that are free now: these will fail.
            with open(image.path, "r+b") as file:
                os.posix_fallocate(file.fileno(), 0, 24 << 20)
            image.mount()
            # The loop driver takes a partly written request as complete; one-page requests cannot be partial.
            image.limit_requests()
            folder = os.path.join(image.place, "data")
            service = Service(lab, folder)
            author = Author(service, Answers(1), lab.random(label))
            for _ in range(12):
                author.add(note)
            require(not author.settle(), "a write was refused")
            _punch(image.place)
            fill(os.path.join(store, "filler"))
            tracer = Tracer(lab, service, calls=["fdatasync"])
            refused: List[str] = []
            for _ in range(60):
                for _ in range(batch):
                    author.add(note)
                refused += author.settle()
                if len(refused) >= 10:
                    break
            outcomes.extend(refused)
            if wrong := [name for name in refused if name not in TYPED]:
                raise Violation(f"a write was refused with {wrong[0]}; {service.tail()}")
            failed = sum("= -1" in line for line in tracer.lines())
            require(failed > 0, "no sync failed: the disk is not full")
            syncs.append(failed)
            reading = read_with(service)
            if problems := author.answers.problems(reading.meals):
                raise Violation(f"reads work, but return wrong data: {problems[0]}")
            service.kill()
            tracer.wait()
            # The page cache proves nothing: only what a new mount finds counts.
            image.unmount()
            os.unlink(os.path.join(store, "filler"))
            image.mount()
            verify(lab, folder, [author.answers], label)
            second = Service(lab, folder)
            author.service, author.group = second, 2
            require(author.do(author.add()) == DONE, f"a write to the repaired disk was refused; {second.tail()}")
            second.end()
            verify(lab, folder, [author.answers], label)
            image.unmount()

    for label, note, batch in [("notes", 3000, 1), ("long notes", 9000, 1), ("long notes at once", 9000, 8)]:
        lab.point(label, lambda label=label, note=note, batch=batch: point(label, note, batch))
    return f"{sum(syncs)} syncs failed, {len(outcomes)} writes refused"


def _punch(place: str) -> None:
    """Returns the free blocks to the store below."""
    done = subprocess.run([program("fstrim"), place], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"fstrim is refused here: {done.stderr.strip()}")
