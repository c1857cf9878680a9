"""The executable as a process: requests in, answers out, one message a line."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import threading
import time
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Set

from lab import HANG_GUARD, Lab, Violation

# Signals that no input, disk or other process may cause.
CRASHES = {signal.SIGILL, signal.SIGTRAP, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGXFSZ,
           signal.SIGPIPE, signal.SIGSYS}
REFUSALS = {"storeInUse", "storeBusy", "storeReadOnly", "diskFull", "storeUnavailable", "notFound"}


class Service:
    """One running service, ended by `kill` or `end`; the lab kills any that are left."""

    def __init__(
        self, lab: Lab, folder: str, arguments: Sequence[str] = (), wrapper: Sequence[str] = (),
        has_handshake: bool = False, environment: Optional[Mapping[str, str]] = None,
    ) -> None:
        self.lab = lab
        self.folder = folder
        self.is_killed = False
        self._errors = lab.path("errors")
        self._answers: Dict[int, Any] = {}
        self._news = threading.Condition()
        self._garbage: List[bytes] = []
        self._notifications: List[Dict[str, Any]] = []
        self._last = 0
        self._held: Optional[bytes] = None
        self._is_at_end = False
        # Closing this end wakes the reader, which then closes the service's output itself.
        self._breaks: List[Any] = list(os.pipe())
        mode = [] if has_handshake else ["--no-handshake"]
        command = [*wrapper, lab.daybook, "--data", folder, *mode, *arguments]
        with open(self._errors, "wb") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0, cwd="/",
                env={**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8", **(environment or {})}, start_new_session=True)
        self._output = os.dup(self.process.stdout.fileno())
        self.process.stdout.close()
        self.pid = self.process.pid
        self._input = self.process.stdin.fileno()
        os.set_blocking(self._input, False)
        lab.at_end(self.kill)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        rest = b""
        output, broken = self._output, self._breaks[0]
        while True:
            ready, _, _ = select.select([output, broken], [], [])
            data = b"" if broken in ready else os.read(output, 1 << 20)
            lines = (rest + data).split(b"\n")
            rest = lines.pop()
            with self._news:
                for line in lines:
                    self._take(line)
                if not data:
                    self._is_at_end = True
                self._news.notify_all()
            if not data:
                for descriptor in (broken, output):
                    os.close(descriptor)
                return

    def break_output(self) -> None:
        """From now on nobody reads its answers."""
        if self._breaks[1] is not None:
            os.close(self._breaks[1])
            self._breaks[1] = None
            self._reader.join(HANG_GUARD)

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
            number = message.get("id")
        except (ValueError, AttributeError):
            self._garbage.append(line)
            return
        if "method" in message:
            self._notifications.append(message)
            return
        if number in self._answers or not isinstance(number, int):
            self._garbage.append(line)
        self._answers[number] = message

    def post(self, method: str, **params: Any) -> int:
        """Sends a request and returns its number. A dead service shows by the missing answer."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        return self._last

    def notify(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self._send({"method": method, "params": params})

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Sends everything posted meanwhile in one write."""
        self._held = b""
        try:
            yield
        finally:
            text, self._held = self._held, None
        self._write(text)

    def _send(self, message: Dict[str, Any]) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n"
        if self._held is None:
            self._write(text)
        else:
            self._held += text

    def _write(self, text: bytes) -> None:
        view = memoryview(text)
        deadline = time.monotonic() + HANG_GUARD
        while view:
            try:
                view = view[os.write(self._input, view):]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Violation("hangs: takes no input") from None
                select.select([], [self._input], [], 0.1)
            except (BrokenPipeError, ValueError, OSError):
                break

    def has_answered(self, number: int) -> bool:
        """Whether the answer has arrived."""
        with self._news:
            return number in self._answers

    def events(self, name: str) -> List[Dict[str, Any]]:
        """The params of the notifications with that name so far."""
        with self._news:
            return [message.get("params", {}) for message in self._notifications if message["method"] == name]

    def answered(self) -> Set[int]:
        """The requests that were answered."""
        with self._news:
            return set(self._answers)

    def forget(self) -> None:
        """Drops the answers and notifications so far, to save memory in long runs."""
        with self._news:
            self._answers.clear()
            self._notifications.clear()

    def answer(self, number: int) -> Optional[Dict[str, Any]]:
        """The answer to a request; None when the process ended without one."""
        deadline = time.monotonic() + HANG_GUARD
        with self._news:
            while number not in self._answers:
                if self._is_at_end:
                    return None
                if not self._news.wait(max(0, deadline - time.monotonic())):
                    raise Violation(f"hangs: no answer to request {number} after {HANG_GUARD:g} s; {self.tail()}")
            return self._answers[number]

    def call(self, method: str, **params: Any) -> Dict[str, Any]:
        """Sends a request and waits for its answer, which must come."""
        message = self.answer(self.post(method, **params))
        if message is None:
            raise Violation(f"ended without an answer to {method}: status {self.process.wait()}; {self.tail()}")
        return message

    def result(self, method: str, **params: Any) -> Any:
        """The result of a request, which must succeed."""
        message = self.call(method, **params)
        if "result" not in message:
            raise Violation(f"{method} was refused: {message.get('error')}; {self.tail()}")
        return message["result"]

    def refusal(self, method: str, **params: Any) -> str:
        """The name of the error with which a request is refused, or ""."""
        return refusal(self.call(method, **params))

    def kill(self) -> None:
        """Kills it."""
        self.is_killed = True
        if self.process.poll() is None:
            self.process.kill()
        self._finish()

    def wait(self) -> int:
        """Its exit status; negative for a signal."""
        try:
            status = self.process.wait(HANG_GUARD)
        except subprocess.TimeoutExpired:
            raise Violation(f"hangs: does not end; {self.tail()}") from None
        self._finish()
        if is_crash(status, self.errors()):
            raise Violation(f"crashed with {signal.Signals(-status).name}; {self.tail()}")
        if self._garbage:
            raise Violation(f"wrote something that is no answer, or an answer twice: {self._garbage[0][:200]!r}")
        return status

    def _finish(self) -> None:
        self.process.wait()
        self._reader.join(HANG_GUARD)
        self.break_output()
        self.close_input()

    def close_input(self) -> None:
        """Closes its standard input."""
        try:
            self.process.stdin.close()
        except OSError:
            pass

    def end(self) -> int:
        """Closes its standard input and waits for its normal end."""
        self.close_input()
        status = self.wait()
        if status != 0:
            raise Violation(f"ended with status {status}; {self.tail()}")
        return status

    def errors(self) -> str:
        """What it wrote to standard error."""
        with open(self._errors, "rb") as file:
            return file.read().decode("utf-8", "replace")

    def tail(self) -> str:
        """The end of its standard error, for a message."""
        return "standard error ends: " + (" | ".join(self.errors().splitlines()[-3:]) or "(empty)")


def is_crash(status: int, errors: str) -> bool:
    """Whether a process ended in a way that is never allowed. Without /proc, the Swift runtime ends a statically linked
    program with this message before any of its code runs: that counts as refusing to start."""
    return -status in CRASHES and "Unable to obtain Swift runtime path" not in errors


def refusal(message: Optional[Dict[str, Any]]) -> str:
    """The name of an answer's error, or "" when it has none."""
    if message is None or "error" not in message:
        return ""
    return (message["error"].get("data") or {}).get("name") or f"code {message['error'].get('code')}"
