"""Which methods, notifications, types, errors and requirements the cases cover, and which they must."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Set, Tuple

from case import Case, CaseError, Step
from conversation import Seen
from forms import COMPOSITE
from schema import Protocol

KINDS = ("method", "notification", "type", "error", "requirement")
Item = Tuple[str, str]


class Coverage:
    """How many cases cover each item, in the runs of some builds."""

    def __init__(self, build: str) -> None:
        self.builds: Set[str] = {build}
        self.counts: Dict[str, Counter] = {kind: Counter() for kind in KINDS}

    def add(self, case: Case, seen: Seen) -> None:
        """Counts a passed case for everything it exercised and proves."""
        for kind, names in (("method", seen.methods), ("notification", seen.notifications), ("type", seen.types),
                            ("error", seen.errors), ("requirement", set(case.proves))):
            self.counts[kind].update(names)

    def add_file(self, path: Path) -> None:
        """Adds the coverage of an earlier run."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            self.builds.update(content["builds"])
            for kind in KINDS:
                self.counts[kind].update(content.get(kind, {}))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise CaseError(path, 1, f"no coverage file can be read: {error}") from None

    def write(self, path: Path) -> None:
        """Writes what `add_file` reads."""
        content: Dict[str, Any] = {"builds": sorted(self.builds)}
        content.update({kind: dict(sorted(self.counts[kind].items())) for kind in KINDS})
        path.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")


class Demand:
    """The items that the union of some runs must cover.

    These are all items of the protocol except: those that the baseline lists; those only the debug build has, unless a
    debug run is in the union; and those mentioned by cases left out of all runs, as these may be their only cases.
    """

    def __init__(self, protocol: Protocol, coverage: Coverage, pardoned: Set[Item], left_out: Iterable[Case]) -> None:
        self._protocol, self.coverage, self._pardoned = protocol, coverage, pardoned
        self._mentioned: Set[str] = set()
        self.items: Dict[str, List[str]] = {
            "method": list(protocol.requests), "notification": list(protocol.notifications),
            "type": [name for name, declared in protocol.types.items() if not _is_of_a_file(declared)],
            "error": list(protocol.errors), "requirement": list(protocol.requirements)}
        for case in left_out:
            # A case left out of this run may have been in an earlier one.
            if case.build == "any" or case.build not in coverage.builds:
                self._mentioned.update(case.proves)
                for step in case.steps:
                    self._mention_words(step)

    def is_excused(self, kind: str, name: str) -> bool:
        """Whether an item need not be covered here."""
        if (kind, name) in self._pardoned or name in self._mentioned:
            return True
        return "debug" not in self.coverage.builds and name in self._protocol.debug_only

    def unmet(self) -> List[Item]:
        """The required items that nothing covers, in the protocol's order."""
        return [(kind, name) for kind in KINDS for name in self.items[kind]
                if not self.coverage.counts[kind][name] and not self.is_excused(kind, name)]

    def table(self, detailed: bool) -> Iterator[str]:
        """Lines of text: one per kind, and in detail one per item with its number of cases."""
        yield f"coverage of {' and '.join(sorted(self.coverage.builds))}:"
        for kind in KINDS:
            names, counts = self.items[kind], self.coverage.counts[kind]
            reached = sum(1 for name in names if counts[name])
            excused = sum(1 for name in names if not counts[name] and self.is_excused(kind, name))
            more = f", {excused} not demanded here" if excused else ""
            yield f"  {kind + 's':16}{reached} of {len(names)}{more}"
            for name in names if detailed else ():
                shown = counts[name] or ("–" if self.is_excused(kind, name) else 0)
                yield f"    {shown:>6}  {name}"

    def _mention_words(self, step: Step) -> None:
        words = step.text.split('"') if step.kind == ">>" else _words(step.pattern)
        for word in words:
            declared = self._protocol.requests.get(word) or self._protocol.notifications.get(word)
            if declared is not None:
                self._mentioned.add(word)
                self._mention_types(declared["params"])
                result = declared.get("result")
                self._mention_types(result["members"] if isinstance(result, dict) else [{"type": result}])
                if declared.get("progress"):
                    self._mention_types([{"type": "WorkProgress"}])
            elif word in self._protocol.errors:
                self._mentioned.add(word)
                self._mention_types([{"type": "ErrorData"}])
            elif word in self._protocol.types:
                self._mention_types([{"type": word}])

    def _mention_types(self, members: List[dict]) -> None:
        for member in members:
            name: Optional[str] = member["type"]
            while name and COMPOSITE.match(name):
                name = COMPOSITE.match(name).group(2)
            if name in self._protocol.types and name not in self._mentioned:
                self._mentioned.add(name)
                self._mention_types(self._protocol.types[name].get("members", []))


def _is_of_a_file(declared: dict) -> bool:
    """Whether a type is only used in files, so that no message needs to contain it."""
    return declared.get("stored", False) and "collection" not in declared


def _words(pattern: Any) -> Iterator[str]:
    """The texts and the types in a pattern."""
    if isinstance(pattern, dict):
        for item in pattern.values():
            yield from _words(item)
    elif isinstance(pattern, list):
        for item in pattern:
            yield from _words(item)
    elif isinstance(pattern, str):
        name = pattern[len("$type:"):] if pattern.startswith("$type:") else pattern
        while COMPOSITE.match(name):
            name = COMPOSITE.match(name).group(2)
        yield name.replace("$$", "$", 1) if name.startswith("$$") else name
