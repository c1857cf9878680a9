"""The service as a process: bytes in, messages out, in either framing, with timeouts only against hangs."""

from __future__ import annotations

import math
import os
import re
import select
import signal
import subprocess
import time
from typing import Any, Dict, List, Optional

from jsontext import NotJSON, parse_bytes



def _time_scale() -> float:
    try:
        scale = float(os.environ.get("TIME_SCALE") or 1)
    except ValueError:
        return 1.0
    return max(scale, 1.0) if math.isfinite(scale) else 1.0


HANG_GUARD = 60.0 * _time_scale()
HEADER = re.compile(rb"Content-Length: (0|[1-9][0-9]*)\r\n\r\n")
LONGEST_HEADER = 64
MOST_ERRORS = 16 << 20
CLOCK = "2026-01-05T12:00:00Z"
ZONE = "UTC"
END = object()


class WireError(Exception):
    """The service hangs, or writes something that is not a message."""


class Unstartable(WireError):
    """The command cannot be started."""


class Deadline:
    """A timeout against hangs."""

    def __init__(self) -> None:
        self._end = time.monotonic() + HANG_GUARD

    def left(self, waiting_for: str) -> float:
        """Seconds left; raises if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise WireError(f"hangs: waited {HANG_GUARD:g} s for {waiting_for}")
        return left


def framed(text: str, framing: str) -> bytes:
    """A message in its framing."""
    body = text.encode("utf-8")
    if framing == "header":
        return b"Content-Length: %d\r\n\r\n" % len(body) + body
    return body + b"\n"


class Frames:
    """Splits the service's output into messages, accepting only the canonical form."""

    def __init__(self, framing: str) -> None:
        self._framing = framing
        self._buffer = bytearray()
        self._start = 0
        self._searched = 0

    def feed(self, data: bytes) -> None:
        """Adds bytes."""
        del self._buffer[:self._start]
        self._searched -= self._start
        self._start = 0
        self._buffer += data

    @property
    def rest(self) -> bytes:
        """Bytes that are not part of a complete message yet."""
        return bytes(self._buffer[self._start:])

    def next(self) -> Optional[bytes]:
        """The next complete message's body, or None."""
        return self._header() if self._framing == "header" else self._line()

    def _header(self) -> Optional[bytes]:
        match = HEADER.match(self._buffer, self._start)
        if match is None:
            rest = self._buffer[self._start:self._start + LONGEST_HEADER]
            if len(rest) >= LONGEST_HEADER or b"\r\n\r\n" in rest or not _may_begin_header(rest):
                raise WireError(f"stdout holds no canonical header: {bytes(rest)!r}")
            return None
        end = match.end() + int(match.group(1))
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[match.end():end])
        self._start = end
        return body

    def _line(self) -> Optional[bytes]:
        end = self._buffer.find(b"\n", max(self._start, self._searched))
        if end < 0:
            # A long line comes in many pieces; each is searched once.
            self._searched = len(self._buffer)
            return None
        body = bytes(self._buffer[self._start:end])
        if body[-1:] == b"\r":
            raise WireError("stdout has a carriage return; lines end in LF")
        if not body:
            raise WireError("stdout has an empty line")
        self._start = end + 1
        return body


def _may_begin_header(rest: bytes) -> bool:
    name = b"Content-Length: "
    if len(rest) <= len(name):
        return name.startswith(bytes(rest))
    return re.match(rb"Content-Length: (0|[1-9][0-9]*)(\r|\r\n|\r\n\r)?\Z", bytes(rest)) is not None


