"""Reads conformance cases: the text format of `Protocol/README.md`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

from case import BUILDS, SESSIONS, Case, CaseError, Step
from examples import examples
from jsontext import NotJSON, parse
from matching import BadPattern, check_pattern, names_used, prepared
from schema import Protocol

CHOICES = {
    "session": SESSIONS,
    "framing": ("both", "header", "newline"),
    "build": BUILDS,
    "variants": ("all", "plain"),
    "folder": ("fresh", "held", "full", "newer", "damaged"),
}
HEADERS = ("proves", "fixture", "args", "capabilities", "initialize", "clock", "zone") + tuple(CHOICES)
SIGNALS = ("TERM", "INT")
STEPS = (">>", ">>*N", "<<", "<<~", "<<?", "<<!", "raw", "repeat", "barrier", "await", "eof",
         "exchange", "signal", "restart", "kill", "put", "take", "zone", "device", "exit",
         "stderr", "undrained stdout")
# Steps allowed between the end of the service and its next start.
WITHOUT_SERVICE = ("stderr", "put", "take", "zone", "device", "restart")
HEADER_LINE = re.compile(r"([A-Za-z]+):(.*)\Z")
REPEATED = re.compile(r"\*([1-9][0-9]*) (.*)\Z", re.S)


class CaseReader:
    """Reads one case file; the protocol, where given, decides which types exist."""

    def __init__(self, path: Path, name: str, protocol: Optional[Protocol] = None) -> None:
        self.path, self.protocol = path, protocol
        self.case = Case(name=name, path=str(path))
        self.bound: Set[str] = set()
        self.ended = False

    def read(self) -> Case:
        """Returns the case; raises `CaseError` with the fault and its place."""
        try:
            lines = self.path.read_bytes().decode("utf-8").split("\n")
        except UnicodeDecodeError as error:
            raise CaseError(self.path, 1, f"not UTF-8 at byte {error.start}") from None
        seen: Dict[str, int] = {}
        for number, line in enumerate(lines, 1):
            if "\r" in line:
                self._fail(number, "a carriage return; expected lines that end in LF")
            if line.startswith("#"):
                if not seen and not self.case.steps:
                    self.case.comment += line[1:].strip() + "\n"
                continue
            if not line.strip():
                continue
            header = HEADER_LINE.match(line)
            if header:
                self._header(number, header.group(1), header.group(2).strip(), seen)
            else:
                self._step(number, line)
        if not self.case.comment.strip():
            self._fail(1, "no comment at the top; expected `# ` and what is proven")
        if self.case.folder in ("held", "newer", "damaged") and self.case.fixture == "empty":
            self._fail(seen["folder"], f"a folder that is {self.case.folder} needs a fixture")
        for name in ("capabilities", "initialize"):
            if name in seen and self.case.session != "initialized":
                self._fail(seen[name], f"{name}: the runner's handshake is that of session: initialized")
        return self.case

    def _fail(self, line: int, message: str) -> None:
        raise CaseError(self.path, line, message)

    def _header(self, line: int, name: str, value: str, seen: Dict[str, int]) -> None:
        if name not in HEADERS:
            self._fail(line, f"no header {name!r}; expected one of {', '.join(HEADERS)}")
        if self.case.steps:
            self._fail(line, f"header {name!r} after a step; headers come first")
        if name in seen:
            self._fail(line, f"header {name!r} is repeated; it is already on line {seen[name]}")
        seen[name] = line
        if name in CHOICES and value not in CHOICES[name]:
            self._fail(line, f"{name}: {value!r}; expected one of {', '.join(CHOICES[name])}")
        if not value:
            self._fail(line, f"header {name!r} is empty; expected a value")
        if name in ("clock", "zone") and len(value.split()) != 1:
            self._fail(line, f"expected `{name}:` and one word")
        if name in ("capabilities", "initialize"):
            members = self._json(line, value)
            if not isinstance(members, dict):
                self._fail(line, f"{name}: expected a JSON object on one line")
            if name == "initialize" and "capabilities" in members:
                self._fail(line, "capabilities have their own header")
        setattr(self.case, name, value.split() if name in ("proves", "args") else value)

    def _step(self, line: int, text: str) -> None:
        word, _, rest = text.partition(" ")
        if word.startswith(">>*"):
            word, rest = ">>", text[2:]
        reader = {
            ">>": self._send, "<<": self._pattern, "<<?": self._pattern, "await": self._pattern,
            "<<~": self._patterns, "<<!": self._forbid, "raw": self._raw, "repeat": self._repeat,
            "barrier": self._bare, "eof": self._bare, "exchange": self._bare, "signal": self._signal, "exit": self._exit,
            "restart": self._restart, "kill": self._kill, "put": self._put, "take": self._take, "zone": self._zone,
            "device": self._device,
            "stderr": self._stderr, "undrained": self._undrained,
        }.get(word)
        if reader is None:
            self._fail(line, f"no step {word!r}; expected one of {', '.join(STEPS)}")
        if self.ended and word not in WITHOUT_SERVICE:
            self._fail(line, f"{word!r} after `exit` or `kill`; only "
                             f"{', '.join(WITHOUT_SERVICE)} may follow")
        step = reader(line, word, rest)
        step.shown = text
        self.case.steps.append(step)

    def _json(self, line: int, text: str, unique: bool = True) -> Any:
        if not text.strip():
            self._fail(line, "nothing here; expected JSON")
        try:
            return parse(text, unique)
        except NotJSON as error:
            self._fail(line, f"not JSON: {error}; expected one value, on one line")

    def _send(self, line: int, word: str, rest: str) -> Step:
        count = 1
        if rest.startswith("*"):
            repeated = REPEATED.match(rest)
            if not repeated:
                self._fail(line, "expected `>>*N JSON` with N from 1 on")
            count, rest = int(repeated.group(1)), repeated.group(2)
        text = rest.replace("{{N}}", str(len(self.case.steps) + 1))
        if count == 1 and "{{i}}" in text:
            self._fail(line, "{{i}} outside of a repeated send; expected `>>*N JSON`")
        self._json(line, text.replace("{{i}}", "0"), unique=False)
        unknown = sorted(names_used(text) - self.bound)
        if unknown:
            self._fail(line, f"${unknown[0]} was not bound before; expected `$bind:{unknown[0]}` "
                             "in an earlier step")
        return Step(line, ">>", text=text, count=count)

    def _pattern(self, line: int, word: str, rest: str) -> Step:
        pattern = self._json(line, rest)
        if not isinstance(pattern, (dict, list)) and pattern != "$any":
            self._fail(line, "expected the pattern of a message: an object, or an array for a "
                             "batch")
        return Step(line, word, pattern=self._checked(line, pattern), text=rest)

    def _patterns(self, line: int, word: str, rest: str) -> Step:
        pattern = self._json(line, rest)
        if not isinstance(pattern, list) or not pattern:
            self._fail(line, "expected `<<~ [JSON, …]`, the patterns of one message or more")
        return Step(line, word, pattern=self._checked(line, pattern), text=rest)

    def _checked(self, line: int, pattern: Any) -> Any:
        try:
            check_pattern(pattern, self.bound, self.protocol)
        except BadPattern as error:
            self._fail(line, str(error))
        return prepared(pattern)

    def _forbid(self, line: int, word: str, rest: str) -> Step:
        if not rest.strip() or " " in rest.strip():
            self._fail(line, "expected `<<! METHOD`")
        return Step(line, word, text=rest.strip())

    def _raw(self, line: int, word: str, rest: str) -> Step:
        content = self._json(line, rest)
        if not isinstance(content, str):
            self._fail(line, 'expected `raw "…"`, a JSON string')
        try:
            return Step(line, word, data=content.encode("latin-1"))
        except UnicodeEncodeError:
            self._fail(line, "a character above U+00FF; expected its bytes as \\u00XX")
        raise AssertionError

    def _repeat(self, line: int, word: str, rest: str) -> Step:
        count, _, text = rest.partition(" ")
        if not count.isdecimal() or int(count) < 1 or not text:
            self._fail(line, "expected `repeat N TEXT` with N from 1 on")
        return Step(line, word, data=text.encode("utf-8"), count=int(count))

    def _bare(self, line: int, word: str, rest: str) -> Step:
        if rest.strip():
            self._fail(line, f"expected nothing after `{word}`")
        return Step(line, word)

    def _signal(self, line: int, word: str, rest: str) -> Step:
        if rest.strip() not in SIGNALS:
            self._fail(line, f"expected `signal` and one of {', '.join(SIGNALS)}")
        return Step(line, word, text=rest.strip())

    def _exit(self, line: int, word: str, rest: str) -> Step:
        if not rest.strip().isdecimal() or int(rest) > 255:
            self._fail(line, "expected `exit N`, a status from 0 to 255")
        self.ended = True
        return Step(line, word, count=int(rest))

    def _stderr(self, line: int, word: str, rest: str) -> Step:
        if not self.ended:
            self._fail(line, "`stderr` before `exit`; it is read to its end after it")
        if not rest:
            self._fail(line, "expected `stderr TEXT`")
        return Step(line, word, text=rest)

    def _restart(self, line: int, word: str, rest: str) -> Step:
        self.ended = False
        return Step(line, word, text=rest, words=rest.split())

    def _kill(self, line: int, word: str, rest: str) -> Step:
        self.ended = True
        return self._bare(line, word, rest)

    def _put(self, line: int, word: str, rest: str) -> Step:
        path, _, text = rest.partition(" ")
        if not text:
            self._fail(line, "expected `put PATH` and JSON")
        self._check_path(line, path)
        content = self._json(line, text)
        if isinstance(content, str):
            return Step(line, word, words=[path], data=self._raw(line, word, text).data)
        if not isinstance(content, (dict, list)):
            self._fail(line, "a file is the bytes of a JSON string, or a line with an object or "
                             "an array")
        return Step(line, word, words=[path], text=self._send(line, word, text).text)

    def _take(self, line: int, word: str, rest: str) -> Step:
        words = rest.split()
        if len(words) != 1:
            self._fail(line, "expected `take PATH`")
        self._check_path(line, words[0])
        return Step(line, word, words=words)

    def _check_path(self, line: int, path: str) -> None:
        if any(part in ("", ".", "..") for part in path.split("/")):
            self._fail(line, f"{path!r} is no path below the data folder")

    def _device(self, line: int, word: str, rest: str) -> Step:
        words = rest.split()
        if len(words) != 1 or not words[0].isalnum():
            self._fail(line, "expected `device NAME`, letters and digits")
        self.bound.add(words[0])
        return Step(line, word, words=words)

    def _zone(self, line: int, word: str, rest: str) -> Step:
        if len(rest.split()) != 1:
            self._fail(line, "expected `zone NAME`")
        return Step(line, word, text=rest.strip())

    def _undrained(self, line: int, word: str, rest: str) -> Step:
        if rest.strip() != "stdout":
            self._fail(line, "expected `undrained stdout`")
        return Step(line, word)


def read_case(path: Path, name: str, protocol: Optional[Protocol] = None) -> Case:
    """Reads one case file."""
    return CaseReader(path, name, protocol).read()


def read_fixture(path: Path) -> List[str]:
    """The requests that build a fixture's store."""
    case = read_case(path, path.stem)
    texts: List[str] = []
    for step in case.steps:
        if step.kind != ">>":
            raise CaseError(path, step.line, f"{step.kind!r} in a fixture; expected requests only")
        texts += [step.text.replace("{{i}}", str(i)) for i in range(step.count)]
    return texts


class Suite:
    """The content of the folder that a run needs: the protocol, the cases, and the requests of each fixture."""

    def __init__(self, folder: Path) -> None:
        self.protocol = Protocol(folder)
        root = folder / "cases"
        self.fixtures = {path.stem: read_fixture(path) for path in sorted((root / "fixtures").glob("*.rpc"))}
        self.cases = [self._read(path, path.relative_to(root).as_posix()) for path in sorted(root.rglob("*.rpc"))
                      if path.parent != root / "fixtures"]
        self.cases += examples(self.protocol)
        for case in self.cases:
            if case.fixture not in self.fixtures:
                raise CaseError(case.path, 1, f"{case.name}: there is no fixture {case.fixture!r}; expected one of "
                                              + ", ".join(self.fixtures))

    def _read(self, path: Path, name: str) -> Case:
        case = read_case(path, name, self.protocol)
        if not case.proves:
            raise CaseError(path, 1, "no header `proves`; expected the ids of requirements")
        for requirement in case.proves:
            if requirement not in self.protocol.requirements:
                raise CaseError(path, 1, f"proves {requirement}, which requirements.json lacks")
        return case
