"""A conformance case: headers and steps as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, List, Set, Tuple

from wire import CLOCK, ZONE

AS_IS, BYTEWISE, ONE_WRITE = "as is", "byte by byte", "one write"
SESSIONS = ("none", "initialized", "noHandshake")
BUILDS = ("any", "debug", "release")
# Steps that prepare a start, and so run before the first one when they come first.
PREPARATIONS = ("put", "take", "zone")


class CaseError(Exception):
    """An error in a case, or in another file of the suite: file, line, and what was expected there."""

    def __init__(self, path: object, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")


@dataclass
class Step:
    """One line of a transcript; `shown` is its text."""

    line: int
    kind: str
    text: str = ""
    shown: str = ""
    pattern: Any = None
    data: bytes = b""
    count: int = 1
    words: List[str] = field(default_factory=list)


@dataclass
class Case:
    """A transcript and its headers."""

    name: str
    path: str
    comment: str = ""
    proves: List[str] = field(default_factory=list)
    session: str = "initialized"
    fixture: str = "empty"
    framing: str = "both"
    build: str = "any"
    args: List[str] = field(default_factory=list)
    variants: str = "all"
    folder: str = "fresh"
    capabilities: str = "{}"
    initialize: str = "{}"
    clock: str = CLOCK
    zone: str = ZONE
    steps: List[Step] = field(default_factory=list)

    @property
    def preparations(self) -> List[Step]:
        """The steps to run before the service is started."""
        return list(takewhile(lambda step: step.kind in PREPARATIONS, self.steps))

    def runs(self, framing: str = "both", variants: str = "all") -> List[Tuple[str, str]]:
        """The framings and ways of writing to run it in, within a selection."""
        framings = ["header", "newline"] if self.framing == "both" else [self.framing]
        ways = [AS_IS] if "plain" in (self.variants, variants) else [AS_IS, BYTEWISE, ONE_WRITE]
        return [(f, w) for f in framings if framing in ("both", f) for w in ways]


def methods_named(step: Step) -> Set[str]:
    """The methods that a step's expectations name."""
    if step.kind == "<<!":
        return {step.text}
    patterns = step.pattern if isinstance(step.pattern, list) else [step.pattern]
    methods = {pattern.get("method") for pattern in patterns if isinstance(pattern, dict)}
    # A pattern doubles a literal `$` at the start.
    return {method.replace("$$", "$", 1) for method in methods if isinstance(method, str)}
