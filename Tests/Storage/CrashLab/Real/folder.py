"""The data folder as files: fingerprints, modes, copies. Knows nothing of what the files mean."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import time
from typing import Callable, Dict, Iterable, List, Tuple

from lab import TIME_SCALE

Fingerprint = Dict[str, Tuple[object, ...]]


def entries(folder: str) -> List[str]:
    """Everything in a folder at any depth, as paths relative to it; the folder itself is ""."""
    found = [""] if os.path.lexists(folder) else []
    for path, folders, files in os.walk(folder):
        found += [os.path.relpath(os.path.join(path, name), folder) for name in folders + files]
    return sorted(found)


def files(folder: str) -> List[str]:
    """The regular files among them."""
    return [name for name in entries(folder) if stat.S_ISREG(os.lstat(os.path.join(folder, name)).st_mode)]


def fingerprint(folder: str) -> Fingerprint:
    """Kind, mode, size, time of change and content of everything; different when any byte was written."""
    prints: Fingerprint = {}
    for name in entries(folder):
        path = os.path.join(folder, name) if name else folder
        status = os.lstat(path)
        digest = ""
        if stat.S_ISREG(status.st_mode):
            with open(path, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
        elif stat.S_ISLNK(status.st_mode):
            digest = os.readlink(path)
        prints[name] = (stat.S_IFMT(status.st_mode), oct(stat.S_IMODE(status.st_mode)), status.st_size,
                        status.st_mtime_ns, digest)
    return prints


# What a service notes of its own beside the store, whether or not anything is stored: see the README, "Your data".
NOTES = ("flags.json", "premium.json", "reminders.json", "reminders.turn", "estimator.json", "logs")


def is_note(name: str) -> bool:
    """Whether it is one of these, something in one of them, or on its way to take the place of one."""
    return any(name == note or name.startswith((note + "/", note + ".")) for note in NOTES)


def differences(before: Fingerprint, after: Fingerprint, of_checkpoint: bool = True) -> List[str]:
    """What is not the same in two fingerprints, but for notes; of the folder itself kind and mode."""
    def seen(prints: Fingerprint, name: str) -> object:
        found = prints.get(name, "absent")
        return found if name or found == "absent" else found[:2]
    return [f"{name or 'the folder'}: {seen(before, name)} became {seen(after, name)}"
            for name in sorted(before.keys() | after.keys())
            if not is_note(name) and (of_checkpoint or not is_of_checkpoint(name, after))
            and seen(before, name) != seen(after, name)]


def has_begun_checkpoint(before: Fingerprint, after: Fingerprint, folder: str) -> bool:
    """Whether one was made, or a journal sealed for it: a look may find a checkpoint due, and then begin it."""
    if before.get("manifest.json") != after.get("manifest.json"):
        return True
    for name, was in before.items():
        if name.startswith("journal/") and was[0] == stat.S_IFREG and os.path.exists(os.path.join(folder, name)):
            with open(os.path.join(folder, name), "rb") as file:
                file.seek(was[2])
                if b'"sealed"' in file.read():
                    return True
    return False


def is_of_checkpoint(name: str, after: Fingerprint) -> bool:
    """Whether a checkpoint changes what has this name. After a power cut it first brings back what the journals lack, and then does
    away with the copies."""
    if name == "ahead.jsonl":
        return name not in after
    return name.split("/")[0] in ("journal", "segments", "checkpoint.lock", "lock") or name.startswith("manifest")


def wrong_modes(folder: str, foreign: Iterable[str] = ()) -> List[str]:
    """What others may look into, or what is no file or folder at all; but not what others put there."""
    wrong = []
    for name in entries(folder):
        if any(name == other or name.startswith(other + "/") for other in foreign):
            continue
        mode = os.lstat(os.path.join(folder, name) if name else folder).st_mode
        expected = 0o700 if stat.S_ISDIR(mode) else 0o600
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)) or stat.S_IMODE(mode) != expected:
            wrong.append(f"{name or 'the folder'} has mode {oct(mode)}")
    return wrong


def quiet(folder: str, patience: float = 1.0, looks: int = 5) -> None:
    """Waits until background work has left the folder alone for so many looks, or the patience is over."""
    deadline = time.monotonic() + patience * TIME_SCALE
    calm, last = 0, None
    while calm < looks and time.monotonic() < deadline:
        now = _sizes(folder)
        calm = calm + 1 if now == last else 0
        last = now
        time.sleep(0.01)


def _sizes(folder: str) -> List[Tuple[str, int]]:
    sizes = []
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                sizes.append((os.path.join(path, name), os.lstat(os.path.join(path, name)).st_size))
            except FileNotFoundError:
                pass
    return sorted(sizes)


def remove(folder: str) -> None:
    """Removes a folder that a process may be writing its notes into: again, until nothing came in between."""
    for _ in range(100):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return
    shutil.rmtree(folder)


def copy(folder: str, place: str) -> None:
    """Copies a folder in which a process may put files in the place of others: again, until none has gone in between."""
    for _ in range(100):
        try:
            shutil.copytree(folder, place)
            return
        except OSError:
            remove(place)
    shutil.copytree(folder, place)


def change_all(folder: str, change: Callable[[str], None]) -> None:
    """Does something to everything in a folder, the folder itself last."""
    for name in reversed(entries(folder)):
        change(os.path.join(folder, name) if name else folder)
