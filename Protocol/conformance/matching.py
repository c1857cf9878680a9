"""Expectations: patterns that messages are compared with, and bindings."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Iterable, List, Optional, Set

from forms import UUID, Invalid, is_date, is_instant, is_time
from jsontext import Number, to_text
from schema import Check, Protocol

Bindings = Dict[str, Any]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
STRING_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"')

_KINDS: Dict[str, Callable[[Any], bool]] = {
    "any": lambda value: True,
    "string": lambda value: isinstance(value, str),
    "int": lambda value: isinstance(value, Number) and value.is_integer,
    "number": lambda value: isinstance(value, Number),
    "bool": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "uuid": lambda value: isinstance(value, str) and bool(UUID.match(value)),
    "instant": lambda value: isinstance(value, str) and is_instant(value),
    "date": lambda value: isinstance(value, str) and is_date(value),
    "time": lambda value: isinstance(value, str) and is_time(value),
}
# The limit of comparisons for messages in any order; beyond it the patterns are too vague.
MOST_COMPARISONS = 100_000
RESERVED = frozenset(_KINDS) | {"rest", "absent"}


class BadPattern(ValueError):
    """An invalid pattern, with what was expected instead."""


class Mismatch(Exception):
    """A message does not match; the message names the place."""


class _Message:
    """Stands for `error.message`, which must be a non-empty string and is never compared."""

    def __repr__(self) -> str:
        return "some text"


_MESSAGE = _Message()


def prepared(pattern: Any) -> Any:
    """The pattern of a message or batch, with `error.message` excluded from comparison."""
    if isinstance(pattern, list):
        return [prepared(item) for item in pattern]
    if isinstance(pattern, dict) and isinstance(pattern.get("error"), dict):
        return {**pattern, "error": {**pattern["error"], "message": _MESSAGE}}
    return pattern


def check_pattern(pattern: Any, bound: Set[str], protocol: Optional[Protocol] = None) -> None:
    """Refuses unknown or misplaced matchers; adds names to `bound`."""
    if isinstance(pattern, dict):
        for name, item in pattern.items():
            if name == "$rest":
                if item is not True:
                    raise BadPattern('"$rest" as a member has the value true')
            elif name.startswith("$") and not name.startswith("$$"):
                raise BadPattern(f"{name} is no member; a literal leading $ is doubled")
            elif item != "$absent":
                check_pattern(item, bound, protocol)
    elif isinstance(pattern, list):
        for index, item in enumerate(pattern):
            if item == "$rest":
                if index != len(pattern) - 1:
                    raise BadPattern('"$rest" must be the last element')
            else:
                check_pattern(item, bound, protocol)
    elif isinstance(pattern, str) and pattern.startswith("$") and pattern[1:2] != "$":
        _check_matcher(pattern[1:], bound, protocol)


def _check_matcher(matcher: str, bound: Set[str], protocol: Optional[Protocol]) -> None:
    if matcher in _KINDS or matcher in bound:
        return
    head, colon, tail = matcher.partition(":")
    if colon and head == "bind":
        if not NAME.match(tail) or tail in RESERVED:
            raise BadPattern(f"$bind:{tail} cannot name a value; expected a free name")
        bound.add(tail)
    elif colon and head == "type":
        if protocol is not None and not protocol.knows_type(tail):
            raise BadPattern(f"the protocol has no type {tail}")
    elif colon and head == "methods":
        if tail not in ("debug", "release"):
            raise BadPattern(f"$methods:{tail} names no build; expected debug or release")
    elif colon and head == "re":
        try:
            re.compile(tail)
        except re.error as error:
            raise BadPattern(f"$re: is no regular expression: {error}") from None
    elif matcher in RESERVED:
        raise BadPattern(f"${matcher} cannot stand here")
    elif NAME.match(matcher):
        raise BadPattern(f"${matcher} is neither a matcher nor bound before")
    else:
        raise BadPattern(f"${matcher} is no matcher; a literal leading $ is doubled")


class Matcher:
    """Compares values with patterns, using the protocol's types."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self._budget = 0

    def match(self, pattern: Any, value: Any, bindings: Bindings) -> Bindings:
        """Returns the bindings after a match; raises `Mismatch` without changing any."""
        after = dict(bindings)
        self._match(pattern, value, after, "")
        return after

    def match_any_order(self, patterns: List[Any], values: List[Any],
                        bindings: Bindings) -> Bindings:
        """Matches each pattern with a different value."""
        self._budget = MOST_COMPARISONS
        after = self._assign(patterns, values, bindings)
        if after is None:
            raise self._nearest_miss(patterns, values, bindings)
        return after

    def _nearest_miss(self, patterns: List[Any], values: List[Any], bindings: Bindings) -> Mismatch:
        """The deepest difference of the first pattern that nothing matches."""
        for number, pattern in enumerate(patterns, 1):
            misses = []
            for value in values:
                try:
                    self.match(pattern, value, bindings)
                except Mismatch as error:
                    misses.append(str(error))
            if len(misses) == len(values):
                nearest = max(misses, key=lambda miss: miss.partition(":")[0].count("/"))
                return Mismatch(f"{nearest} (pattern {number}, the nearest miss)")
        return Mismatch("expected each pattern to match a message of its own; there is no such assignment")

    def _assign(self, patterns: List[Any], values: List[Any],
                bindings: Bindings) -> Optional[Bindings]:
        if not patterns:
            return bindings
        for index, value in enumerate(values):
            self._budget -= 1
            if self._budget < 0:
                return None
            try:
                after = self.match(patterns[0], value, bindings)
            except Mismatch:
                continue
            done = self._assign(patterns[1:], values[:index] + values[index + 1:], after)
            if done is not None:
                return done
        return None

    def _match(self, pattern: Any, value: Any, bindings: Bindings, place: str) -> None:
        if isinstance(pattern, _Message):
            if not isinstance(value, str) or not value:
                raise Mismatch(f"{place}: expected some text, found {_text(value)}")
        elif isinstance(pattern, dict):
            self._match_object(pattern, value, bindings, place)
        elif isinstance(pattern, list):
            self._match_array(pattern, value, bindings, place)
        elif isinstance(pattern, str) and pattern.startswith("$"):
            self._match_matcher(pattern[1:], value, bindings, place)
        elif not same(pattern, value):
            raise Mismatch(f"{place}: expected {_text(pattern)}, found {_text(value)}")

    def _match_object(self, pattern: dict, value: Any, bindings: Bindings, place: str) -> None:
        if not isinstance(value, dict):
            raise Mismatch(f"{place}: expected an object, found {_text(value)}")
        for name, item in pattern.items():
            if name == "$rest":
                continue
            if name.startswith("$$"):
                name = name[1:]
            if item == "$absent":
                if name in value:
                    raise Mismatch(f"{place}/{name}: should be absent, is {_text(value[name])}")
            elif name not in value:
                raise Mismatch(f"{place}/{name}: is missing")
            else:
                self._match(item, value[name], bindings, f"{place}/{name}")
        if "$rest" not in pattern:
            self._refuse_more(value, pattern, place)

    @staticmethod
    def _refuse_more(value: dict, pattern: Iterable[str], place: str) -> None:
        for name in value:
            if name not in pattern and f"${name}" not in pattern:
                raise Mismatch(f"{place}/{name}: is one too many: {_text(value[name])}")

    def _match_array(self, pattern: list, value: Any, bindings: Bindings, place: str) -> None:
        if not isinstance(value, list):
            raise Mismatch(f"{place}: expected an array, found {_text(value)}")
        open_ended = bool(pattern) and pattern[-1] == "$rest"
        items = pattern[:-1] if open_ended else pattern
        if len(value) < len(items) or (len(value) > len(items) and not open_ended):
            raise Mismatch(f"{place}: expected {len(items)} elements, found {_text(value)}")
        for index, item in enumerate(items):
            self._match(item, value[index], bindings, f"{place}/{index}")

    def _match_matcher(self, matcher: str, value: Any, bindings: Bindings, place: str) -> None:
        if matcher.startswith("$"):
            good = value == matcher
        elif matcher in _KINDS:
            good = _KINDS[matcher](value)
        elif matcher.startswith("bind:"):
            bindings[matcher[5:]] = value
            good = True
        elif matcher.startswith("type:"):
            try:
                Check(self.protocol).value({"type": matcher[5:]}, value, place)
            except Invalid as error:
                raise Mismatch(str(error)) from None
            good = True
        elif matcher.startswith("methods:"):
            methods = [{"name": f"${name}" if name[0] == "$" else name, "$rest": True}
                       for name in self.protocol.methods_of(matcher[8:])]
            self._match(methods, value, bindings, place)
            good = True
        elif matcher.startswith("re:"):
            good = isinstance(value, str) and re.fullmatch(matcher[3:], value) is not None
        else:
            if matcher not in bindings:
                raise Mismatch(f"{place}: nothing was remembered as {matcher}")
            if not same(bindings[matcher], value):
                raise Mismatch(f"{place}: expected {_text(bindings[matcher])} "
                               f"(${matcher}), found {_text(value)}")
            good = True
        if not good:
            raise Mismatch(f"{place}: expected ${matcher}, found {_text(value)}")


def same(one: Any, other: Any) -> bool:
    """Equality of JSON values: numbers by value, `true` never equal to 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def fill_in(text: str, bindings: Bindings) -> str:
    """Replaces the strings `"$x"` of a message to send by the value bound to `x`."""
    def replaced(match: "re.Match[str]") -> str:
        content = match.group(1)
        if content.startswith("$$"):
            return f'"{content[1:]}"'
        if content.startswith("$") and NAME.match(content[1:]):
            if content[1:] not in bindings:
                raise Mismatch(f"nothing was remembered as {content[1:]}")
            return to_text(bindings[content[1:]])
        return match.group(0)
    return STRING_TOKEN.sub(replaced, text)


def names_used(text: str) -> Set[str]:
    """The bound names that a message to send uses."""
    contents = (match.group(1) for match in STRING_TOKEN.finditer(text))
    return {c[1:] for c in contents if c.startswith("$") and NAME.match(c[1:])}


def _text(value: Any) -> str:
    text = to_text(value) if not isinstance(value, _Message) else "some text"
    return text if len(text) <= 200 else text[:197] + "..."
