"""The data folder of a case: its fixture, its state, and the files that are put and taken."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from typing import Iterator, List

from conversation import Conversation
from jsontext import parse, to_text
from matching import Mismatch
from schema import Protocol
from wire import END, Service, arguments, environment, framed


def fill(data: str, requests: List[str], command: List[str], protocol: Protocol) -> None:
    """Makes a folder by serving a fixture's requests, each of which must succeed."""
    # A separate seed: the ids that the case's process makes must not repeat these.
    command = command + arguments(data, 2) + ["--no-handshake"]
    conversation = Conversation(protocol, handshake=False)
    with Service(command, "newline", environment()) as service:
        for text in requests:
            conversation.sent(parse(text, unique=False), counted=False)
            service.send(framed(text, "newline"))
        service.close_input()
        answers = 0
        while True:
            message = service.next_message("the answers to the fixture's requests")
            if message is END:
                break
            conversation.received(message)
            if isinstance(message, dict) and "error" in message:
                raise Mismatch(f"a request was refused: {to_text(message)}")
            answers += isinstance(message, dict) and "result" in message
        status = service.wait()
        if answers != len(requests) or status != 0:
            raise Mismatch(f"{answers} answers to {len(requests)} requests, status {status}: "
                           f"{service.errors()[-500:].strip()}")


def bring_into(state: str, data: str) -> None:
    """Makes a folder `newer` or `damaged`."""
    try:
        if state == "newer":
            _make_newer(os.path.join(data, "store.json"))
        elif state == "damaged":
            _make_damaged(os.path.join(data, "journal", "000001.jsonl"))
    except OSError as error:
        raise Mismatch(f"the folder cannot be made {state}: {error}") from None


def _make_newer(path: str) -> None:
    """Marks a store as written by a version with an unknown format."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # A text without a checksum is accepted.
    text = re.sub(r',"crc":"[0-9a-f]{8}"', "", text)
    text, count = re.subn(r'"format":[0-9]+', '"format":1000000', text, count=1)
    if count != 1:
        raise Mismatch(f"{path} does not say which format the store has")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _make_damaged(path: str) -> None:
    """Changes a byte of the last line of the journal."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    if content[-1:] != b"\n":
        raise Mismatch(f"{path} has no last line")
    start = content.rfind(b"\n", 0, len(content) - 1) + 1
    content[start + (len(content) - start) // 2] ^= 1
    with open(path, "wb") as file:
        file.write(content)


@contextlib.contextmanager
def holding(state: str, data: str) -> Iterator[None]:
    """The lock of the folder, held while the case runs, if the case wants that."""
    if state != "held":
        yield
        return
    try:
        lock = open(os.path.join(data, "lock"), "r+b")
    except OSError as error:
        raise Mismatch(f"the lock of the folder cannot be had: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Mismatch(f"the lock of the folder cannot be had: {error.strerror}") from None
        yield


def limited(state: str, command: List[str]) -> List[str]:
    """The command that runs the service: on a `full` disk no file can grow, but pipes still work."""
    return ["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh"] + command if state == "full" else command


def put(data: str, path: str, content: bytes) -> None:
    """Writes a file below the folder, readable only by its owner, with its parent folders."""
    try:
        place = data
        for part in path.split("/"):
            if not os.path.isdir(place):
                os.mkdir(place, 0o700)
            place = os.path.join(place, part)
        with open(place, "wb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(content)
    except OSError as error:
        raise Mismatch(f"{path} cannot be written: {error.strerror}") from None


def take(data: str, path: str) -> None:
    """Removes an existing file below the folder."""
    try:
        os.unlink(os.path.join(data, path))
    except OSError as error:
        raise Mismatch(f"there is no file {path} to take: {error.strerror}") from None
