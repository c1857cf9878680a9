"""The service as a process: bytes in, messages out, in either framing, with hang guards only."""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import threading
import time
from typing import Any, Dict, List, Optional

from jsontext import NotJSON, parse_bytes

TIME_SCALE = float(os.environ.get("TIME_SCALE", "1"))
HANG_GUARD = 60.0 * TIME_SCALE
HEADER = re.compile(rb"Content-Length: (0|[1-9][0-9]*)\r\n\r\n")
LONGEST_HEADER = 64
CLOCK = "2026-01-05T12:00:00Z"
ZONE = "UTC"
END = object()


class WireError(Exception):
    """The service hangs, or writes what is no message."""


class Deadline:
    """A hang guard: how long a wait may take at most."""

    def __init__(self) -> None:
        self._end = time.monotonic() + HANG_GUARD

    def left(self, waiting_for: str) -> float:
        """Seconds left; raises when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise WireError(f"hangs: waited {HANG_GUARD:g} s for {waiting_for}")
        return left


def framed(text: str, framing: str) -> bytes:
    """A message as the framing puts it on the wire."""
    body = text.encode("utf-8")
    if framing == "header":
        return b"Content-Length: %d\r\n\r\n" % len(body) + body
    return body + b"\n"


class Frames:
    """Splits what the service writes into messages, accepting the canonical form only."""

    def __init__(self, framing: str) -> None:
        self._framing = framing
        self._buffer = bytearray()
        self._start = 0

    def feed(self, data: bytes) -> None:
        """Takes further bytes."""
        del self._buffer[:self._start]
        self._start = 0
        self._buffer += data

    @property
    def rest(self) -> bytes:
        """Bytes that are not part of a complete message yet."""
        return bytes(self._buffer[self._start:])

    def next(self) -> Optional[bytes]:
        """The next complete message's body, or nothing."""
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
        end = self._buffer.find(b"\n", self._start)
        if end < 0:
            return None
        body = bytes(self._buffer[self._start:end])
        if body[-1:] == b"\r":
            raise WireError("stdout has a carriage return; lines end in LF")
        self._start = end + 1
        return body


def _may_begin_header(rest: bytes) -> bool:
    name = b"Content-Length: "
    if len(rest) <= len(name):
        return name.startswith(bytes(rest))
    return re.match(rb"Content-Length: (0|[1-9][0-9]*)(\r|\r\n|\r\n\r)?\Z", bytes(rest)) is not None


class Service:
    """One running service; used in one `with` block, in which it is certain to end."""

    def __init__(self, command: List[str], framing: str, environment: Dict[str, str]) -> None:
        self.framing = framing
        self.drained = True
        # Whoever did not read has no claim to a last message that is whole.
        self.may_be_cut = False
        self._frames = Frames(framing)
        self._errors = bytearray()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment, bufsize=0, start_new_session=True)
        self._input: Optional[int] = self._process.stdin.fileno()
        self._output: Optional[int] = self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self._drain = threading.Thread(target=self._drain_errors, daemon=True)
        self._drain.start()

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._drain.join(HANG_GUARD)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                stream.close()
            except OSError:
                pass

    def _drain_errors(self) -> None:
        while True:
            data = os.read(self._process.stderr.fileno(), 1 << 16)
            if not data:
                return
            self._errors += data

    def send(self, data: bytes, bytewise: bool = False) -> None:
        """Writes bytes, in one write or in one write each; reads meanwhile unless undrained."""
        view, deadline = memoryview(data), Deadline()
        while view and self._input is not None:
            try:
                written = os.write(self._input, view[:1] if bytewise else view)
            except BlockingIOError:
                self._wait_to_send(deadline)
                continue
            except BrokenPipeError:
                self.close_input()
                return
            view = view[written:]
            deadline = Deadline()

    def _wait_to_send(self, deadline: Deadline) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._input, selectors.EVENT_WRITE)
            if self.drained and self._output is not None:
                selector.register(self._output, selectors.EVENT_READ)
            for key, _ in selector.select(deadline.left("the service to take its input")):
                if key.fd == self._output:
                    self._read()

    def _read(self) -> None:
        try:
            data = os.read(self._output, 1 << 20)
        except BlockingIOError:
            return
        if data:
            self._frames.feed(data)
        else:
            self._output = None

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
        """Whether its standard input is open still."""
        return self._input is not None

    def kill(self) -> None:
        """Kills the service."""
        self._process.kill()

    def next_message(self, waiting_for: str) -> Any:
        """The next message, or `END` when there will be none."""
        deadline = Deadline()
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
            with selectors.DefaultSelector() as selector:
                selector.register(self._output, selectors.EVENT_READ)
                if selector.select(deadline.left(waiting_for)):
                    self._read()

    def wait(self) -> int:
        """The status the service ends with; negative for a signal."""
        try:
            return self._process.wait(HANG_GUARD)
        except subprocess.TimeoutExpired:
            raise WireError(f"hangs: waited {HANG_GUARD:g} s for the process to end") from None

    def errors(self) -> str:
        """Standard error to its end, after the process ended."""
        self._drain.join(HANG_GUARD)
        return self._errors.decode("utf-8", "replace")


def environment(zone: str = ZONE) -> Dict[str, str]:
    """The environment the service runs in."""
    return {**os.environ, "TZ": zone}


def arguments(folder: str, seed: int = 1, clock: str = CLOCK) -> List[str]:
    """The arguments every service is started with."""
    return ["--data", folder, "--clock", clock, "--seed", str(seed)]
