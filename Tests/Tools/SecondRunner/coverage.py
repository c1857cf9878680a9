"""Which methods, notifications, types, errors and requirements the cases reach."""

from __future__ import annotations

from collections import Counter
from typing import Any, Dict, Iterable, List, Set, Tuple

from casefile import Case
from conversation import Seen
from jsontext import parse
from schema import COMPOSITE, Protocol

KINDS = ("method", "notification", "type", "error", "requirement")


class Coverage:
    """Counts, for every declared item, the cases that reach it."""

    def __init__(self, protocol: Protocol) -> None:
        self.items: Dict[str, List[str]] = {
            "method": list(protocol.requests),
            "notification": list(protocol.notifications),
            "type": list(protocol.types),
            "error": list(protocol.errors),
            "requirement": list(protocol.requirements),
        }
        self.counts: Dict[str, Counter] = {kind: Counter() for kind in KINDS}

    def add(self, case: Case, seen: Seen) -> None:
        """Counts a case for everything it has exercised and proves."""
        self.counts["method"].update(seen.methods)
        self.counts["notification"].update(seen.notifications)
        self.counts["type"].update(seen.types)
        self.counts["error"].update(seen.errors)
        self.counts["requirement"].update(set(case.proves))

    def uncovered(self) -> List[Tuple[str, str]]:
        """Every item that no case reaches."""
        return [(kind, name) for kind in KINDS for name in self.items[kind]
                if not self.counts[kind][name]]

    def table(self) -> Iterable[str]:
        """Lines of text: every item with its number of cases."""
        for kind in KINDS:
            names = self.items[kind]
            reached = sum(1 for name in names if self.counts[kind][name])
            yield f"{kind}: {reached} of {len(names)}"
            for name in names:
                count = self.counts[kind][name]
                yield f"  {count:4d}  {name}{'' if count else '   UNCOVERED'}"


def declared_reach(case: Case, protocol: Protocol) -> Seen:
    """What a case for the other build says it exercises: coverage is the union of both builds."""
    seen = Seen()
    for step in case.steps:
        if step.kind == ">>":
            for message in _messages(parse(step.text.replace("{{i}}", "0"), unique=False)):
                _note(message, seen, protocol)
        elif step.pattern is not None:
            for message in _messages(step.pattern):
                _note(message, seen, protocol)
                _note_error(message, seen, protocol)
    return seen


def _messages(value: Any) -> List[dict]:
    return [item for item in (value if isinstance(value, list) else [value])
            if isinstance(item, dict)]


def _note(message: dict, seen: Seen, protocol: Protocol) -> None:
    method = message.get("method")
    method = method.replace("$$/", "$/") if isinstance(method, str) else None
    if method in protocol.requests and "id" in message:
        seen.methods.add(method)
        result = protocol.requests[method]["result"]
        members = result["members"] if isinstance(result, dict) else [{"type": result}]
        for member in members:
            _note_type(member, seen.types, protocol)
    elif method in protocol.notifications and "id" not in message:
        seen.notifications.add(method)
        if method == "$/progress":
            _note_type({"type": "WorkProgress"}, seen.types, protocol)
        for member in protocol.notifications[method]["params"]:
            _note_type(member, seen.types, protocol)


def _note_error(message: dict, seen: Seen, protocol: Protocol) -> None:
    error = message.get("error")
    data = error.get("data") if isinstance(error, dict) else None
    if isinstance(data, dict) and data.get("name") in protocol.errors:
        seen.errors.add(data["name"])
        seen.types.update({"ErrorData", "RetryAdvice"})


def _note_type(facets: dict, types: Set[str], protocol: Protocol) -> None:
    name = facets["type"]
    composite = COMPOSITE.match(name)
    if composite:
        _note_type({"type": composite.group(2)}, types, protocol)
    elif name in protocol.types and name not in types:
        types.add(name)
        for member in protocol.types[name].get("members", []):
            if not member.get("optional"):
                _note_type(member, types, protocol)
