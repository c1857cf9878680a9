"""strace, attached to a running process: kills, errors and delays at chosen system calls."""

from __future__ import annotations

import collections
import os
import re
import select
import signal
import subprocess
import time
from typing import Dict, List, Optional, Sequence

from folder import entries
from lab import HANG_GUARD, Lab, Skipped, Violation, program
from service import Service

# The question mark: not every architecture has all of them.
CALLS = ["write", "pwrite64", "openat", "fdatasync", "fsync", "renameat", "renameat2", "unlinkat", "mkdirat", "flock",
         "linkat", "close", "fstat", "newfstatat", "statx", "pread64", "fchmod", "getdents64", "ftruncate", "lseek"]
CALL = re.compile(r"^(\d+) +(\w+)\(")


class Tracer:
    """One strace on one process. It counts each call by name and thread, from the moment it is attached."""

    def __init__(
        self, lab: Lab, service: Service, inject: Sequence[str] = (), paths: Sequence[str] = (),
        calls: Sequence[str] = CALLS,
    ) -> None:
        self._log = lab.path("trace")
        command = [program("strace"), "-f", "-p", str(service.pid), "-o", self._log,
                   "-e", "trace=" + ",".join("?" + name for name in calls)]
        for expression in inject:
            command += ["-e", "inject=" + expression]
        for path in paths:
            command += ["-P", path]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            start_new_session=True)
        lab.at_end(self.detach)
        self._require_attached()

    def _require_attached(self) -> None:
        said, deadline = b"", time.monotonic() + HANG_GUARD
        while b" attached" not in said:
            ready, _, _ = select.select([self.process.stderr], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self.process.stderr.fileno(), 65536) if ready else b""
            said += data
            if not data or b"PTRACE" in said or b"invalid" in said:
                self.detach()
                text = said.decode("utf-8", "replace").strip()
                if b"not permitted" in said or b"PTRACE" in said:
                    raise Skipped(f"strace may not attach here: {text}")
                raise Violation(f"strace does not start: {text}")

    def detach(self) -> None:
        """Detaches from the process, which continues."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.wait()

    def wait(self) -> None:
        """Waits until strace ends, as it does with the process."""
        try:
            self.process.wait(HANG_GUARD)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()

    def lines(self) -> List[str]:
        """Its output."""
        with open(self._log, "rb") as file:
            return file.read().decode("utf-8", "replace").splitlines()

    def injections(self) -> int:
        """The number of injected calls."""
        return sum("(INJECTED)" in line or "(DELAYED)" in line for line in self.lines())

    def syncs(self) -> List[bool]:
        """Whether each sync of a file succeeded, in order."""
        return [re.search(r"= 0\b", line) is not None for line in self.lines()
                if re.search(r"\bfdatasync(\(| resumed)", line) and "<unfinished" not in line]

    def last_call(self) -> str:
        """The last traced call, at which the process was killed."""
        calls = [line for line in self.lines() if CALL.match(line)]
        return calls[-1][:120] if calls else "nothing"

    def counts(self) -> Dict[str, int]:
        """How often each call was made, by the thread that made it most often."""
        counts: collections.Counter = collections.Counter()
        for line in self.lines():
            if match := CALL.match(line):
                counts[match.group(1), match.group(2)] += 1
        most: Dict[str, int] = {}
        for (_, name), count in counts.items():
            most[name] = max(most.get(name, 0), count)
        return most


def store_paths(folder: str, more: Optional[Sequence[str]] = None) -> List[str]:
    """Absolute paths of everything in the folder and of files likely to appear: strace matches those too."""
    paths = [os.path.join(folder, name) if name else folder for name in entries(folder)]
    coming = ["lock", "store.json", "manifest.json", "latest.json", "ahead.jsonl", "checkpoint.lock", "reserve", "checkpoint.reserve",
              "journal", "segments", "segments/meals"]
    coming += [f"journal/{number:06d}.jsonl" for number in range(1, 30)]
    return sorted({os.path.realpath(path) for path in [*paths, *(os.path.join(folder, name) for name in coming)]}
                  | {folder} | set(more or ()))
