"""The data folder as files: fingerprints, modes, copies. Does not interpret the files."""

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
    """Everything in a folder at any depth, as relative paths; the folder itself is ""."""
    found = [""] if os.path.lexists(folder) else []
    for path, folders, files in os.walk(folder):
        found += [os.path.relpath(os.path.join(path, name), folder) for name in folders + files]
    return sorted(found)


def files(folder: str) -> List[str]:
    """The regular files in a folder."""
    return [name for name in entries(folder) if stat.S_ISREG(os.lstat(os.path.join(folder, name)).st_mode)]


def fingerprint(folder: str) -> Fingerprint:
    """Kind, mode, size, modification time and content of everything; any written byte changes it."""
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


# Files that a service writes beside the store, whether or not anything is stored: see Storage/FileStore/FORMAT.md.
NOTES = ("flags.json", "premium.json", "reminders.json", "reminders.turn", "estimator.json", "logs")


def is_note(name: str) -> bool:
    """Whether a name is one of these, inside one of them, or a temporary file for one."""
    return any(name == note or name.startswith((note + "/", note + ".")) for note in NOTES)


def differences(before: Fingerprint, after: Fingerprint, of_checkpoint: bool = True) -> List[str]:
    """The differences of two fingerprints, without notes; of the folder itself only kind and mode."""
    def seen(prints: Fingerprint, name: str) -> object:
        found = prints.get(name, "absent")
        return found if name or found == "absent" else found[:2]
    return [f"{name or 'the folder'}: {seen(before, name)} became {seen(after, name)}"
            for name in sorted(before.keys() | after.keys())
            if not is_note(name) and (of_checkpoint or not is_of_checkpoint(name, after))
            and seen(before, name) != seen(after, name)]


def has_begun_checkpoint(before: Fingerprint, after: Fingerprint, folder: str) -> bool:
    """Whether a checkpoint was made, or a journal sealed for one: a read may find a checkpoint due and begin it."""
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
    """Whether a checkpoint changes the file with this name. After a power cut it first restores what the journals lack
    and then removes the copies."""
    if name == "ahead.jsonl":
        return name not in after
    return name.split("/")[0] in ("journal", "segments", "checkpoint.lock", "lock") or name.startswith("manifest")


def wrong_modes(folder: str, foreign: Iterable[str] = ()) -> List[str]:
    """Entries with permissions for others, or that are neither file nor folder; `foreign` ones are ignored."""
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
    """Waits until background work has left the folder unchanged for `looks` readings, or `patience` is over."""
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
    """Removes a folder into which a process may be writing notes: retries until nothing was added meanwhile."""
    for _ in range(100):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return
    shutil.rmtree(folder)


def copy(folder: str, place: str) -> None:
    """Copies a folder in which a process may replace files: retries until no file vanished meanwhile."""
    for _ in range(100):
        try:
            shutil.copytree(folder, place)
            return
        except OSError:
            remove(place)
    shutil.copytree(folder, place)


def change_all(folder: str, change: Callable[[str], None]) -> None:
    """Applies a change to everything in a folder, the folder itself last."""
    for name in reversed(entries(folder)):
        change(os.path.join(folder, name) if name else folder)
