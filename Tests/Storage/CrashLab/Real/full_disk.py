"""A disk of one MiB that runs full, gets free space again, and turns read-only."""

from __future__ import annotations

import os
from typing import List

from answers import DONE, Answers, Author
from checker import read_with, unchanged, verify
from folder import fingerprint, quiet
from kill_sweeps import LONG
from lab import Lab, Violation, check, program
from mounts import command, fill, require, tmpfs
from service import Service


def _require_reads(service: Service, author: Author) -> None:
    reading = read_with(service)
    if problems := author.answers.problems(reading.meals):
        raise Violation(f"reads work, but return wrong data: {problems[0]}")


def _fill_up(author: Author, note: int) -> None:
    """Adds meals until three in a row were refused for lack of space."""
    in_a_row = 0
    for _ in range(3000):
        author.add(note)
        names = author.settle()
        in_a_row = in_a_row + 1 if names else 0
        if wrong := [name for name in names if name != "diskFull"]:
            raise Violation(f"a write to a full disk was refused with {wrong[0]}; {author.service.tail()}")
        if in_a_row == 3:
            return
    raise Violation("the disk does not run full")


@check("full-disk", "a tmpfs of 1 MiB: writes get diskFull, reads and deletions work, with free space again all works")
def full_disk(lab: Lab) -> str:
    def point(label: str, note: int, filler: int) -> None:
        with tmpfs(lab, "1m") as disk:
            folder = os.path.join(disk, "data")
            service = Service(lab, folder)
            author = Author(service, Answers(1), lab.random(label))
            author.add(note)
            require(not author.settle(), "the first write was refused")
            with open(os.path.join(disk, "filler"), "wb") as file:
                file.write(b"\0" * filler)
            _fill_up(author, note)
            _require_reads(service, author)
            quiet(folder, 0.3)
            _delete_some(author, 5)
            _require_reads(service, author)
            # A checkpoint frees the space of what was deleted, and needs some until then.
            quiet(folder, 0.3)
            os.unlink(os.path.join(disk, "filler"))
            author.add()
            require(not author.settle(), f"there is space again, but a write is refused; {service.tail()}")
            # Once more, with a process that starts on the full disk.
            fill(os.path.join(disk, "filler"))
            service.end()
            again = Service(lab, folder)
            author.service, author.group = again, 2
            _require_reads(again, author)
            author.add(note)
            if wrong := [name for name in author.settle() if name != "diskFull"]:
                raise Violation(f"a write to a full disk was refused with {wrong[0]}; {again.tail()}")
            _delete_some(author, 1)
            os.unlink(os.path.join(disk, "filler"))
            author.add()
            require(not author.settle(), f"there is space again, but a write is refused; {again.tail()}")
            again.end()
            verify(lab, folder, [author.answers], label)

    points = [("small notes", 30, 700 << 10), ("notes", 700, 500 << 10), ("long notes", LONG, 64 << 10),
              ("long notes, much room", LONG, 1)]
    lab.sweep((label, lambda label=label, note=note, filler=filler: point(label, note, filler))
              for label, note, filler in points)
    return ""


def _delete_some(author: Author, count: int) -> None:
    """Deletions must work on a full disk."""
    for id in author.living()[:count]:
        author.delete(id)
        if names := author.settle():
            raise Violation(f"a deletion on a full disk was refused: {names[0]}; {author.service.tail()}")


@check("full-founding", "a full disk when the folder is created: diskFull, and no partial folder")
def full_founding(lab: Lab) -> str:
    def point(label: str, room: int) -> None:
        with tmpfs(lab, "128k") as disk:
            folder = os.path.join(disk, "deep", "data")
            filler = os.path.join(disk, "filler")
            fill(filler)
            os.truncate(filler, max(0, os.path.getsize(filler) - room))
            service = Service(lab, folder)
            author = Author(service, Answers(1), lab.random(label))
            for _ in range(4):
                author.add(100)
                if wrong := [name for name in author.settle() if name != "diskFull"]:
                    raise Violation(f"refused with {wrong[0]}; {service.tail()}")
            _require_reads(service, author)
            os.unlink(filler)
            author.add()
            require(not author.settle(), f"there is space again, but a write is refused; {service.tail()}")
            service.end()
            verify(lab, folder, [author.answers], label)

    lab.sweep((f"{pages} pages", lambda pages=pages: point(f"{pages} pages", pages * 4096)) for pages in range(0, 9))
    return ""


@check("read-only-disk", "a disk remounted read-only: storeReadOnly, nothing changes; writable again: writes work")
def read_only_disk(lab: Lab) -> str:
    def point(label: str, note: int, count: int) -> None:
        with tmpfs(lab, "8m") as disk:
            folder = os.path.join(disk, "data")
            service = Service(lab, folder)
            author = Author(service, Answers(1), lab.random(label))
            for _ in range(count):
                author.add(note)
            require(not author.settle(), "a write was refused")
            quiet(folder)
            service.end()
            command(program("mount"), "-o", "remount,ro", disk)
            before = fingerprint(folder)
            second = Service(lab, folder)
            author.service, author.group = second, 2
            refused: List[str] = []
            for _ in range(3):
                author.add()
                author.delete(author.answers.ops[0].id)
                refused += author.settle()
            require(refused == ["storeReadOnly"] * 6, f"writes to a read-only disk: {refused}; {second.tail()}")
            _require_reads(second, author)
            unchanged(before, folder, "a read-only folder changed")
            command(program("mount"), "-o", "remount,rw", disk)
            author.add()
            author.delete(author.answers.ops[0].id)
            require(not author.settle(), f"the disk is writable again, but a write is refused; {second.tail()}")
            second.end()
            verify(lab, folder, [author.answers], label)

    lab.point("few meals", lambda: point("few meals", 20, 5))
    lab.point("many meals", lambda: point("many meals", LONG, 40))
    return ""


@check("empty-read-only", "a folder that cannot be created on a read-only disk: storeReadOnly, reads find nothing")
def empty_read_only(lab: Lab) -> str:
    def point() -> None:
        with tmpfs(lab, "1m") as disk:
            command(program("mount"), "-o", "remount,ro", disk)
            service = Service(lab, os.path.join(disk, "data"))
            author = Author(service, Answers(1), lab.random("empty"))
            op = author.add()
            author.settle()
            require(op.outcome == "storeReadOnly", f"a write was answered with {op.outcome}; {service.tail()}")
            require(service.result("meals/list")["meals"] == [], "there are meals")
            command(program("mount"), "-o", "remount,rw", disk)
            require(author.do(author.add()) == DONE, f"a write was refused; {service.tail()}")
            service.end()
            verify(lab, os.path.join(disk, "data"), [author.answers])

    lab.point("empty", point)
    return ""


