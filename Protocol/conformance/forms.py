"""Checks of values on the wire: one for each type, compiled once."""

from __future__ import annotations

import datetime
import math
import re
from decimal import Decimal
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from jsontext import Number

SAFE_INTEGER = 2**53 - 1
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z\Z", re.ASCII)
DATE = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)
TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d\Z", re.ASCII)
DECIMAL = re.compile(r"-?(0|[1-9]\d*)(\.(\d+))?\Z", re.ASCII)
ZONE = re.compile(r"[A-Za-z0-9_+\-]+(/[A-Za-z0-9_+\-]+)*\Z")
COMPOSITE = re.compile(r"(array|map)<(.+)>\Z")
# Raises `Invalid` if a value does not fit, and adds the names of the types met.
Form = Callable[[Any, Set[str]], None]


class Invalid(Exception):
    """A value does not have its declared type: the reason, and the place below the checked value."""

    def __init__(self, reason: str, place: Optional[List[str]] = None) -> None:
        super().__init__(reason)
        self.reason, self.place = reason, place or []

    def __str__(self) -> str:
        place = "/".join(self.place)
        return f"{place}: {self.reason}" if place else self.reason

    def within(self, name: object) -> "Invalid":
        """The same error, with this name put before its place."""
        self.place.insert(0, str(name))
        return self


def is_date(text: str) -> bool:
    """Whether the text is a civil day of the calendar, 1900-01-01 to 2200-12-31."""
    return DATE.match(text) is not None and "1900" <= text[:4] <= "2200" and _is_day(text)


