"""Thousands of starts and ends, many at a time: every request is answered, and every process ends with its status."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
from typing import Any, Dict, List, NamedTuple, Optional

from lab import Lab, Violation, check

# A start that has not ended by then counts as hung.
LIMIT = 120
# The number of concurrent starts for each job of the lab.
CROWD = 8


class Kind(NamedTuple):
    """One way to use a process: its input, and the expected outcome."""
    name: str
    options: List[str]
    sent: bytes
    answered: List[int]
    status: int
    signal: Optional[int] = None


def _request(number: int, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def _notice(method: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": method}).encode()


def _framed(*messages: bytes) -> bytes:
    return b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(message), message) for message in messages)


def _kinds() -> List[Kind]:
    hello = _request(1, "initialize", protocolVersion=1, clientInfo={"name": "lab", "version": "1"})
    meal = _request(2, "meals/add", name="Soup", calories=100)
    day, bye = _request(3, "days/get"), _request(4, "shutdown")
    script = ["--no-handshake"]
    return [
        Kind("a line without its end", script, day, [3], 0),
        Kind("lines", script, b"\n".join([day, meal, _request(5, "session/get")]), [3, 2, 5], 0),
        Kind("a write alone", script, meal + b"\n", [2], 0),
        Kind("frames of a script", script, _framed(day, meal), [], 1),
        Kind("nothing", script, b"", [], 0),
        Kind("a whole session", [], _framed(hello, _notice("initialized"), meal, day, bye, _notice("exit")),
             [1, 2, 3, 4], 0),
        Kind("a session without an end", [], _framed(hello, _notice("initialized"), day), [], 1),
        Kind("a session that is told to end", [], _framed(hello, _notice("initialized"), meal), [1], 1, signal.SIGTERM),
    ]


def _messages(output: bytes) -> List[Dict[str, Any]]:
    """The messages in an output of either framing; Violation when it is torn."""
    messages, rest = [], output
    while rest := rest.lstrip():
        if rest.startswith(b"{"):
            line, _, rest = rest.partition(b"\n")
        else:
            head, _, rest = rest.partition(b"\r\n\r\n")
            length = int(head.split(b":")[1])
            line, rest = rest[:length], rest[length:]
        messages.append(json.loads(line))
    return messages


@check("starts", "starts and ends by the thousand, many at a time: every request is answered, every process ends")
def starts(lab: Lab) -> str:
    kinds, folders = _kinds(), [lab.path("data") for _ in range(4)]

    def one(number: int) -> None:
        kind = kinds[number % len(kinds)]
        folder = folders[number // len(kinds) % 4] if b"add" in kind.sent else lab.path("empty")
        process = subprocess.Popen([lab.daybook, *kind.options, "--data", folder], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        try:
            if kind.signal:
                process.stdin.write(kind.sent)
                process.stdin.flush()
                first = process.stdout.read(1)
                process.send_signal(kind.signal)
                output, errors = process.communicate(timeout=LIMIT)
                output = first + output
            else:
                output, errors = process.communicate(kind.sent, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Violation(f"it hangs: {process.communicate()}") from None
        try:
            answers = {message.get("id"): message for message in _messages(output) if "method" not in message}
        except ValueError as error:
            raise Violation(f"torn output, {error}: {output!r}") from None
        if missing := [number for number in kind.answered if "result" not in answers.get(number, {})]:
            raise Violation(f"no result of {missing}, status {process.returncode}: {output!r} {errors!r}")
        if (process.returncode != 0) != (kind.status != 0):
            raise Violation(f"status {process.returncode}, not {kind.status}: {errors!r}")

    def locked() -> None:
        """A whole session while another process holds the lock, for longer than a vanished editor is waited for."""
        kind, folder = next(kind for kind in kinds if kind.name == "a whole session"), lab.path("locked")
        subprocess.run([lab.daybook, "--data", folder], input=kind.sent, stdout=subprocess.DEVNULL, timeout=LIMIT)
        with open(os.path.join(folder, "lock"), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            process = subprocess.Popen([lab.daybook, "--data", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            process.stdin.write(kind.sent)
            process.stdin.close()
            process.stdin = None
            try:
                process.wait(timeout=1)
                raise Violation(f"it ended without an answer to the write: {process.communicate()}")
            except subprocess.TimeoutExpired:
                pass
        output = process.communicate(timeout=LIMIT)[0]
        answers = {message.get("id"): message for message in _messages(output) if "method" not in message}
        if process.returncode != 0 or any("result" not in answers.get(number, {}) for number in kind.answered):
            raise Violation(f"status {process.returncode}: {output!r}")

    lab.sweep(((f"{number}, {kinds[number % len(kinds)].name}", lambda number=number: one(number))
               for number in range(lab.options.starts)), jobs=CROWD * lab.options.jobs)
    lab.point("behind a lock", locked)
    return f"{len(kinds)} kinds"
