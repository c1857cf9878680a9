"""JSON as on the wire: read strictly, keeping the spelling of every number."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, List, Optional, Tuple


class NotJSON(ValueError):
    """The text is not strict JSON; the message says where and why."""


class Number:
    """A JSON number: compared by value, with the lexeme it was spelled with."""

    __slots__ = ("lexeme", "_value")

    def __init__(self, lexeme: str) -> None:
        self.lexeme = lexeme
        self._value: Optional[Decimal] = None

    @property
    def value(self) -> Decimal:
        """The value, exactly."""
        if self._value is None:
            self._value = Decimal(self.lexeme)
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and (self.lexeme == other.lexeme or self.value == other.value)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return self.lexeme

    def __reduce__(self) -> Tuple[Any, ...]:
        return Number, (self.lexeme,)

    @property
    def is_integer(self) -> bool:
        """Whether the value is whole; 7.0 is."""
        if self.lexeme.isdigit():
            return True
        exponent = self.value.as_tuple().exponent
        if not isinstance(exponent, int) or self.value.adjusted() > 400:
            return False
        return exponent >= 0 or self.value == self.value.to_integral_value()


def _no_constant(name: str) -> Any:
    raise NotJSON(f"{name} is not JSON")


def _unique_members(pairs: List[Tuple[str, Any]]) -> dict:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen = set()
        for name, _ in pairs:
            if name in seen:
                raise NotJSON(f"member {name!r} appears twice")
            seen.add(name)
    return members


_HOOKS = {"parse_int": Number, "parse_float": Number, "parse_constant": _no_constant}
_STRICT = json.JSONDecoder(object_pairs_hook=_unique_members, **_HOOKS)
_LOOSE = json.JSONDecoder(**_HOOKS)
_WHITE_SPACE = " \t\r\n"


def parse(text: str, unique: bool = True) -> Any:
    """Reads one JSON value; `unique` refuses a member that appears twice."""
    start = len(text) - len(text.lstrip(_WHITE_SPACE))
    decoder = _STRICT if unique else _LOOSE
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise NotJSON(f"{error.msg} at character {error.pos}") from None
    except RecursionError:
        raise NotJSON("nested too deep") from None
    if text[end:].strip(_WHITE_SPACE):
        raise NotJSON(f"something follows the value at character {end}")
    return value


def parse_bytes(data: bytes) -> Any:
    """Reads one JSON value from UTF-8, refusing lone surrogates and repeated members."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJSON(f"not UTF-8 at byte {error.start}") from None
    value = parse(text)
    if "\\u" in text:
        try:
            to_text(value).encode("utf-8")
        except UnicodeEncodeError:
            raise NotJSON("a lone surrogate") from None
    return value


def values_within(text: str) -> List[Any]:
    """The JSON objects and arrays found in an arbitrary text, in order."""
    found, position = [], 0
    opening = re.compile(r"[{\[]")
    while True:
        match = opening.search(text, position)
        if match is None:
            return found
        try:
            value, position = _LOOSE.raw_decode(text, match.start())
            found.append(value)
        except ValueError:
            position = match.end()
        except RecursionError:
            return found


def to_text(value: Any) -> str:
    """The value as JSON text, every number spelled as it was read."""
    if isinstance(value, Number):
        return value.lexeme
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(k)}:{to_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(to_text(item) for item in value) + "]"
    if isinstance(value, str):
        return _quoted(value)
    return json.dumps(value)


def pretty(value: Any, lines: int = 60) -> str:
    """The value for people: two spaces per level, short values on one line, cut after a number of lines."""
    found = _pretty(value, 0).split("\n")
    if len(found) <= lines:
        return "\n".join(found)
    return "\n".join(found[:lines]) + f"\n… {len(found) - lines} lines more"


def _pretty(value: Any, level: int) -> str:
    compact = to_text(value)
    if len(compact) + level * 2 <= 100:
        return compact
    indent, closing = "  " * (level + 1), "  " * level
    if isinstance(value, list):
        return "[\n" + ",\n".join(indent + _pretty(item, level + 1) for item in value) + f"\n{closing}]"
    if isinstance(value, dict):
        members = (f"{indent}{_quoted(name)}: {_pretty(item, level + 1)}" for name, item in value.items())
        return "{\n" + ",\n".join(members) + f"\n{closing}}}"
    return compact if len(compact) <= 2000 else compact[:2000] + "…"


_ENCODER = json.JSONEncoder(ensure_ascii=False)


def _quoted(text: str) -> str:
    return _ENCODER.encode(text)