def _is_day(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_time(text: str) -> bool:
    """Whether the text is a time of day, 00:00 to 23:59."""
    return bool(TIME.match(text))


def is_instant(text: str) -> bool:
    """Whether the text is an instant as the service writes it: UTC with milliseconds."""
    match = INSTANT.match(text)
    return match is not None and _is_day(match.group(1))


class Forms:
    """Compiles and caches the check of each type expression with its facets."""

    def __init__(self, types: Dict[str, dict]) -> None:
        self._types = types
        self._made: Dict[Tuple[Any, ...], Form] = {}
        self._made_of_members: Dict[int, Tuple[List[dict], Form]] = {}

    def of(self, facets: dict) -> Form:
        """The check of a type expression and the facets that narrow it."""
        key = (facets["type"],) + tuple(facets.get(name) for name in FACETS)
        form = self._made.get(key)
        if form is None:
            form = self._made[key] = self._make(facets)
        return form

    def of_members(self, declared: List[dict]) -> Form:
        """The check that a value is an object of exactly these members."""
        # The key objects are kept alive, so that their identities stay unique.
        made = self._made_of_members.get(id(declared))
        if made is None:
            made = self._made_of_members[id(declared)] = (declared, _object(self, declared))
        return made[1]

    def _make(self, facets: dict) -> Form:
        if "form" in facets:
            return _wished(self.of({"type": facets["form"]}))
        expression = facets["type"]
        composite = COMPOSITE.match(expression)
        if composite:
            inner = self.of({**facets, "type": composite.group(2)})
            return _array(inner) if composite.group(1) == "array" else _map(inner)
        if expression in self._types:
            return self._named(self._types[expression])
        if expression in SCALARS:
            return SCALARS[expression](facets)
        raise Invalid(f"the protocol has no type {expression}")

    def _named(self, declared: dict) -> Form:
        name = declared["name"]
        if declared["kind"] == "enum":
            known = frozenset(value["name"] for value in declared["values"])
            # An open enumeration may have gained values.
            is_open = declared.get("open", False)
            expected = f"one of {', '.join(value['name'] for value in declared['values'])}"

            def check_enum(value: Any, met: Set[str]) -> None:
                met.add(name)
                if not isinstance(value, str) or not (is_open or value in known):
                    raise _other(expected, value)
            return check_enum

        def check_struct(value: Any, met: Set[str]) -> None:
            met.add(name)
            # Looked up when called, as types may be recursive.
            self.of_members(declared["members"])(value, met)
        return check_struct


def _wished(form: Form) -> Form:
    """The expected type of a value; anything is accepted."""
    def check(value: Any, met: Set[str]) -> None:
        seen: Set[str] = set()
        try:
            form(value, seen)
        except Invalid:
            return
        met |= seen
    return check


def _object(forms: Forms, declared: List[dict]) -> Form:
    members = {member["name"]: (forms.of(member), member.get("nullable", False) or member["type"] in ("json", "null"),
                                member.get("nullable", False)) for member in declared}
    required = [member["name"] for member in declared if not member.get("optional")]

    def check(value: Any, met: Set[str]) -> None:
        if not isinstance(value, dict):
            raise _other("an object", value)
        for name in required:
            if name not in value:
                raise Invalid("is missing", [name])
        for name, item in value.items():
            if name not in members:
                raise Invalid("is not declared", [name])
            form, may_be_null, is_nullable = members[name]
            if item is None:
                if not may_be_null:
                    raise Invalid("may not be null", [name])
                if is_nullable:
                    continue
            try:
                form(item, met)
            except Invalid as error:
                raise error.within(name) from None
    return check


def _array(inner: Form) -> Form:
    def check(value: Any, met: Set[str]) -> None:
        if not isinstance(value, list):
            raise _other("an array", value)
        for index, item in enumerate(value):
            try:
                inner(item, met)
            except Invalid as error:
                raise error.within(index) from None
    return check


def _map(inner: Form) -> Form:
    def check(value: Any, met: Set[str]) -> None:
        if not isinstance(value, dict):
            raise _other("an object", value)
        for name, item in value.items():
            try:
                inner(item, met)
            except Invalid as error:
                raise error.within(name) from None
    return check


def _other(expected: str, value: Any) -> Invalid:
    text = repr(value)
    return Invalid(f"expected {expected}, found {text if len(text) <= 80 else text[:77] + '...'}")


def _simple(expected: str, is_good: Callable[[Any], bool]) -> Callable[[dict], Form]:
    """A scalar that no facet narrows."""
    def check(value: Any, _: Set[str]) -> None:
        if not is_good(value):
            raise _other(expected, value)
    return lambda facets: check


def _text(expected: str, is_good: Callable[[str], Any]) -> Callable[[dict], Form]:
    return _simple(expected, lambda value: isinstance(value, str) and bool(is_good(value)))


def _int(facets: dict, least: int = -SAFE_INTEGER) -> Form:
    low, high = max(least, facets.get("minimum", least)), facets.get("maximum", SAFE_INTEGER)
    expected = f"an integer from {low} to {high}"

    def check(value: Any, _: Set[str]) -> None:
        if isinstance(value, Number):
            if value.lexeme.isdigit():
                if low <= int(value.lexeme) <= high:
                    return
            elif value.is_integer and low <= value.value <= high:
                return
        raise _other(expected, value)
    return check


def _string(facets: dict) -> Form:
    low, high = facets.get("minLength", 0), facets.get("maxLength", math.inf)

    def check(value: Any, _: Set[str]) -> None:
        if not isinstance(value, str):
            raise _other("text", value)
        if not low <= len(value) <= high:
            raise _other(f"at least {low} and at most {high} scalars", value)
    return check


def _decimal(facets: dict) -> Form:
    scale = facets.get("scale", math.inf)
    low = None if facets.get("minimum") is None else Decimal(facets["minimum"])
    high = None if facets.get("maximum") is None else Decimal(facets["maximum"])

    def check(value: Any, _: Set[str]) -> None:
        match = DECIMAL.match(value) if isinstance(value, str) else None
        if match is None:
            raise _other("a decimal as text", value)
        if len(match.group(3) or "") > scale:
            raise _other(f"at most {scale} fraction digits", value)
        if low is not None and Decimal(value) < low or high is not None and Decimal(value) > high:
            raise _other(f"a decimal from {low} to {high}", value)
    return check


FACETS = ("minimum", "maximum", "minLength", "maxLength", "scale", "form")
SCALARS: Dict[str, Callable[[dict], Form]] = {
    "bool": _simple("true or false", lambda value: isinstance(value, bool)),
    "int": _int,
    "number": _simple("a finite number",
                      lambda value: isinstance(value, Number) and math.isfinite(float(value.lexeme))),
    "string": _string,
    "id": _text("a UUID in lower case", UUID.match),
    "date": _text("a civil day", is_date),
    "time": _text("a time of day, HH:MM", is_time),
    "instant": _text("an instant in UTC with milliseconds", is_instant),
    "duration": lambda facets: _int(facets, 0),
    "decimal": _decimal,
    "timezone": _text("an IANA zone name", ZONE.match),
    "token": _simple("text or an integer",
                     lambda value: isinstance(value, str) or isinstance(value, Number) and value.is_integer),
    "json": _simple("anything", lambda value: True),
    "null": _simple("null", lambda value: value is None),
}
