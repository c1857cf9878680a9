"""Plays one case against one service, in one framing and one way of writing."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
from typing import Any, Iterator, List, Optional, Set

from casefile import Case, Step
from conversation import Conversation, Seen, Unlawful
from jsontext import parse, to_text
from matching import Bindings, Matcher, Mismatch, fill_in
from schema import Protocol
from wire import END, Service, WireError, arguments, environment, framed

AS_IS, BYTEWISE, ONE_WRITE = "as is", "byte by byte", "one write"
BASE = '{"jsonrpc":"2.0",'
INITIALIZE = BASE + '"id":"initialize","method":"initialize","params":{"capabilities":{}}}'
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
        self.unsent: List[bytes] = []
        self.raw = b""
        self.peeked: Optional[Any] = None
        self.barriers = 0
        self.signalled = False
        self.service: Service

    def run(self) -> Seen:
        """Plays the case to its end; what it has exercised, or `Failed`."""
        folder = tempfile.mkdtemp(prefix="daybook-case-")
        place = "the fixture"
        try:
            data = os.path.join(folder, "data")
            self._prelude(data)
            place = "the start of the session"
            extra = ["--no-handshake"] if self.case.session == "noHandshake" else []
            command = self.command + arguments(data) + extra + self.case.args
            if self.case.folder == "full":
                # Files cannot grow, as on a full disk; pipes can.
                command = ["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh"] + command
            if self.case.folder == "newer":
                make_newer(data)
            if self.case.folder == "damaged":
                make_damaged(data)
            if any(step.kind == "exchange" for step in self.case.steps):
                shutil.copytree(data, data + ".copy")
            self.data = data
            with self._holder(data), Service(command, self.framing, environment()) as self.service:
                if self.case.session == "initialized":
                    self._handshake()
                for step in self.case.steps:
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
        if not self.fixture:
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

    def _handshake(self) -> None:
        self._send_text(INITIALIZE)
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

    # MARK: receiving

    def _next(self, waiting_for: str) -> Any:
        if self.peeked is not None:
            message, self.peeked = self.peeked, None
            return message
        self.service.drained = True
        message = self.service.next_message(waiting_for)
        if message is not END:
            self._check(message)
        return message

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
        steps = {
            ">>": self._step_send, "raw": self._step_raw, "repeat": self._step_raw,
            "<<": self._step_expect, "<<~": self._step_any_order, "<<?": self._step_maybe,
            "<<!": self._step_forbid, "barrier": self._step_barrier, "await": self._step_await,
            "eof": self._step_eof, "exchange": self._step_exchange, "signal": self._step_signal, "exit": self._step_exit,
            "stderr": self._step_stderr, "undrained": self._step_undrained,
        }
        steps[step.kind](step)

    def _step_send(self, step: Step) -> None:
        for index in range(step.count):
            text = step.text.replace("{{i}}", str(index)) if step.count > 1 else step.text
            self._send_text(fill_in(text, self.bindings))

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
        message = self._next(step.text)
        try:
            if message is END:
                raise Mismatch("nothing")
            self.bindings = self.matcher.match(step.pattern, message, self.bindings)
        except Mismatch:
            self.peeked = message

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
        self.service.close_input()
        self._drain()
        status = self.service.wait()
        if status < 0 and not self.signalled:
            raise WireError(f"was ended by signal {-status}: {self._last_words()}")


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
