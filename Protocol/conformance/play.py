"""Plays one case against one service, in one framing and one way of writing."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections import deque
from dataclasses import dataclass
from typing import Any, Deque, List, Optional, Set, Tuple

from case import BYTEWISE, ONE_WRITE, Case, Step, methods_named
from conversation import Conversation, Seen, Unlawful
from folder import bring_into, fill, holding, limited, put, take
from jsontext import parse, pretty, to_text
from matching import Bindings, Matcher, Mismatch, fill_in, names_used
from schema import Protocol
from wire import END, Service, WireError, arguments, environment, framed

BASE = '{"jsonrpc":"2.0",'
INITIALIZED = BASE + '"method":"initialized","params":{}}'
# The most messages that `await` skips.
MOST_PASSED = 1_000_000


@dataclass
class Failure:
    """Why a run of a case failed: the line, or 0 outside the steps, and the report."""

    line: int
    reason: str
    expected: str = ""
    found: str = ""
    complaint: str = ""
    transcript: str = ""


class Failed(Exception):
    """A run of a case fails."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class Play:
    """One run of a case."""

    def __init__(self, case: Case, framing: str, variant: str, protocol: Protocol,
                 command: List[str], fixture: List[str]) -> None:
        self.case, self.framing, self.variant = case, framing, variant
        self.protocol, self.command, self.fixture = protocol, command, fixture
        self.matcher = Matcher(protocol)
        self.conversation = Conversation(protocol, handshake=case.session != "noHandshake")
        self.bindings: Bindings = {}
        self.forbidden: Set[str] = set()
        self.named = set().union(*(methods_named(step) for step in case.steps))
        self.unsent: List[bytes] = []
        self.raw = b""
        self.allowed: List[Any] = []  # patterns that `<<?` allows for the next messages
        self.peeked: Optional[Any] = None
        self.found: Optional[Any] = None  # the message received by this step, for the report
        self.transcript: Deque[Tuple[str, Any]] = deque(maxlen=12)
        self.barriers = 0
        self.signalled = False
        self.service: Optional[Service] = None
        self.ended = False
        self.restarts = 0
        self.zone = case.zone

    def run(self) -> Seen:
        """Plays the case; returns the items it exercised, or raises `Failed`."""
        folder = tempfile.mkdtemp(prefix="daybook-case-")
        self.data = os.path.join(folder, "data")
        step: Optional[Step] = None
        place = "the fixture: "
        try:
            # Files can only be put into a folder that a service has made.
            if self.fixture or self.case.preparations:
                fill(self.data, self.fixture, self.command, self.protocol)
            place = "the folder: "
            bring_into(self.case.folder, self.data)
            if any(step.kind == "exchange" for step in self.case.steps):
                shutil.copytree(self.data, self.data + ".copy")
            place = ""
            with holding(self.case.folder, self.data), contextlib.ExitStack() as self.services:
                try:
                    for step in self.case.preparations:
                        self._steps[step.kind](self, step)
                    step = None
                    self._start([])
                    for step in self.case.steps[len(self.case.preparations):]:
                        self.found = None
                        self._play(step)
                    step = None
                    self._flush()
                    self._finish()
                except (Mismatch, Unlawful, WireError) as error:
                    raise Failed(self._failure(step, str(error))) from None
        except (Mismatch, Unlawful, WireError) as error:
            raise Failed(Failure(0, place + str(error))) from None
        except OSError as error:
            raise Failed(Failure(0, f"{place}the runner cannot go on: {error}")) from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return self.conversation.seen

    def _failure(self, step: Optional[Step], reason: str) -> Failure:
        shown = (f"{side} {said if isinstance(said, str) else to_text(said)}" for side, said in self.transcript)
        return Failure(
            line=step.line if step else 0, reason=reason, expected=step.shown if step else "",
            found="" if self.found is None or self.found is END else pretty(self.found),
            complaint=self.service.last_words() if self.service else "",
            transcript="\n".join(line if len(line) <= 400 else line[:400] + "…" for line in shown))

    def _start(self, further: List[str]) -> None:
        """Starts the service, for the first time or again, up to the case's first message."""
        extra = ["--no-handshake"] if self.case.session == "noHandshake" else []
        command = (self.command + arguments(self.data, clock=self.case.clock) + extra
                   + self.case.args + further)
        # An earlier one has ended, and its pipes are no longer needed.
        self.services.close()
        self.service = self.services.enter_context(
            Service(limited(self.case.folder, command), self.framing, environment(self.zone)))
        self.ended = False
        if self.case.session == "initialized":
            self._handshake()

    def _handshake(self) -> None:
        params = {"capabilities": parse(self.case.capabilities), **parse(self.case.initialize)}
        self._send_own(f'{BASE}"id":"initialize","method":"initialize","params":{to_text(params)}}}')
        self._flush()
        message = self._next("the answer to `initialize`")
        if not _answers(message, "initialize") or "result" not in message:
            raise Mismatch("the handshake was not answered with a result")
        self._send_own(INITIALIZED)

    # MARK: sending

    def _send_own(self, text: str) -> None:
        """Sends one of the runner's own messages, which do not count for coverage."""
        self._end_raw()
        self._note_sent(text, counted=False)
        self._send(framed(text, self.framing), bytewise=False)

    def _send_text(self, text: str) -> None:
        self._end_raw()
        self._note_sent(text, counted=True)
        self._send(framed(text, self.framing), bytewise=self.variant == BYTEWISE)

    def _note_sent(self, text: str, counted: bool) -> None:
        self.transcript.append((">>", text))
        self.conversation.sent(parse(text, unique=False), counted)

    def _send(self, data: bytes, bytewise: bool) -> None:
        if self.variant == ONE_WRITE:
            self.unsent.append(data)
        else:
            self.service.send(data, bytewise)

    def _flush(self) -> None:
        self._end_raw()
        if self.unsent:
            data, self.unsent = b"".join(self.unsent), []
            self.service.send(data)

    def _end_raw(self) -> None:
        if self.raw:
            data, self.raw = self.raw, b""
            self.transcript.append(("raw", repr(data[:400])))
            self.conversation.sent_raw(data)

    def _filled(self, text: str) -> str:
        """The text with bound values; waits for an open `<<?` only if that has to bind one first."""
        if '"$' not in text:
            return text
        if not names_used(text) <= self.bindings.keys():
            self._flush()
            self._settle()
        return fill_in(text, self.bindings)

    # MARK: receiving

    def _next(self, waiting_for: str) -> Any:
        """The next message that no earlier `<<?` takes."""
        while True:
            message = self._take(waiting_for)
            if message is END or not self._is_allowed(message):
                return message

    def _is_allowed(self, message: Any) -> bool:
        """Whether an open `<<?` takes the message. Skipped ones are closed."""
        while self.allowed:
            try:
                self.bindings = self.matcher.match(self.allowed.pop(0), message, self.bindings)
                return True
            except Mismatch:
                continue
        return False

    def _settle(self) -> None:
        """Consumes the next messages that an open `<<?` takes, up to the first other one."""
        while self.allowed and self.peeked is None:
            message = self._take("a message that `<<?` may take")
            if message is END or not self._is_allowed(message):
                self.peeked = message

    def _take(self, waiting_for: str) -> Any:
        if self.peeked is not None:
            message, self.peeked = self.peeked, None
            return message
        while True:
            message = self.service.next_message(waiting_for)
            self.found = message
            if message is END:
                return message
            self.transcript.append(("<<", message))
            self._check(message)
            if not self._is_passed_over(message):
                return message

    def _is_passed_over(self, message: Any) -> bool:
        """Whether it is a start-up report or unprompted, and the case does not name it."""
        method = message.get("method") if isinstance(message, dict) else None
        declared = self.protocol.notifications.get(method, {})
        anytime = declared.get("delivery") == "startup" or declared.get("unprompted") is True
        return anytime and method not in self.named

    def _check(self, message: Any) -> None:
        try:
            self.conversation.received(message)
        except Unlawful as error:
            raise Unlawful(f"not lawful in any case: {error}") from None
        if isinstance(message, dict) and message.get("method") in self.forbidden:
            raise Mismatch(f"{message['method']} may not arrive any more")

    def _match(self, pattern: Any, message: Any) -> None:
        if message is END:
            raise Mismatch("expected a message, found the end of its output")
        self.bindings = self.matcher.match(pattern, message, self.bindings)

    # MARK: steps

    def _play(self, step: Step) -> None:
        if step.kind not in (">>", "raw", "repeat", "undrained", "<<!"):
            if step.kind == "barrier":
                self._send_barrier()
            self._flush()
        self._steps[step.kind](self, step)

    def _step_send(self, step: Step) -> None:
        for index in range(step.count):
            text = step.text.replace("{{i}}", str(index)) if step.count > 1 else step.text
            self._send_text(self._filled(text))

    def _step_raw(self, step: Step) -> None:
        data = step.data * step.count
        # The repeated filling is not a request; the bytes around it are.
        self.raw += data if len(data) <= 1 << 20 else b"\x00"
        self._send(data, bytewise=self.variant == BYTEWISE)

    def _step_expect(self, step: Step) -> None:
        self._match(step.pattern, self._next(step.text))

    def _step_any_order(self, step: Step) -> None:
        messages: List[Any] = []
        for _ in step.pattern:
            message = self._next(step.text)
            if message is END:
                self.found = messages
                raise Mismatch(f"expected {len(step.pattern)} messages, found the end of its output after "
                               f"{len(messages)}")
            messages.append(message)
        self.found = messages
        self.bindings = self.matcher.match_any_order(step.pattern, messages, self.bindings)

    def _step_maybe(self, step: Step) -> None:
        self.allowed.append(step.pattern)

    def _step_forbid(self, step: Step) -> None:
        self.forbidden.add(step.text)

    def _send_barrier(self) -> None:
        self.barriers += 1
        self._send_own(f'{BASE}"id":"barrier-{self.barriers}","method":"server/info"}}')

    def _step_barrier(self, _: Step) -> None:
        message = self._next("the answer to a barrier")
        if not _answers(message, f"barrier-{self.barriers}"):
            raise Mismatch("expected silence, found " + ("the end of its output" if message is END else "a message"))

    def _step_await(self, step: Step) -> None:
        nearest = ""
        for passed in range(MOST_PASSED):
            message = self._next(step.text)
            if message is END:
                break
            try:
                self.bindings = self.matcher.match(step.pattern, message, self.bindings)
                return
            except Mismatch as error:
                nearest = f"; the last passed over differs: {error}"
                last = message
        self.found = last if nearest else None
        raise Mismatch(f"it never came, in {passed} messages{nearest}")

    def _step_exchange(self, _: Step) -> None:
        os.rename(self.data, self.data + ".away")
        os.rename(self.data + ".copy", self.data)

    def _step_put(self, step: Step) -> None:
        content = (self._filled(step.text) + "\n").encode("utf-8") if step.text else step.data
        put(self.data, step.words[0], content)

    def _step_take(self, step: Step) -> None:
        take(self.data, step.words[0])

    def _step_zone(self, step: Step) -> None:
        self.zone = step.text

    def _step_device(self, step: Step) -> None:
        self.data = os.path.join(os.path.dirname(self.data), step.words[0])
        self.bindings[step.words[0]] = self.data

    def _step_kill(self, _: Step) -> None:
        self.service.may_be_cut = True
        self.service.kill()
        self._drain()
        self.service.wait()
        self.ended = True

    def _step_restart(self, step: Step) -> None:
        if not self.ended:
            self._finish_in_order()
        self.allowed, self.peeked, self.signalled = [], None, False
        self.restarts += 1
        self.conversation.restart(handshake=self.case.session != "noHandshake")
        self._start(step.words)

    def _finish_in_order(self) -> None:
        """`shutdown` and `exit`; without a handshake, or after it, the end of the input is enough."""
        expected: Optional[int] = None
        if self.case.session != "noHandshake" and self.service.takes_input:
            self._send_own(f'{BASE}"id":"shutdown-{self.restarts}","method":"shutdown"}}')
            self._flush()
            if self._is_shut_down(f"shutdown-{self.restarts}"):
                expected = 0
            self._send_own(f'{BASE}"method":"exit"}}')
            self._flush()
        status = self._finish()
        if expected is not None and status != expected:
            raise Mismatch(f"expected to end with status {expected}, ended with {status}")

    def _is_shut_down(self, identity: str) -> bool:
        """Skips messages up to the answer to `shutdown`; returns whether that is a result."""
        self.allowed = []
        while True:
            message = self._next("the answer to `shutdown`")
            if message is END:
                raise Mismatch("expected the answer to `shutdown`, found the end of its output")
            if _answers(message, identity):
                if "error" in message and self.case.session != "none":
                    raise Mismatch("`shutdown` was refused")
                return "result" in message

    def _step_eof(self, _: Step) -> None:
        self.service.close_input()

    def _step_signal(self, step: Step) -> None:
        self.signalled = True
        self.service.signal(step.text)

    def _step_exit(self, step: Step) -> None:
        if self.service.drained:
            self._drain()
            status = self.service.wait()
        else:
            status = self.service.wait()
            # Nobody read while it ended: the last message may be cut, but complete ones must be lawful.
            self.service.may_be_cut = True
            self._drain()
        if status != step.count:
            raise Mismatch(f"expected to end with status {step.count}, ended with {status}")
        self._check_all_answered(status)
        self.ended = True

    def _step_stderr(self, step: Step) -> None:
        if step.text not in self.service.errors():
            raise Mismatch("standard error does not contain the text")

    def _step_undrained(self, _: Step) -> None:
        self.service.drained = False

    def _drain(self) -> None:
        while self._next("the process to end") is not END:
            pass

    def _finish(self) -> Optional[int]:
        """Closes the input and lets the service end; its remaining messages must be lawful."""
        if self.ended:
            return None
        self.service.close_input()
        self._drain()
        status = self.service.wait()
        if status < 0 and not self.signalled:
            raise WireError(f"was ended by signal {-status}")
        self._check_all_answered(status)
        return status

    def _check_all_answered(self, status: int) -> None:
        """A service that ended properly has answered every request."""
        unanswered = self.conversation.unanswered() if status == 0 else []
        if unanswered:
            raise Unlawful(f"it ended in order without an answer to {', '.join(unanswered[:5])}")

    _steps = {
        ">>": _step_send, "raw": _step_raw, "repeat": _step_raw, "<<": _step_expect,
        "<<~": _step_any_order, "<<?": _step_maybe, "<<!": _step_forbid,
        "barrier": _step_barrier, "await": _step_await, "eof": _step_eof,
        "exchange": _step_exchange, "signal": _step_signal, "restart": _step_restart,
        "kill": _step_kill, "put": _step_put, "take": _step_take, "zone": _step_zone,
        "device": _step_device,
        "exit": _step_exit, "stderr": _step_stderr, "undrained": _step_undrained,
    }


def _answers(message: Any, identity: str) -> bool:
    """Whether a message answers one of the runner's own requests."""
    return isinstance(message, dict) and "method" not in message and message.get("id") == identity
