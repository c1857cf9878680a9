"""Small private disks: tmpfs, and file systems in image files whose power can be cut."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import subprocess
import time
from typing import Iterator, Optional, Tuple

from lab import HANG_GUARD, Lab, Skipped, Violation, program

# _IOR('X', 125, __u32): the shutdown call of ext4 and XFS, which acts like a power cut.
SHUTDOWN = 0x8004587D
FLUSH_LOG = 1
DROP_LOG = 2
KINDS = {"ext4": ["mkfs.ext4", "-q", "-F"], "xfs": ["mkfs.xfs", "-q", "-f"]}
# The smallest that XFS accepts.
SIZES = {"ext4": 64 << 20, "xfs": 320 << 20}


def command(*words: str, patience: float = 0) -> None:
    """Runs a program that must succeed; a refusal is a reason to skip."""
    deadline = time.monotonic() + patience
    while True:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode == 0 or time.monotonic() >= deadline:
            break
        time.sleep(0.05)
    if done.returncode != 0:
        raise Skipped(f"{' '.join(words[:4])} is refused here: {done.stderr.strip()[:200]}")


@contextlib.contextmanager
def tmpfs(lab: Lab, size: str) -> Iterator[str]:
    """An empty file system in memory, as a folder."""
    place = lab.path("tmpfs")
    os.mkdir(place)
    command(program("mount"), "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", place)
    lab.at_end(lambda: unmount(place, is_lazy=True))
    try:
        yield place
    finally:
        unmount(place)


def unmount(place: str, is_lazy: bool = False) -> None:
    """Removes a mount, at the latest once nobody uses it."""
    # Not by examining the place: after a power cut that fails.
    with open("/proc/self/mounts") as mounts:
        if not any(line.split(" ")[1] == place for line in mounts):
            return
    flags = ["-l"] if is_lazy else []
    done = subprocess.run(["umount", *flags, place], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != 0 and not is_lazy:
        unmount(place, is_lazy=True)


class Image:
    """A file system in an image file."""

    def __init__(self, lab: Lab, kind: str, folder: str, size: int = 0) -> None:
        self.kind = kind
        self.place = lab.path("disk")
        self.path = os.path.join(folder, f"image-{kind}")
        self._has_worked = False
        self._limit: Optional[Tuple[str, str]] = None
        os.mkdir(self.place)
        with open(self.path, "wb") as file:
            file.truncate(size or SIZES[kind])
        lab.at_end(self._remove)

    def format(self, *more: str) -> None:
        """Creates the file system."""
        first, *rest = KINDS[self.kind]
        command(program(first), *rest, *more, self.path)

    def mount(self) -> None:
        """Mounts it, which replays its log; the loop device is released with the mount."""
        try:
            # The kernel may release a loop device a little later.
            command(program("mount"), "-t", self.kind, "-o", "loop", self.path, self.place, patience=HANG_GUARD)
        except Skipped as reason:
            # Once it has worked, permission is no longer the question.
            raise Violation(str(reason)) if self._has_worked else reason
        self._has_worked = True
        os.chmod(self.place, 0o755)

    def limit_requests(self) -> None:
        """Limits disk requests to one page, until it is unmounted."""
        with open("/proc/self/mounts") as mounts:
            device = next(line.split(" ")[0] for line in mounts if line.split(" ")[1] == self.place)
        path = f"/sys/block/{os.path.basename(device)}/queue/max_sectors_kb"
        try:
            with open(path, "r+") as file:
                self._limit = (path, file.read())
                file.seek(0)
                file.write("4")
        except OSError as error:
            raise Skipped(f"the loop device cannot be set up here: {error}") from None

    def _lift_limit(self) -> None:
        """Lifts the limit, as the device will be reused."""
        if self._limit is not None:
            with open(self._limit[0], "w") as file:
                file.write(self._limit[1])
            self._limit = None

    def unmount(self) -> None:
        """Unmounts it."""
        self._lift_limit()
        unmount(self.place)

    def cut_power(self, how: int) -> None:
        """From now on nothing reaches the disk."""
        descriptor = os.open(self.place, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.ioctl(descriptor, SHUTDOWN, struct.pack("I", how))
        except OSError as error:
            raise Skipped(f"the shutdown call is refused here: {error}") from None
        finally:
            os.close(descriptor)

    def _remove(self) -> None:
        self._lift_limit()
        unmount(self.place, is_lazy=True)
        if os.path.exists(self.path):
            os.unlink(self.path)


def require_loop_devices() -> None:
    """Skips where there are none."""
    if not os.path.exists("/dev/loop-control"):
        raise Skipped("no loop devices here")
    try:
        os.close(os.open("/dev/loop-control", os.O_RDWR))
    except OSError as error:
        raise Skipped(f"no permission to use loop devices: {error.strerror}") from None


def fill(path: str) -> None:
    """Writes a file until the disk is full."""
    with open(path, "ab", buffering=0) as file:
        for piece in (1 << 20, 4096, 1):
            try:
                while True:
                    if file.write(b"\0" * piece) < piece:
                        break
            except OSError:
                pass


def require(condition: bool, text: str) -> None:
    """Raises a violation unless the condition holds."""
    if not condition:
        raise Violation(text)
