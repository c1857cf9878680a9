"""Plays one case against one service, in one framing and one way of writing."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
from typing import Any, Iterator, List, Optional, Set

from casefile import Case, Step, methods_named
from conversation import Conversation, Seen, Unlawful
from jsontext import parse, to_text
from matching import Bindings, Matcher, Mismatch, fill_in, names_used
from schema import Protocol
from wire import END, Service, WireError, arguments, environment, framed

AS_IS, BYTEWISE, ONE_WRITE = "as is", "byte by byte", "one write"
BASE = '{"jsonrpc":"2.0",'
INITIALIZED = BASE + '"method":"initialized","params":{}}'


def make_newer(data: str) -> None:
    """Marks a store as written by a version whose format is not known yet."""
    path = os.path.join(data, "store.json")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # A text without a checksum is taken as it is.
    text = re.sub(r',"crc":"[0-9a-f]{8}"', "", text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r'"format":[0-9]+', '"format":1000000', text, count=1))


def make_damaged(data: str) -> None:
    """Changes a byte of the last line of the journal."""
    path = os.path.join(data, "journal", "000001.jsonl")
    with open(path, "rb") as file:
        content = bytearray(file.read())
    start = content.rindex(b"\n", 0, len(content) - 1) + 1
    content[start + (len(content) - start) // 2] ^= 1
    with open(path, "wb") as file:
        file.write(content)


class Failed(Exception):
    """A case fails; the message says at which line and why."""


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
        self.allowed: List[Any] = []  # what `<<?` allows the next messages to be
        self.peeked: Optional[Any] = None
        self.barriers = 0
        self.signalled = False
        self.service: Service
        self.ended = False
        self.restarts = 0
        self.zone = case.zone

    def run(self) -> Seen:
        """Plays the case to its end; what it has exercised, or `Failed`."""
        folder = tempfile.mkdtemp(prefix="daybook-case-")
        place = "the fixture"
        try:
            data = os.path.join(folder, "data")
            self._prelude(data)
            self.data = data
            place = "the start of the session"
            if self.case.folder == "newer":
                make_newer(data)
            if self.case.folder == "damaged":
                make_damaged(data)
            if any(step.kind == "exchange" for step in self.case.steps):
                shutil.copytree(data, data + ".copy")
            preparations = self.case.preparations
            with self._holder(data), contextlib.ExitStack() as self.services:
                for step in preparations:
                    place = f"line {step.line}"
                    self._steps[step.kind](self, step)
                place = "the start of the session"
                self._start([])
                for step in self.case.steps[len(preparations):]:
                    place = f"line {step.line}"
                    self._play(step)
                place = "the end"
                self._flush()
                self._finish()
        except (Mismatch, Unlawful, WireError) as error:
            raise Failed(f"{place}: {error}") from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return self.conversation.seen

    def _prelude(self, data: str) -> None:
        # A folder that files are put into has to be a service's already.
        if not self.fixture and not self.case.preparations:
            return
        # A seed of its own: the ids that the case's process makes must not repeat these.
        command = self.command + ["--no-handshake", "--framing", "newline"] + arguments(data, 2)
        conversation = Conversation(self.protocol, handshake=False)
        with Service(command, "newline", environment()) as service:
            for text in self.fixture:
                conversation.sent(parse(text, unique=False))
                service.send(framed(text, "newline"))
            service.close_input()
            answers = 0
            while True:
                message = service.next_message("the answers to the fixture's requests")
                if message is END:
                    break
                conversation.received(message)
                if "error" in message:
                    raise Mismatch(f"a request was refused: {to_text(message)}")
                answers += "result" in message
            if answers != len(self.fixture) or service.wait() != 0:
                raise Mismatch(f"{answers} answers to {len(self.fixture)} requests, "
                               f"status {service.wait()}: {service.errors()[-500:]}")

    @contextlib.contextmanager
    def _holder(self, data: str) -> Iterator[None]:
        """The lock of the folder, held while the case runs, if the case wants that."""
        if self.case.folder != "held":
            yield
            return
        with open(os.path.join(data, "lock"), "r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield

    def _start(self, further: List[str]) -> None:
        """Starts the service, for the first time or again, up to the case's first message."""
        extra = ["--no-handshake"] if self.case.session == "noHandshake" else []
        command = (self.command + arguments(self.data, clock=self.case.clock) + extra
                   + self.case.args + further)
        if self.case.folder == "full":
            # Files cannot grow, as on a full disk; pipes can.
            command = ["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh"] + command
        self.service = self.services.enter_context(
            Service(command, self.framing, environment(self.zone)))
        self.ended = False
        if self.case.session == "initialized":
            self._handshake()

    def _handshake(self) -> None:
        params = {"capabilities": parse(self.case.capabilities), **parse(self.case.initialize)}
        self._send_text(f'{BASE}"id":"initialize","method":"initialize",'
                        f'"params":{to_text(params)}}}')
        self._flush()
        message = self._next("the answer to `initialize`")
        if message is END or "result" not in message:
            raise Mismatch(f"`initialize` was not answered with a result: {self._shown(message)}")
        self._send_text(INITIALIZED)

    # MARK: sending

    def _send_text(self, text: str) -> None:
        self._end_raw()
        self.conversation.sent(parse(text, unique=False))
        self._send(framed(text, self.framing))

    def _send(self, data: bytes) -> None:
        if self.variant == ONE_WRITE:
            self.unsent.append(data)
        else:
            self.service.send(data, bytewise=self.variant == BYTEWISE)

    def _flush(self) -> None:
        self._end_raw()
        if self.unsent:
            data, self.unsent = b"".join(self.unsent), []
            self.service.send(data)

    def _end_raw(self) -> None:
        if self.raw:
            data, self.raw = self.raw, b""
            self.conversation.sent_raw(data)

    def _filled(self, text: str) -> str:
        """The text with what is remembered; waits for an open `<<?` only if that has to remember it first."""
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
        """Whether a `<<?` that is still open takes the message. Those it passes by are closed."""
        while self.allowed:
            try:
                self.bindings = self.matcher.match(self.allowed.pop(0), message, self.bindings)
                return True
            except Mismatch:
                continue
        return False

    def _settle(self) -> None:
        """Looks at the next messages for the sake of `<<?` alone, and leaves the first that is another."""
        while self.allowed and self.peeked is None:
            message = self._take("a message that `<<?` may take")
            if message is END or not self._is_allowed(message):
                self.peeked = message

    def _take(self, waiting_for: str) -> Any:
        if self.peeked is not None:
            message, self.peeked = self.peeked, None
            return message
        self.service.drained = True
        while True:
            message = self.service.next_message(waiting_for)
            if message is END:
                return message
            self._check(message)
            if not self._is_passed_over(message):
                return message

    def _is_passed_over(self, message: Any) -> bool:
        """Whether it is of the report on a start, or may come at any time, and the case does not name it."""
        method = message.get("method") if isinstance(message, dict) else None
        declared = self.protocol.notifications.get(method, {})
        anytime = declared.get("delivery") == "startup" or declared.get("unprompted") is True
        return anytime and method not in self.named

    def _check(self, message: Any) -> None:
        try:
            self.conversation.received(message)
        except Unlawful as error:
            raise Unlawful(f"{error}\n  in {self._shown(message)}") from None
        if isinstance(message, dict) and message.get("method") in self.forbidden:
            raise Mismatch(f"{message['method']} may not arrive: {self._shown(message)}")

    def _shown(self, message: Any) -> str:
        if message is END:
            return "the end of its output; standard error: " + self._last_words()
        text = to_text(message)
        return text if len(text) <= 2000 else text[:2000] + "…"

    def _last_words(self) -> str:
        return self.service.errors()[-500:].strip() or "(nothing)"

    def _match(self, pattern: Any, message: Any) -> None:
        if message is END:
            raise Mismatch(f"expected a message, found {self._shown(END)}")
        try:
            self.bindings = self.matcher.match(pattern, message, self.bindings)
        except Mismatch as error:
            raise Mismatch(f"{error}\n  in {self._shown(message)}") from None

    # MARK: steps

    def _play(self, step: Step) -> None:
        if step.kind not in (">>", "raw", "repeat", "undrained"):
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
        # A long filling is no request; what stands around it is.
        self.raw += data if len(data) <= 1 << 20 else b"\x00"
        self._send(data)

    def _step_expect(self, step: Step) -> None:
        self._match(step.pattern, self._next(step.text))

    def _step_any_order(self, step: Step) -> None:
        messages = []
        for _ in step.pattern:
            message = self._next(step.text)
            if message is END:
                raise Mismatch(f"expected {len(step.pattern)} messages, after {len(messages)} "
                               f"found {self._shown(END)}")
            messages.append(message)
        self.bindings = self.matcher.match_any_order(step.pattern, messages, self.bindings)

    def _step_maybe(self, step: Step) -> None:
        self.allowed.append(step.pattern)

    def _step_forbid(self, step: Step) -> None:
        self.forbidden.add(step.text)

    def _send_barrier(self) -> None:
        self.barriers += 1
        self._send_text(f'{BASE}"id":"barrier-{self.barriers}","method":"server/info"}}')

    def _step_barrier(self, step: Step) -> None:
        message = self._next("the answer to a barrier")
        own = f"barrier-{self.barriers}"
        if not isinstance(message, dict) or "method" in message or message.get("id") != own:
            raise Mismatch(f"expected silence, found {self._shown(message)}")

    def _step_await(self, step: Step) -> None:
        nearest = "nothing arrived"
        while True:
            message = self._next(step.text)
            if message is END:
                raise Mismatch(f"{step.text} never came ({nearest}); {self._shown(END)}")
            try:
                self.bindings = self.matcher.match(step.pattern, message, self.bindings)
                return
            except Mismatch as error:
                nearest = f"last passed over: {self._shown(message)[:300]}: {error}"

    def _step_exchange(self, _: Step) -> None:
        os.rename(self.data, self.data + ".away")
        os.rename(self.data + ".copy", self.data)

    def _step_put(self, step: Step) -> None:
        path = os.path.join(self.data, step.words[0])
        data = step.data
        if step.text:
            data = (self._filled(step.text) + "\n").encode("utf-8")
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with open(path, "wb") as file:
                os.fchmod(file.fileno(), 0o600)
                file.write(data)
        except OSError as error:
            raise Mismatch(f"{step.words[0]} cannot be written: {error.strerror}") from None

    def _step_take(self, step: Step) -> None:
        try:
            os.unlink(os.path.join(self.data, step.words[0]))
        except OSError as error:
            raise Mismatch(f"there is no file {step.words[0]} to take: "
                           f"{error.strerror}") from None

    def _step_zone(self, step: Step) -> None:
        self.zone = step.text

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
            self._send_text(f'{BASE}"id":"shutdown-{self.restarts}","method":"shutdown"}}')
            self._flush()
            if self._is_shut_down(f"shutdown-{self.restarts}"):
                expected = 0
            self._send_text(f'{BASE}"method":"exit"}}')
            self._flush()
        self._finish()
        status = self.service.wait()
        if expected is not None and status != expected:
            raise Mismatch(f"expected to end with status {expected}, ended with {status}; "
                           f"standard error: {self._last_words()}")

    def _is_shut_down(self, identity: str) -> bool:
        """Passes over messages up to the answer to `shutdown`; whether that is a result."""
        while True:
            message = self._next("the answer to `shutdown`")
            if message is END:
                raise Mismatch(f"`shutdown` was not answered: {self._shown(END)}")
            if isinstance(message, dict) and "method" not in message \
                    and message.get("id") == identity:
                if "error" in message and self.case.session != "none":
                    raise Mismatch(f"`shutdown` was refused: {self._shown(message)}")
                return "result" in message

    def _step_eof(self, step: Step) -> None:
        self.service.close_input()

    def _step_signal(self, step: Step) -> None:
        self.signalled = True
        self.service.signal(step.text)

    def _step_exit(self, step: Step) -> None:
        self._drain()
        status = self.service.wait()
        if status != step.count:
            raise Mismatch(f"expected to end with status {step.count}, ended with {status}; "
                           f"standard error: {self._last_words()}")
        self.ended = True

    def _step_stderr(self, step: Step) -> None:
        if step.text not in self.service.errors():
            raise Mismatch(f"standard error lacks {step.text!r}: {self._last_words()}")

    def _step_undrained(self, step: Step) -> None:
        self.service.drained = False
        self.service.may_be_cut = True

    def _drain(self) -> None:
        while self._next("the service to end") is not END:
            pass

    def _finish(self) -> None:
        """Closes the input and lets the service end; what it still says must be lawful."""
        if self.ended:
            return
        self.service.close_input()
        self._drain()
        status = self.service.wait()
        if status < 0 and not self.signalled:
            raise WireError(f"was ended by signal {-status}: {self._last_words()}")

    _steps = {
        ">>": _step_send, "raw": _step_raw, "repeat": _step_raw, "<<": _step_expect,
        "<<~": _step_any_order, "<<?": _step_maybe, "<<!": _step_forbid,
        "barrier": _step_barrier, "await": _step_await, "eof": _step_eof,
        "exchange": _step_exchange, "signal": _step_signal, "restart": _step_restart,
        "kill": _step_kill, "put": _step_put, "take": _step_take, "zone": _step_zone,
        "exit": _step_exit, "stderr": _step_stderr, "undrained": _step_undrained,
    }


def detect_build(command: List[str], protocol: Protocol) -> str:
    """Asks the service how it was built."""
    folder = tempfile.mkdtemp(prefix="daybook-case-")
    try:
        arguments_ = arguments(os.path.join(folder, "data"))
        with Service(command + arguments_, "newline", environment()) as service:
            service.send(framed(f'{BASE}"id":1,"method":"server/info"}}', "newline"))
            message = service.next_message("the answer to server/info")
            if not isinstance(message, dict) or "result" not in message:
                raise WireError("server/info was not answered: "
                                + (service.errors()[-500:] if message is END
                                   else to_text(message)))
            return message["result"]["build"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