class Service:
    """One running service; used in a `with` block, which ensures that it ends.

    Only `poll` blocks here, and never longer than the timeout.
    """

    def __init__(self, command: List[str], framing: str, environment: Dict[str, str]) -> None:
        self.framing = framing
        self.drained = True
        # A client that did not read cannot expect a complete last message.
        self.may_be_cut = False
        self._frames = Frames(framing)
        self._complaints = bytearray()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=environment, bufsize=0, start_new_session=True)
        except OSError as error:
            raise Unstartable(f"cannot be started: {command[0]}: {error.strerror}") from None
        self._input: Optional[int] = self._process.stdin.fileno()
        self._output: Optional[int] = self._process.stdout.fileno()
        self._errors: Optional[int] = self._process.stderr.fileno()
        for descriptor in (self._input, self._output, self._errors):
            os.set_blocking(descriptor, False)

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                stream.close()
            except OSError:
                pass

    def send(self, data: bytes, bytewise: bool = False) -> None:
        """Writes bytes, in one write or one by one; reads meanwhile unless undrained."""
        view = memoryview(data)
        size = 1 if bytewise else len(data)
        at = 0
        deadline: Optional[Deadline] = None
        while at < len(data) and self._input is not None:
            try:
                at += os.write(self._input, view[at:at + size])
                deadline = None
            except BlockingIOError:
                deadline = deadline or Deadline()
                self._exchange(deadline.left(f"room to write {len(data) - at} bytes"), writing=True)
            except BrokenPipeError:
                # It no longer reads; its output and status show why.
                self.close_input()

    def _exchange(self, seconds: float, writing: bool = False) -> bool:
        """Waits until bytes can be transferred, and reads available ones; returns whether there were any."""
        poll = select.poll()
        if self.drained and self._output is not None:
            poll.register(self._output, select.POLLIN)
        if self._errors is not None:
            poll.register(self._errors, select.POLLIN)
        if writing and self._input is not None:
            poll.register(self._input, select.POLLOUT)
        has_read = False
        for descriptor, _ in poll.poll(seconds * 1000):
            if descriptor == self._output:
                has_read = True
                self._read_output()
            elif descriptor == self._errors:
                has_read = True
                self._read_errors()
        return has_read

    def _read_output(self) -> None:
        try:
            data = os.read(self._output, 1 << 20)
        except BlockingIOError:
            return
        if data:
            self._frames.feed(data)
        else:
            self._output = None

    def _read_errors(self) -> None:
        try:
            data = os.read(self._errors, 1 << 16)
        except BlockingIOError:
            return
        if not data:
            self._errors = None
        elif len(self._complaints) < MOST_ERRORS:
            self._complaints += data

    def close_input(self) -> None:
        """Closes the service's standard input."""
        if self._input is not None:
            self._input = None
            try:
                self._process.stdin.close()
            except OSError:
                pass

    def signal(self, name: str) -> None:
        """Sends a signal to the service."""
        self._process.send_signal(getattr(signal, f"SIG{name}"))

    @property
    def takes_input(self) -> bool:
        """Whether its standard input is still open."""
        return self._input is not None

    def kill(self) -> None:
        """Kills the service."""
        self._process.kill()

    def next_message(self, waiting_for: str) -> Any:
        """The next message, or `END` if there is none."""
        deadline = Deadline()
        self.drained = True
        while True:
            body = self._frames.next()
            if body is not None:
                try:
                    return parse_bytes(body)
                except NotJSON as error:
                    raise WireError(f"stdout holds no message: {error}: {body[:200]!r}") from None
            if self._output is None:
                if self._frames.rest and not self.may_be_cut:
                    raise WireError(f"stdout ends within a message: {self._frames.rest[:200]!r}")
                return END
            self._exchange(deadline.left(waiting_for))

    def wait(self) -> int:
        """The exit status, negative for a signal; reads meanwhile unless undrained."""
        deadline = Deadline()
        while self._process.poll() is None:
            left = deadline.left("the process to end")
            if (self.drained and self._output is not None) or self._errors is not None:
                # A grandchild may hold the pipes open, so waiting for their end is not enough.
                self._exchange(min(left, 0.02))
            else:
                # Its pipes close just before it ends.
                time.sleep(min(left, 0.0005))
        # The pipe already holds the last output.
        while self._errors is not None and self._exchange(0):
            pass
        return self._process.returncode

    def errors(self) -> str:
        """Standard error read so far: complete, once the process has ended."""
        return self._complaints.decode("utf-8", "replace")

    def last_words(self) -> str:
        """The end of standard error, for reports; waits briefly if the service's output has ended."""
        while self._errors is not None and self._exchange(1 if self._output is None else 0):
            pass
        return self.errors()[-500:].strip()


def environment(zone: str = ZONE) -> Dict[str, str]:
    """The environment the service runs in."""
    return {**os.environ, "TZ": zone}


def arguments(folder: str, seed: int = 1, clock: str = CLOCK) -> List[str]:
    """The arguments every service is started with."""
    return ["--data", folder, "--clock", clock, "--seed", str(seed)]
